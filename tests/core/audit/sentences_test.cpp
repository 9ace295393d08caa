// SPDX-License-Identifier: Apache-2.0
// What findings claim, held against the batches of the plan alone, over random specs of all samplers, the same in
// each run; SHARDLENS_TEST_SEED=SEED draws others.
#include "core/audit/audit.h"
#include "tests/core/audit/audited.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

using namespace shardlens;
using test::find;

namespace {

const int kPlans = test::rounds(150);

using Batches = std::vector<std::vector<SampleIndex>>;

/// One epoch as its ranks see it.
struct Seen {
  std::vector<Batches> ranks;
  std::map<SampleIndex, std::int64_t> times;
  std::map<SampleIndex, std::set<std::size_t>> readers;
  std::map<SampleIndex, std::int64_t> plain;  ///< times that are not padding
  bool ascending = true;                      ///< every rank's items but padding, strictly

  [[nodiscard]] bool repeats() const {
    return std::ranges::any_of(times, [](const auto& one) { return one.second > 1; });
  }
  [[nodiscard]] bool onlyPaddingRepeats() const {
    return std::ranges::none_of(plain, [](const auto& one) { return one.second > 1; });
  }
  [[nodiscard]] bool ranksShare() const {
    return std::ranges::any_of(readers, [](const auto& one) { return one.second.size() > 1; });
  }
};

Seen seenIn(const Plan& plan, std::int64_t epoch) {
  Seen seen;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto items = plan.rankEpoch(Epoch{epoch}, rank);
    REQUIRE(items);
    seen.ranks.emplace_back();
    SampleIndex last = -1;
    for (Step step{0}; step.value < items->batches(); ++step) {
      seen.ranks.back().push_back(items->batchSamples(step));
      for (std::int64_t k = items->batch(step).first; k < items->batch(step).last; ++k) {
        const SampleIndex id = items->sample(k);
        ++seen.times[id];
        seen.readers[id].insert(static_cast<std::size_t>(rank.value));
        if (items->slice().isAdded(k)) continue;
        ++seen.plain[id];
        seen.ascending = seen.ascending && id > last;
        last = id;
      }
    }
  }
  return seen;
}

bool hasAny(const AuditReport& report, std::initializer_list<std::string_view> codes) {
  return std::ranges::any_of(codes, [&](std::string_view code) { return find(report, code) != nullptr; });
}

/// Loss and repetition are never passed over.
void checkNothingIsSilent(const Plan& plan, const AuditReport& report, const Seen& seen) {
  if (static_cast<std::int64_t>(seen.times.size()) < plan.spec().dataset.size) {
    CHECK(hasAny(report, {"samples-missing", "num-replicas-mismatch", "samples-divided-twice", "samples-left-out",
                          "samples-skipped", "ranks-read-different-orders", "samples-missing-unexplained",
                          "samples-dropped-sampler", "samples-dropped-loader", "no-whole-step"}));
  }
  if (seen.repeats()) {
    CHECK(hasAny(report, {"padding-repeats", "samples-repeated", "workers-duplicate", "repeats-unexplained",
                          "ranks-identical-order", "ranks-share-samples", "ranks-overlap-partly"}));
  }
  const bool none = std::ranges::all_of(seen.ranks, [](const Batches& batches) { return batches.empty(); });
  if (none) CHECK(hasAny(report, {"empty-ranks", "no-batches", "batch-larger-than-slice"}));
}

constexpr std::array<std::string_view, 9> kLosses = {
    "samples-missing",       "num-replicas-mismatch",       "samples-divided-twice",       "samples-left-out",
    "samples-skipped",       "ranks-read-different-orders", "samples-missing-unexplained", "samples-dropped-sampler",
    "samples-dropped-loader"};

/// A finding about samples that no rank gets counts and lists the same samples, all missing in its epoch; each is told
/// by one finding.
void checkMissing(const Plan& plan, const AuditReport& report) {
  std::map<std::int64_t, std::vector<SampleIndex>> told;  // by epoch
  for (const Finding& finding : report.findings) {
    const bool is_loss = std::ranges::find(kLosses, finding.code) != kLosses.end();
    if (!is_loss) continue;
    CAPTURE(finding.message);
    CHECK(static_cast<std::int64_t>(finding.where.samples.size()) == finding.amount);
    const Seen seen = seenIn(plan, *finding.where.epoch);
    auto& ids = told[*finding.where.epoch];
    for (const SampleIndex id : finding.where.samples) CHECK(!seen.times.contains(id));
    ids.insert(ids.end(), finding.where.samples.begin(), finding.where.samples.end());
    const auto missing = plan.spec().dataset.size - static_cast<std::int64_t>(seen.times.size());
    const bool is_part = finding.message.find("for this reason") != std::string::npos;
    if (finding.message.find(" no rank") != std::string::npos && is_part) CHECK(finding.amount <= missing);
  }
  for (auto& [epoch, ids] : told) {
    std::ranges::sort(ids);
    CHECK(std::ranges::adjacent_find(ids) == ids.end());
  }
}

/// Ranks that run out early are never passed over.
void checkSteps(const AuditReport& report, const Seen& seen) {
  const auto [fewest, most] =
      std::ranges::minmax(seen.ranks, {}, [](const Batches& batches) { return batches.size(); });
  if (fewest.size() < most.size()) CHECK(find(report, "unequal-batches") != nullptr);
}

void checkProofs(const Plan& plan, const AuditReport& report, const Seen& seen) {
  if (const Finding* proof = find(report, "ok-coverage")) {
    CHECK(static_cast<std::int64_t>(seen.times.size()) == plan.spec().dataset.size);
    CHECK((proof->title.ends_with("once") ? !seen.repeats() : seen.onlyPaddingRepeats()));
  }
  if (const Finding* proof = find(report, "ok-disjoint")) {
    const bool aside = proof->title.ends_with("padding aside") && seen.onlyPaddingRepeats();
    CHECK((aside || !seen.ranksShare()));
  }
  if (const Finding* proof = find(report, "ok-lockstep")) {
    const bool every = proof->message.ends_with("in every epoch.");
    const bool varies = proof->message.find(" to ") != std::string::npos;
    for (std::int64_t epoch = 0; epoch < (every ? plan.epochs() : 0); ++epoch) {
      const Seen there = seenIn(plan, epoch);
      for (const Batches& batches : there.ranks) CHECK(batches.size() == there.ranks.front().size());
    }
    for (const Batches& batches : seen.ranks) CHECK(batches.size() == seen.ranks.front().size());
    for (std::int64_t epoch = 0; epoch < (every && !varies ? plan.epochs() : 1); ++epoch) {
      for (const Batches& batches : seenIn(plan, epoch).ranks)
        CHECK(static_cast<std::int64_t>(batches.size()) == report.lockstep.most);
    }
  }
}

bool isUneven(const std::vector<Batches>& ranks) {
  return std::ranges::any_of(ranks, [&](const Batches& rank) { return rank.size() != ranks.front().size(); });
}

/// Where batches are counted without drawing, epochs that are not audited count, too.
void checkAllSteps(const Plan& plan, const AuditReport& report, const std::vector<std::vector<Batches>>& epochs) {
  const Finding* unequal = find(report, "unequal-batches");
  if (unequal != nullptr) CHECK(isUneven(epochs[static_cast<std::size_t>(unequal->where.epoch.value_or(-1))]));
  const bool batches = std::ranges::all_of(report.steps, [](std::int64_t steps) { return steps > 0; });
  if (plan.knowsShapes() && batches && std::ranges::any_of(epochs, isUneven)) CHECK(unequal != nullptr);
}

void checkEpochs(const Plan& plan, const AuditReport& report) {
  std::vector<std::vector<Batches>> epochs;
  for (std::int64_t epoch = 0; epoch < plan.epochs(); ++epoch) epochs.push_back(seenIn(plan, epoch).ranks);
  checkAllSteps(plan, report, epochs);
  std::set<std::vector<Batches>> different(epochs.begin(), epochs.end());
  const bool batches = std::ranges::all_of(report.coverage, [](const Ledger& one) { return one.handed_out > 0; });
  if (plan.epochs() < 2 || !batches) return;
  const bool all_differ = different.size() == epochs.size();
  const bool says_so = find(report, "ok-reshuffled") != nullptr;
  // Recorded epochs of unequal length may be the beginnings of others.
  const auto is_shorter = [&](const Ledger& one) { return one.handed_out != report.coverage.front().handed_out; };
  const bool may_be_cut = plan.spec().sampler.type == "recorded.Batches" &&
                          (static_cast<std::int64_t>(report.coverage.size()) < plan.epochs() ||
                           std::ranges::any_of(report.coverage, is_shorter));
  CHECK(says_so == (all_differ && !may_be_cut));
  CHECK(hasAny(report, {"epochs-repeat", "not-shuffled"}) == (different.size() < epochs.size()));
  if (find(report, "not-shuffled") != nullptr) CHECK((different.size() == 1 && seenIn(plan, 0).ascending));
  const Finding* again = find(report, "epochs-repeat");
  if (again != nullptr && (again->title.starts_with("Every epoch"))) CHECK(different.size() == 1);
}

void checkNumbers(const AuditReport& report) {
  static const std::regex kMultiple("(\\d+) is not a multiple of (\\d+)");
  for (const Finding& finding : report.findings) {
    CAPTURE(finding.message);
    std::smatch match;
    if (std::regex_search(finding.message, match, kMultiple)) CHECK(std::stoll(match[1]) % std::stoll(match[2]) != 0);
    CHECK(!finding.message.empty());
    CHECK(!finding.why.empty());
  }
}

void checkSentences(const Plan& plan) {
  CAPTURE(test::describe(plan.spec()));
  const auto report = audit(plan, {.fixes = false});
  REQUIRE(report);
  for (const Ledger& audited : report->coverage) {
    const Seen seen = seenIn(plan, audited.epoch);
    checkNothingIsSilent(plan, *report, seen);
    checkSteps(*report, seen);
    checkProofs(plan, *report, seen);
  }
  checkEpochs(plan, *report);
  checkNumbers(*report);
  checkMissing(plan, *report);
}

}  // namespace

TEST_CASE("findings of random specs say what the batches say, and pass nothing over") {
  const std::uint64_t seed = test::randomSeed();
  CAPTURE(seed);
  test::SmallSpecs specs(seed, true);
  for (int i = 0; i < kPlans; ++i) checkSentences(specs.next());
  specs.drawUnequalNodes();
  for (int i = 0; i < kPlans / 4; ++i) checkSentences(specs.next(sampling::findRule("torch.DistributedSampler")));
}
