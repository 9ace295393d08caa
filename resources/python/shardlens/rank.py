# SPDX-License-Identifier: Apache-2.0
"""Which rank this process is, and of how many. Asked when it is needed, never when the package is imported: a launcher may
tell it late, and torch.distributed knows it best once it is initialised."""
from __future__ import annotations

import os
import sys
from typing import NamedTuple, Optional, Tuple


class RankError(RuntimeError):
    """Nothing says which rank this process is."""


class WorldError(RuntimeError):
    """The job has another number of ranks than the plan."""


class RankAndWorld(NamedTuple):
    """A rank, the number of ranks, and who says so ("RANK and WORLD_SIZE")."""

    rank: int
    world_size: int
    source: str


# Variables of launchers. A launcher that was started inside another one's job comes first: mpirun in a batch script of Slurm gives each
# rank its OMPI_ variables, while all of them inherit the SLURM_PROCID of the script.
_LAUNCHERS: Tuple[Tuple[str, str], ...] = (
    ("RANK", "WORLD_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
)


def rank_and_world(world_size: Optional[int] = None) -> RankAndWorld:
    """Rank and world of this process, by the first of these that knows: torch.distributed where it is initialised, RANK and WORLD_SIZE
    (torchrun, Accelerate), OMPI_COMM_WORLD_RANK and _SIZE (mpirun), PMI_RANK and PMI_SIZE (MPICH), SLURM_PROCID and SLURM_NTASKS (srun).

    `world_size` is how many ranks there should be: WorldError where there are others, RankError where there should be several and nothing
    says which one this is. Without launcher a world of one rank needs none of these."""
    found = _from_torch() or _from_environment()
    if found is None:
        if world_size is None or world_size == 1:
            return RankAndWorld(0, 1, "no launcher")
        raise RankError(_unknown_rank(world_size))
    if world_size is not None and found.world_size != world_size:
        raise WorldError(
            f"The plan is for {world_size} rank{'' if world_size == 1 else 's'}, and this job has {found.world_size} ({found.source}). "
            "Start as many ranks as the spec's world has (nodes x ranks_per_node), or change `world` in the spec."
        )
    return found


def _from_torch() -> Optional[RankAndWorld]:
    distributed = sys.modules.get("torch.distributed")  # who initialised it has imported it
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return RankAndWorld(distributed.get_rank(), distributed.get_world_size(), "torch.distributed")


def _from_environment() -> Optional[RankAndWorld]:
    for rank_name, world_name in _LAUNCHERS:
        rank, world = os.environ.get(rank_name), os.environ.get(world_name)
        if not rank:
            continue
        if not world:
            raise RankError(f"{rank_name} is {rank}, but {world_name} is not set. Set both, or neither.")
        try:
            found = RankAndWorld(int(rank), int(world), f"{rank_name} and {world_name}")
        except ValueError:
            raise RankError(f"{rank_name} is {rank!r} and {world_name} is {world!r}: these are not numbers of ranks.") from None
        if not 0 <= found.rank < found.world_size:
            raise RankError(f"{rank_name} is {rank}, and {world_name} is {world}: ranks count from 0 to {found.world_size - 1}.")
        return found
    return None


def _unknown_rank(world_size: int) -> str:
    local = os.environ.get("LOCAL_RANK")
    hint = f" LOCAL_RANK is {local}, which is not the rank as soon as there are two nodes." if local else ""
    return (
        f"The plan is for {world_size} ranks, and nothing says which one this process is.{hint} Start it with torchrun, srun or mpirun; or "
        "initialise torch.distributed before the first batch is asked for; or set RANK and WORLD_SIZE; or say rank= and world_size= yourself."
    )
