// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace shardlens::sampling {
namespace torch_distributed_sampler {
namespace {

constexpr std::int64_t kMaxReplicas = 1'000'000;

const SamplerInfo& info() {
  using K = FieldKind;
  static const SamplerInfo kInfo = {
      "torch.DistributedSampler",
      marked("samplers",
             "Permutes the whole dataset with seed + epoch, pads or cuts it, and gives each replica every "
             "num_replicas-th sample."),
      {
          shuffleField(),
          rankSeedField(
              "sampler.seed", std::int64_t{0}, INT64_MIN, INT64_MAX,
              marked("fields", "Seed of the permutation; the epoch is added. Must be the same on all ranks.")),
          dropTailField(),
          setEpochField(),
          {"sampler.num_replicas",
           K::IntOrName,
           std::string("world_size"),
           1,
           kMaxReplicas,
           {"world_size", "ranks_per_node", "nodes", kNodesTimesRanks, "data_parallel_size"},
           "",
           marked("fields",
                  "What the script passes as num_replicas: the number of slices that the dataset is divided into.")},
          {"sampler.rank",
           K::IntOrName,
           std::string("rank"),
           -kMaxReplicas,
           kMaxReplicas,
           {"rank", "local_rank", "node", "data_parallel_rank"},
           "",
           marked("fields", "What the script passes as rank: the slice that a process takes.")},
      },
      {marked("samplers", "Without set_epoch every epoch has the same order (pytorch#11324, #31771, #40043)."),
       marked("samplers", "With local_rank passed as rank, all nodes read the same slices (DeepLearningExamples#159)."),
       marked("samplers", "Padding repeats samples, which distorts evaluation (pytorch#25162)."),
       marked("samplers",
              "Seed s in epoch e+1 gives the order of seed s+1 in epoch e, so a sweep over seeds 0, 1, 2 sees shifted "
              "copies.")},
  };
  return kInfo;
}

std::int64_t numReplicas(const PipelineSpec& spec, Rank rank) {
  return numberPassed(spec, parameter(spec, info(), "num_replicas"), rank);
}

std::int64_t replicaOf(const PipelineSpec& spec, Rank rank) {
  return numberPassed(spec, parameter(spec, info(), "rank"), rank);
}

std::vector<std::int64_t> slicesOfNodes(const PipelineSpec& spec) {
  return replicasOfNodes(spec, parameter(spec, info(), "num_replicas"));
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  const std::int64_t replicas = numReplicas(spec, rank);
  const std::int64_t replica = replicaOf(spec, rank);
  if (replica >= 0 && replica < replicas) return {};
  const std::vector<std::int64_t> all = slicesOfNodes(spec);
  const auto other = std::ranges::find_if(all, [&](std::int64_t of_node) { return of_node != replicas; });
  if (other == all.end())
    return invalidRank(replica, replicas, "sampler.rank",
                       worded("checks", "give num_replicas and rank of the same kind"));
  return invalidRank(
      replica, replicas, "sampler.num_replicas",
      filled(worded("checks", "it divides by %1, ranks of another node by %2: give all the world size, %3"),
             std::to_string(replicas), std::to_string(*other), std::to_string(spec.worldSize())));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(spec.dataset.size, numReplicas(spec, rank), replicaOf(spec, rank),
                          boolParameter(spec, info(), "drop_last"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (!boolParameter(spec, info(), "shuffle")) return {kSequential, 0, 0};
  const auto seed = static_cast<std::uint64_t>(*seedOfRank(spec, parameter(spec, info(), "seed"), rank));
  return {kRandperm, seed + static_cast<std::uint64_t>(givenEpoch(spec, epoch).value), 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), replicaOf(spec, rank), numReplicas(spec, rank), shape(spec, epoch, rank).count, size};
}

SamplerClaims claims(const PipelineSpec& spec) {
  const bool own_seeds = boolParameter(spec, info(), "shuffle") && isRankSeed(parameter(spec, info(), "seed"));
  const std::vector<std::int64_t> all = slicesOfNodes(spec);
  const bool alike = std::ranges::count(all, all.front()) == std::ssize(all);
  return {.divides = true, .slices = alike ? all.front() : 0, .needs_equal_seeds = own_seeds};
}

/// Only places behind every last whole round are cut; the others belong to a slice that no process asks for.
UnreadCause unread(const PipelineSpec& spec, Epoch /*epoch*/) {
  std::int64_t dealt = 0;
  for (const std::int64_t replicas : slicesOfNodes(spec)) {
    const std::int64_t of_slice =
        distributedSamples(spec.dataset.size, replicas, boolParameter(spec, info(), "drop_last"));
    dealt = std::max(dealt, of_slice * replicas);
  }
  return [dealt](std::int64_t place) {
    return place < dealt ? MissingCause::RankThatNobodyIs : MissingCause::CutBySampler;
  };
}

}  // namespace
}  // namespace torch_distributed_sampler

SamplerRule torchDistributedSampler() {
  using namespace torch_distributed_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .num_replicas = "num_replicas",
                     .rank = "rank",
                     .knows_peers = true,
                     .loader_part = LoaderPart::Distributed},
          .claims = claims,
          .unread = unread,
          .key = key,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .places = torchPlaces,
          .slice = slice,
          .shape = shape,
          .same_shapes = true,
          .check_rank = checkRank};
}

}  // namespace shardlens::sampling
