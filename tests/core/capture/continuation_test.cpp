// SPDX-License-Identifier: Apache-2.0
#include "core/capture/continuation.h"

#include "core/plan/plan.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/random_seed.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;
using capture::Continuation;
using capture::PlanOrder;
using capture::PlanPlace;

namespace {

using Ids = std::vector<SampleIndex>;
using Batches = std::vector<Ids>;

/// A recording in which each of the ranks wrote one of these files.
class Recording {
 public:
  explicit Recording(const std::vector<ProbeText>& ranks) {
    for (std::size_t i = 0; i < ranks.size(); ++i)
      spill(folder_ / ("h-" + std::to_string(i) + ".slprobe"), ranks[i].bytes());
  }
  [[nodiscard]] capture::RecordedJob job() const {
    auto job = capture::readJob(folder_ / ".");
    REQUIRE_MESSAGE(job, job.error().text());
    return *std::move(job);
  }

 private:
  TempFolder folder_;
};

Result<Continuation> compared(const std::vector<ProbeText>& before, const std::vector<ProbeText>& after) {
  const Recording first(before);
  const Recording second(after);
  return capture::continuationOf(first.job(), 0, second.job(), 0);
}

Continuation continued(const std::vector<ProbeText>& before, const std::vector<ProbeText>& after) {
  auto found = compared(before, after);
  REQUIRE_MESSAGE(found, found.error().text());
  return *std::move(found);
}

/// How a rank ended its pass: with all that there is, by leaving it, or killed.
enum class End { Whole, Left, Killed };

void readInto(ProbeText& text, std::int64_t pass, std::int64_t epoch, const Batches& batches, End end) {
  const std::int64_t count = std::ssize(batches);
  text.pass(pass, 0, epoch, pass + 1);
  text.batches(pass, 0, batches);
  text.news(pass, {.drawn = count,
                   .handed = count,
                   .backwards = count,
                   .beside = count,
                   .exhausted = end == End::Whole,
                   .ended = end == End::Whole});
  if (end != End::Killed) text.end();
}

/// A rank that read these batches of epoch 0 of a DistributedSampler over 10 samples that does not shuffle.
ProbeText inOrder(std::int64_t rank, std::int64_t world, const Batches& batches, End end) {
  ProbeText text(rank, world, world);
  text.loader(0, rank, world, false);
  readInto(text, 0, 0, batches, end);
  return text;
}

const std::vector<ProbeText> kStopped = {inOrder(0, 2, {{0, 2}}, End::Left), inOrder(1, 2, {{1, 3}}, End::Left)};

}  // namespace

TEST_CASE("a run that reads on where the other one ended repeats and skips nothing") {
  const Continuation found =
      continued(kStopped, {inOrder(0, 2, {{4, 6}, {8}}, End::Whole), inOrder(1, 2, {{5, 7}, {9}}, End::Whole)});
  CHECK(found.order == PlanOrder::Followed);
  CHECK(found.beganWhereEnded());
  CHECK(found.isWhole());
  CHECK(found.compared == 4);
  REQUIRE(found.epochs.size() == 1);
  CHECK(found.epochs[0].read_before == 4);
  CHECK(found.epochs[0].repeated == 0);
  CHECK(found.epochs[0].read_first == 6);
  CHECK(found.epochs[0].skipped == 0);
  CHECK(found.ranks[1].read_first == 3);
  CHECK(found.ranks[1].skipped == 0);
}

TEST_CASE("a run that begins the epoch again repeats what was read") {
  const Continuation found = continued(
      kStopped, {inOrder(0, 2, {{0, 2}, {4, 6}, {8}}, End::Whole), inOrder(1, 2, {{1, 3}, {5, 7}, {9}}, End::Whole)});
  CHECK(found.order == PlanOrder::Followed);
  CHECK_FALSE(found.beganWhereEnded());
  CHECK(found.epochs.at(0).repeated == 4);
  CHECK(found.ranks[0].repeated == 2);
  CHECK(found.ranks[0].expected == PlanPlace{0, 1});
  CHECK(found.ranks[0].began == PlanPlace{0, 0});
}

TEST_CASE("a run that begins too late skips samples of each rank") {
  const Continuation found =
      continued(kStopped, {inOrder(0, 2, {{8}}, End::Whole), inOrder(1, 2, {{5, 7}, {9}}, End::Whole)});
  CHECK(found.epochs.at(0).skipped == 2);
  CHECK(found.epochs.at(0).left_out == 0);
  CHECK(found.ranks[0].skipped == 2);
  CHECK(found.ranks[1].skipped == 0);
  CHECK(found.ranks[0].began == PlanPlace{0, 2});
  CHECK_FALSE(found.beganWhereEnded());
}

TEST_CASE("another order is a difference, and so is an end before the plan's") {
  const Continuation other =
      continued(kStopped, {inOrder(0, 2, {{6, 4}, {8}}, End::Whole), inOrder(1, 2, {{5, 7}, {9}}, End::Whole)});
  CHECK(other.order == PlanOrder::Differs);
  REQUIRE(other.first_difference);
  CHECK(other.first_difference->rank == 0);
  CHECK(other.first_difference->step == 1);
  CHECK(other.first_difference->read == Ids{6, 4});
  CHECK(other.first_difference->planned == Ids{4, 6});
  const Continuation shorter =
      continued(kStopped, {inOrder(0, 2, {{4, 6}}, End::Whole), inOrder(1, 2, {{5, 7}, {9}}, End::Whole)});
  CHECK(shorter.order == PlanOrder::Differs);
  CHECK(shorter.first_difference->step == 2);
}

TEST_CASE("what may have been read beyond the records is named, and nothing is skipped while the run may read on") {
  const std::vector<ProbeText> killed = {inOrder(0, 2, {{0, 2}}, End::Killed), inOrder(1, 2, {{1, 3}}, End::Left)};
  const Continuation found = continued(killed, {inOrder(0, 2, {{4, 6}}, End::Killed)});
  CHECK(found.open_before == std::vector<std::int64_t>{0});
  CHECK(found.open_after == std::vector<std::int64_t>{0});
  CHECK(found.unseen_after == std::vector<std::int64_t>{1});
  CHECK_FALSE(found.isWhole());
  CHECK_FALSE(found.epochs.at(0).skipped);
}

TEST_CASE("nothing is skipped where the file of the second run was full") {
  const std::vector<ProbeText> before = {inOrder(0, 1, {{0, 1}}, End::Left)};
  ProbeText after = inOrder(0, 1, {{2, 3}}, End::Left);
  CHECK(continued(before, {after}).epochs.at(0).skipped == 6);
  after.limit();
  const Continuation found = continued(before, {after});
  CHECK(found.open_after == std::vector<std::int64_t>{0});
  CHECK_FALSE(found.epochs.at(0).skipped);
}

TEST_CASE("on another number of ranks the plan of that world goes on behind the samples that were read") {
  const Continuation found = continued(kStopped, {inOrder(0, 1, {{4, 5}, {6, 7}, {8, 9}}, End::Whole)});
  CHECK(found.order == PlanOrder::Followed);
  CHECK(found.ranks[0].expected == PlanPlace{0, 2});
  CHECK(found.beganWhereEnded());
  const Continuation uneven = continued({inOrder(0, 1, {{0, 1}}, End::Left)},
                                        {inOrder(0, 2, {{0, 2}}, End::Left), inOrder(1, 2, {{1, 3}}, End::Left)});
  CHECK_FALSE(uneven.ranks[0].expected);
  CHECK_FALSE(uneven.beganWhereEnded());
}

TEST_CASE("an epoch that was read to its end is followed by the next one") {
  const auto whole = [](std::int64_t rank, std::int64_t epoch) {
    const std::int64_t first = rank;
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2, false);
    readInto(text, 0, epoch, {{first, first + 2}, {first + 4, first + 6}, {first + 8}}, End::Whole);
    return text;
  };
  const Continuation next = continued({whole(0, 0), whole(1, 0)}, {whole(0, 1), whole(1, 1)});
  CHECK(next.epochs.empty());
  CHECK(next.order == PlanOrder::Followed);
  CHECK(next.beganWhereEnded());
  const Continuation later = continued({whole(0, 0), whole(1, 0)}, {whole(0, 2), whole(1, 2)});
  REQUIRE(later.epochs.size() == 1);
  CHECK(later.epochs[0].epoch == 1);
  CHECK(later.epochs[0].skipped == 10);
  CHECK_FALSE(later.beganWhereEnded());
}

TEST_CASE("an epoch that the second run leaves out between its own is a difference") {
  ProbeText after(0, 1, 1);
  after.loader(0, 0, 1, false);
  readInto(after, 0, 0, {{4, 5}, {6, 7}, {8, 9}}, End::Whole);
  ProbeText gap = after;
  readInto(after, 1, 1, {{0, 1}}, End::Left);
  readInto(gap, 1, 2, {{0, 1}}, End::Left);
  const std::vector<ProbeText> before = {inOrder(0, 1, {{0, 1}, {2, 3}}, End::Left)};
  CHECK(continued(before, {after}).order == PlanOrder::Followed);
  const Continuation found = continued(before, {gap});
  CHECK(found.order == PlanOrder::Differs);
  CHECK(found.first_difference->epoch == 1);
  CHECK(found.first_difference->planned == Ids{0, 1});
  CHECK_FALSE(found.first_difference->read);
}

TEST_CASE("runs of other datasets, and streams, are not compared") {
  ProbeText other(0, 1, 1);
  other.loaderOf(0, R"({"class":"Other","is_iterable":false,"length":10})");
  readInto(other, 0, 0, {{0, 1}}, End::Left);
  CHECK_FALSE(compared({inOrder(0, 1, {{0, 1}}, End::Left)}, {other}));
  ProbeText stream(0, 1, 1);
  stream.iterable(0);
  stream.pass(0, 0, 0, 1);
  stream.opaque(0, 2);
  stream.news(0, 2, 2);
  CHECK_FALSE(compared({stream}, {stream}));
}

TEST_CASE("what ranks of a sampler that nobody knows repeat, skip and read first is counted from their ids") {
  std::mt19937 draw(static_cast<std::uint32_t>(randomSeed()));
  const auto reads = [&draw](std::int64_t rank, std::int64_t world, std::set<SampleIndex>& all) {
    Batches batches(draw() % 4 + 1);
    for (Ids& batch : batches) {
      batch.resize(draw() % 2 + 1);
      for (SampleIndex& id : batch) id = static_cast<SampleIndex>(draw() % 10);
      all.insert(batch.begin(), batch.end());
    }
    ProbeText text(rank, world, world);
    text.loaderWith(0, R"({"class":"mine.Sampler"})");
    readInto(text, 0, 0, batches, End::Left);
    return std::pair(text, batches);
  };
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const std::int64_t world = 1 + static_cast<std::int64_t>(draw() % 3);
    std::set<SampleIndex> old;
    std::set<SampleIndex> now;
    std::vector<ProbeText> before;
    std::vector<ProbeText> after;
    for (std::int64_t rank = 0; rank < 2; ++rank) before.push_back(reads(rank, 2, old).first);
    std::vector<std::int64_t> again(static_cast<std::size_t>(world));
    for (std::int64_t rank = 0; rank < world; ++rank) {
      const auto [text, batches] = reads(rank, world, now);
      after.push_back(text);
      for (const Ids& batch : batches) {
        for (const SampleIndex id : batch) again[static_cast<std::size_t>(rank)] += old.contains(id) ? 1 : 0;
      }
    }
    std::int64_t both = 0;
    for (const SampleIndex id : now) both += old.contains(id) ? 1 : 0;
    const Continuation found = continued(before, after);
    CHECK(found.order == PlanOrder::NotKnown);
    CHECK_FALSE(found.no_plan.empty());
    REQUIRE(found.epochs.size() == 1);
    CHECK(found.epochs[0].read_before == std::ssize(old));
    CHECK(found.epochs[0].repeated == both);
    CHECK(found.epochs[0].read_first == std::ssize(now) - both);
    CHECK(found.epochs[0].skipped == 10 - std::ssize(old) - std::ssize(now) + both);
    for (std::size_t rank = 0; rank < again.size(); ++rank) CHECK(found.ranks[rank].repeated == again[rank]);
  }
}

TEST_CASE("runs that stop and go on anywhere in a shuffled epoch follow its plan from there") {
  std::mt19937 draw(static_cast<std::uint32_t>(randomSeed()));
  for (int round = 0; round < 30; ++round) {
    CAPTURE(round);
    PipelineSpec spec;
    const std::int64_t world = 1 + static_cast<std::int64_t>(draw() % 2);
    spec.world = {1, world};
    spec.dataset.size = 10;
    spec.loader.batch_size = 2;
    spec.sampler.type = "torch.DistributedSampler";
    const auto plan = Plan::make(spec);
    REQUIRE(plan);
    const auto steps = static_cast<unsigned>(plan->rankEpoch(Epoch{0}, Rank{0})->batches());
    const std::int64_t stop = static_cast<std::int64_t>(draw() % (steps - 1)) + 1;
    const std::int64_t start = static_cast<std::int64_t>(draw() % steps);
    std::vector<ProbeText> before;
    std::vector<ProbeText> after;
    for (std::int64_t rank = 0; rank < world; ++rank) {
      const auto planned = plan->rankEpoch(Epoch{0}, Rank{rank});
      Batches old;
      Batches now;
      for (std::int64_t step = 0; step < planned->batches(); ++step) {
        if (step < stop) old.push_back(planned->batchSamples(Step{step}));
        if (step >= start) now.push_back(planned->batchSamples(Step{step}));
      }
      for (auto* const run : {&before, &after}) {
        ProbeText& text = run->emplace_back(rank, world, world);
        text.loader(0, rank, world);
        readInto(text, 0, 0, run == &before ? old : now, run == &before ? End::Left : End::Whole);
      }
    }
    const Continuation found = continued(before, after);
    CHECK(found.order == PlanOrder::Followed);
    CHECK(found.isWhole());
    CHECK(found.beganWhereEnded() == (start == stop));
    for (const auto& rank : found.ranks) CHECK(rank.began == PlanPlace{0, start});
  }
}
