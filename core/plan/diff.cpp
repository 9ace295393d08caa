// SPDX-License-Identifier: Apache-2.0
#include "core/plan/diff.h"

#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <bit>

namespace shardlens {
namespace {

/// The rank's batches; of a rank that the epoch does not have, none.
const RankEpoch& rankOf(const EpochPlan& epoch, std::int64_t rank) {
  static const RankEpoch kNone;
  return rank < std::ssize(epoch.ranks) ? epoch.ranks[static_cast<std::size_t>(rank)] : kNone;
}

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

bool sameBatch(const RankEpoch& a, const RankEpoch& b, Step step) {
  if (step.value >= a.batches() || step.value >= b.batches()) return false;
  const RankEpoch::Range at = a.batch(step);
  const RankEpoch::Range other = b.batch(step);
  if (at.size() != other.size()) return false;
  for (std::int64_t k = 0; k < at.size(); ++k) {
    if (a.sample(at.first + k) != b.sample(other.first + k)) return false;
  }
  return true;
}

std::shared_ptr<const BatchDifferences> BatchDifferences::compute(const EpochPlan& epoch, const EpochPlan& reference,
                                                                  const Work& work) {
  auto out = std::make_shared<BatchDifferences>();
  const std::int64_t ranks = std::max(std::ssize(epoch.ranks), std::ssize(reference.ranks));
  out->bits_ = BatchBits(ranks, std::max(epoch.steps(), reference.steps()));
  std::int64_t items = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const RankEpoch& one = rankOf(epoch, rank);
    const RankEpoch& other = rankOf(reference, rank);
    const std::int64_t both = std::max(one.batches(), other.batches());
    out->batches_ += both;
    for (Step step{0}; step.value < both; ++step) {
      if (items >= kItemsBetweenLooks) {
        if (work.stopped()) return nullptr;
        work.progress(static_cast<double>(rank) / static_cast<double>(ranks));
        items = 0;
      }
      const std::int64_t size = step.value < one.batches() ? one.batch(step).size() : 0;
      items += size + 1;
      if (sameBatch(one, other, step)) {
        out->same_items_ += size;
        continue;
      }
      out->bits_.set(rank, step.value);
      ++out->differing_;
      if (!out->first_ || step < out->first_->step) out->first_ = Place{Rank{rank}, step};
    }
  }
  out->bits_.seal();
  return out;
}

BatchBits::BatchBits(std::int64_t ranks, std::int64_t steps)
    : steps_(steps), words_((steps + 63) / 64), bits_(static_cast<std::size_t>(words_ * ranks), 0) {}

void BatchBits::copyRank(std::int64_t from, std::int64_t to) {
  std::copy_n(bits_.begin() + from * words_, words_, bits_.begin() + to * words_);
}

void BatchBits::seal() {
  counts_.assign(bits_.size(), 0);
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    if (static_cast<std::int64_t>(word) % words_ == 0) continue;
    counts_[word] = counts_[word - 1] + static_cast<std::uint32_t>(std::popcount(bits_[word - 1]));
  }
}

std::int64_t BatchBits::count(std::int64_t rank, std::int64_t first, std::int64_t last) const {
  if (bits_.empty() || first >= last) return 0;
  return before(rank, std::min(last, steps_)) - before(rank, std::min(first, steps_));
}

std::int64_t BatchBits::before(std::int64_t rank, std::int64_t step) const {
  const std::int64_t in_rank = std::min(step / 64, words_ - 1);
  const std::int64_t rest = step - in_rank * 64;
  const std::uint64_t mask = rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
  const auto word = static_cast<std::size_t>(rank * words_ + in_rank);
  return counts_[word] + std::popcount(bits_[word] & mask);
}

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
