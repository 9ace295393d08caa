// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/judgement.h"

#include "core/audit/words/finding_words.h"
#include "core/base/parallel.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
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

namespace {

constexpr std::int64_t kLargeDataset = 1'000'000;
constexpr std::int64_t kLeastSaved = 4;  ///< the dataset over its larger copy

/// The number of slices that the script asks for; the world size where it asks for none.
std::int64_t slicesOf(const PipelineSpec& spec) {
  const std::string_view name = sampling::traitsOf(spec).num_replicas;
  const Field* field = name.empty() ? nullptr : findField(spec, sampling::catalogue(), "sampler." + std::string(name));
  if (field == nullptr) return spec.worldSize();
  const Value value = getValue(spec, *field);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? spec.worldSize() : *number;  // equal nodes: both names divide the world size
}

/// Ranks with orders of their own share samples by chance, unless each is handed all of them.
bool leavesNothingToChance(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  if (rule.whole(spec) && !spec.loader.drop_last) return true;
  const sampling::OrderKey first = rule.key(spec, Epoch{0}, Rank{0});
  for (Rank rank{1}; rank.value < spec.worldSize(); ++rank) {
    if (rule.key(spec, Epoch{0}, rank) != first) return false;
  }
  return true;
}

bool hasLists(const PipelineSpec& spec) {
  return !spec.dataset.shards.empty() || !spec.dataset.lengths.empty() || !spec.dataset.labels.empty();
}

/// How far the dataset must grow until every rank has whole optimizer steps more: nothing when that is very far.
std::optional<std::int64_t> periodOf(const PipelineSpec& spec) {
  const std::int64_t parts = std::lcm(spec.worldSize(), std::max<std::int64_t>(1, slicesOf(spec)));
  const std::int64_t per_step = sampling::batchesPerStep(spec).value_or(1);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / spec.loader.batch_size / per_step;
  if (parts > most) return std::nullopt;
  return parts * spec.loader.batch_size * per_step;
}

/// Whether places alone decide how often samples are read, and not chance: the counts of every epoch are then alike.
bool countsByPlaces(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  return rule.reads_evenly(spec) && leavesNothingToChance(rule, spec);
}

}  // namespace

std::optional<SmallCopies> smallCopies(const PipelineSpec& spec) {
  const std::int64_t size = spec.dataset.size;
  const sampling::SamplerRule* rule = sampling::findRule(spec.sampler.type);
  if (!spec.world.ranks_per_node.ofEveryNode()) return std::nullopt;  // processes may divide by different numbers
  if (size < kLargeDataset || rule == nullptr || hasLists(spec) || !countsByPlaces(*rule, spec)) return std::nullopt;
  const auto period = periodOf(spec);
  // Enough batches for every worker, so that none is idle in the copy alone.
  const std::int64_t least = std::max<std::int64_t>(3, spec.loader.num_workers + 1);
  if (!period || *period > size / kLeastSaved / (least + 1)) return std::nullopt;
  SmallCopies copies;
  const std::int64_t first = size % *period + least * *period;
  copies.specs = {spec, spec};
  copies.specs[0].dataset.size = first;
  copies.specs[1].dataset.size = first + *period;
  copies.periods = (size - first) / *period;
  return copies;
}

namespace {

/// Codes of problems in `of` that `without` has not, in the order of `of`.
std::vector<std::string> codesOnlyIn(const std::vector<Finding>& of, const std::vector<Finding>& without) {
  std::vector<std::string> codes;
  for (const Finding& finding : of) {
    if (finding.is_proof) continue;
    if (std::ranges::find(without, finding.code, &Finding::code) == without.end()) codes.push_back(finding.code);
  }
  return codes;
}

/// What gets worse: samples that go missing, and items that are repeated.
std::int64_t lossOf(const EpochCounts& before, const EpochCounts& after) {
  return std::max<std::int64_t>(0, after.missing - before.missing) +
         std::max<std::int64_t>(0, after.repeated - before.repeated);
}

/// Of the audited epochs that `counts` the one in which the fix costs most, the first when all cost the same.
template <class Counts>
std::size_t dearestEpoch(const Judgement& present, const Judgement& mended, Counts counts) {
  std::optional<std::size_t> dearest;
  const auto loss = [&](std::size_t i) { return lossOf(present.epochs[i], mended.epochs[i]); };
  for (std::size_t i = 0; i < std::min(present.epochs.size(), mended.epochs.size()); ++i) {
    if (counts(i) && (!dearest || loss(i) > loss(*dearest))) dearest = i;
  }
  return dearest.value_or(0);
}

/// What is counted in each audited epoch, and how much more of it there is with the fix.
std::vector<std::int64_t> moreOf(const Judgement& present, const Judgement& mended, std::int64_t EpochCounts::*count) {
  std::vector<std::int64_t> more;
  for (std::size_t i = 0; i < std::min(present.epochs.size(), mended.epochs.size()); ++i) {
    more.push_back(mended.epochs[i].*count - present.epochs[i].*count);
  }
  return more;
}

std::string inEpoch(const Scope& scope, std::size_t at) {
  return filled(worded("fixes", "in epoch %1"), grouped(scope.first_epoch + static_cast<std::int64_t>(at)));
}

/// "in each of epochs 0 and 1 of 90", "in epoch 0 of 90".
std::string inAudited(const Scope& scope, std::size_t epochs) {
  std::vector<std::int64_t> audited;
  for (std::size_t i = 0; i < epochs; ++i) audited.push_back(scope.first_epoch + static_cast<std::int64_t>(i));
  const bool is_part = epochs > 1 && static_cast<std::int64_t>(epochs) < scope.planned;
  if (!is_part) return words::epochsText(audited, scope.planned);
  return filled(worded("fixes", "in each of %1 of %2"), listedEpochs(audited), grouped(scope.planned));
}

bool areAlike(const std::vector<std::int64_t>& more) {
  return std::ranges::all_of(more, [&more](std::int64_t one) { return one == more.front(); });
}

/// How many more, in which epochs.
struct More {
  std::int64_t count = 0;  ///< negative: fewer
  std::string when = {};   ///< "per epoch", "in epoch 1"; empty where it goes without saying
};

/// What there is more of in the epoch of the effect, and where it is most, in epochs that differ.
std::vector<More> lossesOf(const std::vector<std::int64_t>& more, std::size_t at, const Scope& scope) {
  if (areAlike(more)) {
    if (more.front() <= 0) return {};
    return {{more.front(), scope.counts_last ? std::string() : inAudited(scope, more.size())}};
  }
  const auto most = static_cast<std::size_t>(std::ranges::max_element(more) - more.begin());
  std::vector<More> out;
  if (more[at] > 0) out.push_back({more[at], inEpoch(scope, at)});
  if (more[most] > std::max<std::int64_t>(more[at], 0)) out.push_back({more[most], inEpoch(scope, most)});
  return out;
}

std::vector<More> moreSteps(const std::vector<std::int64_t>& more, std::size_t at, const Scope& scope) {
  if (areAlike(more)) {
    if (more.front() == 0) return {};
    return {{more.front(), scope.shapes_last ? worded("fixes", "per epoch") : inAudited(scope, more.size())}};
  }
  const auto farthest = std::ranges::max_element(more, {}, [](std::int64_t one) { return std::abs(one); });
  const auto most = static_cast<std::size_t>(farthest - more.begin());
  std::vector<More> out;
  if (more[at] != 0) out.push_back({more[at], inEpoch(scope, at)});
  if (std::abs(more[most]) > std::abs(more[at])) out.push_back({more[most], inEpoch(scope, most)});
  return out;
}

/// Where ranks get farther apart than they were, how far at most, and in which epoch.
std::optional<More> apartOf(const Judgement& present, const Judgement& mended, const Scope& scope) {
  const auto apart = [](const EpochCounts& epoch) { return epoch.steps - epoch.fewest; };
  More worst;
  for (std::size_t i = 0; i < std::min(present.epochs.size(), mended.epochs.size()); ++i) {
    const std::int64_t steps = apart(mended.epochs[i]);
    if (steps > apart(present.epochs[i]) && steps > worst.count) worst = {steps, inEpoch(scope, i)};
  }
  return worst.count == 0 ? std::nullopt : std::optional(worst);
}

/// With a space before it, unless it is empty.
std::string behind(const std::string& text) {
  return text.empty() ? text : " " + text;
}

/// "3 more samples missing in epoch 1, 5 in epoch 2": the first with `told`, which has its place.
std::string listOf(const std::vector<More>& changes, std::string_view told) {
  std::vector<std::string> parts;
  parts.reserve(changes.size());
  for (const More& more : changes) {
    parts.push_back((parts.empty() ? std::string(told) : grouped(more.count)) + behind(more.when));
  }
  return join(parts, ", ");
}

/// "12 more steps per epoch", "3 fewer steps in epoch 1, 4 fewer in epoch 2".
std::string stepsText(const std::vector<More>& changes) {
  std::vector<std::string> parts;
  for (const More& more : changes) {
    const std::int64_t count = std::abs(more.count);
    const std::string told =
        !parts.empty()
            ? filled(more.count > 0 ? worded("fixes", "%1 more") : worded("fixes", "%1 fewer"), grouped(count))
        : more.count > 0 ? wordedCount(count, "more step")
                         : wordedCount(count, "fewer step");
    parts.push_back(told + behind(more.when));
  }
  return join(parts, ", ");
}

}  // namespace

Scope scopeOf(const AuditReport& report, const PipelineSpec& present, const PipelineSpec& mended) {
  Scope scope{report.coverage.front().epoch, present.epochs};
  const sampling::SamplerRule& before = *sampling::findRule(present.sampler.type);
  const sampling::SamplerRule& after = *sampling::findRule(mended.sampler.type);
  const bool all = static_cast<std::int64_t>(report.coverage.size()) == present.epochs;
  scope.shapes_last = all || (before.same_shapes && after.same_shapes);
  scope.counts_last = all || (scope.shapes_last && countsByPlaces(before, present) && countsByPlaces(after, mended));
  return scope;
}

Effect effectOf(const Finding& finding, const Scope& scope, const Judgement& present, const Judgement& mended) {
  const auto is_found = [&](std::size_t i) {
    const std::int64_t epoch = scope.first_epoch + static_cast<std::int64_t>(i);
    return finding.epochs.empty() || std::ranges::find(finding.epochs, epoch) != finding.epochs.end();
  };
  const std::size_t dearest = dearestEpoch(present, mended, is_found);
  const EpochCounts& before = present.epochs[dearest];
  const EpochCounts& after = mended.epochs[dearest];
  Effect effect;
  effect.epoch = scope.first_epoch + static_cast<std::int64_t>(dearest);
  effect.missing = {before.missing, after.missing};
  effect.repeated = {before.repeated, after.repeated};
  effect.padded = {before.padded, after.padded};
  effect.steps = {before.steps, after.steps};
  effect.fewest_steps = {before.fewest, after.fewest};
  effect.added = codesOnlyIn(mended.findings, present.findings);
  effect.gone = codesOnlyIn(present.findings, mended.findings);
  return effect;
}

std::string priceOf(const Effect& effect, const Scope& scope, const Judgement& present, const Judgement& mended) {
  const auto at = static_cast<std::size_t>(effect.epoch - scope.first_epoch);
  std::vector<std::string> parts;
  const auto missing = lossesOf(moreOf(present, mended, &EpochCounts::missing), at, scope);
  if (!missing.empty()) {
    parts.push_back(
        listOf(missing, filled(worded("fixes", "%1 missing"), wordedCount(missing.front().count, "more sample"))));
  }
  const auto repeated = lossesOf(moreOf(present, mended, &EpochCounts::repeated), at, scope);
  if (!repeated.empty()) {
    parts.push_back(
        listOf(repeated, filled(worded("fixes", "%1 repeated"), wordedCount(repeated.front().count, "more item"))));
  }
  const auto steps = moreSteps(moreOf(present, mended, &EpochCounts::steps), at, scope);
  if (!steps.empty()) parts.push_back(stepsText(steps));
  if (const auto apart = apartOf(present, mended, scope)) {
    parts.push_back(filled(worded("fixes", "ranks up to %1 apart %2"), wordedCount(apart->count, "step"), apart->when));
  }
  for (const std::string& code : effect.added) {
    const Finding& finding = *std::ranges::find(mended.findings, code, &Finding::code);
    if (finding.topic != FindingTopic::Runs) parts.push_back(filled(worded("fixes", "new finding: %1"), finding.title));
  }
  return join(parts, "; ");
}

}  // namespace shardlens::fixes
