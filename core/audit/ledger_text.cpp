// SPDX-License-Identifier: Apache-2.0
#include "core/audit/ledger.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <array>

namespace shardlens {
namespace {

constexpr std::array<const char*, kRepeatCauses> kRepeatTexts = {
    marked("ledger", "padding of the sampler"),
    marked("ledger", "filling of last batches"),
    marked("ledger", "drawn with replacement"),
    marked("ledger", "repeated by factors"),
    marked("ledger", "drawn to balance classes"),
    marked("ledger", "listed more than once"),
    marked("ledger", "from a second stream"),
    marked("ledger", "from another pass"),
    marked("ledger", "by a defect of the shuffle"),
    marked("ledger", "also read by other ranks"),
    marked("ledger", "read by several workers"),
    marked("ledger", "replicated by design"),
    marked("ledger", "not explained"),
};

constexpr std::array<const char*, kMissingCauses> kMissingTexts = {
    marked("ledger", "cut by the sampler"),
    marked("ledger", "cut by the loader"),
    marked("ledger", "for lack of a whole step"),
    marked("ledger", "not among the indices"),
    marked("ledger", "outside the sampler's part"),
    marked("ledger", "with weight 0"),
    marked("ledger", "without a weight"),
    marked("ledger", "not drawn"),
    marked("ledger", "not handed out"),
    marked("ledger", "read before the saved state"),
    marked("ledger", "skipped by a count carried over"),
    marked("ledger", "waiting for a later batch"),
    marked("ledger", "for rank numbers that no rank uses"),
    marked("ledger", "divided twice"),
    marked("ledger", "lost between different orders"),
    marked("ledger", "by a defect of the shuffle"),
    marked("ledger", "not explained"),
};

template <class Cause, std::size_t kCauses>
std::vector<std::string> partsOf(const CountByCause<Cause, kCauses>& counts,
                                 const std::array<const char*, kCauses>& texts) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kCauses; ++i) {
    if (counts.counts[i] == 0) continue;
    parts.push_back(grouped(counts.counts[i]) + " " + worded("ledger", texts[i]));
  }
  return parts;
}

}  // namespace

std::string_view causeText(RepeatCause cause) {
  return kRepeatTexts[static_cast<std::size_t>(cause)];
}

std::string_view causeText(MissingCause cause) {
  return kMissingTexts[static_cast<std::size_t>(cause)];
}

std::vector<std::string> repeatsText(const Ledger& ledger) {
  return partsOf(ledger.repeats, kRepeatTexts);
}

std::vector<std::string> missingText(const Ledger& ledger) {
  return partsOf(ledger.missing_by, kMissingTexts);
}

}  // namespace shardlens
