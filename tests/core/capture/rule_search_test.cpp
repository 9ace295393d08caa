// SPDX-License-Identifier: Apache-2.0
// Which rules of the registry give ids that were read, and what is claimed about them.
#include "core/capture/rule_search.h"

#include "core/plan/plan.h"
#include "core/sampling/recorded_lists.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using capture::RecordedPass;
using capture::RuleSearch;

namespace {

PipelineSpec distributed(std::int64_t seed, bool set_epoch, std::int64_t epochs = 3) {
  PipelineSpec spec;
  spec.dataset.size = 103;
  spec.world = {1, 4};
  spec.loader.batch_size = 8;
  spec.epochs = epochs;
  spec.sampler.parameters = {{"seed", seed}, {"set_epoch", set_epoch}};
  return spec;
}

/// What a job reads by this spec, to the end of each epoch.
std::vector<RecordedPass> readBy(const PipelineSpec& spec) {
  const auto plan = Plan::make(spec);
  REQUIRE_MESSAGE(plan, plan.error().text());
  std::vector<RecordedPass> passes;
  for (std::int64_t epoch = 0; epoch < spec.epochs; ++epoch) {
    for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
      const auto drawn = plan->rankEpoch(Epoch{epoch}, Rank{rank});
      REQUIRE(drawn);
      RecordedPass pass{rank, static_cast<std::size_t>(epoch), std::nullopt, true, {}, {}};
      for (Step step{0}; step.value < drawn->batches(); ++step) {
        for (const SampleIndex id : drawn->batchSamples(step)) pass.ids.push_back(id);
        pass.ends.push_back(static_cast<std::int64_t>(pass.ids.size()));
      }
      passes.push_back(pass);
    }
  }
  return passes;
}

/// The search, which knows of the spec only what a recording shows.
RuleSearch searched(const std::vector<RecordedPass>& passes, PipelineSpec spec, std::int64_t seeds = 8) {
  sampling::setRecorded(spec, {});
  spec.loader.drop_last = false;
  capture::RuleSearchBounds bounds;
  bounds.seeds = seeds;
  auto found = capture::searchRules(passes, spec, {}, bounds);
  REQUIRE(found);
  return *std::move(found);
}

bool has(const std::vector<std::string>& sentences, const std::string& text) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a DistributedSampler under another name is named, with its seed") {
  const PipelineSpec spec = distributed(5, true);
  const RuleSearch found = searched(readBy(spec), spec);
  REQUIRE_FALSE(found.matches.empty());
  CHECK(found.matches.front().spec.sampler.type == "torch.DistributedSampler");
  CHECK(found.matches.front().batches_alike);
  const auto said = words::rulesFound(found);
  CHECK(
      said.front() ==
      "All 312 recorded ids of 3 passes on 4 ranks are those that torch.DistributedSampler with seed: 5 deals, in the "
      "same batches.");
  CHECK(has(said, "The same ids come from "));
  CHECK(has(said, "rules that ShardLens does not know were not"));
  CHECK_FALSE(has(said, "cannot be determined"));
}

TEST_CASE("set_epoch that was never called is told, and only where there is a second epoch") {
  const PipelineSpec spec = distributed(0, false);
  const auto said = words::rulesFound(searched(readBy(spec), spec));
  CHECK(said.front().find("torch.DistributedSampler with seed: 0, set_epoch never called deals") != std::string::npos);
  const PipelineSpec once = distributed(0, false, 1);
  const auto open = words::rulesFound(searched(readBy(once), once));
  CHECK(has(open, "sampler.set_epoch cannot be determined: false and true give the same ids."));
  CHECK(has(open, "One pass does not show what the next one reads."));
}

TEST_CASE("of rules that give the same, the one that is nearest to torch's own is named first") {
  PipelineSpec spec = distributed(0, true, 1);
  spec.dataset.size = 101;
  spec.world = {1, 2};
  spec.loader.batch_size = 1;
  std::vector<RecordedPass> passes;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    RecordedPass pass{rank, 0, std::nullopt, true, {}, {}};
    for (SampleIndex id = rank; id < 101; id += 2) {
      pass.ids.push_back(id);
      pass.ends.push_back(static_cast<std::int64_t>(pass.ids.size()));
    }
    passes.push_back(pass);
  }
  const RuleSearch found = searched(passes, spec);  // torch's own pads or drops: it gives other ids
  REQUIRE_FALSE(found.matches.empty());
  CHECK(found.matches.front().spec.sampler.type == "lightning.UnrepeatedDistributedSampler");
  CHECK(has(words::rulesFound(found), "megatron.MegatronFullValidationSampler"));
}

TEST_CASE("few ids are not taken for a proof") {
  const PipelineSpec spec = distributed(3, true, 1);
  std::vector<RecordedPass> passes = {readBy(spec).front()};
  passes[0].ids.resize(8);
  passes[0].ends = {8};
  passes[0].exhausted = false;
  const auto said = words::rulesFound(searched(passes, spec));
  CHECK(has(said, "Only 8 ids could be compared, so others may fit by chance."));
  CHECK(has(said, "One rank does not show what the others read."));
  CHECK(has(said, "drop_last cannot be determined"));
}

TEST_CASE("ids of a rule that are cut into other batches are not said to be its batches") {
  const PipelineSpec spec = distributed(1, true);
  std::vector<RecordedPass> passes = readBy(spec);
  passes[0].ends.erase(passes[0].ends.begin());
  const RuleSearch found = searched(passes, spec);
  REQUIRE_FALSE(found.matches.empty());
  CHECK_FALSE(found.matches.front().batches_alike);
  CHECK(words::rulesFound(found).front().find("it would cut them into other batches") != std::string::npos);
}

TEST_CASE("ids that are only the first of those that a rule deals are not said to be those that it deals") {
  PipelineSpec spec;
  spec.dataset.size = 16;
  spec.world = {1, 2};
  spec.loader.batch_size = 8;
  const std::vector<RecordedPass> passes = {{0, 0, std::nullopt, true, {0, 2, 4, 6, 8, 10, 12, 14}, {8}},
                                            {1, 0, std::nullopt, true, {1, 3, 5, 7, 9, 11, 13}, {7}}};
  CHECK(searched(passes, spec).matches.empty());
}

TEST_CASE("one other id, or one that is missing, and no rule gives them") {
  const PipelineSpec spec = distributed(1, true);
  std::vector<RecordedPass> swapped = readBy(spec);
  std::swap(swapped.back().ids[3], swapped.back().ids[9]);
  CHECK(searched(swapped, spec).matches.empty());
  CHECK(has(words::rulesFound(searched(swapped, spec)), "gives these ids."));
  std::vector<RecordedPass> shorter = readBy(spec);
  for (int i = 0; i < 9; ++i) shorter.back().ids.pop_back();
  CHECK(searched(shorter, spec).matches.empty());
}

TEST_CASE("what the sampler's epoch attribute says is an epoch, too") {
  PipelineSpec spec = distributed(2, true, 6);
  std::vector<RecordedPass> all = readBy(spec);
  std::vector<RecordedPass> passes(all.begin() + 4 * 3, all.end());  // continued from epoch 3
  for (RecordedPass& pass : passes) {
    pass.epoch = static_cast<std::int64_t>(pass.index);
    pass.index -= 3;
  }
  const RuleSearch found = searched(passes, spec);
  REQUIRE_FALSE(found.matches.empty());
  CHECK(found.matches.front().by_attribute);
  CHECK(found.matches.front().spec.epochs == 6);
}

TEST_CASE("the search stops when it is told to, and at its bound") {
  const PipelineSpec spec = distributed(1, true);
  const std::vector<RecordedPass> passes = readBy(distributed(4711, true));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = capture::searchRules(passes, spec, {}, {}, Work{stop.get_token(), {}});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::Cancelled);
  capture::RuleSearchBounds bounds;
  bounds.drawn_ids = 1000;
  const auto bounded = capture::searchRules(passes, spec, {}, bounds);
  REQUIRE(bounded);
  CHECK(bounded->ended_early);
  CHECK(bounded->matches.empty());
}

TEST_CASE("whatever rule is named reproduces every id that was read") {
  test::SmallSpecs specs(20);
  int named = 0;
  for (int i = 0; i < test::rounds(20); ++i) {
    const PipelineSpec spec = specs.next().spec();
    CAPTURE(test::describe(spec));
    const std::vector<RecordedPass> passes = readBy(spec);
    const RuleSearch found = searched(passes, spec, 2);
    for (const capture::RuleMatch& match : found.matches) {
      const auto plan = Plan::make(match.spec);
      REQUIRE_MESSAGE(plan, test::describe(match.spec));
      for (const RecordedPass& pass : passes) {
        const auto drawn = plan->rankEpoch(Epoch{static_cast<std::int64_t>(pass.index)}, Rank{pass.rank});
        REQUIRE(drawn);
        REQUIRE(drawn->size() >= static_cast<std::int64_t>(pass.ids.size()));
        for (std::size_t k = 0; k < pass.ids.size(); ++k)
          REQUIRE(drawn->sample(static_cast<std::int64_t>(k)) == pass.ids[k]);
        if (match.batches_alike) REQUIRE(drawn->batches() == static_cast<std::int64_t>(pass.ends.size()));
      }
    }
    named += found.matches.empty() ? 0 : 1;
  }
  CHECK(named > 3);
}
