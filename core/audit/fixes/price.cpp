// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/price.h"

#include "core/audit/words/fix_words.h"

#include <algorithm>

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

}  // namespace

Effect effectOf(std::int64_t epoch, const Judgement& present, const Judgement& mended) {
  const EpochCounts& before = present.epochs.front();
  const EpochCounts& after = mended.epochs.front();
  Effect effect;
  effect.epoch = epoch;
  effect.missing = {before.missing, after.missing};
  effect.repeated = {before.repeated, after.repeated};
  effect.padded = {before.padded, after.padded};
  effect.steps = {before.steps, after.steps};
  effect.added = codesOnlyIn(mended.findings, present.findings);
  effect.gone = codesOnlyIn(present.findings, mended.findings);
  return effect;
}

std::string priceOf(const Effect& effect, const std::vector<Finding>& after) {
  std::vector<std::string> titles;
  for (const std::string& code : effect.added) {
    const Finding& finding = *std::ranges::find(after, code, &Finding::code);
    if (finding.topic != FindingTopic::Runs) titles.push_back(finding.title);
  }
  return words::price(effect.missing.after - effect.missing.before, effect.repeated.after - effect.repeated.before,
                      titles);
}

}  // namespace shardlens::fixes
