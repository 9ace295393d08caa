// SPDX-License-Identifier: Apache-2.0
// What loaders drew for the steps that begin, from files that grow. Real jobs:
// tests/integration/capture/design_jobs.py.
#include "core/collect/drawn_batches.h"

#include "core/plan/rank_epoch.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace shardlens;
using shardlens::test::ProbeText;
using shardlens::test::TempFolder;

namespace {

const std::vector<std::vector<SampleIndex>> kBatches = {{4, 1}, {0, 9}, {7, 3}};

sl_record record(std::uint16_t kind, std::uint32_t epoch, std::uint32_t step, std::uint64_t a = 0,
                 std::uint64_t b = 0) {
  sl_record out{};
  out.kind = kind;
  out.epoch = epoch;
  out.step = step;
  out.a = a;
  out.b = b;
  return out;
}

sl_record hello(std::int64_t rank) {
  return record(SL_HELLO, 0, 0, static_cast<std::uint64_t>(100 + rank), 2);
}

/// One rank whose loader over 10 samples has a pass, and what is read of it. The design has 10 samples and 5 epochs.
class Rank1 {
 public:
  explicit Rank1(std::int64_t samples = 10, const std::string& host = {}) : drawn(folder_.path(), samples, 5, host) {
    text.loader(0, 1, 2);
  }

  void spill(std::size_t bytes = std::string::npos) {
    test::spill(folder_ / "h-101.slprobe", text.bytes().substr(0, bytes));
  }
  void say(const sl_record& one) { drawn.use(1, std::array{one}); }
  void say(std::uint16_t kind, std::uint32_t epoch, std::uint32_t step, std::uint64_t b = 0) {
    say(record(kind, epoch, step, 0, b));
  }

  ProbeText text{1, 2, 2};

 private:
  TempFolder folder_;

 public:
  DrawnBatches drawn;
};

void checkBatch(const RankRecord& is, std::uint32_t epoch, std::uint32_t step, const std::vector<SampleIndex>& batch) {
  CHECK(is.rank == 1);
  CHECK(is.record.kind == SL_DRAWN);
  CHECK(is.record.epoch == epoch);
  CHECK(is.record.step == step);
  CHECK(is.record.a == fingerprintOf(batch));
  CHECK(is.record.b == batch.size());
}

}  // namespace

TEST_CASE("a batch is known when its step has begun and its file says what was drawn") {
  Rank1 rank;
  rank.text.pass(3, 0, 2, 1);  // set_epoch(2)
  rank.text.batches(3, 0, kBatches);
  rank.spill();
  rank.say(hello(1));
  CHECK(rank.drawn.take().empty());  // drawn ahead
  rank.say(SL_EPOCH_BEGIN, 0, 0, 1 + 3);
  rank.say(SL_STEP_BEGIN, 0, 0);
  rank.say(SL_STEP_BEGIN, 0, 1);
  const auto taken = rank.drawn.take();
  REQUIRE(taken.size() == 2);
  checkBatch(taken[0], 2, 0, kBatches[0]);
  checkBatch(taken[1], 2, 1, kBatches[1]);
  CHECK(rank.drawn.take().empty());
}

TEST_CASE("a file may grow by parts of a frame, behind the step") {
  Rank1 rank;
  rank.text.pass(0, 0, 0, 1);
  rank.text.batches(0, 0, {kBatches[0]});
  const std::size_t first = rank.text.bytes().size();
  rank.text.batches(0, 1, {kBatches[1]});
  rank.say(hello(1));
  rank.say(SL_EPOCH_BEGIN, 0, 0, 1);
  for (const std::uint32_t step : {0U, 1U}) rank.say(SL_STEP_BEGIN, 0, step);
  CHECK(rank.drawn.take().empty());
  std::vector<RankRecord> taken;
  for (std::size_t bytes = 0; bytes <= rank.text.bytes().size(); ++bytes) {
    rank.spill(bytes);
    for (const RankRecord& one : rank.drawn.take()) {
      CHECK(bytes == (taken.empty() ? first : rank.text.bytes().size()));
      taken.push_back(one);
    }
  }
  REQUIRE(taken.size() == 2);
  checkBatch(taken[0], 0, 0, kBatches[0]);
  checkBatch(taken[1], 0, 1, kBatches[1]);
}

TEST_CASE("a sampler that was told no epoch reads the one that the rank counts") {
  Rank1 rank;
  for (const std::int64_t pass : {0, 1}) {
    rank.text.pass(pass, 0, 0, 0);
    rank.text.batches(pass, 0, kBatches);
  }
  rank.spill();
  rank.say(hello(1));
  rank.say(SL_EPOCH_BEGIN, 0, 2, 1);  // the first backward pass came with the third batch
  rank.say(SL_STEP_BEGIN, 0, 2);
  rank.say(SL_EPOCH_BEGIN, 1, 0, 2);
  rank.say(SL_STEP_BEGIN, 1, 0);
  const auto taken = rank.drawn.take();
  REQUIRE(taken.size() == 4);
  for (const std::uint32_t step : {0U, 1U, 2U}) checkBatch(taken[step], 0, step, kBatches[step]);
  checkBatch(taken[3], 1, 0, kBatches[0]);
}

TEST_CASE("of two loops that train in turn each has its number, and its passes are counted") {
  Rank1 rank;
  rank.text.loader(1, 1, 2, true, "train.py:20");
  for (const std::int64_t pass : {0, 1, 2, 3}) {
    rank.text.pass(pass, pass % 2, 0, 0);
    rank.text.batches(pass, 0, {kBatches[static_cast<std::size_t>(pass) % 3]});
  }
  rank.spill();
  rank.say(hello(1));
  for (const std::uint32_t pass : {0U, 1U, 2U, 3U}) rank.say(SL_EPOCH_BEGIN, pass, 0, pass + 1);
  for (const std::uint32_t pass : {1U, 0U, 3U, 2U}) rank.say(SL_STEP_BEGIN, pass, 0);
  const auto taken = rank.drawn.take();
  REQUIRE(taken.size() == 4);
  for (const std::size_t i : {0U, 1U, 2U, 3U}) {
    const std::uint64_t pass = std::array{1U, 0U, 3U, 2U}.at(i);
    checkBatch(taken[i], static_cast<std::uint32_t>(pass / 2), 0, kBatches[pass % 3]);
    CHECK(taken[i].record.seq == pass);
    CHECK(taken[i].record.op == taken[i % 2].record.op);
  }
  CHECK(taken[0].record.op != taken[1].record.op);
}

TEST_CASE("passes beyond the epochs of the design are not held against it") {
  Rank1 rank;  // a design of five epochs
  rank.spill();
  rank.say(hello(1));
  for (const std::int64_t pass : {0, 1, 2, 3, 4, 5}) {
    rank.text.pass(pass, 0, 0, 0);
    rank.text.batches(pass, 0, {kBatches[0]});
    rank.say(SL_EPOCH_BEGIN, static_cast<std::uint32_t>(pass), 0, static_cast<std::uint64_t>(pass + 1));
    rank.say(SL_STEP_BEGIN, static_cast<std::uint32_t>(pass), 0);
  }
  rank.spill();
  CHECK(rank.drawn.take().size() == 5);
}

TEST_CASE("a file of another host is of no rank of this one") {
  for (const char* const host : {"h", "node1"}) {
    CAPTURE(host);
    Rank1 rank(10, host);
    rank.text.pass(0, 0, 0, 1);
    rank.text.batches(0, 0, {kBatches[0]});
    rank.spill();
    rank.say(hello(1));
    rank.say(SL_EPOCH_BEGIN, 0, 0, 1);
    rank.say(SL_STEP_BEGIN, 0, 0);
    CHECK(rank.drawn.take().size() == (std::string(host) == "h" ? 1 : 0));
  }
}

TEST_CASE("a loader that is made anew for every epoch is the same one") {
  Rank1 rank;
  rank.text.loader(1, 1, 2);
  for (const std::int64_t pass : {0, 1}) {
    rank.text.pass(pass, pass, 0, 0);
    rank.text.batches(pass, 0, {kBatches[static_cast<std::size_t>(pass)]});
  }
  rank.spill();
  rank.say(hello(1));
  for (const std::uint32_t pass : {0U, 1U}) {
    rank.say(SL_EPOCH_BEGIN, pass, 0, pass + 1);
    rank.say(SL_STEP_BEGIN, pass, 0);
  }
  const auto taken = rank.drawn.take();
  REQUIRE(taken.size() == 2);
  checkBatch(taken[0], 0, 0, kBatches[0]);
  checkBatch(taken[1], 1, 0, kBatches[1]);
}

TEST_CASE("loaders that the design is not about, and passes that no rank names, say nothing") {
  Rank1 other(11);
  other.text.pass(0, 0, 0, 1);
  other.text.batches(0, 0, kBatches);
  other.spill();
  other.say(hello(1));
  other.say(SL_EPOCH_BEGIN, 0, 0, 1);
  other.say(SL_STEP_BEGIN, 0, 0);
  CHECK(other.drawn.take().empty());

  Rank1 unnamed;
  unnamed.text.pass(0, 0, 0, 1);
  unnamed.text.batches(0, 0, kBatches);
  unnamed.spill();
  unnamed.say(hello(1));
  unnamed.say(SL_EPOCH_BEGIN, 0, 0, 0);
  unnamed.say(SL_STEP_BEGIN, 0, 0);
  CHECK(unnamed.drawn.take().empty());

  unnamed.say(hello(7));  // a process that no file is of
  unnamed.say(SL_EPOCH_BEGIN, 0, 0, 1);
  unnamed.say(SL_STEP_BEGIN, 0, 0);
  CHECK(unnamed.drawn.take().empty());
}
