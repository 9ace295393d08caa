// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/judgement.h"
#include "core/audit/words/finding_words.h"
#include "core/audit/words/fix_words.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace shardlens::fixes {
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
  return words::inEpoch(scope.first_epoch + static_cast<std::int64_t>(at));
}

/// "in each of epochs 0 and 1 of 90".
std::string inAudited(const Scope& scope, std::size_t epochs) {
  std::vector<std::int64_t> audited;
  for (std::size_t i = 0; i < epochs; ++i) audited.push_back(scope.first_epoch + static_cast<std::int64_t>(i));
  return words::inEach(audited, scope.planned);
}

bool areAlike(const std::vector<std::int64_t>& more) {
  return std::ranges::all_of(more, [&more](std::int64_t one) { return one == more.front(); });
}

/// What there is more of in the epoch of the effect, and where it is most, in epochs that differ.
std::vector<words::More> lossesOf(const std::vector<std::int64_t>& more, std::size_t at, const Scope& scope) {
  if (areAlike(more)) {
    if (more.front() <= 0) return {};
    return {{more.front(), scope.counts_last ? std::string() : inAudited(scope, more.size())}};
  }
  const auto most = static_cast<std::size_t>(std::ranges::max_element(more) - more.begin());
  std::vector<words::More> out;
  if (more[at] > 0) out.push_back({more[at], inEpoch(scope, at)});
  if (more[most] > std::max<std::int64_t>(more[at], 0)) out.push_back({more[most], inEpoch(scope, most)});
  return out;
}

std::vector<words::More> moreSteps(const std::vector<std::int64_t>& more, std::size_t at, const Scope& scope) {
  if (areAlike(more)) {
    if (more.front() == 0) return {};
    return {{more.front(), scope.shapes_last ? words::perEpoch() : inAudited(scope, more.size())}};
  }
  const auto farthest = std::ranges::max_element(more, {}, [](std::int64_t one) { return std::abs(one); });
  const auto most = static_cast<std::size_t>(farthest - more.begin());
  std::vector<words::More> out;
  if (more[at] != 0) out.push_back({more[at], inEpoch(scope, at)});
  if (std::abs(more[most]) > std::abs(more[at])) out.push_back({more[most], inEpoch(scope, most)});
  return out;
}

/// Where ranks get farther apart than they were, how far at most, and in which epoch.
std::vector<words::More> apartOf(const Judgement& present, const Judgement& mended, const Scope& scope) {
  const auto apart = [](const EpochCounts& epoch) { return epoch.steps - epoch.fewest; };
  words::More worst;
  for (std::size_t i = 0; i < std::min(present.epochs.size(), mended.epochs.size()); ++i) {
    const std::int64_t steps = apart(mended.epochs[i]);
    if (steps > apart(present.epochs[i]) && steps > worst.count) worst = {steps, inEpoch(scope, i)};
  }
  if (worst.count == 0) return {};
  return {worst};
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
  words::Costs costs;
  costs.missing = lossesOf(moreOf(present, mended, &EpochCounts::missing), at, scope);
  costs.repeated = lossesOf(moreOf(present, mended, &EpochCounts::repeated), at, scope);
  costs.steps = moreSteps(moreOf(present, mended, &EpochCounts::steps), at, scope);
  costs.apart = apartOf(present, mended, scope);
  for (const std::string& code : effect.added) {
    const Finding& finding = *std::ranges::find(mended.findings, code, &Finding::code);
    if (finding.topic != FindingTopic::Runs) costs.new_titles.push_back(finding.title);
  }
  return words::price(costs);
}

}  // namespace shardlens::fixes
