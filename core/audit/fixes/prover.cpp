// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/prover.h"

#include "core/audit/fixes/judgement.h"
#include "core/spec/edit.h"

#include <algorithm>
#include <utility>

namespace shardlens::fixes {
namespace {

AuditOptions optionsOf(const AuditReport& report) {
  return {report.coverage.front().epoch,
          report.repeats.first_epoch,
          static_cast<std::int64_t>(report.coverage.size()),
          report.reads_all,
          false,
          false};
}

/// Whether each rank that makes steps still does, in each audited epoch.
bool keepsBatches(const Judgement& before, const Judgement& after) {
  for (std::size_t epoch = 0; epoch < std::min(before.batches.size(), after.batches.size()); ++epoch) {
    const auto& had = before.batches[epoch];
    const auto& has = after.batches[epoch];
    for (std::size_t rank = 0; rank < std::min(had.size(), has.size()); ++rank) {
      if (had[rank] > 0 && has[rank] == 0) return false;
    }
  }
  return true;
}

/// Whether neither what is missing nor what is repeated differs in any audited epoch.
bool readsAlike(const Judgement& before, const Judgement& after) {
  const auto alike = [](const EpochCounts& one, const EpochCounts& other) {
    return one.missing == other.missing && one.repeated == other.repeated;
  };
  return std::ranges::equal(before.epochs, after.epochs, alike);
}

/// Whether some rank makes a step in every audited epoch that has the finding.
bool makesSteps(const Judgement& mended, const Finding& finding, std::int64_t first_epoch) {
  for (std::size_t i = 0; i < mended.epochs.size(); ++i) {
    const std::int64_t epoch = first_epoch + static_cast<std::int64_t>(i);
    const bool is_found = finding.epochs.empty() || std::ranges::find(finding.epochs, epoch) != finding.epochs.end();
    if (is_found && mended.epochs[i].steps == 0) return false;
  }
  return true;
}

/// Whether a fix of the finding must change what is missing or repeated: samples that then go missing elsewhere are not
/// won, and ranks that read as much of the same are not mended.
bool asksForOtherReadings(const Finding& finding) {
  return (finding.topic == FindingTopic::Ranks && !finding.is_of_peers) ||
         (finding.topic == FindingTopic::Coverage && finding.amount > 0);
}

/// Leaves the last edit of each field, at the place of the first.
std::vector<Edit> eachOnce(const std::vector<Edit>& edits) {
  std::vector<Edit> once;
  for (const Edit& edit : edits) {
    const auto known = std::ranges::find(once, edit.path, &Edit::path);
    if (known == once.end()) {
      once.push_back(edit);
    } else {
      known->value = edit.value;
    }
  }
  return once;
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
  const auto plan = Plan::make(std::move(spec), facts_.plan());
  if (plan) made.judgement = judge(*plan, options_, work_);
  return made.judgement;
}

bool Prover::holds(const Judgement& mended, const Finding& finding) const {
  if (work_.stopped()) return false;
  const auto has = [&](const Judgement& one) {
    return std::ranges::find(one.findings, finding.code, &Finding::code) != one.findings.end();
  };
  if (!has(*present_) || has(mended) || !std::ranges::includes(present_->errors, mended.errors)) return false;
  if (asksForOtherReadings(finding) && readsAlike(*present_, mended)) return false;
  const bool asks_for_steps = finding.topic == FindingTopic::Steps || finding.topic == FindingTopic::Batches;
  if (asks_for_steps && !makesSteps(mended, finding, options_.first_epoch)) return false;
  return mended.burden < present_->burden && keepsBatches(*present_, mended);
}

std::optional<ProvenFix> Prover::prove(const Finding& finding, const Fix& proposed) {
  if (!present_) return std::nullopt;
  auto spec = applyEdits(facts_.spec(), proposed.edits, sampling::catalogue());
  if (!spec || *spec == facts_.spec()) return std::nullopt;
  const auto& tried = mended(*spec);
  if (!tried || !holds(*tried, finding)) return std::nullopt;
  ProvenFix proven{proposed, *std::move(spec), tried->burden};
  proven.fix.edits = eachOnce(proposed.edits);
  const Scope scope = scopeOf(facts_.report(), facts_.spec(), proven.spec);
  proven.fix.effect = effectOf(finding, scope, *present_, *tried);
  proven.fix.price = priceOf(proven.fix.effect, scope, *present_, *tried);
  return proven;
}

}  // namespace shardlens::fixes
