// SPDX-License-Identifier: Apache-2.0
#include "core/capture/optimizer_steps.h"

#include "tests/core/capture/probe_text.h"
#include "tests/support/random_seed.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;
using capture::StepBatch;
using capture::StepsGap;
using capture::StepsKnown;

namespace {

using Ids = std::vector<SampleIndex>;
using Batches = std::vector<Ids>;

class Recording {
 public:
  explicit Recording(const std::vector<ProbeText>& ranks, std::size_t loader = 0) : loader_(loader) {
    for (std::size_t i = 0; i < ranks.size(); ++i)
      spill(folder_ / ("h-" + std::to_string(i) + ".slprobe"), ranks[i].bytes());
    auto job = capture::skimJob(folder_ / ".");
    REQUIRE_MESSAGE(job, job.error().text());
    job_ = *std::move(job);
  }

  [[nodiscard]] capture::StepSamples at(std::int64_t step, std::optional<std::int64_t> rank = {},
                                        std::optional<std::int64_t> per_step = {}) const {
    auto samples = capture::samplesOfStep(job_, loader_, step, rank, per_step);
    REQUIRE_MESSAGE(samples, samples.error().text());
    return *std::move(samples);
  }

 private:
  TempFolder folder_;
  capture::RecordedJob job_;
  std::size_t loader_ = 0;
};

/// The batches of a step of one rank.
Batches idsOf(const capture::RankStep& rank) {
  Batches all;
  for (const StepBatch& batch : rank.batches) {
    CHECK(batch.known == StepBatch::Samples::Known);
    all.push_back(batch.samples);
  }
  return all;
}

/// Five batches in one pass, each with a backward pass, and these steps and discards.
ProbeText trained(const std::vector<ProbeText::Step>& steps, std::int64_t backwards = 5,
                  const std::vector<ProbeText::Step>& discards = {}) {
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1, false);
  text.pass(0, 0, 0, 1);
  text.batches(0, 0, {{0, 1}, {2, 3}});
  text.batches(0, 2, {{4, 5}, {6, 7}, {8, 9}});
  if (!discards.empty()) text.discards(0, 0, discards);
  if (!steps.empty()) text.steps(0, 0, steps);
  text.news(0, {.drawn = 5, .handed = 5, .backwards = backwards, .beside = backwards, .ended = true});
  text.end();
  return text;
}

}  // namespace

TEST_CASE("an optimizer step has the batches since the step before") {
  const Recording recording({trained({{2, 2}, {4, 4}})});
  const auto second = recording.at(1);
  CHECK(second.known == StepsKnown::Recorded);
  REQUIRE(second.ranks.size() == 1);
  CHECK(second.ranks[0].steps == 2);
  CHECK(idsOf(second.ranks[0]) == Batches{{4, 5}, {6, 7}});
  CHECK(second.ranks[0].batches[1].step == 3);
  CHECK(recording.at(2).ranks[0].batches.empty());
}

TEST_CASE("a loop that asks for a batch before it trains on the last one has its steps where the backward passes are") {
  const Recording recording({trained({{3, 2}, {5, 4}, {5, 5}})});
  CHECK(recording.at(0).known == StepsKnown::Recorded);
  CHECK(idsOf(recording.at(0).ranks[0]) == Batches{{0, 1}, {2, 3}});
  CHECK(idsOf(recording.at(2).ranks[0]) == Batches{{8, 9}});
}

TEST_CASE("two optimizers that step after the same batch are one step") {
  const Recording recording({trained({{1, 1}, {1, 2}, {2, 3}, {2, 4}}, 10)});
  CHECK(recording.at(1).known == StepsKnown::Recorded);
  CHECK(recording.at(1).ranks[0].steps == 2);
  CHECK(idsOf(recording.at(1).ranks[0]) == Batches{{2, 3}});
}

TEST_CASE("where a batch had no backward pass, which batches a step took is not known") {
  const std::vector<std::vector<ProbeText::Step>> lacking = {{{2, 1}, {4, 3}}, {{1, 1}, {3, 2}, {5, 4}}};
  for (const auto& steps : lacking) {
    const Recording recording({trained(steps, 4)});
    CHECK(recording.at(0).known == StepsKnown::No);
    REQUIRE(recording.at(0).gap);
    CHECK(recording.at(0).gap->reason == StepsGap::Reason::Uneven);
    CHECK(recording.at(0).ranks[0].steps == 5);
    CHECK(idsOf(recording.at(3).ranks[0]) == Batches{{6, 7}});
  }
}

TEST_CASE("without recorded steps, a spec says how many batches each takes, or each is taken as one") {
  const Recording recording({trained({})});
  CHECK(recording.at(4).known == StepsKnown::No);
  REQUIRE(recording.at(4).gap);
  CHECK(recording.at(4).gap->reason == StepsGap::Reason::NoSteps);
  CHECK(idsOf(recording.at(4).ranks[0]) == Batches{{8, 9}});
  const auto by_spec = recording.at(1, {}, 2);
  CHECK(by_spec.known == StepsKnown::BySpec);
  CHECK(by_spec.ranks[0].steps == 2);
  CHECK(idsOf(by_spec.ranks[0]) == Batches{{4, 5}, {6, 7}});
}

TEST_CASE("steps behind damage are not taken as recorded") {
  std::string bytes = trained({{2, 2}, {4, 4}}).bytes();
  bytes += "damage";
  const TempFolder folder;
  spill(folder / "h-0.slprobe", bytes);
  const auto job = capture::skimJob(folder / ".");
  REQUIRE(job);
  const auto samples = capture::samplesOfStep(*job, 0, 0, {}, {});
  CHECK(samples->known == StepsKnown::No);
  REQUIRE(samples->gap);
  CHECK(samples->gap->reason == StepsGap::Reason::Damage);
}

TEST_CASE("a batch whose gradients were cleared before a step belongs to none") {
  // zero_grad() after each batch, and before each one, the loop that is ahead, and three backward passes a batch.
  using Steps = std::vector<ProbeText::Step>;
  struct Case {
    Steps steps, discards;
  };
  const std::vector<Case> cases = {{{{1, 1}, {2, 2}, {4, 4}, {5, 5}}, {{3, 3}}},
                                   {{{1, 1}, {2, 2}, {4, 4}, {5, 5}}, {{4, 3}}},
                                   {{{2, 1}, {3, 2}, {5, 4}, {5, 5}}, {{4, 3}}},
                                   {{{1, 3}, {2, 6}, {4, 12}, {5, 15}}, {{3, 9}, {5, 13}}}};
  for (const Case& one : cases) {
    const Recording recording({trained(one.steps, one.steps.back().backwards, one.discards)});
    CAPTURE(one.discards[0].backwards);
    const auto third = recording.at(2);
    CHECK(third.known == StepsKnown::Recorded);
    CHECK(third.ranks[0].steps == 4);
    CHECK(third.ranks[0].discarded == 1);
    CHECK(idsOf(third.ranks[0]) == Batches{{6, 7}});
  }
}

TEST_CASE("of accumulated batches, those before the cleared gradients belong to no step") {
  const Recording recording({trained({{2, 2}, {5, 5}}, 5, {{3, 3}})});
  CHECK(idsOf(recording.at(1).ranks[0]) == Batches{{6, 7}, {8, 9}});
  CHECK(recording.at(1).ranks[0].discarded == 1);
}

TEST_CASE("a batch whose gradients are cleared between its backward passes belongs to the step after it") {
  std::vector<ProbeText::Step> steps, discards;
  for (std::uint32_t batch = 1; batch <= 5; ++batch) {
    discards.push_back({batch, 2 * batch - 1});
    if (batch == 3) discards.push_back({batch, 2 * batch});
    if (batch != 3) steps.push_back({batch, 2 * batch});
  }
  const Recording recording({trained(steps, 10, discards)});
  CHECK(recording.at(2).known == StepsKnown::Recorded);
  CHECK(recording.at(2).ranks[0].discarded == 1);
  CHECK(idsOf(recording.at(2).ranks[0]) == Batches{{6, 7}});
}

TEST_CASE("of a step right after its gradients were cleared, that is what is said") {
  std::vector<ProbeText::Step> steps = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
  for (const auto& discards : {steps, std::vector<ProbeText::Step>{{2, 2}, {4, 4}}}) {
    const auto first = Recording({trained(steps, 5, discards)}).at(0);
    CHECK(first.known == StepsKnown::No);
    REQUIRE(first.gap);
    CHECK(first.gap->reason == StepsGap::Reason::Cleared);
    CHECK(first.ranks[0].discarded == 0);
  }
}

TEST_CASE("what a pass left without a step is cleared when the next one begins") {
  ProbeText text = trained({{2, 2}, {4, 4}});
  text.pass(1, 0, 1, 2);
  text.batches(1, 0, {{1, 0}});
  text.discards(1, 0, {{1, 0}});
  text.steps(1, 0, {{1, 1}});
  text.news(1, {.drawn = 1, .handed = 1, .backwards = 1, .beside = 1, .ended = true});
  const Recording recording({text});
  CHECK(recording.at(2).known == StepsKnown::Recorded);
  CHECK(idsOf(recording.at(2).ranks[0]) == Batches{{1, 0}});
  CHECK(recording.at(2).ranks[0].discarded == 1);
}

TEST_CASE("a loop that was left has no steps of later passes, though its iterator is kept") {
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1, false);
  text.pass(0, 0, 0, 1);
  text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  text.news(0, {.drawn = 4, .handed = 3, .backwards = 3, .beside = 2, .exhausted = false});
  text.pass(1, 0, 1, 2);
  text.batches(1, 0, {{9, 8}, {7, 6}});
  text.steps(0, 0, {{1, 1}, {2, 2}, {3, 3}, {3, 4}, {3, 5}});
  text.steps(1, 0, {{1, 1}, {2, 2}});
  text.news(1, {.drawn = 2, .handed = 2, .backwards = 2, .beside = 2, .ended = true});
  const Recording recording({text});
  CHECK(recording.at(3).known == StepsKnown::Recorded);
  CHECK(recording.at(3).ranks[0].steps == 5);
  CHECK(idsOf(recording.at(3).ranks[0]) == Batches{{9, 8}});
}

TEST_CASE("a later step has the batches of a pass that was left as far as they had a backward pass") {
  struct Case {
    std::vector<ProbeText::Step> steps;
    std::int64_t handed, backwards;
    std::uint32_t each;  // backward passes on a batch
    StepsKnown known;
  };
  const std::vector<Case> cases = {{{{1, 1}, {2, 2}}, 3, 2, 1, StepsKnown::Recorded},
                                   {{{1, 2}}, 2, 2, 2, StepsKnown::Recorded},
                                   {{}, 3, 1, 1, StepsKnown::No},
                                   {{}, 2, 2, 2, StepsKnown::No}};
  for (const Case& one : cases) {
    ProbeText text(0, 1, 1);
    text.loader(0, 0, 1, false);
    text.pass(0, 0, 0, 1);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}});
    if (!one.steps.empty()) text.steps(0, 0, one.steps);
    text.news(0, {.drawn = 3, .handed = one.handed, .backwards = one.backwards, .beside = 0, .exhausted = false});
    text.pass(1, 0, 1, 2);
    text.batches(1, 0, {{9, 8}});
    text.steps(1, 0, {{1, one.each}});
    text.news(1, {.drawn = 1, .handed = 1, .backwards = one.each, .beside = one.each, .ended = true});
    text.end();
    const Recording recording({text});
    CHECK(recording.at(0).known == one.known);
    if (one.known == StepsKnown::Recorded)
      CHECK(idsOf(recording.at(std::ssize(one.steps)).ranks[0]) == Batches{{9, 8}});
    else
      CHECK(recording.at(0).gap->reason == StepsGap::Reason::Uneven);
  }
}

TEST_CASE(
    "a later step has the rest of a pass with a validation in it where all backward passes are known as its own") {
  const auto job = [](std::int64_t all, std::int64_t in_validation, bool is_ended) {
    ProbeText text(0, 1, 1);
    text.loader(0, 0, 1, false);
    text.loader(1, 0, 1, false, "train.py:12");
    text.pass(0, 0, 0, 1);
    text.batches(0, 0, {{0, 1}, {2, 3}});
    text.steps(0, 0, {{2, 2}});
    text.pass(1, 1, 0, 0);
    text.batches(1, 0, {{6, 7}});
    text.news(1, {.drawn = 1, .handed = 1, .backwards = 0, .beside = in_validation, .ended = true});
    text.batches(0, 2, {{4, 5}});
    text.news(0, {.drawn = 3, .handed = 3, .backwards = 2, .beside = all, .ended = is_ended});
    text.pass(2, 0, 1, 2);
    text.batches(2, 0, {{9, 8}});
    text.steps(2, 0, {{1, 1}});
    text.news(2, {.drawn = 1, .handed = 1, .backwards = 1, .beside = 1, .ended = true});
    text.end();
    return Recording({text}).at(1);
  };
  CHECK(job(3, 0, true).known == StepsKnown::Recorded);
  CHECK(idsOf(job(3, 0, true).ranks[0]) == Batches{{4, 5}, {9, 8}});
  CHECK(idsOf(job(2, 0, true).ranks[0]) == Batches{{9, 8}});  // the third one had no backward pass
  for (const auto& unclear : {job(3, 1, true), job(3, 0, false)}) {
    CHECK(unclear.known == StepsKnown::No);
    REQUIRE(unclear.gap);
    CHECK(unclear.gap->reason == StepsGap::Reason::Uneven);
  }
}

TEST_CASE("a later step has a last batch whose backward pass follows on a validation") {
  const auto job = [](std::int64_t in_validation) {
    ProbeText text(0, 1, 1);
    text.loader(0, 0, 1, false);
    text.loader(1, 0, 1, false, "train.py:12");
    text.pass(0, 0, 0, 1);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    text.steps(0, 0, {{3, 3}});
    text.news(0, {.drawn = 4, .handed = 4, .backwards = 3, .beside = 3, .exhausted = false});
    text.pass(1, 1, 0, 0);
    text.batches(1, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    text.news(1, {.drawn = 4, .handed = 4, .backwards = 1, .beside = in_validation, .ended = true});
    text.news(0, {.drawn = 4, .handed = 4, .backwards = 3, .beside = 4, .ended = true});
    text.pass(2, 0, 1, 2);
    text.batches(2, 0, {{9, 8}});
    text.steps(2, 0, {{1, 1}});
    text.news(2, {.drawn = 1, .handed = 1, .backwards = 1, .beside = 1, .ended = true});
    text.end();
    return Recording({text}).at(1);
  };
  CHECK(job(0).known == StepsKnown::Recorded);
  CHECK(idsOf(job(0).ranks[0]) == Batches{{6, 7}, {9, 8}});
  CHECK(job(1).known == StepsKnown::No);  // the validation may have had it
}

TEST_CASE("of an uneven rest whose gradients are cleared, the batches with a backward pass were discarded") {
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1, false);
  text.pass(0, 0, 0, 1);
  text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  text.steps(0, 0, {{2, 2}});
  text.news(0, {.drawn = 4, .handed = 4, .backwards = 3, .beside = 3, .exhausted = false});
  text.pass(1, 0, 1, 2);
  text.batches(1, 0, {{9, 8}});
  text.discards(1, 0, {{1, 0}});
  text.steps(1, 0, {{1, 1}});
  text.news(1, {.drawn = 1, .handed = 1, .backwards = 1, .beside = 1, .ended = true});
  text.end();
  const Recording recording({text});
  CHECK(recording.at(1).known == StepsKnown::Recorded);
  CHECK(recording.at(1).ranks[0].discarded == 1);
  CHECK(idsOf(recording.at(1).ranks[0]) == Batches{{9, 8}});
}

TEST_CASE("a step that may have taken batches of two loaders is said to be not known") {
  enum class Left { Nothing, Gradients, Cleared };
  const auto job = [](Left left, std::size_t loader) {
    ProbeText text(0, 1, 1);
    text.loader(0, 0, 1, false);
    text.loader(1, 0, 1, false, "train.py:12");
    const std::uint32_t taken = left == Left::Nothing ? 3 : 2;
    text.pass(0, 0, 0, 1);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}});
    text.steps(0, 0, {{taken, taken}});
    text.news(0, {.drawn = 3, .handed = 3, .backwards = 3, .beside = 3, .ended = true});
    text.pass(1, 1, 0, 1);
    text.batches(1, 0, {{6, 7}});
    if (left == Left::Cleared) text.discards(1, 0, {{1, 0}});
    text.steps(1, 0, {{1, 1}});
    text.news(1, {.drawn = 1, .handed = 1, .backwards = 1, .beside = 1, .ended = true});
    text.end();
    return Recording({text}, loader).at(0);
  };
  for (const std::size_t loader : {0, 1}) {
    CAPTURE(loader);
    const auto mixed = job(Left::Gradients, loader);
    CHECK(mixed.known == StepsKnown::No);
    REQUIRE(mixed.gap);
    CHECK(mixed.gap->reason == StepsGap::Reason::Carried);
    for (const Left left : {Left::Nothing, Left::Cleared}) {
      CHECK(job(left, loader).known == StepsKnown::Recorded);
      CHECK(job(left, loader).ranks[0].steps == 1);
      CHECK(job(left, loader).ranks[0].discarded == (loader == 0 && left == Left::Cleared ? 1 : 0));
    }
  }
}

TEST_CASE("what is not known of a batch is said") {
  ProbeText opaque(0, 1, 1);
  opaque.loader(0, 0, 1);
  opaque.pass(0, 0, 0, 1);
  opaque.opaque(0, 2);
  opaque.news(0, 3, 3);
  const Recording numbers({opaque});
  CHECK(numbers.at(1).ranks[0].batches[0].known == StepBatch::Samples::NoNumbers);
  CHECK(numbers.at(2).ranks[0].batches[0].known == StepBatch::Samples::NotRecorded);
  ProbeText stream(0, 1, 1);
  stream.iterable(0);
  stream.pass(0, 0, 0, 1);
  stream.opaque(0, 2);
  stream.news(0, 2, 2);
  CHECK(Recording({stream}).at(1).ranks[0].batches[0].known == StepBatch::Samples::Stream);
}

TEST_CASE("one rank alone is asked, and ranks have as many steps as each has read") {
  ProbeText other(1, 2, 2);
  other.loader(0, 1, 2, false);
  other.pass(0, 0, 0, 1);
  other.batches(0, 0, {{1, 3}});
  other.news(0, {.drawn = 1, .handed = 1, .backwards = 1, .beside = 1, .exhausted = false});
  ProbeText first(0, 2, 2);
  first.loader(0, 0, 2, false);
  first.pass(0, 0, 0, 1);
  first.batches(0, 0, {{0, 2}, {4, 6}, {8}});
  first.news(0, 3, 3);
  const Recording recording({first, other});
  CHECK(recording.at(0).ranks.size() == 2);
  CHECK(idsOf(recording.at(0, 1).ranks.at(0)) == Batches{{1, 3}});
  CHECK(recording.at(1).ranks[1].batches.empty());
  CHECK(recording.at(1).ranks[1].steps == 1);
}

TEST_CASE("a pass without backward passes between those of a training has no steps") {
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1, false);
  for (int pass = 0; pass < 3; ++pass) {
    text.pass(pass, 0, pass, pass + 1);
    text.batches(pass, 0, {{pass, 9}, {pass, 8}});
    text.news(pass, 2, pass == 1 ? 0 : 2);
  }
  const Recording recording({text});
  CHECK(recording.at(2).ranks[0].steps == 4);
  CHECK(idsOf(recording.at(2).ranks[0]) == Batches{{2, 9}});
  CHECK(recording.at(2).ranks[0].batches[0].pass == 2);
}

TEST_CASE("what a pass left is cleared after a validation that reads the training's own loader") {
  const auto job = [](bool clears) {
    ProbeText text(0, 1, 1);
    text.loader(0, 0, 1, false);
    text.pass(0, 0, 0, 1);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}});
    text.steps(0, 0, {{2, 2}});
    text.news(0, {.drawn = 3, .handed = 3, .backwards = 3, .beside = 3, .ended = true});
    text.pass(1, 0, 0, 0);
    text.batches(1, 0, {{0, 1}, {2, 3}, {4, 5}});
    if (clears) text.discards(1, 0, {{3, 0}});
    text.news(1, {.drawn = 3, .handed = 3, .backwards = 0, .beside = 0, .ended = true});
    text.pass(2, 0, 1, 2);
    text.batches(2, 0, {{9, 8}, {7, 6}});
    text.steps(2, 0, {{2, 2}});
    text.news(2, {.drawn = 2, .handed = 2, .backwards = 2, .beside = 2, .ended = true});
    text.end();
    return Recording({text}).at(1);
  };
  CHECK(idsOf(job(true).ranks[0]) == Batches{{9, 8}, {7, 6}});
  CHECK(job(true).ranks[0].discarded == 1);
  CHECK(idsOf(job(false).ranks[0]) == Batches{{4, 5}, {9, 8}, {7, 6}});
}

namespace {

/// A loop that trains, as a person would write it: what it says to the probe, and which batches each step took.
struct Loop {
  ProbeText text{0, 1, 1};
  std::vector<Batches> steps;
  Batches pending;

  void pass(std::int64_t number, std::mt19937& draw, std::uint32_t accumulation, bool is_ahead) {
    const int count = 2 + static_cast<int>(draw() % 9);
    text.pass(number, 0, number, number + 1);
    Batches batches;
    for (int i = 0; i < count; ++i) batches.push_back(Ids(1 + draw() % 3, static_cast<SampleIndex>(draw() % 10)));
    const int cut = static_cast<int>(draw() % static_cast<unsigned>(count));
    text.batches(number, 0, {batches.begin(), batches.begin() + cut});
    text.batches(number, cut, {batches.begin() + cut, batches.end()});
    std::vector<ProbeText::Step> marks;
    for (int i = 0; i < count; ++i) {
      const auto got = static_cast<std::uint32_t>(is_ahead ? std::min(count, i + 2) : i + 1);
      const auto trained = static_cast<std::uint32_t>(i + 1);
      pending.push_back(batches[static_cast<std::size_t>(i)]);
      if (trained % accumulation != 0 && !(is_ahead && i + 1 == count)) continue;
      marks.push_back({got, trained});
      steps.push_back(std::exchange(pending, {}));
    }
    const std::size_t half = marks.size() / 2;
    text.steps(number, 0, {marks.begin(), marks.begin() + static_cast<std::ptrdiff_t>(half)});
    text.steps(number, static_cast<std::int64_t>(half),
               {marks.begin() + static_cast<std::ptrdiff_t>(half), marks.end()});
    text.news(number, {.drawn = count, .handed = count, .backwards = count, .beside = count, .ended = true});
  }
};

}  // namespace

TEST_CASE("steps are those that loops of any kind took") {
  std::mt19937 draw(static_cast<std::uint32_t>(randomSeed()));
  for (int round = 0; round < 60; ++round) {
    Loop loop;
    loop.text.loader(0, 0, 1);
    const std::uint32_t accumulation = 1 + draw() % 4;
    const bool is_ahead = draw() % 2 == 0;
    const int passes = 1 + static_cast<int>(draw() % 4);
    for (int pass = 0; pass < passes; ++pass) loop.pass(pass, draw, accumulation, is_ahead);
    loop.text.end();
    if (loop.steps.empty()) continue;
    CAPTURE(round);
    const Recording recording({loop.text});
    CHECK(recording.at(0).known == StepsKnown::Recorded);
    for (std::size_t step = 0; step < loop.steps.size(); ++step)
      CHECK(idsOf(recording.at(static_cast<std::int64_t>(step)).ranks[0]) == loop.steps[step]);
    CHECK(recording.at(0).ranks[0].steps == std::ssize(loop.steps));
  }
}
