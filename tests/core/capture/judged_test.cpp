// SPDX-License-Identifier: Apache-2.0
// What of a recording is judged, and what its audit says.
#include "core/capture/judged.h"

#include "tests/core/capture/probe_text.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using test::ProbeText;

namespace {

const std::string kSequential = R"({"class":"torch.utils.data.sampler.SequentialSampler"})";

/// The loader of this name, or else the first one, that these processes read, judged as the recording "job.slrun".
capture::Judgement judgedOf(const std::vector<ProbeText>& processes, const std::string& name = {}) {
  const test::TempFolder folder;
  for (std::size_t i = 0; i < processes.size(); ++i)
    test::spill(folder / ("h-" + std::to_string(i) + ".slprobe"), processes[i].bytes());
  const auto job = capture::readJob(folder / ".");
  REQUIRE(job);
  const std::size_t index = name.empty() ? 0 : capture::loaderMeant(job->loaders, name).value();
  auto loader = capture::captured(*job, index);
  REQUIRE(loader);
  return capture::judge(*job, index, *std::move(loader), "job.slrun");
}

/// A rank of two that drew these batches by its own sampler, and came to its end or was ended before.
ProbeText ownSampler(int rank, const std::vector<std::vector<SampleIndex>>& batches, const std::string& distributed,
                     bool came_through = true) {
  ProbeText text(rank, 2, 2);
  text.loaderWith(0, R"({"class":"mine.Sampler"})");
  text.passWith(0, 0, R"("torch_seed":7,"grad":true,"distributed":)" + distributed);
  text.batches(0, 0, batches);
  const auto count = static_cast<std::int64_t>(batches.size());
  text.news(0, ProbeText::News{count, count, count, count, came_through, came_through});
  if (came_through) text.end();
  return text;
}

std::vector<std::string> codesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> codes;
  for (const Finding& finding : findings) codes.push_back(finding.code);
  return codes;
}

bool has(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&part](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("of a pass that was left, what the loop got is judged, and its sentences say so") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, kSequential);
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
  text.news(0, ProbeText::News{5, 3, 3, 2, true});
  text.end();
  const capture::Judgement judgement = judgedOf({text});
  REQUIRE(judgement.judged);
  const capture::JudgedLoader& judged = *judgement.judged;
  CHECK_FALSE(judged.not_judged);
  CHECK(judged.loader.is_recorded);
  CHECK(judged.plan.shape(Epoch{0}, Rank{0})->batches == 3);
  CHECK(judged.reading.never_read == 4);
  CHECK(has(judgement.said, "job.slrun: what its loader train handed out, as it was recorded; epochs are passes."));
  const auto report = capture::auditJudged(judged);
  REQUIRE(report);
  CHECK_FALSE(has(codesOf(report->findings), "ok-coverage"));
}

TEST_CASE("an audit without fixes finds the same") {
  ProbeText first(0, 2, 2);
  ProbeText second(1, 2, 2);
  for (ProbeText* text : {&first, &second}) {
    text->loader(0, 0, 2, false);
    text->pass(0, 0, 0, 1);
    text->batches(0, 0, {{0, 2}, {4, 6}, {8}});
    text->news(0, 3, 3);
    text->end();
  }
  const capture::Judgement judgement = judgedOf({first, second});
  REQUIRE(judgement.judged);
  const auto with = capture::auditJudged(*judgement.judged);
  const auto without = capture::auditJudged(*judgement.judged, {.fixes = false});
  REQUIRE(with);
  REQUIRE(without);
  CHECK(codesOf(without->findings) == codesOf(with->findings));
  CHECK(without->hasErrors());
  CHECK(std::all_of(without->findings.begin(), without->findings.end(),
                    [](const Finding& one) { return one.fixes.empty(); }));
}

TEST_CASE("ranks with other numbers of batches are an error only where ranks wait for each other") {
  for (const bool waits : {true, false}) {
    CAPTURE(waits);
    const auto place = [waits](int rank) {
      return waits ? R"({"rank":)" + std::to_string(rank) + R"(,"world_size":2})" : std::string("null");
    };
    const capture::Judgement judgement =
        judgedOf({ownSampler(0, {{0}, {2}}, place(0)), ownSampler(1, {{1}, {3}, {5}}, place(1), !waits)});
    REQUIRE(judgement.judged);
    const auto report = capture::auditJudged(*judgement.judged);
    REQUIRE(report);
    CHECK(report->hasErrors() == waits);
    CHECK_FALSE(has(codesOf(report->findings), "ok-lockstep"));
  }
}

TEST_CASE("that ranks validate on the same samples may be meant, and is no error") {
  std::vector<ProbeText> processes;
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText& text = processes.emplace_back(rank, 2, 2);
    text.loaderWith(0, kSequential);
    text.loader(1, rank, 2, false, "train.py:20");
    for (const std::int64_t pass : {0, 1}) text.pass(pass, pass, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.batches(1, 0, {{0 + rank, 2 + rank}, {4 + rank, 6 + rank}, {8 + rank}});
    text.news(0, 5, 0);
    text.news(1, 3, 3);
    text.end();
  }
  const capture::Judgement judgement = judgedOf(processes, "val");
  REQUIRE(judgement.judged);
  const auto report = capture::auditJudged(*judgement.judged);
  REQUIRE(report);
  CHECK_FALSE(report->hasErrors());
  CHECK(has(codesOf(report->findings), "run-ranks-share-samples"));
  CHECK_FALSE(has(codesOf(report->findings), "ranks-identical-order"));
}

TEST_CASE("of a loader with drop_last, it is said that the batches are those behind it") {
  std::vector<ProbeText> processes;
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText& text = processes.emplace_back(rank, 2, 2);
    text.loaderOfBatches(0, R"({"class":"torch.utils.data.sampler.BatchSampler","values":{"batch_size":2,)"
                            R"("drop_last":true},"samplers":{"sampler":{"class":"mine.Sampler"}}})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{4 * rank, 4 * rank + 1}, {4 * rank + 2, 4 * rank + 3}});
    text.news(0, 2, 2);
    text.end();
  }
  const capture::Judgement judgement = judgedOf(processes);
  REQUIRE(judgement.judged);
  CHECK(has(judgement.judged->loader.spec.unknown, "The loader has drop_last=True"));
  const auto report = capture::auditJudged(*judgement.judged);
  REQUIRE(report);
  const auto left_out = std::find_if(report->findings.begin(), report->findings.end(),
                                     [](const Finding& one) { return one.code == "samples-left-out"; });
  REQUIRE(left_out != report->findings.end());
  CHECK(left_out->why.find("which leaves out a short last batch of each rank") != std::string::npos);
}

TEST_CASE("of a loader that is not known to train, nothing is said of gradients") {
  std::vector<ProbeText> processes;
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText& text = processes.emplace_back(rank, 2, 2);
    text.loaderWith(0, kSequential);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(0, 5, 0);
    text.end();
  }
  const capture::Judgement judgement = judgedOf(processes);
  REQUIRE(judgement.judged);
  const auto report = capture::auditJudged(*judgement.judged);
  REQUIRE(report);
  REQUIRE(has(codesOf(report->findings), "ranks-identical-order"));
  for (const Finding& finding : report->findings) CHECK(finding.why.find("gradients") == std::string::npos);
}

TEST_CASE("a Subset that does not divide is padded as any dataset, whatever its dataset has besides") {
  const auto severity = [](bool reads_all) {
    const auto subset = [reads_all](const std::string& digest, const std::string& indices, const std::string& more) {
      return R"({"class":"torch.utils.data.dataset.Subset","is_iterable":false,"length":)" +
             std::string(reads_all ? "3" : "4") +
             R"(,"subset":{"class":"D","length":8,"attributes":{"n":"1"},"digest":)" + digest + R"(,"indices":[)" +
             indices + (reads_all ? "" : more) + "]}}";
    };
    std::vector<ProbeText> processes;
    for (int rank = 0; rank < 2; ++rank) {
      ProbeText& text = processes.emplace_back(rank, 2, 2);
      text.loaderOf(0, subset(R"("a")", "0,1,2", ",6"));
      text.loaderOf(1, subset(R"("b")", "3,4,5", ",7"));
      for (const std::int64_t pass : {0, 1}) {
        text.pass(pass, pass, 0, 0);
        text.batches(pass, 0, {rank == 0 ? std::vector<SampleIndex>{0, 1} : std::vector<SampleIndex>{2, 0}});
        text.news(pass, 1, 1);
      }
      text.end();
    }
    const capture::Judgement judgement = judgedOf(processes);
    REQUIRE(judgement.judged);
    const auto report = capture::auditJudged(*judgement.judged);
    REQUIRE(report);
    const auto found = std::find_if(report->findings.begin(), report->findings.end(),
                                    [](const Finding& one) { return one.code == "ranks-share-samples"; });
    REQUIRE(found != report->findings.end());
    return found->severity;
  };
  CHECK(severity(true) != Severity::Error);
  CHECK(severity(false) == Severity::Error);
}

TEST_CASE("a loader of which ranks are missing is not judged, and what was found in the run stays") {
  ProbeText text(0, 2, 2);
  text.loaderWith(0, kSequential);
  for (const std::int64_t pass : {0, 1}) {
    text.pass(pass, 0, 0, 0);
    text.batches(pass, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(pass, 5, 5);
  }
  text.end();
  const capture::Judgement judgement = judgedOf({text});
  REQUIRE(judgement.judged);
  REQUIRE(judgement.judged->not_judged);
  const auto report = capture::auditJudged(*judgement.judged);
  REQUIRE(report);
  CHECK(codesOf(report->findings) == codesOf(capture::foundInRun(judgement.judged->loader)));
  CHECK(report->coverage.empty());
}

TEST_CASE("where ranks read datasets of their own, the sentence says that nothing is known of repeats") {
  std::vector<ProbeText> processes;
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText& text = processes.emplace_back(rank, 2, 2);
    text.loaderOf(
        0, R"({"class":"D","is_iterable":false,"length":4,"attributes":{"shard":")" + std::to_string(rank) + R"("}})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}});
    text.news(0, 2, 2);
    text.end();
  }
  const capture::Judgement judgement = judgedOf(processes);
  REQUIRE_FALSE(judgement.judged);
  CHECK(judgement.judged.error().message.starts_with("it is not known what its loader train reads several times."));
}
