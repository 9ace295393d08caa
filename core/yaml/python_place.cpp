// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/python_place.h"

namespace shardlens::yaml {
namespace {

constexpr const char* kThisRank = R"(NODES = WORLD_SIZE // RANKS_PER_NODE

# The variables of those who start processes: rank, world size, local rank. The nearest to the process comes first: below
# mpirun the variables of Slurm are those of the batch script.
LAUNCHERS = [
    ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
]


def place():
    """Rank and world size of this process and their source; None when there is no source."""
    env = os.environ
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size(), "torch.distributed"
    local_rank = env.get("LOCAL_RANK")
    said = []
    for rank, world_size, local in LAUNCHERS:
        is_of_parent = local_rank is not None and env.get(local, local_rank) != local_rank
        if rank == "SLURM_PROCID" and "SLURM_JOB_ID" in env and "SLURM_STEP_ID" not in env:
            continue  # Slurm says 0 to a batch script, which is no rank: only srun starts the ranks
        if rank in env and (world_size in env or rank == "RANK") and not is_of_parent:
            said.append((int(env[rank]), int(env.get(world_size, WORLD_SIZE)), rank))
    if said:
        check_left_over(said)
        return said[0]
    if local_rank is not None and (NODES == 1 or "NODE_RANK" in env) and int(local_rank) < RANKS_PER_NODE:
        rank = int(env.get("NODE_RANK", "0")) * RANKS_PER_NODE + int(local_rank)  # Lightning's own launcher
        return rank, int(env.get("WORLD_SIZE", WORLD_SIZE)), "LOCAL_RANK"
    if WORLD_SIZE == 1 and local_rank is None:
        return 0, int(env.get("WORLD_SIZE", "1")), "the plan"
    return None


def check_left_over(said):
    """Raises when RANK may be that of another process: one that was exported before the launcher started."""
    env = os.environ
    rank, world_size, source = said[0]
    if source != "RANK" or "TORCHELASTIC_RUN_ID" in env or "SHARDLENS_JOB_DIR" in env:
        return
    others = [(name, other) for other, size, name in said[1:] if size == world_size]
    if NODES == 1 and "LOCAL_RANK" in env:
        others.append(("LOCAL_RANK", int(env["LOCAL_RANK"])))
    for name, other in others:
        if other != rank:
            raise RuntimeError(
                f"RANK says {rank} and {name} says {other}: unset the one that is left over from another launcher")


def this_rank():
    """The rank of this process. Raises when it is unknown, or when the job is not the planned one."""
    found = place()
    if found is None:
        raise RuntimeError(
            f"nothing says which of {WORLD_SIZE} ranks this process is: call torch.distributed.init_process_group "
            "first, or start it with torchrun, srun, mpirun or shardlens run")
    rank, world_size, source = found
    if world_size != WORLD_SIZE:
        raise RuntimeError(f"planned for a world size of {WORLD_SIZE}; {source} says {world_size}")
    if not 0 <= rank < WORLD_SIZE:
        raise RuntimeError(f"planned for ranks 0 to {WORLD_SIZE - 1}; {source} says {rank}")
    return rank


)";

}  // namespace

std::string pythonPlace(const PipelineSpec& spec) {
  return "# What the plan is for.\nWORLD_SIZE = " + std::to_string(spec.worldSize()) +
         "\nRANKS_PER_NODE = " + std::to_string(spec.world.mostRanksOnNode()) +
         "\nSAMPLES = " + std::to_string(spec.dataset.size) + "\n" + kThisRank;
}

}  // namespace shardlens::yaml
