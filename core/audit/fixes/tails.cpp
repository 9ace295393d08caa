// SPDX-License-Identifier: Apache-2.0
// What does not divide evenly: dropped or repeated, by the sampler or by the loader; and ranks with unequal batches.
#include "core/audit/fixes/remedies.h"
#include "core/audit/fixes/sampler_remedies.h"
#include "core/base/phrase.h"
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
  const Fix& fix = proposed.emplace_back(Fix{drops ? filled(worded("fixes", "Keep the uneven tail: %1 off"), field)
                                                   : filled(worded("fixes", "Cut the uneven tail: %1"), field),
                                             {{field, !drops}}});
  if (!drops || !facts.spec().loader.drop_last) return;
  proposed.push_back({keepingShortBatches(fix.label), {{field, false}, shortBatches(false)}});
}

/// `label` has a place for the field.
void setOwn(const Facts& facts, const Setting& setting, const std::string& label, std::vector<Fix>& proposed) {
  const auto edit = made(facts, setting);
  if (!edit) return;
  const std::string set = filled(label, edit->path);
  proposed.push_back({set, {*edit}});
  if (!facts.spec().loader.drop_last) return;
  proposed.push_back({keepingShortBatches(set), {*edit, shortBatches(false)}});
}

/// Who reads shards: each worker of each rank.
std::int64_t readersOf(const Facts& facts) {
  return facts.worldSize() * std::max<std::int64_t>(1, facts.spec().loader.num_workers);
}

std::string rewriteInShards(std::int64_t shards) {
  return filled(worded("fixes", "Rewrite the dataset in %1 even shards"), grouped(shards));
}

void writeEvenShards(const Facts& facts, std::vector<Fix>& proposed) {
  const auto even = evenShards(facts);
  if (!even) return;
  const std::int64_t number = shardsOf(*even);
  proposed.push_back({rewriteInShards(number), {*even}});
  if (!facts.spec().loader.drop_last)
    proposed.push_back(
        {filled(worded("fixes", "%1; drop short last batches"), rewriteInShards(number)), {*even, shortBatches(true)}});
}

/// Shards that do not divide evenly can be drawn from instead, as many for each reader.
void resample(const Facts& facts, std::vector<Fix>& proposed) {
  if (facts.spec().sampler.type != "webdataset.WebDataset") return;
  const auto shards = static_cast<std::int64_t>(facts.spec().dataset.shards.size());
  Fix fix = changeTo(facts, "webdataset.ResampledShards",
                     filled(worded("fixes", "Draw shards instead of dividing them: %1"), "ResampledShards"));
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
  const std::string label = setField("batch_size", grouped(*size));
  proposed.push_back({label, {{"loader.batch_size", *size}}});
}

/// A stream that divides itself unevenly can be read whole by each process, which keeps its part of every global batch.
void readWholeStream(const Facts& facts, std::vector<Fix>& proposed) {
  if (!facts.claims().is_stream || facts.worldSize() == 1) return;
  const std::string type = "accelerate.IterableDatasetShard";
  if (facts.spec().sampler.type == type) return;
  proposed.push_back(changeTo(
      facts, type,
      filled(worded("fixes", "Let every process read the whole stream and keep its part of each global batch: %1"),
             "IterableDatasetShard")));
}

}  // namespace

std::string keepingShortBatches(const std::string& label) {
  return filled(worded("fixes", "%1, keep short batches"), label);
}

std::string setField(const std::string& field, const std::string& value) {
  return filled(worded("fixes", "Set %1 to %2"), field, value);
}

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
  const std::string keep = facts.samplerListsBatches()
                               ? worded("fixes", "Keep the last batches: loader.drop_last off")
                               : worded("fixes", "Keep the short last batch: loader.drop_last off");
  proposed.push_back(
      {drops ? keep : worded("fixes", "Drop short last batches: loader.drop_last"), {shortBatches(!drops)}, {}});
}

void evenSteps(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed) {
  const SamplerRemedies& own = remediesOf(facts);
  setOwn(facts, own.fills, worded("fixes", "Round up, so that all ranks get the same number: %1"), proposed);
  setOwn(facts, own.cuts, worded("fixes", "Cut every rank to the shortest: %1"), proposed);
  turnTails(facts, finding, proposed);
  const bool drops = facts.spec().loader.drop_last;
  if (!drops && facts.takes(&SamplerTraits::drop_last) && !facts.isOn(&SamplerTraits::drop_last)) {
    proposed.push_back({worded("fixes", "Cut every rank to whole batches: sampler and loader drop_last"),
                        {{facts.fieldOf(&SamplerTraits::drop_last), true}, shortBatches(true)}});
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
  proposed.push_back({setField("batch_size", grouped(samples)), {{"loader.batch_size", samples}}});
}

void makeWholeStep(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  const std::int64_t samples = facts.dataParallelSize() * facts.spec().loader.batch_size;
  const std::string field = facts.fieldOf(&sampling::SamplerTraits::global_batch);
  proposed.push_back({setField(field, grouped(samples)), {{field, samples}}});
}

void useFewerWorkers(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  const std::int64_t loading = facts.loadingWorkers().count;
  proposed.push_back({setField("num_workers", grouped(loading)), {{"loader.num_workers", loading}}});
}

}  // namespace shardlens::fixes
