// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/facts.h"
#include "core/audit/fixes/judgement.h"
#include "core/audit/fixes/remedies.h"
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/spec/edit.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::fixes {
namespace {

/// A fix that holds, and what is still wrong with the plan that it makes.
struct ProvenFix {
  Fix fix;
  PipelineSpec spec;  ///< the fixed one
  Burden burden;
};

/// Tries fixes of one plan: makes the fixed plan, judges it and compares. `facts` outlives it.
class Prover {
 public:
  Prover(const Facts& facts, const std::vector<Finding>& findings, const Work& work);

  /// The proposed fix with its effect and its price. Nothing when the framework refuses the
  /// fixed spec, the finding stays, a new error appears, what was known of the plan no longer is, a rank that had
  /// batches is left without any, or the burden is not lower; also nothing when it is stopped or would take too long.
  std::optional<ProvenFix> prove(const Finding& finding, const Fix& proposed);

 private:
  struct Mended {
    PipelineSpec spec;
    std::optional<Judgement> judgement;  ///< nothing when there is none
  };

  const std::optional<Judgement>& mended(PipelineSpec spec);
  [[nodiscard]] bool holds(const Judgement& mended, const Finding& finding) const;

  const Facts& facts_;
  Work work_;
  AuditOptions options_;
  std::optional<Judgement> present_;
  std::deque<Mended> tried_;  ///< several findings may have the same fix
};

AuditOptions optionsOf(const AuditReport& report) {
  return {.first_epoch = report.coverage.front().epoch,
          .ran_from = report.repeats.first_epoch,
          .epochs = static_cast<std::int64_t>(report.coverage.size()),
          .all_epochs = report.all_epochs,
          .reads_all = report.reads_all,
          .fixes = false,
          .later_epochs = false,
          .own_ids = false};
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
  const auto leavesOpen = [](const Judgement& one) { return std::ranges::any_of(one.findings, &Finding::leaves_open); };
  if (leavesOpen(mended) && !leavesOpen(*present_)) return false;
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

namespace {

using Topic = FindingTopic;

/// A remedy for the findings of a topic, or only for those with this code.
struct RemedyRow {
  FindingTopic topic;
  std::string_view code;
  Remedy propose;
};
constexpr std::array kRemedies = {
    RemedyRow{Topic::Coverage, {}, divideAmongRanks},
    RemedyRow{Topic::Coverage, {}, drawOneOrder},
    RemedyRow{Topic::Coverage, {}, turnTails},
    RemedyRow{Topic::Coverage, "no-whole-step", makeWholeStep},
    RemedyRow{Topic::Ranks, {}, divideAmongRanks},
    RemedyRow{Topic::Ranks, {}, drawOneOrder},
    RemedyRow{Topic::Ranks, {}, seedRanksApart},
    RemedyRow{Topic::Epochs, {}, renewEpochs},
    RemedyRow{Topic::Seeds, "seeds-collide-workers", seedWorkersApart},
    RemedyRow{Topic::Seeds, "never-seeded", seedTheScript},
    RemedyRow{Topic::Seeds, {}, seedRanksApart},
    RemedyRow{Topic::Steps, "schedule-hangs", callForAll},
    RemedyRow{Topic::Steps, {}, evenSteps},
    RemedyRow{Topic::Steps, {}, fillEmptySlices},
    RemedyRow{Topic::Steps, {}, divideAmongRanks},
    RemedyRow{Topic::Batches, "batch-larger-than-slice", shrinkBatch},
    RemedyRow{Topic::Batches, "idle-workers", useFewerWorkers},
};

constexpr std::size_t kMostTried = 64;  ///< fixes of one finding that hold

/// Whether ranks have unequal numbers of batches in an audited epoch, or in the one in which the schedule hangs.
bool haveUnequalBatches(const Facts& facts) {
  const auto differ = [](const std::vector<std::int64_t>& of_ranks) {
    return std::ranges::min(of_ranks) < std::ranges::max(of_ranks);
  };
  if (std::ranges::any_of(facts.report().batches, differ)) return true;
  const auto& hang = facts.report().hang;
  const auto shape = facts.plan().epochShape(hang ? hang->operation.moment.epoch : facts.epoch(), facts.work());
  return shape && differ(lockstep(*shape).batches);
}

std::vector<Fix> proposalsFor(const Facts& facts, const Finding& finding) {
  std::vector<Fix> proposed;
  if (finding.is_proof || finding.leaves_open) return proposed;  // nothing is wrong, as far as is known
  // Other steps may end a hang only because the step of its call no longer comes.
  const bool by_code =
      finding.where.field.starts_with("schedule") && (finding.code != "schedule-hangs" || !haveUnequalBatches(facts));
  for (const RemedyRow& row : kRemedies) {
    const bool fits = row.topic == finding.topic && (row.code.empty() ? !by_code : row.code == finding.code);
    if (fits) row.propose(facts, finding, proposed);
  }
  return proposed;
}

/// Whether `more` does all that `less` does, and then some.
bool extends(const Fix& more, const Fix& less) {
  return std::ranges::all_of(less.edits,
                             [&](const Edit& edit) { return std::ranges::find(more.edits, edit) != more.edits.end(); });
}

/// What one more edit to a lighter fix gives is no offer of its own, nor is another way to the same spec.
void addNew(std::vector<ProvenFix>& chosen, ProvenFix next) {
  const bool known = std::ranges::any_of(
      chosen, [&](const ProvenFix& one) { return one.spec == next.spec || extends(next.fix, one.fix); });
  if (!known && chosen.size() < kMostFixes) chosen.push_back(std::move(next));
}

bool edits(const Fix& fix, std::string_view path) {
  return std::ranges::find(fix.edits, path, &Edit::path) != fix.edits.end();
}

bool editsSampler(const Fix& fix) {
  return std::ranges::any_of(fix.edits, [](const Edit& edit) { return edit.path.starts_with("sampler."); });
}

/// Where no rank makes a step, what makes batches may also show that ranks read the same: each such change together
/// with each that deals to ranks.
std::vector<Fix> withDealing(const Facts& facts, const Finding& finding, const std::vector<Fix>& proposed) {
  std::vector<Fix> dealing;
  divideAmongRanks(facts, finding, dealing);
  drawOneOrder(facts, finding, dealing);
  seedRanksApart(facts, finding, dealing);
  std::vector<Fix> both;
  for (const Fix& one : proposed) {
    if (edits(one, "sampler.type")) continue;
    for (const Fix& other : dealing) {
      if (edits(other, "sampler.type") && editsSampler(one)) continue;  // the new type may not take what was set
      Fix& fix = both.emplace_back(one);
      fix.label = filled(worded("fixes", "%1; %2"), one.label, words::uncapital(other.label));
      fix.edits.insert(fix.edits.end(), other.edits.begin(), other.edits.end());
      fix.removed = other.removed;
    }
  }
  return both;
}

/// Those that hold, at most so many.
std::vector<ProvenFix> heldOf(Prover& prover, const Finding& finding, const std::vector<Fix>& proposed,
                              std::size_t most) {
  std::vector<ProvenFix> held;
  for (const Fix& fix : proposed) {
    if (held.size() == most) break;
    if (auto tried = prover.prove(finding, fix)) held.push_back(*std::move(tried));
  }
  return held;
}

/// The lightest plan first; a batch size was chosen for the training, so a fix that changes it comes last.
auto placeOf(const ProvenFix& one) {
  return std::pair(one.burden.errors, std::pair(edits(one.fix, "loader.batch_size"), one.burden));
}

std::vector<Fix> proven(const Facts& facts, Prover& prover, const Finding& finding, const std::vector<Fix>& proposed) {
  // One way to seed apart is as good as another: the first that holds is the smallest.
  const std::size_t most = finding.topic == FindingTopic::Seeds ? 1 : kMostTried;
  std::vector<ProvenFix> held = heldOf(prover, finding, proposed, most);
  if (held.empty() && facts.lockstep().most == 0)
    held = heldOf(prover, finding, withDealing(facts, finding, proposed), most);
  std::ranges::stable_sort(held, {}, placeOf);
  std::vector<ProvenFix> chosen;
  for (ProvenFix& one : held) addNew(chosen, std::move(one));
  std::vector<Fix> fixes;
  fixes.reserve(chosen.size());
  for (ProvenFix& one : chosen) fixes.push_back(std::move(one.fix));
  return fixes;
}

}  // namespace

void offerFixes(const Facts& facts, std::vector<Finding>& findings, const Work& work) {
  std::vector<std::vector<Fix>> proposals;
  proposals.reserve(findings.size());
  for (const Finding& finding : findings) proposals.push_back(proposalsFor(facts, finding));
  if (std::ranges::all_of(proposals, &std::vector<Fix>::empty)) return;
  std::vector<std::vector<Fix>> fixes(findings.size());
  Prover prover(facts, findings, work);
  for (std::size_t i = 0; i < findings.size() && !work.stopped(); ++i) {
    fixes[i] = proven(facts, prover, findings[i], proposals[i]);
    work.progress(static_cast<double>(i + 1) / static_cast<double>(findings.size()));
  }
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].fixes = std::move(fixes[i]);
}

}  // namespace shardlens::fixes
