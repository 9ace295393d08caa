// SPDX-License-Identifier: Apache-2.0
#include "core/plan/diff.h"

#include "core/plan/batch_differences.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <algorithm>

namespace shardlens {
namespace {

using Batch = std::optional<std::vector<SampleIndex>>;

/// The rank's batches; none when the plan has no such rank or epoch.
Result<RankEpoch> rankOf(const Plan& plan, Epoch epoch, Rank rank, const Work& work) {
  if (rank.value >= plan.worldSize() || epoch.value >= plan.epochs()) return RankEpoch();
  return plan.rankEpoch(epoch, rank, work);
}

Batch batchAt(const RankEpoch& rank, Step step) {
  return step.value < rank.batches() ? Batch(rank.batchSamples(step)) : std::nullopt;
}

Result<void> compareRank(const RankEpoch& before, const RankEpoch& after, Rank rank, EpochDiff& diff,
                         const Work& work) {
  const std::int64_t steps = std::max(before.batches(), after.batches());
  diff.batches += steps;
  std::int64_t items = 0;
  for (Step step{0}; step.value < steps; ++step) {
    if (items >= kItemsBetweenLooks) {
      if (work.stopped()) return cancelled();
      items = 0;
    }
    items += step.value < before.batches() ? before.batch(step).size() + 1 : 1;
    if (sameBatch(before, after, step)) continue;
    ++diff.differing;
    if (diff.first && !(step < diff.first->step)) continue;
    diff.first = EpochDiff::First{rank, step, batchAt(before, step), batchAt(after, step)};
  }
  return {};
}

Result<std::int64_t> batchesOf(const Plan& plan, Epoch epoch, const Work& work) {
  const auto shape = plan.epochShape(epoch, work);
  if (!shape) return shape.error();
  std::int64_t batches = 0;
  for (const RankEpochShape& rank : shape->ranks) batches += rank.batches;
  return batches;
}

/// Of every epoch, where none can have another number and counting needs no order.
std::optional<std::int64_t> commonBatches(const Plan& plan) {
  if (!plan.knowsShapes() || !plan.rule().same_shapes) return std::nullopt;
  const auto batches = batchesOf(plan, Epoch{0}, {});
  return batches ? std::optional(*batches) : std::nullopt;
}

std::string textAt(const PipelineSpec& spec, const Field* field) {
  return field == nullptr ? "" : valueText(getValue(spec, *field));
}

}  // namespace

std::vector<FieldChange> changedFields(const PipelineSpec& before, const PipelineSpec& after) {
  const SamplerCatalogue catalogue = sampling::catalogue();
  std::vector<std::string> paths;
  for (const PipelineSpec* spec : {&before, &after}) {
    for (const Field* field : fieldsOf(*spec, catalogue)) {
      if (std::find(paths.begin(), paths.end(), field->path) == paths.end()) paths.push_back(field->path);
    }
  }
  std::vector<FieldChange> changes;
  for (const std::string& path : paths) {
    const Field* a = findField(before, catalogue, path);
    const Field* b = findField(after, catalogue, path);
    if (a != nullptr && b != nullptr && getValue(before, *a) == getValue(after, *b)) continue;
    changes.push_back({path, textAt(before, a), textAt(after, b)});
  }
  return changes;
}

std::vector<std::string> planDifferences(const PipelineSpec& before, const PipelineSpec& after) {
  std::vector<std::string> paths;
  for (const FieldChange& change : changedFields(before, after)) {
    if (shapesPlan(change.path)) paths.push_back(change.path);
  }
  return paths;
}

PlanDiff::PlanDiff(const Plan& before, const Plan& after)
    : before_(before),
      after_(after),
      alike_(planDifferences(before.spec(), after.spec()).empty()),
      batches_(alike_ ? commonBatches(before) : std::nullopt) {}

Result<EpochDiff> PlanDiff::epoch(Epoch epoch, const Work& work) const {
  EpochDiff diff;
  diff.epoch = epoch;
  if (alike_ && epoch.value < std::min(before_.epochs(), after_.epochs())) {
    const auto batches = batches_ ? Result<std::int64_t>(*batches_) : batchesOf(before_, epoch, work);
    if (!batches) return batches.error();
    diff.batches = *batches;
    return diff;
  }
  const std::int64_t ranks = std::max(before_.worldSize(), after_.worldSize());
  for (Rank rank{0}; rank.value < ranks; ++rank) {
    const auto a = rankOf(before_, epoch, rank, Work{work.stop, {}});
    if (!a) return a.error();
    const auto b = rankOf(after_, epoch, rank, Work{work.stop, {}});
    if (!b) return b.error();
    if (auto compared = compareRank(*a, *b, rank, diff, work); !compared) return compared.error();
    work.progress(static_cast<double>(rank.value + 1) / static_cast<double>(ranks));
  }
  return diff;
}

}  // namespace shardlens
