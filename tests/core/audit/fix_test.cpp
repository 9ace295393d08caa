// SPDX-License-Identifier: Apache-2.0
// Every fix of every finding, on many plans of every sampler: what it promises is counted again from the batches of the
// mended plan, and what it breaks would show.
#include "core/audit/audit.h"
#include "core/base/text.h"
#include "core/spec/edit.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace shardlens;

namespace {

std::set<std::string> codesOf(const AuditReport& report, bool errors_only) {
  std::set<std::string> codes;
  for (const Finding& finding : report.findings) {
    if (finding.is_proof) continue;
    if (!errors_only || finding.severity == Severity::Error) codes.insert(finding.code);
  }
  return codes;
}

AuditReport reportOf(const Plan& plan) {
  auto report = audit(plan, {.fixes = false});
  REQUIRE(report);
  return *std::move(report);
}

/// One epoch, counted item by item from the batches.
struct Counted {
  std::int64_t missing = 0;
  std::int64_t repeated = 0;
  std::int64_t padded = 0;
  std::int64_t steps = 0;
  std::int64_t fewest = 0;        ///< batches of the rank that has fewest
  std::vector<bool> makes_steps;  ///< by rank
};

Counted counted(const Plan& plan, std::int64_t epoch) {
  Counted out;
  std::set<SampleIndex> seen;
  std::map<SampleIndex, std::int64_t> plain;
  std::map<SampleIndex, std::int64_t> padded;
  std::int64_t items = 0;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto read = plan.rankEpoch(Epoch{epoch}, rank);
    REQUIRE(read);
    for (Step step{0}; step.value < read->batches(); ++step) {
      for (const SampleIndex id : read->batchSamples(step)) seen.insert(id), ++items;
      for (std::int64_t k = read->batch(step).first; k < read->batch(step).last; ++k)
        ++(read->slice().isAdded(k) ? padded : plain)[read->sample(k)];
    }
    out.steps = std::max(out.steps, read->batches());
    out.fewest = rank.value == 0 ? read->batches() : std::min(out.fewest, read->batches());
    out.makes_steps.push_back(read->batches() > 0);
  }
  for (const auto& [id, times] : padded) out.padded += times - (plain.contains(id) ? 0 : 1);
  out.missing = plan.spec().dataset.size - static_cast<std::int64_t>(seen.size());
  out.repeated = items - static_cast<std::int64_t>(seen.size());
  return out;
}

constexpr std::int64_t kAudited = 2;  ///< epochs, unless told otherwise

/// How much more of something there is with the fix, by epoch of the plan.
std::vector<std::int64_t> moreOf(const Plan& plan, const Plan& mended, std::int64_t Counted::*count) {
  std::vector<std::int64_t> more;
  for (std::int64_t epoch = 0; epoch < plan.epochs(); ++epoch)
    more.push_back(counted(mended, epoch).*count - counted(plan, epoch).*count);
  return more;
}

/// The part of a price about `what`, without the titles of new findings; empty where there is none.
std::string partAbout(const std::string& price, const std::string& what) {
  std::istringstream parts(std::regex_replace(price, std::regex("\u202f"), ""));
  for (std::string part; std::getline(parts, part, ';');) {
    const bool is_other = part.find("new finding: ") != std::string::npos || part.find(" apart") != std::string::npos;
    if (!is_other && part.find(what) != std::string::npos) return part;
  }
  return {};
}

/// Each number of a part names the epochs in which it is so; what is worst among the audited epochs is among them.
void checkPart(const std::string& part, const std::vector<std::int64_t>& more, bool losses_only) {
  CAPTURE(part);
  CAPTURE(more);
  const std::vector<std::int64_t> audited(more.begin(),
                                          more.begin() + std::min(kAudited, static_cast<std::int64_t>(more.size())));
  const auto weight = [losses_only](std::int64_t one) {
    return losses_only ? std::max<std::int64_t>(one, 0) : std::abs(one);
  };
  const std::int64_t worst = weight(*std::ranges::max_element(audited, {}, weight));
  CHECK(part.empty() == (worst == 0));
  if (part.empty()) return;
  static const std::regex kNumber("([0-9]+) ([^,]*)");
  bool names_worst = false;
  for (std::sregex_iterator at(part.begin(), part.end(), kNumber); at != std::sregex_iterator(); ++at) {
    const std::string said = (*at)[2];
    const bool fewer = said.find("fewer") != std::string::npos;
    const std::int64_t number = std::stoll((*at)[1]) * (fewer ? -1 : 1);
    names_worst = names_worst || std::abs(number) == worst;
    const auto epoch = said.find("in epoch ");
    if (epoch != std::string::npos) {
      CHECK(more[static_cast<std::size_t>(std::stoll(said.substr(epoch + 9)))] == number);
      continue;
    }
    const bool only_audited = said.find("epochs ") != std::string::npos;
    CHECK(std::ranges::all_of(only_audited ? audited : more, [number](std::int64_t one) { return one == number; }));
    if (only_audited) break;  // "each of epochs 0 and 1 of 3" has numbers of its own
  }
  CHECK(names_worst);
}

/// Ranks that get farther apart are in the price.
void checkApart(const Fix& fix, const Plan& plan, const Plan& mended) {
  std::int64_t most = 0;
  for (std::int64_t epoch = 0; epoch < std::min(kAudited, plan.epochs()); ++epoch) {
    const Counted before = counted(plan, epoch);
    const Counted after = counted(mended, epoch);
    if (after.steps - after.fewest > before.steps - before.fewest) most = std::max(most, after.steps - after.fewest);
  }
  const std::string told = "ranks up to " + std::to_string(most) + " step";
  CHECK((fix.price.find(most > 0 ? told : " apart") != std::string::npos) == (most > 0));
}

void checkEffect(const Finding& finding, const Fix& fix, const Plan& plan, const Plan& mended) {
  const Effect& effect = fix.effect;
  const Counted before = counted(plan, effect.epoch);
  const Counted after = counted(mended, effect.epoch);
  CHECK(effect.missing == Change{before.missing, after.missing});
  CHECK(effect.repeated == Change{before.repeated, after.repeated});
  CHECK(effect.padded == Change{before.padded, after.padded});
  CHECK(effect.steps == Change{before.steps, after.steps});
  CHECK(effect.fewest_steps == Change{before.fewest, after.fewest});
  CHECK((finding.epochs.empty() || std::ranges::count(finding.epochs, effect.epoch) == 1));
  for (std::size_t rank = 0; rank < before.makes_steps.size(); ++rank)
    CHECK((!before.makes_steps[rank] || after.makes_steps[rank]));
  CAPTURE(fix.price);
  checkApart(fix, plan, mended);
  checkPart(partAbout(fix.price, " missing"), moreOf(plan, mended, &Counted::missing), true);
  checkPart(partAbout(fix.price, " repeated"), moreOf(plan, mended, &Counted::repeated), true);
  checkPart(partAbout(fix.price, " step"), moreOf(plan, mended, &Counted::steps), false);
}

/// Whether the edits and removals alone, made in a file, give the fixed spec: no field twice, and nothing left that the
/// new sampler refuses.
void checkStandsAlone(const PipelineSpec& spec, const Fix& fix, const PipelineSpec& mended) {
  PipelineSpec edited = spec;
  std::set<std::string> paths;
  for (const Edit& edit : fix.edits) {
    CAPTURE(edit.path);
    CHECK(paths.insert(edit.path).second);
    if (edit.path == "sampler.type") {
      edited.sampler.type = std::get<std::string>(edit.value);
    } else if (edit.path.starts_with("sampler.")) {
      edited.sampler.parameters[edit.path.substr(8)] = edit.value;
    } else {
      setValue(edited, *findField(edited, sampling::catalogue(), edit.path), edit.value);
    }
  }
  for (const std::string& path : fix.removed) {
    CAPTURE(path);
    CHECK(paths.insert(path).second);
    CHECK(edited.sampler.parameters.erase(path.substr(8)) == 1);
  }
  CHECK(edited == mended);
  CHECK(Plan::make(edited));
}

/// The plan with the fix applied; fails where the framework refuses it, in any epoch.
Plan mendedBy(const Plan& plan, const Fix& fix) {
  auto spec = applyEdits(plan.spec(), fix.edits, sampling::catalogue());
  REQUIRE(spec);
  CHECK(*spec != plan.spec());
  const auto mended = Plan::make(*std::move(spec));
  REQUIRE(mended);
  for (Epoch epoch{0}; epoch.value < mended->epochs(); ++epoch) REQUIRE(mended->epoch(epoch));
  return *mended;
}

void checkFix(const Plan& plan, const AuditReport& before, const Finding& finding, const Fix& fix) {
  CAPTURE(finding.code);
  CAPTURE(finding.message);
  CAPTURE(fix.label);
  const Plan mended = mendedBy(plan, fix);
  CAPTURE(test::describe(mended.spec()));
  checkStandsAlone(plan.spec(), fix, mended.spec());
  checkEffect(finding, fix, plan, mended);
  const AuditReport after = reportOf(mended);
  const auto old_codes = codesOf(before, false);
  const auto new_codes = codesOf(after, false);
  CHECK(new_codes.count(finding.code) == 0);
  const auto errors = codesOf(before, true);
  for (const std::string& code : codesOf(after, true)) {
    CAPTURE(code);
    CHECK(errors.count(code) == 1);
  }
  for (const Finding& other : after.findings) {
    const bool is_new = !other.is_proof && old_codes.count(other.code) == 0;
    CAPTURE(other.code);
    CHECK(std::count(fix.effect.added.begin(), fix.effect.added.end(), other.code) == (is_new ? 1 : 0));
    if (is_new && other.topic != FindingTopic::Runs)
      CHECK(fix.price.find("new finding: " + other.title) != std::string::npos);
  }
  for (const std::string& code : old_codes) {
    CHECK(std::count(fix.effect.gone.begin(), fix.effect.gone.end(), code) == (new_codes.count(code) == 0 ? 1 : 0));
  }
}

/// Applies fixes again and again, each time one of those that are offered; with `first`, the first of the first
/// finding.
void checkEnds(const Plan& start, bool first, test::SmallSpecs& draw) {
  constexpr int kMostFixes = 20;
  std::vector<PipelineSpec> passed = {start.spec()};
  Plan plan = start;
  for (int applied = 0; applied <= kMostFixes; ++applied) {
    const auto report = audit(plan);
    REQUIRE(report);
    std::vector<Fix> offered;
    for (const Finding& finding : report->findings) {
      for (const Fix& fix : finding.fixes) offered.push_back(fix);
    }
    if (offered.empty()) return;
    const auto chosen = first ? 0 : draw.below(static_cast<std::int64_t>(offered.size()));
    const Fix& fix = offered[static_cast<std::size_t>(chosen)];
    plan = mendedBy(plan, fix);
    CAPTURE(fix.label);
    CAPTURE(test::describe(plan.spec()));
    REQUIRE(std::find(passed.begin(), passed.end(), plan.spec()) == passed.end());
    passed.push_back(plan.spec());
  }
  FAIL("twenty fixes one after the other do not end");
}

/// What random specs hardly ever are.
Plan toldOtherReplicas() {
  PipelineSpec spec;
  spec.dataset.size = 64;
  spec.world = {1, 2};
  spec.sampler = {"torch.DistributedSampler", {{"num_replicas", std::int64_t{4}}}};
  return Plan::make(spec).value();
}

}  // namespace

/// Findings that have a fix often enough for random specs to show it.
const std::vector<std::string> kFixed = {"ranks-share-samples",     "ranks-identical-order", "samples-missing",
                                         "num-replicas-mismatch",   "padding-repeats",       "samples-dropped-sampler",
                                         "samples-dropped-loader",  "epochs-repeat",         "seeds-collide-ranks",
                                         "seeds-collide-nodes",     "seeds-collide-epochs",  "empty-ranks",
                                         "batch-larger-than-slice", "idle-workers"};

TEST_CASE("every fix removes its finding, keeps what it promises and brings no new error") {
  const std::uint64_t seed = test::randomSeed();
  CAPTURE(seed);
  test::SmallSpecs plain(seed);
  test::SmallSpecs with_data(seed, true);
  std::map<std::string, int> fixed;
  // Each sampler, and on until every finding has come.
  const auto rules = sampling::rules();
  const std::size_t plans = 2 * rules.size() * static_cast<std::size_t>(test::rounds(1));
  const auto lacks_any = [&] {
    return std::ranges::any_of(kFixed, [&](const auto& code) { return fixed[code] == 0; });
  };
  for (std::size_t i = 0; i < plans || (i < 100 * rules.size() && lacks_any()); ++i) {
    const Plan plan = i == 0       ? toldOtherReplicas()
                      : i % 2 == 0 ? plain.next()
                                   : with_data.next(&rules[i / 2 % rules.size()]);
    CAPTURE(test::describe(plan.spec()));
    const auto report = audit(plan);
    REQUIRE(report);
    for (const Finding& finding : report->findings) {
      if (finding.fix() != nullptr) ++fixed[finding.code];
      for (const Fix& fix : finding.fixes) checkFix(plan, *report, finding, fix);
    }
  }
  for (const std::string& code : kFixed) {
    CAPTURE(code);
    CHECK(fixed[code] > 0);
  }
}

TEST_CASE("applying fixes ends, whichever is taken, and never comes back to a plan that was left") {
  const std::uint64_t seed = test::randomSeed();
  CAPTURE(seed);
  test::SmallSpecs specs(seed, true);
  for (int i = 0; i < test::rounds(100); ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    checkEnds(plan, i % 2 == 0, specs);
  }
}

TEST_CASE("a report is well formed: errors first, proofs last, every finding says what, why and which field exists") {
  test::SmallSpecs specs(8);
  for (int i = 0; i < 400; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const auto report = audit(plan);
    REQUIRE(report);
    int last = 0;
    std::set<std::string> codes;
    for (const Finding& finding : report->findings) {
      CAPTURE(finding.code);
      const int place = static_cast<int>(finding.severity) * 2 + (finding.is_proof ? 1 : 0);
      CHECK(place >= last);
      last = place;
      CHECK(codes.insert(finding.code).second);
      CHECK_FALSE(finding.title.empty());
      CHECK(finding.title.back() != '.');
      CHECK(finding.message.ends_with("."));
      CHECK(finding.why.ends_with("."));
      if (finding.is_proof) CHECK(finding.severity == Severity::Info);
      if (!finding.where.field.empty())
        CHECK(findField(plan.spec(), sampling::catalogue(), finding.where.field) != nullptr);
    }
  }
}
