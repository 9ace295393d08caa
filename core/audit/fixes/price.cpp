// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/price.h"

#include "core/audit/words/fix_words.h"

#include <algorithm>

namespace shardlens::fixes {
namespace {

constexpr std::int64_t kRounding = 1;  ///< steps that an epoch gains or loses with a short batch, or with padding

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

/// The audited epoch in which the fix costs most, the first when all cost the same.
std::size_t dearestEpoch(const Judgement& present, const Judgement& mended) {
  std::size_t dearest = 0;
  for (std::size_t i = 1; i < std::min(present.epochs.size(), mended.epochs.size()); ++i) {
    const bool dearer =
        lossOf(present.epochs[i], mended.epochs[i]) > lossOf(present.epochs[dearest], mended.epochs[dearest]);
    if (dearer) dearest = i;
  }
  return dearest;
}

bool takesSoInEachEpoch(std::int64_t more_steps, const Judgement& present, const Judgement& mended) {
  for (std::size_t i = 0; i < std::min(present.epochs.size(), mended.epochs.size()); ++i) {
    if (mended.epochs[i].steps - present.epochs[i].steps != more_steps) return false;
  }
  return true;
}

}  // namespace

Effect effectOf(std::int64_t first_epoch, const Judgement& present, const Judgement& mended) {
  const std::size_t dearest = dearestEpoch(present, mended);
  const EpochCounts& before = present.epochs[dearest];
  const EpochCounts& after = mended.epochs[dearest];
  Effect effect;
  effect.epoch = first_epoch + static_cast<std::int64_t>(dearest);
  effect.missing = {before.missing, after.missing};
  effect.repeated = {before.repeated, after.repeated};
  effect.padded = {before.padded, after.padded};
  effect.steps = {before.steps, after.steps};
  effect.added = codesOnlyIn(mended.findings, present.findings);
  effect.gone = codesOnlyIn(present.findings, mended.findings);
  return effect;
}

std::string priceOf(const Effect& effect, const Judgement& present, const Judgement& mended) {
  words::Costs costs;
  costs.more_missing = effect.missing.after - effect.missing.before;
  costs.more_repeated = effect.repeated.after - effect.repeated.before;
  const std::int64_t more_steps = effect.steps.after - effect.steps.before;
  if (more_steps < -kRounding || more_steps > kRounding) costs.more_steps = more_steps;
  if (!takesSoInEachEpoch(more_steps, present, mended)) costs.steps_epoch = effect.epoch;
  for (const std::string& code : effect.added) {
    const Finding& finding = *std::ranges::find(mended.findings, code, &Finding::code);
    if (finding.topic != FindingTopic::Runs) costs.new_titles.push_back(finding.title);
  }
  return words::price(costs);
}

}  // namespace shardlens::fixes
