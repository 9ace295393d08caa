// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/judgement.h"

#include "core/base/parallel.h"
#include "core/sampling/sampler_rule.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens::fixes {
namespace {

constexpr std::int64_t kItemsDrawn = 1'000'000;      ///< of a plan that is drawn to its last epoch
constexpr std::int64_t kItemsTried = 1'000'000'000;  ///< of orders that are drawn for one audit: some ten seconds

std::set<std::string> errorsOf(const std::vector<Finding>& findings) {
  std::set<std::string> errors;
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::Error) errors.insert(finding.code);
  }
  return errors;
}

std::int64_t countOf(const std::vector<Finding>& findings, Severity severity) {
  return std::ranges::count_if(
      findings, [severity](const Finding& finding) { return finding.severity == severity && !finding.is_proof; });
}

std::vector<EpochCounts> countsOf(const AuditReport& report) {
  std::vector<EpochCounts> epochs;
  for (std::size_t i = 0; i < report.coverage.size(); ++i) {
    const Ledger& one = report.coverage[i];
    epochs.push_back({one.missing, one.repeats.total(), one.padding(), report.steps[i],
                      *std::ranges::min_element(report.batches[i])});
  }
  return epochs;
}

void weigh(Judgement& judged) {
  judged.burden = {static_cast<std::int64_t>(judged.errors.size()), 0, countOf(judged.findings, Severity::Warning),
                   countOf(judged.findings, Severity::Info)};
  for (const EpochCounts& epoch : judged.epochs) judged.burden.harm += epoch.missing + epoch.repeated;
}

Judgement judged(const AuditReport& report, const std::vector<Finding>& findings) {
  Judgement out;
  out.epochs = countsOf(report);
  out.findings = findings;
  out.errors = errorsOf(findings);
  out.batches = report.batches;
  weigh(out);
  return out;
}

/// Some samplers raise only while they iterate. Small plans are drawn to the end.
bool drawsToTheEnd(const Plan& plan, const Work& work) {
  const std::int64_t size = std::max<std::int64_t>(1, plan.spec().dataset.size) * plan.worldSize();
  for (Epoch epoch{0}; epoch.value < std::min(plan.epochs(), kItemsDrawn / size); ++epoch) {
    if (!plan.epoch(epoch, work)) return false;
  }
  return true;
}

bool isQuick(const Plan& plan, const AuditOptions& options) {
  const sampling::SamplerRule& rule = plan.rule();
  std::set<sampling::OrderKey> keys;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    keys.insert(rule.key(plan.spec(), Epoch{options.first_epoch}, rank));
  }
  const auto orders = static_cast<std::int64_t>(keys.size()) * options.epochs;
  return std::max<std::int64_t>(1, plan.spec().dataset.size) <= kItemsTried / orders;
}

std::optional<Judgement> judgedWhole(const Plan& plan, const AuditOptions& options, const Work& work) {
  if (!isQuick(plan, options) || !drawsToTheEnd(plan, work)) return std::nullopt;
  const auto report = audit(plan, options, work);
  if (!report) return std::nullopt;
  return judged(*report, report->findings);
}

/// What grows by `second - first` each time that the dataset grows by a period.
std::int64_t onLine(std::int64_t first, std::int64_t second, std::int64_t periods) {
  return first + (second - first) * periods;
}

std::vector<EpochCounts> onLine(const std::vector<EpochCounts>& first, const std::vector<EpochCounts>& second,
                                std::int64_t periods) {
  std::vector<EpochCounts> out;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    out.push_back({onLine(first[i].missing, second[i].missing, periods),
                   onLine(first[i].repeated, second[i].repeated, periods),
                   onLine(first[i].padded, second[i].padded, periods), onLine(first[i].steps, second[i].steps, periods),
                   onLine(first[i].fewest, second[i].fewest, periods)});
  }
  return out;
}

/// A title that speaks of a number which grows with the dataset is true of the small copy alone.
void keepLastingTitles(std::vector<Finding>& findings, const std::vector<Finding>& larger) {
  for (Finding& finding : findings) {
    const auto same = std::ranges::find(larger, finding.code, &Finding::code);
    if (same == larger.end() || same->title != finding.title) finding.title = finding.code;
  }
}

std::optional<Judgement> judgedSmall(const Plan& plan, const SmallCopies& copies, const AuditOptions& options,
                                     const Work& work) {
  std::array<Judgement, 2> small;
  const auto judge_one = [&](std::size_t i, const Work& task) -> Result<void> {
    const auto copy = Plan::make(copies.specs[i]);
    if (!copy) return copy.error();
    auto one = judgedWhole(*copy, options, task);
    if (!one) return cancelled();
    small[i] = *std::move(one);
    return {};
  };
  if (!inParallel(small.size(), {work.stop, {}}, judge_one)) return std::nullopt;
  Judgement out = std::move(small[0]);
  out.epochs = onLine(out.epochs, small[1].epochs, copies.periods);
  for (std::size_t i = 0; i < out.batches.size(); ++i) {
    const auto shape = plan.epochShape(Epoch{options.first_epoch + static_cast<std::int64_t>(i)}, work);
    if (!shape) return std::nullopt;
    out.batches[i] = lockstep(*shape).batches;
  }
  keepLastingTitles(out.findings, small[1].findings);
  weigh(out);
  return out;
}

}  // namespace

std::optional<Judgement> judge(const Plan& plan, const AuditOptions& options, const Work& work) {
  if (const auto copies = smallCopies(plan.spec())) return judgedSmall(plan, *copies, options, work);
  return judgedWhole(plan, options, work);
}

std::optional<Judgement> judge(const Plan& plan, const AuditReport& report, const std::vector<Finding>& findings,
                               const AuditOptions& options, const Work& work) {
  const auto copies = smallCopies(plan.spec());
  if (!copies) return judged(report, findings);
  auto small = judgedSmall(plan, *copies, options, work);
  if (!small) return std::nullopt;
  small->epochs = countsOf(report);
  weigh(*small);
  return small;
}

}  // namespace shardlens::fixes
