// SPDX-License-Identifier: Apache-2.0
// What does not divide evenly: dropped or repeated, by the sampler or by the loader; and ranks with unequal batches.
#include "core/audit/fixes/remedies.h"
#include "core/audit/fixes/sampler_remedies.h"
#include "core/audit/words/fix_words.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::fixes {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostShards = 10'000;  ///< in a list that a fix writes

Edit shortBatches(bool dropped) {
  return {"loader.drop_last", dropped};
}

void turnSamplerTail(const Facts& facts, std::vector<Fix>& proposed) {
  if (!facts.takes(&SamplerTraits::drop_last)) return;
  const std::string field = facts.fieldOf(&SamplerTraits::drop_last);
  const bool drops = facts.isOn(&SamplerTraits::drop_last);
  proposed.push_back({drops ? words::keepUnevenTail(field) : words::cutUnevenTail(field), {{field, !drops}}, {}});
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
  proposed.push_back({drops ? words::keepShortLastBatch() : words::dropShortLastBatches(), {shortBatches(!drops)}, {}});
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
}

}  // namespace shardlens::fixes
