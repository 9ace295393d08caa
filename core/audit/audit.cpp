// SPDX-License-Identifier: Apache-2.0
#include "core/audit/audit.h"

#include "core/audit/findings/facts.h"
#include "core/audit/findings/rules.h"
#include "core/audit/fixes/remedies.h"
#include "core/audit/readers.h"
#include "core/base/parallel.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kRepeatEpochs = 10'000;
constexpr double kFound = 0.5;  ///< of the work, before fixes are tried

constexpr std::int64_t kLarge = 1'000'000;  ///< samples from which on epochs are counted two at a time

void join(SeenSamples& all, SeenSamples more) {
  if (all.empty()) return all.swap(more);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] |= more[i];
}

/// The ledgers of the epochs, and the samples that any of them reads.
Result<void> countEpochs(const Plan& plan, Epoch first, std::int64_t epochs, std::vector<Ledger>& ledgers,
                         SeenSamples& ever, const Work& work) {
  const std::int64_t together = plan.spec().dataset.size >= kLarge ? 2 : 1;
  for (std::int64_t done = 0; done < epochs; done += together) {
    const auto count = static_cast<std::size_t>(std::min(together, epochs - done));
    const auto share = 1 / static_cast<double>(epochs);
    const Work part = work.part(share * static_cast<double>(done), share * static_cast<double>(done + together));
    std::vector<Ledger> counted(count);
    std::vector<SeenSamples> seen(count);
    const auto one = [&](std::size_t i, const Work& task) -> Result<void> {
      const Work own{task.stop, i == 0 ? part.report : nullptr};  // one of them says how far both are
      auto ledger = ledgerOf(plan, Epoch{first.value + done + static_cast<std::int64_t>(i)}, own, &seen[i]);
      if (!ledger) return ledger.error();
      counted[i] = *std::move(ledger);
      return {};
    };
    if (auto all = inParallel(count, {work.stop, {}}, one); !all) return all;
    for (SeenSamples& more : seen) join(ever, std::move(more));
    std::ranges::move(counted, std::back_inserter(ledgers));
  }
  return {};
}

/// All orders of an epoch, taking the first one's size for each.
Result<std::int64_t> orderBytes(const Plan& plan, Epoch epoch, const Work& work) {
  const auto readers = ranksOf(plan, epoch, plan.worldSize());
  const auto orders = static_cast<std::int64_t>(groupByOrder(plan, readers).size());
  const auto items = plan.rankEpoch(epoch, Rank{0}, work);
  if (!items) return items.error();
  return items->slice().order()->bytes() * orders;
}

/// Draws the order of rank 0 unless the plan keeps it.
Result<MemoryEstimate> memoryOf(const Plan& plan, const Lockstep& steps, const Work& work) {
  const auto order_bytes = orderBytes(plan, Epoch{steps.epoch}, work);
  if (!order_bytes) return order_bytes.error();
  const PipelineSpec::Loader& loader = plan.spec().loader;
  MemoryEstimate memory;
  memory.order_bytes = *order_bytes;
  memory.prefetched_batches = std::min(steps.most, loader.num_workers * loader.prefetch_factor);
  memory.prefetched_samples = memory.prefetched_batches * loader.batch_size;
  return memory;
}

/// Counts everything; findings come after.
Result<void> measure(const Plan& plan, const EpochShape& shape, std::int64_t epochs, const AuditOptions& options,
                     AuditReport& report, const Work& work) {
  const Epoch first = shape.epoch;
  SeenSamples ever;
  if (auto counted = countEpochs(plan, first, epochs, report.coverage, ever, work.part(0, 0.7)); !counted)
    return counted;
  auto ranks = rankOverlap(plan, first, report.coverage.front().missing == 0, work.part(0.7, 0.9));
  if (!ranks) return ranks.error();
  report.ranks = *std::move(ranks);
  auto overlap = epochOverlap(plan, Rank{0}, first, epochs, work);
  if (!overlap) return overlap.error();
  report.epochs = *std::move(overlap);
  auto repeats = epochRepeats(plan, kRepeatEpochs, options.ran_from, work.part(0.9, 1));
  if (!repeats) return repeats.error();
  report.repeats = *std::move(repeats);
  auto run = runLedger(plan, report.coverage, std::move(ever), report.repeats, options.later_epochs, work);
  if (!run) return run.error();
  report.run = *std::move(run);
  report.seeds = seedTable(plan, epochs, Epoch{options.ran_from});
  if (options.own_ids) {
    if (auto added = addOwnIds(plan, report.seeds, work); !added) return added;
  }
  report.lockstep = lockstep(shape);
  const auto memory = memoryOf(plan, report.lockstep, work);
  if (!memory) return memory.error();
  report.memory = *memory;
  return {};
}

bool haveEqualCounts(Ledger a, const Ledger& b) {
  a.epoch = b.epoch;
  a.missing_ids = b.missing_ids;
  a.missing_ids_by = b.missing_ids_by;
  a.duplicated_ids = b.duplicated_ids;
  a.padding_ids = b.padding_ids;
  return a == b;
}

/// What ranks share in a later epoch; empty where none but padding repeats.
Result<Overlap> laterOverlap(const Plan& plan, const Ledger& ledger, const AuditReport& report, const Work& work) {
  if (ledger.repeats.total() <= ledger.padding()) return Overlap{};
  const bool again = report.repeats.firstLike(ledger.epoch) == report.repeats.firstLike(report.coverage.front().epoch);
  return again ? report.ranks : rankOverlap(plan, Epoch{ledger.epoch}, ledger.missing == 0, work);
}

/// Ledgers alike say whether ranks overlap; how they do, only the table says.
bool overlapAlike(const Ledger& ledger, const Overlap& ranks, const Overlap& of_first) {
  if (ledger.repeats[RepeatCause::OverlappingRanks] == 0) return true;
  return ranks.shared == of_first.shared && ranks.same_as == of_first.same_as;
}

/// Whether the epoch has batches of its own sizes, which the number of batches does not tell.
bool listsBatches(const Plan& plan, Epoch epoch, const Work& work) {
  const auto drawn = plan.rankEpoch(epoch, Rank{0}, work);
  return drawn && drawn->slice().order()->deal() != nullptr && drawn->slice().order()->deal()->lists_batches;
}

/// What is counted of each audited epoch beside its ledger.
Result<std::vector<AuditedEpoch>> auditedEpochs(const Plan& plan, EpochShape first, const AuditReport& report,
                                                const Work& work) {
  std::vector<AuditedEpoch> epochs = {{std::move(first), true, {}}};
  const Ledger& of_first = report.coverage.front();
  for (std::size_t i = 1; i < report.coverage.size(); ++i) {
    const Ledger& ledger = report.coverage[i];
    auto shape = plan.epochShape(Epoch{ledger.epoch}, work);
    if (!shape) return shape.error();
    auto ranks = laterOverlap(plan, ledger, report, work);
    if (!ranks) return ranks.error();
    const bool like_first = !listsBatches(plan, Epoch{ledger.epoch}, work) &&
                            shape->ranks == epochs.front().shape.ranks && haveEqualCounts(ledger, of_first) &&
                            overlapAlike(ledger, *ranks, report.ranks);
    epochs.push_back({*std::move(shape), like_first, *std::move(ranks)});
  }
  return epochs;
}

int weight(const Finding& finding) {
  return static_cast<int>(finding.severity) * 2 + (finding.is_proof ? 1 : 0);
}

}  // namespace

void sortFindings(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, {}, weight);
}

std::string_view severityName(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "info";
}

std::int64_t AuditReport::count(Severity severity) const {
  return std::ranges::count_if(findings, [&](const Finding& finding) { return finding.severity == severity; });
}

bool AuditReport::hasErrors() const {
  return count(Severity::Error) > 0;
}

std::int64_t usualEpochs(const Plan& plan, std::int64_t first_epoch, const Work& work) {
  constexpr std::int64_t kMostEpochs = 100;
  constexpr std::int64_t kMostItems = 50'000;  ///< some milliseconds
  const std::int64_t few = AuditOptions().epochs;
  const std::int64_t epochs = plan.epochs() - first_epoch;
  if (epochs <= few || epochs > kMostEpochs || plan.spec().dataset.size > kMostItems / plan.worldSize() / epochs)
    return few;
  const auto shape = plan.epochShape(Epoch{first_epoch}, work);
  if (!shape) return few;
  std::int64_t items = 0;
  for (const RankEpochShape& rank : shape->ranks) items += rank.samples;
  return items <= kMostItems / epochs ? epochs : few;
}

Result<AuditReport> audit(const Plan& plan, const AuditOptions& options, const Work& work) {
  const std::int64_t first = std::clamp<std::int64_t>(options.first_epoch, options.ran_from, plan.epochs() - 1);
  const std::int64_t epochs = std::clamp<std::int64_t>(options.epochs, 1, plan.epochs() - first);
  const Work quiet{work.stop, {}};
  const double found = options.fixes ? kFound : 1;
  const double drawn = plan.knowsShapes() ? 0 : 0.3 * found;
  const auto shape = plan.epochShape(Epoch{first}, drawn > 0 ? work.part(0, drawn) : quiet);
  if (!shape) return shape.error();
  AuditReport report;
  report.reads_all = options.reads_all;
  report.all_epochs = std::max(options.all_epochs, plan.epochs());
  if (auto measured = measure(plan, *shape, epochs, options, report, work.part(drawn, found)); !measured)
    return measured.error();
  const auto cuts = plan.loaderCutsBatches(quiet);
  if (!cuts) return cuts.error();
  const auto audited = auditedEpochs(plan, *shape, report, quiet);
  if (!audited) return audited.error();
  for (const AuditedEpoch& one : *audited) {
    report.steps.push_back(one.shape.steps);
    report.batches.push_back(lockstep(one.shape).batches);
  }
  const auto hang = options.hang == nullptr ? schedule::hangOf(plan, quiet) : *options.hang;
  if (hang) {
    report.hang = *hang;
  } else {
    report.not_followed = hang.error();
  }
  const Facts facts(plan, *audited, 0, *cuts, report, quiet);
  std::vector<Finding> findings;
  for (const FindingRule rule : findingRules()) {
    if (work.stopped()) return cancelled();
    rule(facts, findings);
  }
  addLaterEpochs(facts, findings);
  if (options.fixes) fixes::offerFixes(facts, findings, work.part(kFound, 1));
  if (work.stopped()) return cancelled();
  sortFindings(findings);
  report.findings = std::move(findings);
  work.progress(1);
  return report;
}

std::vector<std::string> errorSentences(const AuditReport& report) {
  std::vector<std::string> sentences;
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::Error) sentences.push_back(finding.title + ". " + finding.message);
  }
  return sentences;
}

Lockstep lockstep(const EpochShape& shape) {
  Lockstep out;
  out.epoch = shape.epoch.value;
  out.batches.reserve(shape.ranks.size());
  for (const RankEpochShape& rank : shape.ranks) out.batches.push_back(rank.batches);
  const auto [fewest, most] = std::ranges::minmax_element(out.batches);
  out.fewest = *fewest;
  out.most = *most;
  if (out.fewest == out.most) return out;
  for (std::size_t rank = 0; rank < out.batches.size(); ++rank) {
    if (out.batches[rank] == out.fewest) out.first_out.push_back(static_cast<std::int64_t>(rank));
  }
  return out;
}

}  // namespace shardlens
