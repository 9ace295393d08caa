// SPDX-License-Identifier: Apache-2.0
#include "core/audit/ledger_text.h"

#include "core/base/text.h"

#include <array>

namespace shardlens {
namespace {

constexpr std::array<std::string_view, kRepeatCauses> kRepeatTexts = {
    "padding of the sampler",
    "filling of last batches",
    "drawn with replacement",
    "repeated by factors",
    "drawn to balance classes",
    "listed more than once",
    "from a second stream",
    "from another pass",
    "by a defect of the shuffle",
    "also read by other ranks",
    "read by several workers",
    "replicated by design",
    "not explained",
};

constexpr std::array<std::string_view, kMissingCauses> kMissingTexts = {
    "cut by the sampler",
    "cut by the loader",
    "not among the indices",
    "outside the sampler's part",
    "with weight 0",
    "without a weight",
    "not drawn",
    "read before the saved state",
    "skipped by a count carried over",
    "waiting for a later batch",
    "for ranks that do not exist",
    "divided twice",
    "lost between different orders",
    "by a defect of the shuffle",
    "not explained",
};

template <class Cause, std::size_t kCauses>
std::vector<std::string> partsOf(const CountByCause<Cause, kCauses>& counts) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kCauses; ++i) {
    if (counts.counts[i] == 0) continue;
    parts.push_back(grouped(counts.counts[i]) + " " + std::string(causeText(static_cast<Cause>(i))));
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
  return partsOf(ledger.repeats);
}

std::vector<std::string> missingText(const Ledger& ledger) {
  return partsOf(ledger.missing_by);
}

}  // namespace shardlens
