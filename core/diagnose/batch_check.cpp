// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/batch_check.h"

#include "core/diagnose/proof_words.h"
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
      return words::notPlanned();
    case BatchMatch::OtherSamples:
      return words::otherSamples(fingerprintText(reported.a), fingerprintText(planned->fingerprint));
    case BatchMatch::OtherCount:
      return words::otherCount(reported.b, planned->samples);
  }
  return {};
}

}  // namespace shardlens
