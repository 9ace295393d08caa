// SPDX-License-Identifier: Apache-2.0
#include "core/resume/report.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stop_token>

using namespace shardlens;

namespace {

constexpr std::int64_t kPieces = 16;

using Times = std::map<SampleIndex, std::int64_t>;

PipelineSpec strided(std::int64_t size, std::int64_t ranks, std::int64_t batch) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.batch_size = batch;
  return spec;
}

std::vector<JudgedWay> reportOf(const PipelineSpec& spec, const ResumePoint& point) {
  auto report = resumeReport(spec, point, {kPieces});
  REQUIRE(report);
  return *std::move(report);
}

JudgedWay wayOf(const PipelineSpec& spec, const ResumePoint& point, const std::string& id) {
  const std::vector<JudgedWay> report = reportOf(spec, point);
  const auto found = std::ranges::find_if(report, [&](const JudgedWay& judged) { return judged.way.id == id; });
  REQUIRE(found != report.end());
  return *found;
}

ResumeOutcome outcomeOf(const PipelineSpec& spec, const ResumePoint& point, const std::string& id) {
  const JudgedWay judged = wayOf(spec, point, id);
  REQUIRE(judged.outcome);
  return *judged.outcome;
}

/// How often each sample stands in the steps first .. last - 1 of all ranks, written down one by one.
Times timesOf(PipelineSpec spec, Epoch epoch, std::int64_t first, std::int64_t last) {
  spec.epochs = std::max(spec.epochs, epoch.value + 1);
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  Times times;
  for (Rank rank{0}; rank.value < plan->worldSize(); ++rank) {
    const auto items = plan->rankEpoch(epoch, rank);
    REQUIRE(items);
    for (Step step{first}; step.value < std::min(last, items->batches()); ++step) {
      for (const SampleIndex id : items->batchSamples(step)) ++times[id];
    }
  }
  return times;
}

std::int64_t at(const Times& times, SampleIndex id) {
  const auto found = times.find(id);
  return found == times.end() ? 0 : found->second;
}

Times sum(Times a, const Times& b) {
  for (const auto& [id, times] : b) a[id] += times;
  return a;
}

std::int64_t stepsIn(PipelineSpec spec, Epoch epoch) {
  spec.epochs = std::max(spec.epochs, epoch.value + 1);
  return *Plan::make(spec)->steps(epoch);
}

/// The judgement done the slow way, from written-down batches.
void checkByHand(const JudgedWay& judged, const ResumePoint& point) {
  const Continuation& goes_on = *judged.way.goes_on;
  const ResumeOutcome& outcome = *judged.outcome;
  const std::int64_t all = 1'000'000;
  std::int64_t last = all;
  if (goes_on.counts_on)
    last = goes_on.skip + std::max<std::int64_t>(0, stepsIn(goes_on.spec, goes_on.epoch) - point.steps);
  const Times trained = timesOf(judged.way.stopped, point.epoch, 0, point.steps);
  const Times planned = timesOf(judged.way.stopped, point.epoch, 0, all);
  const Times after = timesOf(goes_on.spec, goes_on.epoch, goes_on.skip, last);
  std::int64_t repeated = 0;
  std::int64_t lost = 0;
  std::int64_t missed = 0;
  std::int64_t items = 0;
  std::int64_t surplus = 0;
  for (const auto& [id, times] : after) {
    items += times;
    if (at(trained, id) == 0 && at(planned, id) > 0) surplus += std::max<std::int64_t>(0, times - at(planned, id));
    if (at(trained, id) > 0)
      repeated += std::max<std::int64_t>(0, times - std::max<std::int64_t>(0, at(planned, id) - at(trained, id)));
  }
  for (const auto& [id, times] : planned) {
    lost += at(trained, id) == 0 && at(after, id) == 0 ? 1 : 0;
    missed += std::max<std::int64_t>(0, times - at(trained, id) - at(after, id));
  }
  CHECK(outcome.items == items);
  CHECK(outcome.repeated == repeated);
  CHECK(outcome.surplus == surplus);
  CHECK(outcome.lost == lost);
  CHECK(outcome.missed == missed);
  CHECK(outcome.isExact() == (sum(trained, after) == planned));
  std::int64_t in_strip = 0;
  std::int64_t lost_in_strip = 0;
  for (const ResumeSpan& span : outcome.strip) {
    in_strip += span.items;
    lost_in_strip += span.lost;
    CHECK(span.repeated + span.lost <= span.items);
  }
  CHECK(in_strip == judged.planned);
  CHECK((lost_in_strip > 0) == (lost > 0));
}

}  // namespace

TEST_CASE("skipping the batches goes on exactly with the same ranks, and begins too early with fewer") {
  const PipelineSpec spec = strided(96, 4, 2);
  const ResumePoint same{Epoch{1}, 5, {1, 4}};
  CHECK(outcomeOf(spec, same, "skip-batches").isExact());
  const ResumePoint fewer{Epoch{1}, 5, {1, 2}};
  const ResumeOutcome outcome = outcomeOf(spec, fewer, "skip-batches");
  CHECK(outcome.repeated == (4 - 2) * 2 * 5);  // (W - W') b k
  CHECK(outcome.lost == 0);
  CHECK(outcome.skipped == 2 * 2 * 5);
  CHECK(outcome.skipped_untrained == 0);
  CHECK(outcomeOf(spec, fewer, "skip-samples").isExact());
}

TEST_CASE("more ranks that skip as many steps lose what they skip too much") {
  const PipelineSpec spec = strided(96, 4, 2);
  const ResumeOutcome outcome = outcomeOf(spec, {Epoch{0}, 3, {2, 4}}, "skip-batches");
  CHECK(outcome.repeated == 0);
  CHECK(outcome.lost == (8 - 4) * 2 * 3);
  CHECK(outcome.skipped_untrained == outcome.lost);
  CHECK(outcome.lost_ids.size() == 24);
}

TEST_CASE("samples that the new ranks do not divide come again") {
  const ResumeOutcome outcome = outcomeOf(strided(120, 4, 2), {Epoch{0}, 4, {1, 3}}, "skip-samples");
  CHECK(outcome.repeated == 2);  // 32 samples are 5 steps of 6, and 2 more
  CHECK(outcome.lost == 0);
}

TEST_CASE("steps of another batch_size are as many samples only where both divide them") {
  const PipelineSpec spec = strided(96, 4, 2);
  const ResumeOutcome steps = outcomeOf(spec, {Epoch{1}, 5, {1, 4}, 4}, "skip-batches");
  CHECK(steps.skipped == 5 * 4 * 4);
  CHECK(steps.lost == 5 * 4 * (4 - 2));
  CHECK(steps.repeated == 0);
  const ResumeOutcome samples = outcomeOf(spec, {Epoch{1}, 5, {1, 4}, 4}, "skip-samples");
  CHECK(samples.repeated == 8);  // 40 samples are 2 steps of 16, and 8 more
  CHECK(samples.lost == 0);
  CHECK(outcomeOf(spec, {Epoch{1}, 6, {1, 4}, 4}, "skip-samples").isExact());
  CHECK(outcomeOf(spec, {Epoch{1}, 6, {1, 2}, 8}, "skip-samples").isExact());
  CHECK(wayOf(spec, {Epoch{1}, 6, {1, 2}, 8}, "skip-samples").way.rule.find("6 steps on 4 ranks are 48 samples.") !=
        std::string::npos);
  const auto none = resumeReport(spec, {Epoch{1}, 5, {1, 4}, 0}, {kPieces});
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::Usage);
}

TEST_CASE("frameworks keep, refuse or count another batch_size each in its way") {
  const PipelineSpec spec = strided(96, 4, 2);
  const ResumePoint within{Epoch{1}, 5, {1, 4}, 4};
  const ResumePoint between{Epoch{1}, 6, {1, 4}, 4};
  CHECK(outcomeOf(spec, within, "transformers-saved-batch").isExact());
  CHECK(outcomeOf(spec, within, "transformers-saved-batch").items == 96 - 40);
  CHECK_FALSE(outcomeOf(spec, within, "transformers").isExact());
  CHECK(wayOf(spec, within, "torchdata").verdict == ResumeVerdict::Unknown);
  CHECK(outcomeOf(spec, between, "torchdata").isExact());
  PipelineSpec grain = spec;
  grain.sampler = {"grain.IndexSampler", {}};
  CHECK(outcomeOf(grain, between, "grain").isExact());
  grain.loader.num_workers = 2;
  CHECK(wayOf(grain, between, "grain").verdict == ResumeVerdict::Unknown);
}

TEST_CASE("a short last batch, and a batch that all ranks share, count as what they hold") {
  const JudgedWay script = wayOf(strided(20, 2, 4), {Epoch{0}, 3, {1, 2}, 5}, "skip-samples");
  CHECK(script.verdict == ResumeVerdict::Exact);
  CHECK(script.way.rule.find("3 steps on 2 ranks are 20 samples.") != std::string::npos);

  PipelineSpec split = strided(48, 2, 6);
  split.sampler = {"accelerate.BatchSamplerShard", {{"shuffle", false}, {"split_batches", true}}};
  CHECK(wayOf(split, {Epoch{0}, 2, {1, 1}, 3}, "accelerate-skip-samples").verdict == ResumeVerdict::Exact);
  CHECK(wayOf(split, {Epoch{0}, 2, {1, 3}}, "accelerate-skip-samples").verdict == ResumeVerdict::Exact);

  // Each rank's state counts 10 samples, of which the last one was a batch of its own.
  CHECK(wayOf(strided(40, 4, 3), {Epoch{0}, 4, {1, 2}}, "torchdata").verdict == ResumeVerdict::Unknown);
  PipelineSpec cut = strided(53, 2, 2);
  cut.loader.drop_last = true;
  const JudgedWay state = wayOf(cut, {Epoch{0}, 13, {1, 2}, 1}, "torchdata");
  REQUIRE(state.outcome);
  CHECK(state.outcome->skipped == 52);
  CHECK(state.outcome->steps == 1);
  for (const Note& note : state.way.notes) CHECK(note.text.find("without a batch") == std::string::npos);
}

TEST_CASE("an epoch that is trained again, or never, is not exact, and one that is over is") {
  PipelineSpec spec = strided(48, 4, 3);
  spec.epochs = 3;
  const JudgedWay again = wayOf(spec, {Epoch{2}, 0, {1, 2}}, "transformers-ignore-skip");
  CHECK(again.verdict == ResumeVerdict::Differs);
  REQUIRE(!again.way.notes.empty());
  CHECK(again.way.notes[0].text == "The length of an epoch changed: it continues in epoch 1 instead of 2.");
  spec = strided(30, 3, 5);
  spec.epochs = 1;
  CHECK(wayOf(spec, {Epoch{0}, 2, {1, 3}, 10}, "transformers").verdict == ResumeVerdict::Exact);
}

TEST_CASE("where nothing is left, nothing that would have come goes wrong") {
  const PipelineSpec spec = strided(32, 4, 4);
  const JudgedWay forgotten = wayOf(spec, {Epoch{1}, 2, {1, 4}}, "torchdata-epoch-0");
  CHECK(forgotten.verdict == ResumeVerdict::Exact);
  CHECK(severityOf(forgotten) == Severity::Info);
  PipelineSpec longer = strided(64, 4, 4);
  longer.epochs = 3;
  const JudgedWay next = wayOf(longer, {Epoch{0}, 4, {1, 6}}, "transformers-ignore-skip");
  CHECK(next.verdict == ResumeVerdict::Exact);
  CHECK(next.way.notes.empty());
}

TEST_CASE("what deals one rank's data otherwise than several ranks' is not computed from the one") {
  PipelineSpec one = strided(32, 1, 4);
  one.sampler = {"torch.SequentialSampler", {}};
  for (const char* id : {"lightning", "accelerate-skip", "timm-start-epoch"}) {
    CAPTURE(std::string(id));
    CHECK(wayOf(one, {Epoch{0}, 0, {1, 4}}, id).verdict == ResumeVerdict::Unknown);
  }
}

TEST_CASE("an epoch that begins again repeats all that was trained") {
  const ResumeOutcome outcome = outcomeOf(strided(96, 4, 2), {Epoch{0}, 7, {1, 4}}, "restart-epoch");
  CHECK(outcome.repeated == 7 * 8);
  CHECK(outcome.lost == 0);
  CHECK(outcome.strip.front().repeated == outcome.strip.front().items);
  CHECK(outcome.strip.back().repeated == 0);
}

TEST_CASE("readings are counted however often a sample comes") {
  PipelineSpec spec = strided(2, 1, 100);
  spec.sampler = {"torch.RandomSampler", {{"replacement", true}, {"num_samples", std::int64_t{400'000}}}};
  const ResumePoint point{Epoch{0}, 3000, {1, 1}};
  const JudgedWay again = wayOf(spec, point, "restart-epoch");
  CHECK(again.trained == 300'000);
  CHECK(again.outcome->items == 400'000);
  CHECK(again.outcome->repeated == 300'000);
  const JudgedWay exact = wayOf(spec, point, "skip-batches");
  CHECK(exact.verdict == ResumeVerdict::Exact);
  CHECK(exact.outcome->items == 100'000);
  CHECK(exact.outcome->skipped == 300'000);
}

TEST_CASE("without set_epoch the wrong samples are skipped") {
  const ResumePoint point{Epoch{1}, 6, {1, 4}};
  const JudgedWay judged = wayOf(strided(96, 4, 2), point, "forgotten-set-epoch");
  CHECK(judged.outcome->repeated > 0);
  CHECK(judged.outcome->lost == judged.outcome->repeated);
  CHECK(judged.outcome->skipped_untrained == judged.outcome->lost);
  CHECK(judged.way.notes.front().severity == Severity::Error);
  PipelineSpec fixed = strided(96, 4, 2);
  fixed.sampler.parameters["set_epoch"] = false;
  const auto ways = resumeWays(fixed, point);
  CHECK(std::ranges::none_of(ways, [](const ResumeWay& way) { return way.id == "forgotten-set-epoch"; }));
}

TEST_CASE("a restored generator stands behind the epoch's draws") {
  PipelineSpec spec = strided(40, 1, 4);
  spec.sampler = {"torch.RandomSampler", {}};
  const ResumePoint point{Epoch{0}, 5, {1, 1}};
  CHECK(outcomeOf(spec, point, "skip-batches").isExact());
  const JudgedWay judged = wayOf(spec, point, "restored-rng");
  CHECK(judged.way.goes_on->epoch == Epoch{1});
  CHECK(judged.outcome->repeated > 0);
  CHECK(judged.outcome->lost == judged.outcome->repeated);
}

TEST_CASE("Megatron's stretches change with the ranks") {
  PipelineSpec spec = strided(96, 4, 2);
  spec.sampler = {"megatron.MegatronPretrainingRandomSampler", {}};
  const ResumePoint fewer{Epoch{0}, 4, {1, 2}};
  // Computed with the class itself: 32 samples seen, of which 18 come again.
  CHECK(outcomeOf(spec, fewer, "megatron").repeated == 18);
  CHECK(outcomeOf(spec, fewer, "megatron").lost == 18);
  CHECK(outcomeOf(spec, {Epoch{0}, 4, {1, 4}}, "megatron").isExact());
  spec.sampler.parameters["data_sharding"] = false;
  CHECK(outcomeOf(spec, fewer, "megatron").isExact());
  spec.sampler = {"megatron.MegatronPretrainingSampler", {}};
  CHECK(outcomeOf(spec, fewer, "megatron").isExact());
  CHECK(outcomeOf(spec, fewer, "megatron").skipped == 32);
}

TEST_CASE("that Megatron permutes other parts is said only where it does") {
  PipelineSpec spec = strided(96, 4, 2);
  spec.sampler = {"megatron.MegatronPretrainingRandomSampler", {}};
  CHECK_FALSE(wayOf(spec, {Epoch{0}, 4, {1, 2}}, "megatron").way.notes.empty());
  CHECK(wayOf(spec, {Epoch{0}, 4, {1, 4}, 4}, "megatron").way.notes.empty());  // 24 samples of each rank, as before
  CHECK_FALSE(wayOf(spec, {Epoch{0}, 5, {1, 4}, 5}, "megatron").way.notes.empty());
}

TEST_CASE("what a framework raises is the way's own error") {
  PipelineSpec spec = strided(96, 3, 2);
  spec.sampler = {"megatron.MegatronPretrainingRandomSampler", {}};
  const JudgedWay judged = wayOf(spec, {Epoch{0}, 1, {1, 4}}, "megatron");  // 6 consumed, steps of 8
  CHECK_FALSE(judged.outcome);
  CHECK_FALSE(judged.way.goes_on);
  REQUIRE(judged.way.error);
  CHECK(judged.way.error->raised == "AssertionError");
}

TEST_CASE("a point outside the plan is refused with what there is") {
  const PipelineSpec spec = strided(16, 2, 2);
  const auto late = resumeReport(spec, {Epoch{0}, 5, {1, 2}}, {kPieces});
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ErrorCode::Usage);
  CHECK(late.error().hint == "it has 4 steps: stop after 0 to 4");
  CHECK_FALSE(resumeReport(spec, {Epoch{2}, 0, {1, 2}}, {kPieces}));
  CHECK_FALSE(resumeReport(spec, {Epoch{0}, 0, {0, 2}}, {kPieces}));
}

TEST_CASE("the end of the epoch and its beginning are points to stop at") {
  const PipelineSpec spec = strided(16, 2, 2);
  for (const JudgedWay& judged : reportOf(spec, {Epoch{0}, 0, {1, 2}})) {
    CAPTURE(judged.way.id);
    CHECK(judged.outcome->repeated == 0);
  }
  CHECK(outcomeOf(spec, {Epoch{0}, 4, {1, 2}}, "skip-batches").items == 0);
}

TEST_CASE("the first batches are kept where they are asked for, and nothing else depends on it") {
  const PipelineSpec spec = strided(16, 2, 2);
  const ResumePoint point{Epoch{1}, 3, {1, 2}, 1'000'000};
  const auto counted = resumeReport(spec, point, {kPieces, false});
  const std::vector<JudgedWay> whole = reportOf(spec, point);
  REQUIRE(counted);
  REQUIRE(counted->size() == whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK(verdictText((*counted)[i]) == verdictText(whole[i]));
    if (!whole[i].outcome) continue;
    CHECK((*counted)[i].outcome->first.empty());
    CHECK((*counted)[i].outcome->strip == whole[i].outcome->strip);
  }
}

TEST_CASE("a stop token ends the judging") {
  std::stop_source source;
  source.request_stop();
  const auto report = resumeReport(strided(16, 2, 2), {Epoch{0}, 1, {1, 2}}, {kPieces}, Work{source.get_token(), {}});
  REQUIRE_FALSE(report);
  CHECK(report.error().code == ErrorCode::Cancelled);
}

TEST_CASE("every way of every sampler agrees with batches written down by hand") {
  test::SmallSpecs specs(29);
  for (int i = 0; i < 150; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const Epoch epoch{specs.below(plan.epochs())};
    ResumePoint point{epoch, specs.below(*plan.steps(epoch) + 1), {1 + specs.below(2), 1 + specs.below(4)}};
    if (specs.below(2) == 0) point.batch_size = 1 + specs.below(6);
    CAPTURE(point.steps);
    CAPTURE(point.batch_size.value_or(0));
    std::set<std::string> ids;
    for (const JudgedWay& judged : reportOf(plan.spec(), point)) {
      CAPTURE(judged.way.id);
      CHECK(ids.insert(judged.way.id).second);
      CHECK(judged.way.goes_on.has_value() != judged.way.error.has_value());
      CHECK(judged.outcome.has_value() == judged.way.goes_on.has_value());
      if (judged.outcome) checkByHand(judged, point);
    }
  }
}

TEST_CASE("with the same ranks a script that skips its batches goes on exactly, whatever the sampler") {
  test::SmallSpecs specs(31);
  for (int i = 0; i < 150; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const Epoch epoch{specs.below(plan.epochs())};
    const ResumePoint point{epoch, specs.below(*plan.steps(epoch) + 1), plan.spec().world};
    for (const JudgedWay& judged : reportOf(plan.spec(), point)) {
      if (judged.way.id == "skip-batches") REQUIRE(judged.outcome);
      const bool skips = judged.way.id == "skip-batches" || judged.way.id == "accelerate-skip";
      if (skips && judged.outcome) CHECK(judged.outcome->isExact());
    }
  }
}

TEST_CASE("what is left open of a stop is the middle of the second epoch, in the world as it was") {
  PipelineSpec spec = strided(64, 2, 4);
  spec.epochs = 3;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto open = stopOf(*plan, {});
  REQUIRE(open);
  CHECK(open->point == ResumePoint{Epoch{1}, 4, spec.world});
  CHECK(open->steps == 8);
  const auto beyond = stopOf(*plan, {.epoch = 7, .steps = 99, .world = PipelineSpec::World{2, 2}});
  REQUIRE(beyond);
  CHECK(beyond->point == ResumePoint{Epoch{2}, 8, {2, 2}});
  spec.epochs = 1;
  CHECK(stopOf(*Plan::make(spec), {})->point.epoch == Epoch{0});
}

TEST_CASE("how ranks that divide one copy of the model go on is not known") {
  PipelineSpec spec = strided(64, 2, 4);
  spec.world.groups.tensor = 2;
  const auto checked = checkResumePoint(spec, {Epoch{0}, 1, spec.world});
  REQUIRE_FALSE(checked);
  CHECK(checked.error().code == ErrorCode::Unsupported);
  CHECK(checked.error().place.field == "world.groups");
}

TEST_CASE("a world to go on with has the limits of a spec's own") {
  const PipelineSpec spec = strided(64, 2, 4);
  const auto refusal = [&](const PipelineSpec::World& world) {
    const auto checked = checkResumePoint(spec, {Epoch{0}, 1, world});
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::Usage);
    return checked.error().message;
  };
  CHECK(refusal({0, 2}).find(": world.nodes: 0 is out of range") != std::string::npos);
  CHECK(refusal({100'000, 100'000}).find("more than 1\u202f000\u202f000 ranks") != std::string::npos);
  const auto steps = checkResumePoint(spec, {Epoch{0}, 1, {4, 4}});
  REQUIRE(steps);
  CHECK(*steps == *Plan::make(spec)->steps(Epoch{0}));
  CHECK(*checkResumePoint(spec, {Epoch{0}, 1, {4, 4}}, *steps + 1) == *steps + 1);  // counted before
}
