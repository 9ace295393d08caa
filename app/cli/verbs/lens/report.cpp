// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/lens/report.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>
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

/// What the others are held against.
struct First {
  const Plan& plan;
  Epoch epoch;
  SampleContent content;
  std::vector<LensBatch> batches;
};

Result<void> compare(const First& first, const Plan& plan, const EpochPlan& dealt, SeenColumn& seen) {
  if (plan.spec() == first.plan.spec()) {
    seen.comparison = EpochDiff{first.epoch, seen.batches, 0, {}};
    seen.samples = compareSamples(first.content, first.content);
    return {};
  }
  auto compared = diffEpoch(first.plan, plan, first.epoch);
  if (!compared) return compared.error();
  const auto content = SampleContent::of(dealt);
  if (!content) return content.error();
  seen.comparison = std::move(*compared);
  seen.samples = compareSamples(first.content, *content);
  return {};
}

/// What the column's plan says; an error of the sampler becomes the column's own.
Result<void> look(const First& first, SeenColumn& seen) {
  const auto plan = Plan::make(*seen.column.spec);
  if (!plan) {
    raise(seen.column, plan.error(), "when the sampler is made");
    return {};
  }
  const auto dealt = plan->epoch(first.epoch);
  if (!dealt && (dealt.error().code == ErrorCode::Environment || dealt.error().code == ErrorCode::Cancelled)) {
    return dealt.error();
  }
  if (!dealt) {
    raise(seen.column, dealt.error(), "while the epoch is read");
    return {};
  }
  for (const RankEpoch& rank : dealt->ranks) {
    seen.batches += rank.batches();
    seen.items += rank.handedOut();
  }
  showFirst(*dealt, first.batches, seen.column.id == "as-written", seen);
  return compare(first, *plan, *dealt, seen);
}

/// The first column and those with these ids; all of them when no id is given.
Result<std::vector<LensColumn>> chosenColumns(const PipelineSpec& spec, const std::vector<std::string>& only) {
  std::vector<LensColumn> columns = lensColumns(spec);
  if (only.empty()) return columns;
  std::vector<std::string> ids;
  std::ranges::transform(columns, std::back_inserter(ids), &LensColumn::id);
  for (const std::string& id : only) {
    if (std::ranges::find(ids, id) != ids.end()) continue;
    const std::string near = nearest(id, ids);
    return Error{ErrorCode::BadInput,
                 "the lens has no column '" + id + "'",
                 {{}, 0, 0, "--only"},
                 near.empty() ? "it has " + join(ids, ", ") : "did you mean " + near + "?"};
  }
  const auto unwanted = [&](const LensColumn& column) {
    return column.id != ids.front() && std::ranges::find(only, column.id) == only.end();
  };
  std::erase_if(columns, unwanted);
  return columns;
}

}  // namespace

Result<LensReport> lensReport(const Plan& written, Epoch epoch, const std::vector<std::string>& only) {
  LensReport report{written.spec(), epoch, {}};
  auto columns = chosenColumns(written.spec(), only);
  if (!columns) return columns.error();
  const auto dealt = written.epoch(epoch);
  if (!dealt) return dealt.error();
  auto content = SampleContent::of(*dealt);
  if (!content) return content.error();
  First first{written, epoch, *std::move(content), {}};
  for (LensColumn& column : *columns) {
    SeenColumn seen;
    seen.column = std::move(column);
    if (seen.column.spec) {
      if (auto looked = look(first, seen); !looked) return looked.error();
    }
    if (report.columns.empty()) first.batches = seen.first;
    report.columns.push_back(std::move(seen));
  }
  return report;
}

std::string relationText(const SeenColumn& seen) {
  return comparisonText(seen.samples, seen.comparison && seen.comparison->differing == 0);
}

std::string errorText(const LensColumn& column) {
  if (!column.error) return {};
  return (column.error->raised.empty() ? "" : column.error->raised + ": ") + column.error->message;
}

}  // namespace shardlens::cli
