// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/planned_epochs.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/plan/rank_epoch.h"

#include <utility>

namespace shardlens {

BatchMatch compare(const std::optional<PlannedBatch>& planned, const sl_record& reported) {
  if (!planned) return BatchMatch::NotPlanned;
  if (planned->fingerprint != reported.a) return BatchMatch::OtherSamples;
  const bool tells_count = reported.b != 0;
  return tells_count && static_cast<std::uint64_t>(planned->samples) != reported.b ? BatchMatch::OtherCount
                                                                                   : BatchMatch::AsPlanned;
}

std::string differenceText(BatchMatch match, const std::optional<PlannedBatch>& planned, const sl_record& reported) {
  switch (match) {
    case BatchMatch::AsPlanned:
      return {};
    case BatchMatch::NotPlanned:
      return worded("proof", "is not in the plan");
    case BatchMatch::OtherSamples:
      return filled(worded("proof", "has other samples than planned (%1 instead of %2)"), fingerprintText(reported.a),
                    fingerprintText(planned->fingerprint));
    case BatchMatch::OtherCount:
      return filled(worded("proof", "was reported with %1, the plan has %2"),
                    wordedCount(static_cast<std::int64_t>(reported.b), "sample"), grouped(planned->samples));
  }
  return {};
}

Result<std::int64_t> PlannedEpochs::batches(std::int64_t rank, std::int64_t epoch, const Work& work) const {
  const auto shape = plan_.shape(Epoch{epoch}, Rank{rank}, work);
  return shape ? Result<std::int64_t>(shape->batches) : shape.error();
}

Result<bool> PlannedEpochs::has(std::int64_t rank, Spot spot, const Work& work) const {
  const bool inside = rank >= 0 && rank < plan_.worldSize() && spot.epoch >= 0 && spot.epoch < plan_.epochs();
  if (!inside || spot.step < 0) return false;
  const auto count = batches(rank, spot.epoch, work);
  return count ? Result<bool>(spot.step < *count) : count.error();
}

Result<std::optional<PlannedBatch>> PlannedEpochs::at(std::int64_t rank, Spot spot, const Work& work) {
  const auto planned = has(rank, spot, work);
  if (!planned) return planned.error();
  if (!*planned) return std::optional<PlannedBatch>();
  auto& kept = kept_[static_cast<std::size_t>(rank)];
  if (!kept || kept->epoch().value != spot.epoch) {
    auto slice = plan_.rankEpoch(Epoch{spot.epoch}, Rank{rank}, work);
    if (!slice) return slice.error();
    kept = std::move(*slice);
  }
  const Step step{spot.step};
  return std::optional(PlannedBatch{kept->batchFingerprint(step), kept->batch(step).size()});
}

ExpectedBatch expectationOf(std::shared_ptr<PlannedEpochs> epochs, const Work* work) {
  return [epochs = std::move(epochs), work](std::int64_t rank, std::int64_t epoch, std::int64_t step) {
    return epochs->at(rank, {epoch, step}, work != nullptr ? *work : Work{});
  };
}

ExpectedBatch expectationOf(Plan plan) {
  return expectationOf(std::make_shared<PlannedEpochs>(std::move(plan)));
}

}  // namespace shardlens
