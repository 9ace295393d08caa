// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/mt19937.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace llmc_data_loader {
namespace {

constexpr std::int64_t kMostSteps = 100'000'000;
constexpr std::uint32_t kSeed = 42;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "llmc.DataLoader",
      marked("samplers",
             "Reads rows of tokens out of shards, each rank its own rows of every step; dataset.shards counts the rows "
             "of each shard, (tokens - 1) / T rounded down."),
      {boolField("sampler.shuffle", false,
                 marked("fields", "Shuffle the shards, and the steps in each, with the seed 42 + rank.")),
       choiceField("sampler.loader", "c", {"c", "python"},
                   marked("fields",
                          "c is llmc/dataloader.h, python the DistributedDataLoader of train_gpt2.py, which never "
                          "shuffles.")),
       intOrNameField("sampler.steps_per_epoch", "one_pass", 1, kMostSteps, "steps",
                      marked("fields",
                             "Batches of the endless stream that each rank takes per epoch of the plan; one_pass is as "
                             "many as all shards hold.")),
       intField("sampler.current_shard", 0, 0, kMostSteps, "",
                marked("fields", "Shard with which a resumed run of the c loader continues.")),
       intField("sampler.current_sample", 0, 0, kMostSteps, "steps",
                marked("fields", "Steps of that shard that were read before the state was saved."))},
      {marked(
           "samplers",
           "With shuffle each rank has its own order of shards and steps, so the ranks read rows of different places "
           "in one step; each still keeps to its own rows, and a whole pass reads none twice."),
       marked("samplers",
              "train_gpt2.py's loader goes on to the next shard by its own position: higher ranks can do so a step "
              "before lower ones, and then read another shard in the same step."),
       marked("samplers", "Rows behind the last whole step of a shard are never read."),
       marked("samplers", "A resumed run of the c loader does not restore the order within the shard.")},
      {"dataset.shards"}};
  return kInfo;
}

/// What a rank reads in a step: B rows, one behind the other.
struct LlmcRead {
  std::int64_t shard = 0;
  std::int64_t row = 0;  ///< of the shard: the first one
};

/// A rank's loader, and where it is in the shards.
struct LlmcLoader {
  std::vector<std::int64_t> shard_rows;  ///< each at least of one step
  std::int64_t batch = 1;                ///< rows of a rank in a step
  std::int64_t ranks = 1;
  std::int64_t rank = 0;
  bool shuffle = false;
  bool python = false;     ///< the class of train_gpt2.py
  std::int64_t shard = 0;  ///< where a saved state continues
  std::int64_t step = 0;

  /// Steps of one pass over all shards.
  [[nodiscard]] std::int64_t pass() const {
    std::int64_t steps = 0;
    for (const std::int64_t rows : shard_rows) steps += rows / (batch * ranks);
    return steps;
  }
};

void permute(std::vector<std::int64_t>& items, Mt19937& engine) {
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[engine.next() % (i + 1)]);
}

/// 0, 1, .. n - 1, permuted.
std::vector<std::int64_t> permuted(std::int64_t count, Mt19937& engine) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(count));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  permute(items, engine);
  return items;
}

/// llmc/dataloader.h: the next shard when its whole steps are used, the shards in a new order behind the last one.
Result<std::vector<LlmcRead>> readsOfC(const LlmcLoader& loader, std::int64_t steps, const Work& work) {
  Mt19937 engine(kSeed + static_cast<std::uint32_t>(loader.rank));
  std::vector<std::int64_t> shards(loader.shard_rows.size());
  std::iota(shards.begin(), shards.end(), std::int64_t{0});
  std::vector<std::int64_t> places;
  const std::int64_t together = loader.batch * loader.ranks;
  std::int64_t shard = loader.shard;
  std::int64_t step = loader.step;
  const auto held = [&] {
    return loader.shard_rows[static_cast<std::size_t>(shards[static_cast<std::size_t>(shard)])] / together;
  };
  const auto shuffled = [&] {
    if (loader.shuffle) places = permuted(held(), engine);
  };
  if (loader.shuffle) permute(shards, engine);
  shuffled();
  std::vector<LlmcRead> reads;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (i % kItemsBetweenLooks == 0 && work.stopped()) return cancelled();
    if (step >= held()) {
      step = 0;
      if (++shard == std::ssize(shards)) {
        shard = 0;
        if (loader.shuffle) permute(shards, engine);
      }
      shuffled();
    }
    const std::int64_t place = loader.shuffle ? places[static_cast<std::size_t>(step)] : step;
    reads.push_back({shards[static_cast<std::size_t>(shard)], place * together + loader.rank * loader.batch});
    ++step;
  }
  return reads;
}

/// train_gpt2.py: the next shard when another step would end behind this one's rows, seen from the rank's own place.
std::vector<LlmcRead> readsOfPython(const LlmcLoader& loader, std::int64_t steps) {
  const std::int64_t together = loader.batch * loader.ranks;
  LlmcRead next{0, loader.rank * loader.batch};
  std::vector<LlmcRead> reads;
  for (std::int64_t i = 0; i < steps; ++i) {
    reads.push_back(next);
    next.row += together;
    if (next.row + together <= loader.shard_rows[static_cast<std::size_t>(next.shard)]) continue;
    next = {(next.shard + 1) % std::ssize(loader.shard_rows), loader.rank * loader.batch};
  }
  return reads;
}

bool isPython(const PipelineSpec& spec) {
  return textParameter(spec, info(), "loader") == "python";
}

bool shuffles(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "shuffle") && !isPython(spec);
}

std::vector<std::int64_t> rowsOf(const PipelineSpec& spec) {
  std::vector<std::int64_t> rows = shardStarts(spec);
  std::adjacent_difference(rows.begin(), rows.end(), rows.begin());
  rows.erase(rows.begin());
  return rows;
}

LlmcLoader loaderOf(const PipelineSpec& spec, std::int64_t rank) {
  return {rowsOf(spec),
          spec.loader.batch_size,
          spec.worldSize(),
          rank,
          shuffles(spec),
          isPython(spec),
          isPython(spec) ? 0 : intParameter(spec, info(), "current_shard"),
          isPython(spec) ? 0 : intParameter(spec, info(), "current_sample")};
}

std::int64_t stepsOfEveryRank(const PipelineSpec& spec) {
  const auto steps = intIfGiven(spec, info(), "steps_per_epoch");
  return steps ? *steps : loaderOf(spec, 0).pass();  // which reads all shards
}

Result<void> check(const PipelineSpec& spec) {
  const LlmcLoader loader = loaderOf(spec, 0);
  if (std::ranges::min(loader.shard_rows) < loader.batch * loader.ranks) {
    return refused(worded("checks", "a shard has fewer rows than all ranks take in a step, which llm.c refuses."),
                   "dataset.shards", worded("checks", "give each shard a whole step, or lower loader.batch_size"));
  }
  const bool inside =
      loader.shard < std::ssize(loader.shard_rows) &&
      loader.step <= loader.shard_rows[static_cast<std::size_t>(loader.shard)] / loader.batch / loader.ranks;
  if (inside) return {};
  return refused(worded("checks", "the saved state points behind the end of the shards."), "sampler.current_shard",
                 worded("checks", "take the state of a run with these shards and this batch size"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const std::string how = isPython(spec) ? " python" : shuffles(spec) ? " shuffled" : " in order";
  return {info().type + how, 0, static_cast<std::uint64_t>(epoch.value)};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t steps = stepsOfEveryRank(spec);
  const std::int64_t before = static_cast<std::int64_t>(key.skip) * steps;
  const std::vector<std::int64_t> starts = shardStarts(spec);
  std::vector<std::int64_t> ids;
  Deal deal;
  for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
    const LlmcLoader loader = loaderOf(spec, rank);
    const auto reads =
        loader.python ? Result(readsOfPython(loader, before + steps)) : readsOfC(loader, before + steps, work);
    if (!reads) return reads.error();
    deal.shares.push_back({std::ssize(ids), steps * spec.loader.batch_size});
    for (std::int64_t step = before; step < before + steps; ++step) {
      const LlmcRead& read = (*reads)[static_cast<std::size_t>(step)];
      const std::int64_t first = starts[static_cast<std::size_t>(read.shard)] + read.row;
      for (std::int64_t row = 0; row < spec.loader.batch_size; ++row) ids.push_back(first + row);
    }
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {stepsOfEveryRank(spec) * spec.loader.batch_size, 0};
}

/// A rank's rows of each step are no other rank's, in whatever order it reads the steps.
SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass};
}

/// Rows behind the last whole step of their shard, and those that a longer epoch would read.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const std::int64_t together = spec.loader.batch_size * spec.worldSize();
  return [starts = shardStarts(spec), together](SampleIndex row) {
    const auto next = std::ranges::upper_bound(starts, row);
    const std::int64_t first = *(next - 1);
    return row - first >= (*next - first) / together * together ? MissingCause::CutBySampler : MissingCause::NotDrawn;
  };
}

}  // namespace
}  // namespace llmc_data_loader

SamplerRule llmcDataLoader() {
  using namespace llmc_data_loader;
  return {.info = info(),
          .traits = {.shuffle = "shuffle"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .shape = shape,
          .batching = [](const PipelineSpec& spec) { return Batching::ofSize(spec.loader.batch_size, false); }};
}

}  // namespace shardlens::sampling
