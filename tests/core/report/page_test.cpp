// SPDX-License-Identifier: Apache-2.0

#include "core/base/text.h"
#include "core/record/pack.h"
#include "core/record/recording_writer.h"
#include "core/report/report.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;
using test::FakeRunFile;
using test::TempFolder;

namespace {

PipelineSpec specOf(std::int64_t ranks, std::int64_t steps) {
  PipelineSpec spec;
  spec.name = "<small> & \"quick\"";
  spec.dataset.size = ranks * steps * 2;
  spec.world = {1, ranks};
  spec.loader.batch_size = 2;
  return spec;
}

/// The report of a run of the first epoch, in which `late_rank` was slow and `wrong` reported other batches.
Report reportOf(const PipelineSpec& spec, std::int64_t late_rank, std::int64_t wrong,
                JobStatus end = JobStatus::Finished) {
  const TempFolder folder;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  FakeRunFile file(folder / "run.slrun", *plan, yaml::writeSpec(spec, sampling::catalogue()));
  for (std::int64_t step = 0; step < *plan->steps(Epoch{0}); ++step) file.step(0, step, late_rank, wrong);
  file.bye();
  file.end(end);
  auto report = makeReport(folder / "run.slrun");
  REQUIRE(report);
  return *std::move(report);
}

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

/// Of a command whose probe saw one rank read ten samples in order, with these two at the end.
Result<Report> reportOfCommand(std::string spec_yaml, const std::vector<SampleIndex>& last) {
  const TempFolder folder;
  auto writer = RecordingWriter::create(folder / "run.slrun");
  REQUIRE(writer);
  RunBegin begin;
  begin.spec_yaml = std::move(spec_yaml);
  begin.reports = false;
  writer->add({1, begin});
  writer->add({2, RunEnd{}});
  REQUIRE(writer->flush());
  test::ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, last});
  text.news(0, 5, 5);
  text.end();
  test::spill(folder / "run.slrun" / "h-1.slprobe", text.bytes());
  return makeReport(folder / "run.slrun");
}

}  // namespace

TEST_CASE("the page says what the reducer and the proof say, in their words") {
  PipelineSpec spec = specOf(4, 120);
  spec.epochs = 1;
  const Report report = reportOf(spec, 2, -1);
  const std::string page = reportPage(report);
  REQUIRE(!report.state.verdicts.empty());
  CHECK(has(page, report.state.verdicts[0].title));
  CHECK(has(page, "Every planned batch was read and matches the plan"));
  CHECK(has(page, "480 batches were compared."));
  CHECK(has(page, "<tr class=\"named\"><td>2</td>"));
  CHECK(!has(page, "<tr class=\"named\"><td>1</td>"));
  CHECK(has(page, "class=\"band\""));
  CHECK(!has(page, "Started"));  // the recording does not say
  Report dated = report;
  dated.started_unix_ns = 1'700'000'000'000'000'000;
  CHECK(has(reportPage(dated), "<dt>Started</dt><dd>2023-11-14 22:13:20 UTC</dd>"));
}

TEST_CASE("batches that are not the planned ones are an error on the page") {
  PipelineSpec spec = specOf(2, 8);
  spec.epochs = 1;
  const Report report = reportOf(spec, -1, 1);
  REQUIRE(report.proof);
  CHECK(report.proof->result == ProofResult::Mismatch);
  const std::string page = reportPage(report);
  CHECK(has(page, "The job did not read what its spec plans"));
  CHECK(has(page, "<td class=\"wrong\">8</td>"));
  CHECK(!has(page, "matches the plan</h3>"));
}

TEST_CASE("a run that ended before its plan did proves nothing whole") {
  PipelineSpec spec = specOf(2, 8);
  spec.epochs = 2;
  const Report report = reportOf(spec, -1, -1, JobStatus::Stopped);
  CHECK(has(reportPage(report), "Not every planned batch could be compared"));
}

TEST_CASE("names, output and specs can be no markup, and nothing is asked of a network") {
  PipelineSpec spec = specOf(2, 4);
  spec.epochs = 1;
  Report report = reportOf(spec, -1, -1);
  report.state.log.push({0, true, "</pre><script>alert(1)</script> @style@ \xff"});
  const std::string page = reportPage(report);
  CHECK(has(page, "<title>&lt;small&gt; &amp; &quot;quick&quot;</title>"));
  CHECK(has(page, "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; @style@ \xEF\xBF\xBD"));
  CHECK(!has(page, "<script"));
  CHECK(!has(page, "http:"));
  CHECK(!has(page, "https:"));
}

TEST_CASE("a command whose loaders a probe saw is judged by what they read") {
  PipelineSpec spec = specOf(1, 5);
  spec.sampler.type = "torch.SequentialSampler";
  spec.epochs = 1;
  for (const bool is_swapped : {false, true}) {
    const auto report = reportOfCommand(yaml::writeSpec(spec, sampling::catalogue()),
                                        is_swapped ? std::vector<SampleIndex>{9, 8} : std::vector<SampleIndex>{8, 9});
    REQUIRE(report);
    REQUIRE_MESSAGE(report->proof, report->no_proof);
    CHECK(report->proof->result == (is_swapped ? ProofResult::Mismatch : ProofResult::Match));
    CHECK(has(reportPage(*report), is_swapped ? "<p class=\"error\">" : "<p class=\"fine\">"));
    CHECK(has(reportPage(*report), is_swapped ? "did not read what its spec plans" : "5 batches were compared."));
  }
}

TEST_CASE("of a command without a spec the page says what its loaders read") {
  const auto report = reportOfCommand({}, {8, 9});
  REQUIRE(report);
  const std::string page = reportPage(*report);
  CHECK(has(page, "1 rank. No rank has reported"));
  CHECK(has(page, "train (train.py:7, 10 samples)"));
  CHECK(has(page, "torch.SequentialSampler"));
  CHECK(has(page, "All 5 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them."));
  CHECK(!has(page, "there is no plan to compare"));
}

TEST_CASE("of a command without a spec whose ranks report, the page says that there is no plan") {
  const TempFolder folder;
  RunBegin begin;
  begin.name = "solver";
  begin.reports = false;
  sl_record hello{};
  hello.time_ns = 2'000'000'000;
  hello.kind = SL_HELLO;
  hello.b = 2;
  auto writer = RecordingWriter::create(folder / "run.slrun");
  REQUIRE(writer);
  writer->add({1'000'000'000, begin});
  for (std::int64_t rank = 0; rank < 2; ++rank) writer->add(rank, {&hello, 1});
  writer->add({3'000'000'000, RunEnd{}});
  REQUIRE(writer->flush());
  const auto report = makeReport(folder / "run.slrun");
  REQUIRE(report);
  CHECK(report->state.world_size == 2);
  CHECK(report->no_proof == "The command was run without a spec, so there is no plan to compare its batches with.");
}

TEST_CASE("a rank that hangs is seen to wait until the end") {
  const TempFolder folder;
  PipelineSpec spec = specOf(2, 8);
  spec.epochs = 1;
  const auto plan = Plan::make(spec);
  FakeRunFile file(folder / "run.slrun", *plan, yaml::writeSpec(spec, sampling::catalogue()));
  file.step(0, 0);
  file.halfStep(0, 1, 1);
  file.add({file.now() + 5'000'000'000, Tick{}});
  file.add({file.now() + 5'000'000'000, RunEnd{JobStatus::Stopped, 4, "The user stopped the job."}});
  const auto report = makeReport(folder / "run.slrun");
  REQUIRE(report);
  const auto rows = report->picture.rows(64);
  REQUIRE(!rows[0].blocks.empty());
  CHECK(rows[0].blocks.back().phase == Phase::Wait);
  CHECK(rows[0].blocks.back().last == report->picture.columns());
  CHECK(report->picture.columns() * report->picture.columnNs() > 4'900'000'000);
  const std::string page = reportPage(*report);
  CHECK(has(page, "<td>5.0"));
  CHECK(!has(page, "The job failed"));
}

TEST_CASE("a collective that is under way at the end is seen with its waiting before its transfer") {
  const TempFolder folder;
  PipelineSpec spec = specOf(2, 8);
  spec.epochs = 1;
  const auto plan = Plan::make(spec);
  FakeRunFile file(folder / "run.slrun", *plan, yaml::writeSpec(spec, sampling::catalogue()));
  file.step(0, 0);
  file.halfStep(0, 1, 1);
  sl_record late{};
  late.kind = SL_COLL_ENTER;
  late.op = SL_OP_ALLREDUCE;
  late.step = 1;
  late.seq = 1;
  late.time_ns = static_cast<std::uint64_t>(file.now() + 2'000'000'000);
  file.add({file.now() + 2'000'000'000, RankRecord{1, late}});
  file.add({file.now() + 5'000'000'000, Tick{}});
  const auto report = makeReport(folder / "run.slrun");
  REQUIRE(report);
  const auto blocks = report->picture.rows(64)[0].blocks;
  REQUIRE(blocks.size() > 2);
  CHECK(blocks[blocks.size() - 2].phase == Phase::Wait);
  CHECK(blocks.back().phase == Phase::Transfer);
}

TEST_CASE("a recording with damage says that its times may be too small, and one without an end that it has none") {
  PipelineSpec spec = specOf(2, 4);
  spec.epochs = 1;
  Report report = reportOf(spec, -1, -1);
  CHECK(!has(reportPage(report), "Records of this job are missing"));
  CHECK(has(reportPage(report), "<dt>Exit code</dt>"));
  CHECK(!has(reportPage(report), "\u2265"));
  report.is_damaged = true;
  report.state.ranks[1].has_gaps = true;
  report.state.status = JobStatus::Unknown;
  const std::string page = reportPage(report);
  CHECK(has(page, "Records of this job are missing"));
  CHECK(has(page, "How the job ended is not known"));
  CHECK(has(page, "<dt>Exit code</dt><dd>not known</dd>"));
  CHECK(has(page, "\u2265\u202f0.04\u202fs"));
  CHECK(has(page, "at least so much"));
  CHECK(has(page, "rank 1, of what was recorded: data wait"));
  CHECK(!has(page, "rank 0, of what"));
}

TEST_CASE("a recording that was cut says neither that the job failed nor that it ended") {
  const TempFolder folder;
  PipelineSpec spec = specOf(2, 8);
  spec.epochs = 1;
  const auto plan = Plan::make(spec);
  {
    FakeRunFile file(folder / "run.slrun", *plan, yaml::writeSpec(spec, sampling::catalogue()));
    for (std::int64_t step = 0; step < 5; ++step) file.step(0, step);
  }
  REQUIRE(packRecording(folder / "run.slrun", folder / "cut.slpack"));  // of which it is known that nobody writes it
  const auto report = makeReport(folder / "cut.slpack");
  REQUIRE(report);
  CHECK(report->state.status == JobStatus::Unknown);
  const std::string page = reportPage(*report);
  CHECK(
      has(page, "How the job ended is not known. It was recorded for 110\u202fms: 2 ranks, 10 of 16 batches reported"));
  CHECK(has(page,
            "6 of 16 planned batches were not reported: the recording ends before them, and it is not known whether "
            "the run continued."));
  CHECK(!has(page, "The job failed"));
  CHECK(!has(page, "Failed"));
  CHECK(has(page, "between phases at the end"));
}

TEST_CASE("who said a line is told, and text from outside turns no direction of writing") {
  PipelineSpec spec = specOf(2, 4);
  spec.epochs = 1;
  spec.name = "gnp\u202e.exe";
  Report report = reportOf(spec, -1, -1);
  report.state.log.push({LogLine::kOwn, true, "The user stopped the job."});
  report.state.log.push({LogLine::kLauncher, true, "mpirun noticed"});
  report.state.ranks[0].host = "h\u202ex";
  report.note = "n\u202ex";
  const std::string page = reportPage(report);
  CHECK(has(page, "<span class=\"rank\">ShardLens</span> <span class=\"bad\">The user stopped the job."));
  CHECK(has(page, "<span class=\"rank\">launcher</span> <span class=\"bad\">mpirun noticed"));
  CHECK(!has(page, "\u202e"));
}

TEST_CASE("of a rank that was never heard of the table says nothing") {
  PipelineSpec spec = specOf(2, 4);
  spec.epochs = 1;
  Report report = reportOf(spec, -1, -1);
  report.state.ranks[1] = {};
  report.state.ranks[1].rank = 1;
  const std::string page = reportPage(report);
  CHECK(has(page, "<td>1</td><td class=\"text\"></td><td></td><td></td><td class=\"text\">not measured</td><td></td>"));
}

TEST_CASE("a page of very many ranks stays below two megabytes") {
  PipelineSpec spec = specOf(256, 40);
  spec.epochs = 1;
  const Report report = reportOf(spec, 200, -1);
  const std::string page = reportPage(report);
  CHECK(page.size() < 2'000'000);
  CHECK(has(page, "Several ranks share a row"));
}

TEST_CASE("a file that is no recording, and stopped work, are errors") {
  const TempFolder folder;
  CHECK(!makeReport(folder / "none.slrun"));
}

TEST_CASE("a duration that does not begin with the command says with what it begins") {
  RunState state;
  state.status = JobStatus::Finished;
  state.elapsed_ns = 1'400'000'000;
  state.world_size = 2;
  CHECK(outcomeText(state) == "Finished after " + durationText(state.elapsed_ns) + ": 2 ranks.");
  state.is_from_start = false;
  CHECK(outcomeText(state) ==
        "Finished after " + durationText(state.elapsed_ns) + ", counted from its first rank on: 2 ranks.");
}
