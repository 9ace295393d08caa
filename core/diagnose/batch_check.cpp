// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/batch_check.h"

#include "core/plan/rank_epoch.h"

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
      return "is not in the plan";
    case BatchMatch::OtherSamples:
      return "has other samples than planned (" + fingerprintText(reported.a) + " instead of " +
             fingerprintText(planned->fingerprint) + ")";
    case BatchMatch::OtherCount:
      return "was reported with " + std::to_string(reported.b) + " samples, the plan has " +
             std::to_string(planned->samples);
  }
  return {};
}

}  // namespace shardlens
