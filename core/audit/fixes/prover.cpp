// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/prover.h"

#include "core/audit/fixes/price.h"
#include "core/spec/edit.h"

#include <algorithm>
#include <utility>

namespace shardlens::fixes {
namespace {

AuditOptions optionsOf(const AuditReport& report) {
  return {report.coverage.front().epoch, static_cast<std::int64_t>(report.coverage.size()), false, false};
}

/// Whether each rank that makes steps still does.
bool keepsBatches(const Lockstep& before, const Lockstep& after) {
  for (std::size_t rank = 0; rank < std::min(before.batches.size(), after.batches.size()); ++rank) {
    if (before.batches[rank] > 0 && after.batches[rank] == 0) return false;
  }
  return true;
}

}  // namespace

Prover::Prover(const Facts& facts, const std::vector<Finding>& findings, const Work& work)
    : facts_(facts), work_{work.stop, {}}, options_(optionsOf(facts.report())) {
  present_ = judge(facts.plan(), facts.report(), findings, options_, work_);
}

const std::optional<Judgement>& Prover::mended(PipelineSpec spec) {
  const auto known = std::ranges::find(tried_, spec, &Mended::spec);
  if (known != tried_.end()) return known->judgement;
  Mended& made = tried_.emplace_back(Mended{spec, {}});
  const auto plan = Plan::make(std::move(spec));
  if (plan) made.judgement = judge(*plan, options_, work_);
  return made.judgement;
}

bool Prover::holds(const Judgement& mended, const std::string& code) const {
  if (work_.stopped()) return false;
  const auto has = [&](const Judgement& one) {
    return std::ranges::find(one.findings, code, &Finding::code) != one.findings.end();
  };
  if (!has(*present_) || has(mended) || !std::ranges::includes(present_->errors, mended.errors)) return false;
  return mended.burden < present_->burden && keepsBatches(present_->lockstep, mended.lockstep);
}

std::optional<ProvenFix> Prover::prove(const Finding& finding, const Fix& proposed) {
  if (!present_) return std::nullopt;
  auto spec = applyEdits(facts_.spec(), proposed.edits, sampling::catalogue());
  if (!spec || *spec == facts_.spec()) return std::nullopt;
  const auto& tried = mended(*spec);
  if (!tried || !holds(*tried, finding.code)) return std::nullopt;
  ProvenFix proven{proposed, *std::move(spec), tried->burden};
  proven.fix.effect = effectOf(facts_.coverage().epoch, *present_, *tried);
  proven.fix.price = priceOf(proven.fix.effect, *present_, *tried);
  return proven;
}

}  // namespace shardlens::fixes
