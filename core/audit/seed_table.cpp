// SPDX-License-Identifier: Apache-2.0
#include "core/audit/seed_table.h"

#include "core/random/torch_generator.h"
#include "core/sampling/lightning/seeds.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/spec/pipeline_spec.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>
#include <unordered_map>

namespace shardlens {
namespace {

SeedRow rowOf(Epoch epoch, Rank rank, std::int64_t worker, std::uint64_t seed) {
  return {epoch.value, rank.value, worker, seed, static_cast<std::uint32_t>(seed), -1};
}

bool hasWorkers(const PipelineSpec& spec) {
  return spec.loader.num_workers > 0 && spec.loader.worker_seeds != "unknown" &&
         (isSeeded(spec) || sampling::loaderGeneratorSeed(spec, Rank{0}));
}

/// torch.initial_seed() in a worker.
std::uint64_t workerSeed(const PipelineSpec& spec, std::uint64_t base_seed, std::int64_t worker, Rank rank) {
  if (spec.loader.worker_seeds != "lightning") return sampling::torchWorkerSeed(base_seed, worker);
  return sampling::lightningWorkerSeeds(base_seed, static_cast<std::uint64_t>(worker),
                                        static_cast<std::uint64_t>(rank.value))
      .torch;
}

/// The rank's own row, when it is known how the script seeds it, and one for each of its workers.
void addRank(const PipelineSpec& spec, Epoch epoch, Rank rank, std::vector<SeedRow>& rows) {
  if (isSeeded(spec)) rows.push_back(rowOf(epoch, rank, -1, sampling::scriptSeed(spec, epoch, rank)));
  if (!hasWorkers(spec)) return;
  const std::uint64_t base_seed = sampling::torchBaseSeed(spec, epoch, rank);
  for (std::int64_t worker = 0; worker < spec.loader.num_workers; ++worker) {
    rows.push_back(rowOf(epoch, rank, worker, workerSeed(spec, base_seed, worker, rank)));
  }
}

/// Different streams among some rows, and rows that share one.
struct Collisions {
  std::int64_t distinct = 0;
  std::int64_t colliding = 0;
};

/// Links equal streams among the rows first .. last - 1 that are ranks, or that are workers. Ranks of one copy of the
/// model ought to have equal ones, and count once.
Collisions linkEqual(const PipelineSpec::World& world, std::vector<SeedRow>& rows, std::size_t first, std::size_t last,
                     bool workers) {
  std::unordered_map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> known;  // stream -> first row, rows so far
  std::set<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> counted;         // stream, data-parallel rank, worker
  const bool has_peers = world.groups.ranksOfModel() > 1;
  Collisions out;
  for (std::size_t i = first; i < last; ++i) {
    if ((rows[i].worker >= 0) != workers) continue;
    const std::int64_t replica = has_peers ? world.dataParallelRankOf(Rank{rows[i].rank}) : 0;
    if (has_peers && !counted.insert({rows[i].stream, replica, rows[i].worker}).second) continue;
    auto& [row, count] = known.try_emplace(rows[i].stream, static_cast<std::int64_t>(i), 0).first->second;
    if (count++ > 0) rows[i].equal_to = row;
    out.distinct += count == 1 ? 1 : 0;
    out.colliding += count == 1 ? 0 : count == 2 ? 2 : 1;
  }
  return out;
}

void linkEpoch(const PipelineSpec::World& world, SeedTable& table, std::size_t first) {
  const Collisions ranks = linkEqual(world, table.rows, first, table.rows.size(), false);
  const Collisions workers = linkEqual(world, table.rows, first, table.rows.size(), true);
  if (first > 0) return;
  table.distinct_ranks = ranks.distinct;
  table.colliding_ranks = ranks.colliding;
  table.distinct_workers = workers.distinct;
  table.colliding_workers = workers.colliding;
}

}  // namespace

SeedTable seedTable(const Plan& plan, std::int64_t epochs, Epoch first_epoch) {
  SeedTable table;
  table.first_epoch = first_epoch.value;
  const PipelineSpec& spec = plan.spec();
  table.dataset_size = spec.dataset.size;
  table.torch = spec.framework.torch;
  table.ranks_unknown = !isSeeded(spec) && !neverSeeds(spec);
  table.workers_unknown = spec.loader.num_workers > 0 && spec.loader.worker_seeds == "unknown";
  if (!isSeeded(spec) && !hasWorkers(spec)) return table;
  const auto rows_of_rank = static_cast<std::size_t>(spec.loader.num_workers) + 1;
  const std::int64_t end = std::min(first_epoch.value + epochs, plan.epochs());
  for (Epoch epoch = first_epoch; epoch.value < end && !table.truncated; ++epoch) {
    const std::size_t first = table.rows.size();
    for (Rank rank{0}; rank.value < plan.worldSize() && !table.truncated; ++rank) {
      table.truncated = table.rows.size() + rows_of_rank > kSeedRows;
      if (!table.truncated) addRank(spec, epoch, rank, table.rows);
      if (!table.truncated && epoch == first_epoch) table.ranks = rank.value + 1;
    }
    if (table.rows.size() > first) table.epochs = epoch.value + 1 - first_epoch.value;
    linkEpoch(spec.world, table, first);
  }
  return table;
}

Result<void> addOwnIds(const Plan& plan, SeedTable& table, const Work& work) {
  for (SeedRow& row : table.rows) {
    if (row.epoch != table.first_epoch || row.rank >= kOwnIds) break;
    if (row.worker >= 0) continue;
    const auto drawn = plan.rankEpoch(Epoch{row.epoch}, Rank{row.rank}, work);
    if (!drawn) return drawn.error();
    if (drawn->batches() == 0) continue;
    const RankEpoch::Range batch = drawn->batch(Step{0});
    if (batch.size() > 0) row.own_id = drawn->sample(batch.first);
  }
  return {};
}

std::vector<std::int64_t> firstIds(const SeedTable& table, const SeedRow& row) {
  if (table.dataset_size == 0) return {};
  const TorchRandint draw(table.torch, 0, table.dataset_size);
  TorchGenerator generator(row.seed);
  std::vector<std::int64_t> ids(4);
  for (std::int64_t& id : ids) id = draw(generator);
  return ids;
}

}  // namespace shardlens
