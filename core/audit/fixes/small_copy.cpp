// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/judgement.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shardlens::fixes {
namespace {

constexpr std::int64_t kLargeDataset = 1'000'000;
constexpr std::int64_t kLeastSaved = 4;  ///< the dataset over its larger copy

/// The number of slices that the script asks for; the world size where it asks for none.
std::int64_t slicesOf(const PipelineSpec& spec) {
  const std::string_view name = sampling::traitsOf(spec).num_replicas;
  const Field* field = name.empty() ? nullptr : findField(spec, sampling::catalogue(), "sampler." + std::string(name));
  if (field == nullptr) return spec.worldSize();
  const Value value = getValue(spec, *field);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? spec.worldSize() : *number;  // equal nodes: both names divide the world size
}

/// Ranks with orders of their own share samples by chance, unless each is handed all of them.
bool leavesNothingToChance(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  if (rule.whole(spec) && !spec.loader.drop_last) return true;
  const sampling::OrderKey first = rule.key(spec, Epoch{0}, Rank{0});
  for (Rank rank{1}; rank.value < spec.worldSize(); ++rank) {
    if (rule.key(spec, Epoch{0}, rank) != first) return false;
  }
  return true;
}

bool hasLists(const PipelineSpec& spec) {
  return !spec.dataset.shards.empty() || !spec.dataset.lengths.empty() || !spec.dataset.labels.empty();
}

/// How far the dataset must grow until every rank has whole batches more: nothing when that is very far.
std::optional<std::int64_t> periodOf(const PipelineSpec& spec) {
  const std::int64_t parts = std::lcm(spec.worldSize(), std::max<std::int64_t>(1, slicesOf(spec)));
  if (parts > std::numeric_limits<std::int64_t>::max() / spec.loader.batch_size) return std::nullopt;
  return parts * spec.loader.batch_size;
}

}  // namespace

bool countsByPlaces(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  return rule.reads_evenly(spec) && leavesNothingToChance(rule, spec);
}

std::optional<SmallCopies> smallCopies(const PipelineSpec& spec) {
  const std::int64_t size = spec.dataset.size;
  const sampling::SamplerRule* rule = sampling::findRule(spec.sampler.type);
  if (!spec.world.ranks_per_node.ofEveryNode()) return std::nullopt;  // processes may divide by different numbers
  if (size < kLargeDataset || rule == nullptr || hasLists(spec) || !countsByPlaces(*rule, spec)) return std::nullopt;
  const auto period = periodOf(spec);
  // Enough batches for every worker, so that none is idle in the copy alone.
  const std::int64_t least = std::max<std::int64_t>(3, spec.loader.num_workers + 1);
  if (!period || *period > size / kLeastSaved / (least + 1)) return std::nullopt;
  SmallCopies copies;
  const std::int64_t first = size % *period + least * *period;
  copies.specs = {spec, spec};
  copies.specs[0].dataset.size = first;
  copies.specs[1].dataset.size = first + *period;
  copies.periods = (size - first) / *period;
  return copies;
}

}  // namespace shardlens::fixes
