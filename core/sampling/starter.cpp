// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/starter.h"

#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace shardlens::sampling {
namespace {

constexpr std::int64_t kClasses = 10;
constexpr std::int64_t kShortest = 8;
constexpr std::int64_t kLengths = 505;
constexpr std::int64_t kStride = 7919;  ///< a prime: neighbouring samples differ in length

bool canRun(const SamplerRule& rule, const PipelineSpec& spec) {
  if (rule.check && !rule.check(spec)) return false;
  for (std::int64_t rank = 0; rule.check_rank && rank < spec.worldSize(); ++rank) {
    if (!rule.check_rank(spec, Rank{rank})) return false;
  }
  return true;
}

template <class Item>
IndexList listOf(std::int64_t count, Item item) {
  std::vector<std::int64_t> items;
  items.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items.push_back(item(i));
  return items;
}

/// Part `part` of the dataset cut into `parts` pieces of equal size, but for one.
std::pair<std::int64_t, std::int64_t> pieceOf(std::int64_t size, std::int64_t part, std::int64_t parts) {
  return {size * part / parts, size * (part + 1) / parts};
}

IndexList shardsOf(const PipelineSpec& spec) {
  const std::int64_t readers = spec.worldSize() * std::max<std::int64_t>(1, spec.loader.num_workers);
  const std::int64_t shards = std::min(2 * readers, spec.dataset.size);
  return listOf(shards, [&](std::int64_t shard) {
    const auto [first, last] = pieceOf(spec.dataset.size, shard, shards);
    return last - first;
  });
}

void fillDataset(const PipelineSpec& spec, const SamplerInfo& info, std::vector<Edit>& edits) {
  const auto reads = [&](const char* path) {
    return std::find(info.reads.begin(), info.reads.end(), path) != info.reads.end();
  };
  const std::int64_t size = spec.dataset.size;
  if (reads("dataset.labels") && spec.dataset.labels.empty()) {
    edits.push_back({"dataset.labels", listOf(size, [](std::int64_t i) { return i % kClasses; })});
  }
  if (reads("dataset.lengths") && spec.dataset.lengths.empty()) {
    edits.push_back(
        {"dataset.lengths", listOf(size, [](std::int64_t i) { return kShortest + i * kStride % kLengths; })});
  }
  if (reads("dataset.shards") && spec.dataset.shards.empty()) edits.push_back({"dataset.shards", shardsOf(spec)});
}

/// Lists of samples that the sampler takes together share the dataset between them.
void fillLists(const PipelineSpec& spec, const SamplerInfo& info, std::vector<Edit>& edits) {
  std::vector<const Field*> empty;
  for (const Field& field : info.parameters) {
    if (field.kind == FieldKind::Indices && std::get<IndexList>(getValue(spec, field)).empty()) empty.push_back(&field);
  }
  const auto parts = static_cast<std::int64_t>(empty.size());
  for (std::int64_t part = 0; part < parts; ++part) {
    const auto [first, last] = pieceOf(spec.dataset.size, part, parts);
    edits.push_back({empty[static_cast<std::size_t>(part)]->path,
                     listOf(last - first, [first = first](std::int64_t i) { return first + i; })});
  }
}

}  // namespace

std::vector<Edit> starterEdits(const PipelineSpec& spec) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  if (rule == nullptr || spec.dataset.size > kMostExamples || canRun(*rule, spec)) return {};
  std::vector<Edit> edits;
  fillDataset(spec, rule->info, edits);
  fillLists(spec, rule->info, edits);
  const auto filled = applyEdits(spec, edits, catalogue());
  return filled && canRun(*rule, *filled) ? edits : std::vector<Edit>();
}

}  // namespace shardlens::sampling
