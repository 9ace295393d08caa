// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lens_report.h"

#include <algorithm>
#include <utility>

namespace shardlens::cli {
namespace {

/// The batches of the ranks and steps that are shown, marked where the first column has others.
void showFirst(const EpochPlan& epoch, const std::vector<LensBatch>& reference, bool is_first, SeenColumn& seen) {
  const auto ranks = std::min<std::size_t>(epoch.ranks.size(), static_cast<std::size_t>(kLensRanks));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const RankEpoch& items = epoch.ranks[rank];
    for (Step step{0}; step.value < std::min(items.batches(), kLensSteps); ++step) {
      LensBatch batch{items.rank(), step, items.batchSamples(step), false};
      const auto same = std::ranges::find_if(reference, [&](const LensBatch& other) {
        return other.rank == batch.rank && other.step == batch.step && other.samples == batch.samples;
      });
      batch.differs = !is_first && same == reference.end();
      seen.first.push_back(std::move(batch));
    }
  }
}

void raise(LensColumn& column, Error error, const char* when) {
  column.spec.reset();
  if (column.when.empty() && error.code != ErrorCode::Unsupported) column.when = when;
  column.error = std::move(error);
}

/// What the column's plan says; an error of the sampler becomes the column's own.
Result<void> look(const Plan& written, Epoch epoch, const std::vector<LensBatch>& reference, SeenColumn& seen) {
  const auto plan = Plan::make(*seen.column.spec);
  if (!plan) {
    raise(seen.column, plan.error(), "when the sampler is made");
    return {};
  }
  const auto dealt = plan->epoch(epoch);
  if (!dealt && (dealt.error().code == ErrorCode::Environment || dealt.error().code == ErrorCode::Cancelled)) {
    return dealt.error();
  }
  if (!dealt) {
    raise(seen.column, dealt.error(), "while the epoch is read");
    return {};
  }
  auto compared = diffEpoch(written, *plan, epoch);
  if (!compared) return compared.error();
  seen.comparison = std::move(*compared);
  for (const RankEpoch& rank : dealt->ranks) {
    seen.batches += rank.batches();
    seen.items += rank.handedOut();
  }
  showFirst(*dealt, reference, seen.column.id == "as-written", seen);
  return {};
}

}  // namespace

Result<LensReport> lensReport(const Plan& written, Epoch epoch) {
  LensReport report{written.spec(), epoch, {}};
  std::vector<LensBatch> reference;
  for (LensColumn& column : lensColumns(written.spec())) {
    SeenColumn seen;
    seen.column = std::move(column);
    if (seen.column.spec) {
      if (auto looked = look(written, epoch, reference, seen); !looked) return looked.error();
    }
    if (report.columns.empty()) reference = seen.first;
    report.columns.push_back(std::move(seen));
  }
  return report;
}

std::string errorText(const LensColumn& column) {
  if (!column.error) return {};
  return (column.error->raised.empty() ? "" : column.error->raised + ": ") + column.error->message;
}

}  // namespace shardlens::cli
