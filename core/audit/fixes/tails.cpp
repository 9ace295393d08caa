// SPDX-License-Identifier: Apache-2.0
// What does not divide evenly: dropped or repeated, by the sampler or by the loader; and ranks with unequal batches.
#include "core/audit/fixes/remedies.h"
#include "core/audit/fixes/sampler_remedies.h"
#include "core/audit/words/fix_words.h"
#include "core/base/text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::fixes {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostShards = 10'000;  ///< in a list that a fix writes
constexpr std::int64_t kMostSizesTried = 10'000;

Edit shortBatches(bool dropped) {
  return {"loader.drop_last", dropped};
}

void turnSamplerTail(const Facts& facts, std::vector<Fix>& proposed) {
  if (!facts.takes(&SamplerTraits::drop_last)) return;
  const std::string field = facts.fieldOf(&SamplerTraits::drop_last);
  const bool drops = facts.isOn(&SamplerTraits::drop_last);
  const Fix& fix = proposed.emplace_back(
      Fix{drops ? words::keepUnevenTail(field) : words::cutUnevenTail(field), {{field, !drops}}, {}});
  if (!drops || !facts.spec().loader.drop_last) return;
  proposed.push_back({words::keepingShortBatches(fix.label), {{field, false}, shortBatches(false)}, {}});
}

void setOwn(const Facts& facts, const Setting& setting, std::string (*label)(const std::string& field),
            std::vector<Fix>& proposed) {
  const auto edit = made(facts, setting);
  if (!edit) return;
  const std::string set = label(edit->path);
  proposed.push_back({set, {*edit}, {}});
  if (!facts.spec().loader.drop_last) return;
  proposed.push_back({words::keepingShortBatches(set), {*edit, shortBatches(false)}, {}});
}

/// Who reads shards: each worker of each rank.
std::int64_t readersOf(const Facts& facts) {
  return facts.worldSize() * std::max<std::int64_t>(1, facts.spec().loader.num_workers);
}

void writeEvenShards(const Facts& facts, std::vector<Fix>& proposed) {
  const auto even = evenShards(facts);
  if (!even) return;
  const std::int64_t number = shardsOf(*even);
  proposed.push_back({words::rewriteInShards(number), {*even}, {}});
  if (!facts.spec().loader.drop_last)
    proposed.push_back({words::rewriteInShardsDroppingShortBatches(number), {*even, shortBatches(true)}, {}});
}

/// Shards that do not divide evenly can be drawn from instead, as many for each reader.
void resample(const Facts& facts, std::vector<Fix>& proposed) {
  if (facts.spec().sampler.type != "webdataset.WebDataset") return;
  const auto shards = static_cast<std::int64_t>(facts.spec().dataset.shards.size());
  Fix fix = changeTo(facts, "webdataset.ResampledShards", words::resampleShards("webdataset.ResampledShards"));
  fix.edits.push_back({"sampler.nshards", std::max<std::int64_t>(1, shards / readersOf(facts))});
  fix.edits.push_back({"sampler.deterministic", true});
  proposed.push_back(std::move(fix));
}

/// Steps of a rank that yields so many samples.
std::int64_t stepCount(std::int64_t samples, std::int64_t batch, bool drops) {
  return drops ? samples / batch : (samples + batch - 1) / batch;
}

/// The batch size nearest to the present one, at most half of it away, with which the longest rank makes as many steps
/// as the shortest: a smaller one where there is one, since that fits into memory.
std::optional<std::int64_t> evenBatch(const Facts& facts) {
  const auto ends = std::ranges::minmax(facts.shape().ranks, {}, &RankEpochShape::samples);
  const std::int64_t fewest = ends.min.samples;
  const std::int64_t most = ends.max.samples;
  const std::int64_t batch = facts.spec().loader.batch_size;
  const bool drops = facts.spec().loader.drop_last;
  const auto is_even = [&](std::int64_t size) {
    return size >= 2 && size <= fewest && stepCount(fewest, size, drops) == stepCount(most, size, drops);
  };
  const std::int64_t away = std::clamp<std::int64_t>(batch / 2, 1, kMostSizesTried);
  for (const std::int64_t sign : {-1, 1}) {
    for (std::int64_t by = 1; by <= away; ++by) {
      if (is_even(batch + sign * by)) return batch + sign * by;
    }
  }
  return std::nullopt;
}

void changeBatchSize(const Facts& facts, std::vector<Fix>& proposed) {
  const auto size = evenBatch(facts);
  if (!size) return;
  const std::string label = words::setField("batch_size", grouped(*size));
  proposed.push_back({label, {{"loader.batch_size", *size}}, {}});
}

/// A stream that divides itself unevenly can be read whole by each process, which keeps its part of every global batch.
void readWholeStream(const Facts& facts, std::vector<Fix>& proposed) {
  if (!facts.claims().is_stream || facts.worldSize() == 1) return;
  const std::string type = "accelerate.IterableDatasetShard";
  if (facts.spec().sampler.type == type) return;
  proposed.push_back(changeTo(facts, type, words::readWholeStream(type)));
}

}  // namespace

std::optional<Edit> evenShards(const Facts& facts) {
  const auto shards = static_cast<std::int64_t>(facts.spec().dataset.shards.size());
  const std::int64_t readers = readersOf(facts);
  const std::int64_t number = (shards + readers - 1) / readers * readers;
  const std::int64_t size = facts.spec().dataset.size;
  if (shards == 0 || size < number || number > kMostShards) return std::nullopt;
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < number; ++i) sizes.push_back(size / number + (i < size % number ? 1 : 0));
  return Edit{"dataset.shards", IndexList(std::move(sizes))};
}

std::int64_t shardsOf(const Edit& even) {
  return static_cast<std::int64_t>(std::get<IndexList>(even.value).size());
}

void turnTails(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  turnSamplerTail(facts, proposed);
  const bool drops = facts.spec().loader.drop_last;
  const std::string keep = facts.samplerListsBatches() ? words::keepLastBatches() : words::keepShortLastBatch();
  proposed.push_back({drops ? keep : words::dropShortLastBatches(), {shortBatches(!drops)}, {}});
}

void evenSteps(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed) {
  const SamplerRemedies& own = remediesOf(facts);
  setOwn(facts, own.fills, words::roundUp, proposed);
  setOwn(facts, own.cuts, words::cutToShortest, proposed);
  turnTails(facts, finding, proposed);
  const bool drops = facts.spec().loader.drop_last;
  if (!drops && facts.takes(&SamplerTraits::drop_last) && !facts.isOn(&SamplerTraits::drop_last)) {
    proposed.push_back(
        {words::cutToWholeBatches(), {{facts.fieldOf(&SamplerTraits::drop_last), true}, shortBatches(true)}, {}});
  }
  writeEvenShards(facts, proposed);
  resample(facts, proposed);
  readWholeStream(facts, proposed);
  changeBatchSize(facts, proposed);
}

void shrinkBatch(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed) {
  turnTails(facts, finding, proposed);
  const std::int64_t samples = facts.smallestSlice();
  if (samples < 2) return;  // a batch of one sample is no batch: batch norm and contrastive losses fail on it
  proposed.push_back({words::setField("batch_size", grouped(samples)), {{"loader.batch_size", samples}}, {}});
}

void makeWholeStep(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  const std::int64_t samples = facts.dataParallelSize() * facts.spec().loader.batch_size;
  const std::string field = facts.fieldOf(&sampling::SamplerTraits::global_batch);
  proposed.push_back({words::setField(field, grouped(samples)), {{field, samples}}, {}});
}

void useFewerWorkers(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  const std::int64_t loading = facts.loadingWorkers().count;
  proposed.push_back({words::setField("num_workers", grouped(loading)), {{"loader.num_workers", loading}}, {}});
}

}  // namespace shardlens::fixes
