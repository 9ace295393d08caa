// SPDX-License-Identifier: Apache-2.0
// A run is judged by what was recorded, whatever its sampler is, and seeds are said only as far as they were seen.
#include "core/capture/capture_words.h"
#include "core/capture/judged.h"
#include "core/capture/reading.h"
#include "core/record/recording_writer.h"
#include "core/sampling/torch/loader_seeds.h"
#include "tests/core/capture/captured.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace shardlens;
using capture::CapturedLoader;
using capture::PassReading;
using capture::Reading;
using capture::RecordedPass;
using test::ProbeText;
using Batches = std::vector<std::vector<SampleIndex>>;

namespace {

const std::string kUnknown = R"({"class":"mine.Sampler","values":{}})";

/// The one loader that they read; no rule is searched for, since none is asked for here.
CapturedLoader loaderWithoutSearch(const std::vector<ProbeText>& processes) {
  capture::CaptureOptions how;
  how.search = false;
  capture::Capture all = test::captured(processes, how);
  REQUIRE(all.loaders.size() == 1);
  return std::move(all.loaders.front());
}

/// A rank of `world_size` of torch.distributed that reads these batches in one pass, as far as the news say.
ProbeText reader(std::int64_t rank, std::int64_t world_size, const Batches& batches, const ProbeText::News& news) {
  ProbeText text(rank, world_size, world_size);
  text.loaderWith(0, kUnknown);
  text.passWith(0, 0,
                R"("torch_seed":7,"grad":true,"distributed":{"rank":)" + std::to_string(rank) + R"(,"world_size":)" +
                    std::to_string(world_size) + "}");
  text.batches(0, 0, batches);
  text.news(0, news);
  return text;
}

const capture::RunFinding* found(const CapturedLoader& loader, const std::string& code) {
  const auto one = std::find_if(loader.findings.begin(), loader.findings.end(),
                                [&](const capture::RunFinding& finding) { return finding.code == code; });
  return one == loader.findings.end() ? nullptr : &*one;
}

/// One rank of a stream that delivered so many batches.
ProbeText stream(std::int64_t rank, std::int64_t handed, bool ended) {
  ProbeText text(rank, 2, 2);
  text.iterable(0);
  text.pass(0, 0, 0, 0);
  text.opaque(0, handed + 1);  // the call that meets the end draws, too
  text.news(0, {handed + 1, handed, handed, handed, false, ended});
  text.end();
  return text;
}

/// Ranks whose first pass begins with this seed of torch; whether somebody seeded it is added where it is known.
CapturedLoader seededWith(const std::vector<std::string>& seeds, const std::string& seeded) {
  std::vector<ProbeText> ranks;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const auto rank = static_cast<std::int64_t>(i);
    const auto size = static_cast<std::int64_t>(seeds.size());
    ProbeText text(rank, size, size);
    text.loaderOf(0, R"({"class":"D","is_iterable":false,"length":4})");
    text.passWith(0, 0, R"("torch_seed":)" + seeds[i] + seeded);
    text.batches(0, 0, {{0, 1}, {2, 3}});
    text.news(0, 2, 2);
    ranks.push_back(text);
  }
  return loaderWithoutSearch(ranks);
}

}  // namespace

TEST_CASE("a rank that came to its end is named while another one goes on with more batches") {
  const ProbeText::News over{2, 2, 2, 2, true, true};
  const ProbeText::News going_on{3, 3, 3, 3, false, false};
  const CapturedLoader loader =
      loaderWithoutSearch({reader(0, 2, {{0, 1}, {2, 3}, {4, 5}}, going_on), reader(1, 2, {{6, 7}, {8, 9}}, over)});
  const capture::RunFinding* finding = found(loader, "run-unequal-batches");
  REQUIRE(finding != nullptr);
  CHECK(finding->is_of_waiting);
  CHECK(finding->text.find("rank 1 ended after 2 batches, and rank 0 had 3. A collective in step 2 would wait for "
                           "ever, or meet one of another pass.") != std::string::npos);
  const CapturedLoader none = loaderWithoutSearch(
      {reader(0, 2, {{0, 1}}, {1, 1, 1, 1, false, false}), reader(1, 2, {}, {0, 0, 0, 0, true, true})});
  REQUIRE(found(none, "run-unequal-batches") != nullptr);
  CHECK(found(none, "run-unequal-batches")
            ->text.find("A collective in step 0 would wait for ever, or meet one of another pass.") !=
        std::string::npos);
  // Ranks that all came through did not wait for ever.
  ProbeText more = reader(0, 2, {{0, 1}, {2, 3}, {4, 5}}, {3, 3, 3, 3, true, true});
  ProbeText fewer = reader(1, 2, {{6, 7}, {8, 9}}, over);
  more.end();
  fewer.end();
  const CapturedLoader joined = loaderWithoutSearch({more, fewer});
  REQUIRE(found(joined, "run-unequal-batches") != nullptr);
  CHECK(found(joined, "run-unequal-batches")
            ->text.ends_with("Yet all ranks read their last pass to its end, as they do under DDP's Join."));
  const auto severity = [](const CapturedLoader& captured) {
    const std::vector<Finding> all = capture::foundInRun(captured);
    const auto one =
        std::find_if(all.begin(), all.end(), [](const Finding& it) { return it.code == "run-unequal-batches"; });
    return one == all.end() ? Severity::Info : one->severity;
  };
  CHECK(severity(joined) == Severity::Warning);
  // A thread may read on while the loop of its rank fails.
  const test::TempFolder folder;
  {
    auto writer = RecordingWriter::create(folder / "job.slrun");
    REQUIRE(writer);
    writer->add({1, RunBegin{}});
    writer->add({2, RunEnd{JobStatus::Failed, 1, "rank 1 ended with code 1"}});
  }
  test::spill(folder / "job.slrun" / "h-0.slprobe", more.bytes());
  test::spill(folder / "job.slrun" / "h-1.slprobe", fewer.bytes());
  capture::CaptureOptions how;
  how.search = false;
  const auto failed = capture::capture(folder / "job.slrun", how);
  REQUIRE(failed);
  REQUIRE(found(failed->loaders.front(), "run-unequal-batches") != nullptr);
  CHECK(found(failed->loaders.front(), "run-unequal-batches")->text.find("Join") == std::string::npos);
  CHECK(severity(failed->loaders.front()) == Severity::Error);
  CHECK(severity(none) == Severity::Error);
  // As many so far says nothing.
  const CapturedLoader even = loaderWithoutSearch(
      {reader(0, 2, {{0, 1}, {2, 3}}, {2, 2, 2, 2, false, false}), reader(1, 2, {{6, 7}, {8, 9}}, over)});
  CHECK(found(even, "run-unequal-batches") == nullptr);
  // Nor do two ranks of which neither has ended.
  const CapturedLoader open = loaderWithoutSearch(
      {reader(0, 2, {{0, 1}, {2, 3}, {4, 5}}, going_on), reader(1, 2, {{6, 7}, {8, 9}}, {2, 2, 2, 2, false, false})});
  CHECK(found(open, "run-unequal-batches") == nullptr);
}

TEST_CASE("a rank that left a pass is named where others read more of it to its end") {
  const Batches three = {{0, 1}, {2, 3}, {4, 5}};
  const auto job = [&](bool is_known, const ProbeText::News& other, std::int64_t handed = 1) {
    ProbeText leaves = reader(0, 2, {{6, 7}}, {1, handed, handed, handed, false, false});
    if (is_known) leaves.end();
    return loaderWithoutSearch({leaves, reader(1, 2, three, other)});
  };
  const CapturedLoader loader = job(true, {3, 3, 3, 3, true, true});
  REQUIRE(found(loader, "run-unequal-batches") != nullptr);
  CHECK(found(loader, "run-unequal-batches")->is_of_waiting);
  CHECK(found(loader, "run-unequal-batches")->text ==
        "Ranks have unequal numbers of batches in pass 0: rank 0 left it after 1 batch, and rank 1 had 3. A collective "
        "in step 1 would wait for ever, or meet one of another pass.");
  // A rank that took none may not read; one that was killed may have got more; what others left, too, they may have
  // left together.
  CHECK(found(job(true, {3, 3, 3, 3, true, true}, 0), "run-unequal-batches") == nullptr);
  CHECK(found(job(false, {3, 3, 3, 3, true, true}), "run-unequal-batches") == nullptr);
  CHECK(found(job(true, {3, 3, 3, 3, false, false}), "run-unequal-batches") == nullptr);
}

TEST_CASE("ranks that got no batch of a pass are told apart from those that did") {
  ProbeText none = reader(1, 2, {}, {0, 0, 0, 0, false, false});
  none.end();
  const CapturedLoader loader = loaderWithoutSearch({reader(0, 2, {{0, 1}, {2, 3}}, {2, 2, 2, 2, true, true}), none});
  CHECK(words::recorded(loader.job, loader.agreement) == "2 batches on rank 0 are recorded.");
  const std::vector<RecordedPass> passes = {{0, 0, std::nullopt, true, {0, 1, 2, 3}, {2, 4}},
                                            {1, 0, std::nullopt, false, {}, {}}};
  const Reading reading = capture::readingOf(loader.job, passes);
  CHECK(words::passRead(reading.passes.at(0)) ==
        "Pass 0: 2 batches with 4 items on rank 0: 4 samples, none twice. Rank 1 got none. Rank 1 left it "
        "there, without asking for another batch.");
  const std::vector<RecordedPass> one = {{0, 0, std::nullopt, true, {0}, {1}}, {1, 0, std::nullopt, true, {0}, {1}}};
  CHECK(words::passRead(capture::readingOf(loader.job, one).passes.at(0)) ==
        "Pass 0: 2 batches with 2 items on ranks 0 and 1: 1 sample, on several ranks.");
}

TEST_CASE("a stream has the batches that it delivered, and its end is no batch") {
  const CapturedLoader even = loaderWithoutSearch({stream(0, 4, true), stream(1, 4, true)});
  CHECK(even.agreement.batches == 8);
  CHECK(even.agreement.queued == 0);
  CHECK(even.agreement.not_recorded == 0);
  CHECK(even.findings.empty());
  const CapturedLoader uneven = loaderWithoutSearch({stream(0, 4, true), stream(1, 5, false)});
  REQUIRE(found(uneven, "run-unequal-batches") != nullptr);
  CHECK(uneven.agreement.batches == 9);
  const CapturedLoader left = loaderWithoutSearch({stream(0, 4, true), stream(1, 3, false)});
  REQUIRE(found(left, "run-unequal-batches") != nullptr);
  CHECK(found(left, "run-unequal-batches")->text.find("rank 1 left it after 3 batches, and rank 0 had 4.") !=
        std::string::npos);
}

TEST_CASE("seeds without a rule are listed, and unseeded is said only where that was seen") {
  const auto rule = [](const std::vector<std::string>& seeds, const std::string& seeded) {
    return seededWith(seeds, seeded).spec.spec.seeds.rule;
  };
  const std::string yes = R"(,"torch_seeded":true)";
  const std::string no = R"(,"torch_seeded":false)";
  CHECK(rule({"7", "7"}, yes) == "same");
  CHECK(rule({"7", "8"}, yes) == "base+rank");
  CHECK(rule({"100", "100", "101", "101"}, yes) == "unknown");
  CHECK(rule({"100", "100", "101", "101"}, "") == "unknown");
  CHECK(rule({"5577", "9988"}, no) == "unseeded");
  CHECK(rule({"5577"}, no) == "unseeded");
  CHECK(rule({"5577"}, yes) == "same");
  const CapturedLoader listed = seededWith({"100", "100", "101", "101"}, yes);
  CHECK(std::find(listed.spec.unknown.begin(), listed.spec.unknown.end(),
                  "The torch seeds of the ranks follow no rule that a spec has: 100, 100, 101, 101.") !=
        listed.spec.unknown.end());
}

TEST_CASE("seeds of workers are said only where their recorded base_seed bears them out") {
  PipelineSpec spec;
  spec.dataset.size = 4;
  spec.sampler.type = "torch.SequentialSampler";
  spec.loader.num_workers = 2;
  spec.seeds = {7, "same"};
  const std::uint64_t by_script = sampling::torchBaseSeed(spec, Epoch{0}, Rank{0});
  spec.loader.generator_seed = std::int64_t{42};
  const std::uint64_t by_generator = sampling::torchBaseSeed(spec, Epoch{0}, Rank{0});
  REQUIRE(by_script != by_generator);
  const auto captured = [](const std::string& more, std::uint64_t base_seed) {
    ProbeText text(0, 1, 1);
    text.loaderOf(0, R"({"class":"D","is_iterable":false,"length":4},"num_workers":2)" + more);
    text.passWith(0, 0, R"("torch_seed":7,"torch_seeded":true)");
    text.batches(0, 0, {{0, 1}, {2, 3}});
    text.newsWith(0, R"("drawn":2,"handed":2,"exhausted":true,"base_seed":)" + std::to_string(base_seed));
    return loaderWithoutSearch({text}).spec.spec.loader;
  };
  const std::string generator = R"(,"generator":{"seed":42,"device":"cpu","is_fresh":true})";
  const std::string lightnings = R"(,"worker_init_fn":"lightning.fabric.utilities.seed.pl_worker_init_function")";
  CHECK(captured("", by_script).worker_seeds == "torch");
  CHECK(captured("", by_script + 1).worker_seeds == "unknown");
  CHECK(captured(generator, by_generator).worker_seeds == "torch");
  CHECK(captured(generator, by_generator).generator_seed == Value(std::int64_t{42}));
  CHECK(captured(generator, by_script).worker_seeds == "unknown");
  CHECK(captured(R"(,"worker_init_fn":"train.seed_worker")", by_script).worker_seeds == "unknown");
  CHECK(captured(lightnings + R"(,"worker_init_release":"2.6.6")", by_script).worker_seeds == "lightning");
  CHECK(captured(lightnings + R"(,"worker_init_release":"2.1.0")", by_script).worker_seeds == "unknown");
}

TEST_CASE("what was read is counted as an independent count counts it") {
  std::mt19937 random(20261126);
  const auto draw = [&random](std::int64_t most) { return static_cast<std::int64_t>(random() % (most + 1)); };
  for (int round = 0; round < 200; ++round) {
    const std::int64_t ranks = 1 + draw(3);
    const std::int64_t size = 1 + draw(11);
    const std::size_t count = 1 + static_cast<std::size_t>(draw(2));
    capture::JobLoader job;
    job.world_size = ranks;
    std::vector<RecordedPass> passes;
    for (std::size_t index = 0; index < count; ++index) {
      for (std::int64_t rank = 0; rank < ranks; ++rank) {
        RecordedPass pass{rank, index, std::nullopt, draw(3) > 0, {}, {}};
        for (std::int64_t items = draw(8); items > 0; --items) pass.ids.push_back(draw(size - 1));
        if (index > 0 && draw(1) == 0) pass.ids = passes[static_cast<std::size_t>(rank)].ids;
        if (!pass.ids.empty()) pass.ends = {static_cast<std::int64_t>(pass.ids.size())};
        passes.push_back(pass);
      }
    }
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      job.ranks.emplace_back().rank = rank;
      job.ranks.back().loader.dataset_length = size;
    }
    const Reading reading = capture::readingOf(job, passes);
    REQUIRE(reading.passes.size() == count);
    std::set<SampleIndex> any;
    for (std::size_t index = 0; index < count; ++index) {
      std::map<SampleIndex, std::map<std::int64_t, std::int64_t>> readers;  // of a sample: how often each rank read it
      std::int64_t items = 0;
      for (const RecordedPass& pass : passes) {
        if (pass.index != index) continue;
        for (const SampleIndex id : pass.ids) {
          ++readers[id][pass.rank];
          ++items;
          any.insert(id);
        }
      }
      std::int64_t shared = 0;
      std::int64_t repeated = 0;
      for (const auto& [id, by_rank] : readers) {
        shared += by_rank.size() > 1 ? 1 : 0;
        for (const auto& [rank, times] : by_rank) repeated += times - 1;
      }
      const PassReading& pass = reading.passes[index];
      CHECK(pass.items == items);
      CHECK(pass.samples == static_cast<std::int64_t>(readers.size()));
      CHECK(pass.shared == shared);
      CHECK(pass.repeated == repeated);
    }
    CHECK(reading.never_read == size - static_cast<std::int64_t>(any.size()));
  }
}

namespace {

/// Rank `rank` of a start with this port, which reads one batch from `begun` on and ends, where it did.
ProbeText startedAt(std::int64_t rank, const std::string& port, std::int64_t begun, std::int64_t ended,
                    SampleIndex id) {
  ProbeText text(rank, 2, R"("MASTER_PORT":")" + port + R"(","OMPI_COMM_WORLD_RANK":"7")");
  text.loaderWith(0, kUnknown);
  text.passAt(0, 0, begun);
  text.batches(0, 0, {{id, id + 1}});
  text.news(0, 1, 1);
  if (ended > 0) text.end(ended);
  return text;
}

capture::Capture started(const std::vector<ProbeText>& processes) {
  capture::CaptureOptions how;
  how.search = false;
  return test::captured(processes, how);
}

}  // namespace

TEST_CASE("two worlds that ran at once are two loaders, and are named as such") {
  const capture::Capture all = started({startedAt(0, "1", 10, 90, 0), startedAt(0, "2", 11, 91, 0),
                                        startedAt(1, "2", 12, 92, 2), startedAt(1, "1", 13, 93, 2)});
  REQUIRE(all.loaders.size() == 2);
  for (const CapturedLoader& loader : all.loaders) {
    CHECK(loader.job.ranks.size() == 2);
    CHECK(loader.agreement.batches == 2);
    CHECK(loader.job.at_once);
    const capture::RunFinding* const finding = found(loader, "run-jobs-at-once");
    REQUIRE(finding != nullptr);
    CHECK(finding->text.find(
              "Another job with the same ranks ran at the same time. In this one ranks 0 and 1 of world size "
              "2 read this loader, started by process 7 of another launcher. The other reads the same "
              "batches: each of these samples is read more than once.") == 0);
  }
  CHECK(all.loaders[0].job.is_meant);
  CHECK_FALSE(all.loaders[1].job.is_meant);
  const std::size_t first = all.loaders[0].job.ranks[0].process;
  CHECK((first == 0 || first == 1));
  CHECK(all.loaders[0].job.ranks[1].process == (first == 0 ? 3 : 2));
}

TEST_CASE("two worlds at once are not said to read the same where no batch of them is recorded") {
  std::vector<ProbeText> processes;
  for (const char* const port : {"1", "2"}) {
    ProbeText text(0, 2, R"("MASTER_PORT":")" + std::string(port) + R"(")");
    text.loaderWith(0, kUnknown);
    text.passAt(0, 0, 10);
    text.end(90);
    processes.push_back(text);
  }
  const capture::Capture all = started(processes);
  REQUIRE(all.loaders.size() == 2);
  REQUIRE(found(all.loaders[0], "run-jobs-at-once") != nullptr);
  CHECK(found(all.loaders[0], "run-jobs-at-once")->text.find("the same batches") == std::string::npos);
}

TEST_CASE("two worlds at once that read different batches are not said to read the same") {
  const capture::Capture all = started({startedAt(0, "1", 10, 90, 0), startedAt(0, "2", 11, 91, 4)});
  REQUIRE(all.loaders.size() == 2);
  REQUIRE(found(all.loaders[0], "run-jobs-at-once") != nullptr);
  CHECK(found(all.loaders[0], "run-jobs-at-once")->text.find("the same batches") == std::string::npos);
}

TEST_CASE("programs of one rank that run at once are an accident only where they read the same") {
  const auto program = [](const std::string& port, SampleIndex id) {
    ProbeText text(0, 1, R"("MASTER_PORT":")" + port + R"(")");
    text.loaderWith(0, kUnknown);
    text.passAt(0, 0, 10);
    text.batches(0, 0, {{id, id + 1}});
    text.news(0, 1, 1);
    text.end(90);
    return text;
  };
  const capture::Capture sweep = started({program("1", 0), program("2", 4)});
  REQUIRE(sweep.loaders.size() == 2);
  CHECK(sweep.loaders[0].job.at_once);
  CHECK(found(sweep.loaders[0], "run-jobs-at-once") == nullptr);
  CHECK(found(started({program("1", 0), program("2", 0)}).loaders[0], "run-jobs-at-once") != nullptr);
}

TEST_CASE("ranks that were started again are shown start by start, the last one first") {
  const capture::Capture all = started({startedAt(0, "1", 10, 40, 0), startedAt(1, "1", 11, 0, 2),
                                        startedAt(0, "1", 50, 90, 4), startedAt(1, "1", 51, 91, 6)});
  REQUIRE(all.loaders.size() == 2);
  const auto start = [&](std::size_t i) { return all.loaders[i].job.start; };
  CHECK(start(0) == 1);
  CHECK(start(1) == 0);
  for (const CapturedLoader& loader : all.loaders) {
    CHECK(loader.job.ranks.size() == 2);
    CHECK_FALSE(loader.job.at_once);
    CHECK(found(loader, "run-jobs-at-once") == nullptr);
    REQUIRE_FALSE(loader.job.remarks.empty());
    CHECK(loader.job.remarks[0].find("were started 2 times. This is start ") != std::string::npos);
  }
}

TEST_CASE("of several starts, those are said to have run at once that did") {
  const capture::Capture all =
      started({startedAt(0, "1", 10, 40, 0), startedAt(0, "2", 11, 41, 4), startedAt(0, "3", 50, 90, 8)});
  REQUIRE(all.loaders.size() == 3);
  const auto remark = [&](std::size_t i) { return all.loaders[i].job.remarks.at(0); };
  CHECK(remark(0).find("were started 3 times. This is start 3, with rank 0;") != std::string::npos);
  CHECK(found(all.loaders[0], "run-jobs-at-once") == nullptr);
  CHECK(remark(1).find("3 times, and another start ran at the same time as this one. This is start 1, with rank 0;") !=
        std::string::npos);
  CHECK(found(all.loaders[1], "run-jobs-at-once") != nullptr);
}
