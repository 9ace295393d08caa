// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/grain/index_sampler.h"

#include "core/base/phrase.h"
#include "core/random/grain_index_shuffle.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <limits>
#include <string>

namespace shardlens::sampling {
namespace grain_index_sampler {
namespace {

constexpr std::int64_t kMostEpochs = 1'000'000;
constexpr std::int64_t kMostSeed = std::numeric_limits<std::uint32_t>::max();

const SamplerInfo& info() {
  using K = FieldKind;
  static const SamplerInfo kInfo = {
      "grain.IndexSampler",
      marked("samplers",
             "Cuts the records into one contiguous part per rank, and shuffles each part for each of its num_epochs."),
      {
          boolField("sampler.shuffle", false,
                    marked("fields", "Shuffle inside each rank's part, with seed + its epoch.")),
          Field{
              .path = "sampler.seed",
              .kind = K::IntOrName,
              .fallback = std::int64_t{0},
              .choices = {"none"},
              .help = marked(
                  "fields", "Seed of the shuffle, 0 to 2^32 - 1; the number of the pass through the records is added."),
              .is_seed = true},
          {"sampler.num_epochs",
           K::IntOrName,
           std::int64_t{1},
           -kMostEpochs,
           kMostEpochs,
           {"none"},
           "",
           marked("fields", "How often one pass over the loader goes through the records; none means endlessly.")},
          boolField(
              "sampler.drop_remainder", false,
              marked("fields",
                     "Leave out the records that do not divide evenly; otherwise the first ranks have one more.")),
      },
      {marked(
           "samplers",
           "A second pass over the loader repeats the same order: epochs are counted inside one pass, by num_epochs."),
       marked("samplers", "A rank only ever sees its own part of the records: the shuffle does not cross ranks."),
       marked("samplers",
              "With more ranks than records, a rank without records raises ZeroDivisionError, unless drop_remainder is "
              "set."),
       marked("samplers",
              "With worker_count above 0 each worker makes batches of its own share, so a rank may have several short "
              "ones."),
       marked("samplers",
              "Without drop_remainder, ranks with one record less begin their next pass early, to yield the same "
              "number of items."),
       marked("samplers",
              "A part of exactly 2^k + 1 records, k even and at least 16 (65,537; 262,145), yields one record twice "
              "and another never: the last index falls out of the shuffle's block.")},
  };
  return kInfo;
}

GrainArguments argumentsOf(const PipelineSpec& spec) {
  return {spec.dataset.size,
          spec.worldSize(),
          boolParameter(spec, info(), "drop_remainder"),
          boolParameter(spec, info(), "shuffle"),
          intIfGiven(spec, info(), "num_epochs"),
          intIfGiven(spec, info(), "seed")};
}

std::int64_t countOf(const GrainArguments& arguments, std::int64_t shard_index) {
  const std::int64_t ahead = arguments.length(shard_index) - shard_index;
  return ahead <= 0 ? 0 : (ahead + arguments.shard_count - 1) / arguments.shard_count;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto made = argumentsOf(spec).check(0); !made) return made;
  if (argumentsOf(spec).num_epochs) return {};
  return unsupported(worded("checks", "an IndexSampler without num_epochs never ends."), "sampler.num_epochs",
                     worded("checks", "give num_epochs the number of passes to look at"));
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  return argumentsOf(spec).check(rank.value);
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank rank) {
  return {info().type + ":" + std::to_string(rank.value), 0, 0};
}

std::int64_t rankOf(const OrderKey& key) {
  return std::stoll(key.recipe.substr(info().type.size() + 1));
}

/// One pass through the shard's records, into `ids`, which may want only its beginning.
Result<void> fillPass(const GrainArguments& arguments, std::pair<std::int64_t, std::int64_t> shard, std::int64_t pass,
                      std::span<std::uint32_t> ids, const Work& work) {
  constexpr std::size_t kLookEvery = std::size_t{1} << 17;
  const auto seed = static_cast<std::uint32_t>(arguments.seed.value_or(0) + pass);
  const GrainIndexShuffle shuffle(static_cast<std::uint64_t>(shard.second - shard.first - 1), seed);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % kLookEvery == 0 && work.stopped()) return cancelled();
    ids[i] = static_cast<std::uint32_t>(shard.first) + static_cast<std::uint32_t>(arguments.shuffle ? shuffle(i) : i);
  }
  return {};
}

/// Worker k takes the items k, k + worker_count, ... of its rank and batches them by itself; the loader takes a batch
/// of each in turn. Source: grain/_src/python/data_loader.py @f5dd0d8; seen in google/grain#953.
Result<OrderPtr> byWorkers(const PipelineSpec& spec, std::span<const std::uint32_t> ids, const Work& work) {
  const std::int64_t workers = spec.loader.num_workers;
  const auto count = static_cast<std::int64_t>(ids.size());
  std::vector<std::vector<WorkerStream>> streams(1);
  for (std::int64_t worker = 0; worker < workers; ++worker)
    streams[0].push_back({worker, workers, worker < count ? (count - worker + workers - 1) / workers : 0});
  const auto places = IterableLoader{spec.loader.batch_size, spec.loader.drop_last, true}.deal(streams, work);
  if (!places) return places.error();
  const auto dealt =
      orderOfIds(count, work, [&](std::int64_t i) { return ids[static_cast<std::size_t>((**places)[i])]; });
  if (!dealt) return dealt;
  return Order::dealt(*dealt, *(*places)->deal());
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return order->deal() == nullptr ? wholeOrder(spec, epoch, rank, std::move(order))
                                  : Slice::ofDeal(std::move(order), rank);
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const GrainArguments arguments = argumentsOf(spec);
  const std::int64_t rank = rankOf(key);
  const auto shard = grainEvenSplit(arguments.num_records, rank, arguments.shard_count, arguments.drop_remainder);
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(countOf(arguments, rank)), "an order");
  if (!ids) return ids.error();
  const auto size = static_cast<std::size_t>(shard.second - shard.first);
  std::int64_t pass = 0;
  for (std::size_t done = 0; done < ids->size(); done += size, ++pass) {
    work.progress(static_cast<double>(done) / static_cast<double>(ids->size()));
    const auto part = ids->items().subspan(done, std::min(size, ids->size() - done));
    if (auto filled = fillPass(arguments, shard, pass, part, work); !filled) return filled.error();
  }
  if (spec.loader.num_workers > 0) return byWorkers(spec, ids->items(), work);
  return Order::of(std::move(*ids));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {countOf(argumentsOf(spec), rank.value), 0};
}

SamplerClaims claims(const PipelineSpec& spec) {
  const GrainArguments arguments = argumentsOf(spec);
  const bool once = arguments.num_epochs == 1 && arguments.num_records % arguments.shard_count == 0;
  return {.divides = true, .in_order = once ? RepeatCause::ShuffleDefect : RepeatCause::AnotherPass};
}

/// Behind the last part stands only what drop_remainder leaves out.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const GrainArguments arguments = argumentsOf(spec);
  const std::int64_t end =
      grainEvenSplit(arguments.num_records, arguments.shard_count - 1, arguments.shard_count, arguments.drop_remainder)
          .second;
  return [end](SampleIndex sample) { return sample < end ? MissingCause::ShuffleDefect : MissingCause::CutBySampler; };
}

Result<void> checkSeed(const GrainArguments& arguments) {
  if (arguments.shuffle && !arguments.seed) {
    return raised("ValueError", "Shuffling requires specifying a seed.", "sampler.seed",
                  worded("checks", "give a seed"));
  }
  if (!arguments.seed || (*arguments.seed >= 0 && *arguments.seed <= kMostSeed)) return {};
  return raised("ValueError", "Seed should be positive 32-bit integer.", "sampler.seed",
                worded("checks", "take one below 2^32"));
}

}  // namespace
}  // namespace grain_index_sampler

std::pair<std::int64_t, std::int64_t> grainEvenSplit(std::int64_t num_examples, std::int64_t shard_index,
                                                     std::int64_t shard_count, bool drop_remainder) {
  const std::int64_t each = num_examples / shard_count;
  const std::int64_t unused = drop_remainder ? 0 : num_examples % shard_count;
  const auto start = [&](std::int64_t shard) { return each * shard + std::min(shard, unused); };
  return {start(shard_index), start(shard_index + 1)};
}

Result<void> checkGrainShard(std::int64_t shard_index, std::int64_t shard_count) {
  using namespace grain_index_sampler;
  if (shard_count <= 0) {
    return raised("ValueError",
                  "Number of shards must be a positive integer but got " + std::to_string(shard_count) + ".");
  }
  if (shard_index >= 0 && shard_index < shard_count) return {};
  return raised("ValueError", "Shard shard_index must be in [0, shard_count - 1], shard_count was " +
                                  std::to_string(shard_count) + " and shard_index was " + std::to_string(shard_index) +
                                  ".");
}

Result<void> GrainArguments::check(std::int64_t shard_index) const {
  using namespace grain_index_sampler;
  if (auto shard = checkGrainShard(shard_index, shard_count); !shard) return shard;
  if (num_records <= 0) {
    return raised("ValueError",
                  "Invalid number of records in Sampler. Got " + std::to_string(num_records) +
                      " records, but number of records must be greater than 0.",
                  "dataset.size", worded("checks", "give the dataset at least one sample"));
  }
  if (num_epochs && *num_epochs <= 0) {
    return raised("ValueError",
                  "Invalid number of epochs in Index Sampler.Got " + std::to_string(*num_epochs) +
                      " epochs, but number of epochs must be greater than 0.",
                  "sampler.num_epochs", worded("checks", "take one or more"));
  }
  if (auto good = checkSeed(*this); !good) return good;
  const auto shard = grainEvenSplit(num_records, shard_index, shard_count, drop_remainder);
  if (shard.first < shard.second || !num_epochs || countOf(*this, shard_index) == 0) return {};
  return raised("ZeroDivisionError", "integer division or modulo by zero", "dataset.size",
                filled(worded("checks", "rank %1 has no records: use fewer ranks, or drop_remainder"),
                       std::to_string(shard_index)));
}

std::int64_t GrainArguments::length(std::int64_t shard_index) const {
  using namespace grain_index_sampler;
  const std::int64_t all = *num_epochs * num_records;
  if (!drop_remainder) return all;
  const auto shard = grainEvenSplit(num_records, shard_index, shard_count, drop_remainder);
  return std::min(all, (shard.second - shard.first) * shard_count * *num_epochs);
}

SamplerRule grainIndexSampler() {
  using namespace grain_index_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .workers_batch = true,
          .check_rank = checkRank};
}

}  // namespace shardlens::sampling
