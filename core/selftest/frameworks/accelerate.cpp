// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_randperm.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/datasets/dataset.h"
#include "core/sampling/datasets/iterable_dataset.h"
#include "core/sampling/python.h"
#include "core/selftest/by_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace shardlens::selftest {

namespace accelerate_rows {
namespace {

/// The spec of a row with these keys and those that all of these rows have.
std::optional<PipelineSpec> specOf(const VectorRow& row, const char* type, const std::string& keys) {
  auto spec = specByName(row, type, "dataset_size batch_size num_processes=world_size drop_last " + keys);
  if (spec) spec->epochs = row.fields.integer("epoch").value_or(0) + 1;
  return spec;
}

Rank rankOf(const VectorRow& row, const PipelineSpec& spec) {
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  return Rank{rank >= 0 && rank < spec.worldSize() ? rank : 0};
}

/// A batch sampler without batch_size, whose batches have these lengths.
RowVerdict replayDynamic(const VectorRow& row, const std::vector<std::int64_t>& sizes) {
  const auto processes = row.params.integer("num_processes");
  const auto even = row.params.flag("even_batches");
  const auto rank = row.fields.integer("rank");
  const bool whole = row.params.flag("split_batches") == false && row.params.isNull("batch_size");
  const bool inside = processes && rank && *rank >= 0 && *rank < *processes;
  if (!inside || !even || !whole || sizes.empty()) return unknownParameters();
  Answer answer;
  answer.batch_sizes.emplace();
  for (const std::int64_t number : sampling::accelerateShardOfBatches(std::ssize(sizes), *processes, *rank, *even)) {
    const auto begin = std::accumulate(sizes.begin(), sizes.begin() + number, std::int64_t{0});
    for (std::int64_t k = 0; k < sizes[static_cast<std::size_t>(number)]; ++k) answer.indices.push_back(begin + k);
    answer.batch_sizes->push_back(sizes[static_cast<std::size_t>(number)]);
  }
  answer.length = std::ssize(*answer.batch_sizes);
  return compare(row, answer);
}

/// The constructor refuses the batch sizes of a sampler that has none.
RowVerdict replayWithoutBatchSize(const VectorRow& row) {
  const auto processes = row.params.integer("num_processes");
  if (!processes || row.params.flag("split_batches") != true) return unknownParameters();
  return compareError(row, sampling::raised("ValueError",
                                            "To use `BatchSamplerShard` in `split_batches` mode, the batch size (None) "
                                            "needs to be a round multiple of the number of processes (" +
                                                std::to_string(*processes) + ")."));
}

RowVerdict replayBatchSamplerShard(const VectorRow& row, Planner& /*planner*/) {
  const bool known = row.params.onlyHas({"dataset_size", "batch_size", "num_processes", "drop_last", "split_batches",
                                         "even_batches", "inner", "dynamic_batch_sizes"});
  if (!known) return unknownParameters();
  if (const auto sizes = row.params.integers("dynamic_batch_sizes")) return replayDynamic(row, *sizes);
  if (row.params.isNull("batch_size")) return replayWithoutBatchSize(row);
  auto spec = specOf(row, "accelerate.BatchSamplerShard", "split_batches? even_batches? inner=-");
  if (!spec || row.params.text("inner") != "BatchSampler(SequentialSampler)") return unknownParameters();
  spec->sampler.parameters["shuffle"] = false;
  // The class itself always names itself; prepare() names the DataLoader for batches of more than one.
  const auto made = Plan::make(*spec);
  const bool split = row.params.flag("split_batches").value_or(false);
  if (!made) {
    const bool is_uneven = !made.error().raised.empty() && split && spec->loader.batch_size % spec->worldSize() != 0;
    return compareError(
        row, is_uneven ? sampling::accelerateUnevenSplit(*spec, "`BatchSamplerShard`") : Result<void>(made.error()));
  }
  const Rank rank = rankOf(row, *spec);
  const std::int64_t batch_size = spec->loader.batch_size / (split ? spec->worldSize() : 1);
  const RankEpoch drawn(rank, Epoch{0}, sampling::accelerateShardAlone(*spec, rank),
                        Batching::ofSize(batch_size, false), 0);
  Answer answer = Answer::ofBatches(drawn);
  answer.length = sampling::accelerateLength(*spec, Epoch{0}, rank);
  return compare(row, answer);
}

RowVerdict replayPrepared(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row, "accelerate.BatchSamplerShard",
                           "shuffle split_batches? even_batches? use_seedable_sampler? skip_first_batches "
                           "torch_seed_at_construction=seeds.base skipped_in_this_epoch=-?");
  if (!spec) return unknownParameters();
  const auto skip = row.params.integer("skip_first_batches");
  if (row.params.integer("skipped_in_this_epoch").value_or(*skip) != (spec->epochs == 1 ? *skip : 0))
    return unsupported("an epoch that skips in another way");
  const Rank rank = rankOf(row, *spec);
  const Epoch epoch{spec->epochs - 1};
  const auto drawn = planner.rankEpoch(*spec, epoch, rank);
  if (!drawn) return compareError(row, drawn.error());
  const std::int64_t length = sampling::accelerateLength(*spec, epoch, rank);
  if (length < 0) return compareError(row, sampling::raised("ValueError", "__len__() should return >= 0"));
  Answer answer = Answer::ofBatches(*drawn);
  answer.length = length;
  return compare(row, answer);
}

RowVerdict replayIterable(const VectorRow& row, Planner& /*planner*/) {
  const auto spec = specOf(row, "accelerate.IterableDatasetShard", "split_batches?");
  if (!spec) return unknownParameters();
  const Rank rank = rankOf(row, *spec);
  const auto alone = sampling::accelerateIterableShardAlone(*spec, rank);
  if (!alone) return compareError(row, alone.error());
  return compare(row, Answer::ofItems(RankEpoch(rank, Epoch{0}, *alone, Batching::ofSize(1, false), 0)));
}

/// In these recordings each process had a group of its own: rank r reads what its own seed, 1000 r above rank 0's,
/// gives it, as one process does.
RowVerdict replayDispatcher(const VectorRow& row, Planner& planner) {
  auto spec =
      specOf(row, "accelerate.DataLoaderDispatcher", "iterable=-? shuffle? split_batches? torch_seed_on_rank_0=-");
  const auto seed = row.params.integer("torch_seed_on_rank_0");
  const auto rank = row.fields.integer("rank");
  if (!spec || !seed || !rank) return unknownParameters();
  std::int64_t own_seed = 0;
  if (__builtin_mul_overflow(*rank, 1000, &own_seed) || __builtin_add_overflow(*seed, own_seed, &own_seed))
    return unsupported("the seed is too large");
  spec->world = {1, 1};
  spec->seeds.base = own_seed;
  const auto drawn = planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{0});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  answer.length.reset();
  return compare(row, answer);
}

/// list(sampler); a row without an epoch is about the first one that raises.
RowVerdict replaySeedable(const VectorRow& row, Planner& /*planner*/) {
  const auto size = row.params.integer("dataset_size");
  const auto initial = row.params.bits("torch_initial_seed");
  const auto data_seed = row.params.bits("data_seed");
  const bool known = row.params.onlyHas({"dataset_size", "torch_initial_seed", "generator_seed", "data_seed"});
  if (!size || *size < 0 || !initial || !known) return unknownParameters();
  const auto given = data_seed ? std::optional(static_cast<std::int64_t>(*data_seed)) : std::nullopt;
  std::optional<std::uint64_t> seed;
  constexpr std::int64_t kEpochs = 3;
  const auto epoch = row.fields.integer("epoch");
  for (std::int64_t e = epoch.value_or(0); e < (epoch ? *epoch + 1 : kEpochs); ++e) {
    const auto one = sampling::accelerateSeedableSeed(given, *initial, e, torchReleaseIn(row.version));
    if (!one) return compareError(row, one.error());
    seed = *one;
  }
  Answer answer;
  answer.indices.resize(static_cast<std::size_t>(*size));
  TorchGenerator generator(*seed);
  if (auto done = torchRandperm(generator, std::span(answer.indices)); !done) return failed("cancelled");
  return compare(row, answer);
}

/// A list of the row against the engine's; an empty text when both are equal.
std::string differs(const VectorRow& row, const char* key, const std::vector<std::int64_t>& got) {
  const auto wanted = row.fields.integers(key);
  const std::string why = wanted ? difference(got, *wanted) : "there is no such list";
  return why.empty() ? why : std::string(key) + ": " + why;
}

/// What a sampler yields before a state is saved, and from it.
struct Saved {
  std::vector<std::int64_t> whole;
  std::vector<std::int64_t> rest;
  std::vector<std::int64_t> next;  ///< the epoch after

  [[nodiscard]] std::vector<std::int64_t> before() const {
    return {whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(rest.size())};
  }
};

Result<Saved> saved(Planner& planner, PipelineSpec spec, std::int64_t yielded, Rank rank) {
  spec.epochs = 2;
  const auto whole = planner.rankEpoch(spec, Epoch{0}, rank);
  if (!whole) return whole.error();
  const auto next = planner.rankEpoch(spec, Epoch{1}, rank);
  if (!next) return next.error();
  spec.sampler.parameters["yielded"] = yielded;
  const auto rest = planner.rankEpoch(spec, Epoch{0}, rank);
  if (!rest) return rest.error();
  return Saved{Answer::ofItems(*whole).indices, Answer::ofItems(*rest).indices, Answer::ofItems(*next).indices};
}

RowVerdict judgeSaved(const VectorRow& row, const Saved& saved, const std::vector<std::string>& differences) {
  Answer answer;
  answer.indices = saved.rest;
  RowVerdict verdict = compare(row, answer);
  if (verdict.outcome != Outcome::Passed) return verdict;
  for (const std::string& why : differences) {
    if (!why.empty()) return failed(why);
  }
  return passed();
}

RowVerdict replayStatefulDistributed(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "dataset_size world_size shuffle drop_last seed=- yielded_before_save=-");
  const auto yielded = row.params.integer("yielded_before_save");
  const auto seed = row.params.bits("seed");
  const auto epoch = row.fields.integer("epoch");
  if (!spec || !yielded || !seed || !epoch) return unknownParameters();
  // The rows are about one epoch, told by set_epoch, and about the next one that nobody tells.
  spec->sampler.parameters["set_epoch"] = false;
  spec->sampler.parameters["seed"] = static_cast<std::int64_t>(*seed + static_cast<std::uint64_t>(*epoch));
  const auto result = saved(planner, *spec, *yielded, Rank{row.fields.integer("rank").value_or(0)});
  if (!result) return compareError(row, result.error());
  const nlohmann::json* state = row.fields.find("state");
  const nlohmann::json wanted = {{"yielded", result->before().size()}};
  if (state == nullptr || *state != wanted) return failed("state: " + wanted.dump());
  return judgeSaved(
      row, *result,
      {differs(row, "before_save", result->before()), differs(row, "following_epoch_without_set_epoch", result->next)});
}

RowVerdict replayStatefulRandom(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, "torchdata.RandomSampler",
                               "dataset_size replacement num_samples? generator_seed yielded_before_save=-");
  const auto yielded = row.params.integer("yielded_before_save");
  if (!spec || !yielded) return unknownParameters();
  const auto result = saved(planner, *spec, *yielded, Rank{0});
  if (!result) return compareError(row, result.error());
  return judgeSaved(row, *result,
                    {differs(row, "before_save", result->before()), differs(row, "uninterrupted_rest", result->rest),
                     differs(row, "next_epoch", result->next)});
}

using namespace sampling;

struct ShardCall {
  std::int64_t size = 0;
  std::int64_t num_shards = 0;
  std::int64_t index = 0;
  bool contiguous = true;
};

std::optional<ShardCall> shardCallOf(const VectorRow& row) {
  const auto size = row.params.integer("dataset_size");
  const auto num_shards = row.params.integer("num_shards");
  const auto index = row.fields.integer("rank");
  const bool usual = !row.params.has("contiguous") || row.params.isNull("contiguous");
  const auto contiguous = usual ? std::optional(true) : row.params.flag("contiguous");
  const bool known = row.params.onlyHas({"dataset_size", "num_shards", "contiguous"});
  if (!size || *size < 0 || !num_shards || !index || !contiguous || !known) return std::nullopt;
  return ShardCall{*size, *num_shards, *index, *contiguous};
}

RowVerdict planned(const VectorRow& row, const ShardCall& call, Planner& planner) {
  PipelineSpec spec = rowSpec(row, call.size, call.num_shards);
  spec.sampler = {"datasets.Dataset", {{"contiguous", call.contiguous}}};
  return judgeItems(row, planner.rankEpoch(spec, Epoch{0}, Rank{call.index}));
}

/// The rows show what shard() hands to select(): a part that select() itself refuses is an empty list there.
RowVerdict replayDatasetShard(const VectorRow& row, Planner& planner) {
  const auto call = shardCallOf(row);
  if (!call) return unknownParameters();
  const auto shard = datasetsShard(call->size, call->num_shards, call->index, call->contiguous);
  if (!shard) return compareError(row, shard.error());
  constexpr std::int64_t kMostRanks = 100'000;
  const bool selects = checkDatasetsSelect(call->size, *shard, call->contiguous).has_value();
  if ((selects || row.error) && call->num_shards <= kMostRanks) return planned(row, *call, planner);
  Answer answer;
  for (std::int64_t k = 0; k < shard->count; ++k) answer.indices.push_back(shard->first + k * shard->step);
  return compare(row, answer);
}

/// The plan fails with the first worker that raises; a row is about one of them.
RowVerdict replayStream(const VectorRow& row, Planner& planner) {
  const auto spec =
      specByName(row, "datasets.IterableDataset",
                 "shard_sizes=shards world_size num_workers shuffle buffer_size? max_buffer_input_shards? seed?");
  const auto rank = row.fields.integer("rank");
  const auto epoch = row.fields.integer("epoch");
  const auto worker = row.fields.integer("worker");
  if (!spec || !rank || !epoch || !worker || !planner.allows(spec->dataset.size)) return unknownParameters();
  const std::int64_t workers = spec->loader.num_workers;
  if (*worker < 0 || *worker >= std::max<std::int64_t>(1, workers)) return unsupported("there is no such worker");
  const auto rank_epoch = planner.rankEpoch(*spec, Epoch{*epoch}, Rank{*rank});
  if (!rank_epoch && !row.error && !rank_epoch.error().raised.empty()) {
    const auto alone = datasetsWorkerStream(*spec, Epoch{*epoch}, Rank{*rank}, *worker);
    return alone ? compare(row, Answer{*alone, {}, {}}) : compareError(row, alone.error());
  }
  if (!rank_epoch) return compareError(row, rank_epoch.error());
  if (row.error) return compareError(row, {});
  return compare(row, Answer::ofWorker(*rank_epoch, workers == 0 ? -1 : *worker));
}

}  // namespace
}  // namespace accelerate_rows

std::vector<Replay> accelerateReplays() {
  using namespace accelerate_rows;
  return {
      {"accelerate", "BatchSamplerShard", replayBatchSamplerShard},
      {"accelerate", "DataLoaderDispatcher", replayDispatcher},
      {"accelerate", "IterableDatasetShard", replayIterable},
      {"accelerate", "SeedableRandomSampler", replaySeedable},
      {"accelerate", "prepare_data_loader", replayPrepared},
      {"torchdata", "RandomSampler (stateful)", replayStatefulRandom},
      {"torchdata", "StatefulDistributedSampler", replayStatefulDistributed},
      {"datasets", "Dataset.shard", replayDatasetShard},
      {"datasets", "IterableDataset split_dataset_by_node + shuffle + DataLoader workers", replayStream},
  };
}

}  // namespace shardlens::selftest
