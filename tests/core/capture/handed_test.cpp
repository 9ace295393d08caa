// SPDX-License-Identifier: Apache-2.0
// What the loop got, as opposed to what was queued for it, and what loaders are read for.
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/reading.h"
#include "core/capture/recorded_batches.h"
#include "core/plan/plan.h"
#include "core/record/recording_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

using namespace shardlens;
using capture::Purpose;
using test::ProbeText;
using test::TempFolder;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

const Batches kAll = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}};
const std::string kSequential = R"({"class":"torch.utils.data.sampler.SequentialSampler"})";

/// A recording of these processes.
class Recorded {
 public:
  explicit Recorded(const ProbeText& text) : Recorded(std::vector{text}) {}
  explicit Recorded(const std::vector<ProbeText>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      std::ofstream(folder_ / ("h-" + std::to_string(i) + ".slprobe"), std::ios::binary) << texts[i].bytes();
    auto read = capture::readJob(folder_ / ".");
    REQUIRE_MESSAGE(read, read.error().text());
    job = *std::move(read);
  }

  capture::RecordedJob job;

 private:
  TempFolder folder_;
};

ProbeText leftEarly(bool has_end) {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, kSequential);
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, kAll);
  text.news(0, ProbeText::News{5, 3, 3, 2, true});
  if (has_end) text.end();
  return text;
}

}  // namespace

TEST_CASE("batches that were queued and never handed out are not read") {
  const Recorded recorded(leftEarly(true));
  auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK(words::agreement(*loader) ==
        "All 3 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them. 2 more batches were queued "
        "and never handed to the loop.");
  const auto plan = Plan::make(loader->spec.spec);
  REQUIRE(plan);
  const auto not_read = capture::plannedNotRead(*loader, *plan);
  REQUIRE(not_read);
  CHECK(not_read->batches == 2);
  CHECK_FALSE(not_read->may_have_more);
  CHECK(capture::epochsReadWhole(loader->job, loader->spec).count == 0);
  CHECK(capture::epochsKnownWhole(loader->job) == 1);  // it is known that no more was read
  const auto read = capture::asRead(recorded.job, 0, *loader);
  REQUIRE(read);
  CHECK(read->is_recorded);
  const auto got = Plan::make(read->spec.spec);
  REQUIRE(got);
  CHECK(got->shape(Epoch{0}, Rank{0})->batches == 3);
  CHECK(read->reasons.front() ==
        "torch.SequentialSampler gives all of these batches and others; the others are not recorded as read and are "
        "left out here.");
}

TEST_CASE("of a process whose file was full, later passes may be missing") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, kSequential);
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, kAll);
  text.news(0, 5, 5);
  text.limit();
  text.end();
  const Recorded recorded(text);
  REQUIRE(recorded.job.notes.size() == 1);
  CHECK(recorded.job.notes.front() ==
        "h-0.slprobe: later loaders, passes and batches are not recorded; SHARDLENS_PROBE_BYTES raises the limit.");
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK(words::agreement(*loader).ends_with(" Rank 0 may have read more than was recorded."));
}

TEST_CASE("of a process that did not tell its end, no more is said than is recorded") {
  const Recorded recorded(leftEarly(false));
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK(words::agreement(*loader).find(
            " 2 more batches were queued; not every process said whether the loop got them. Rank 0 may have read more "
            "than was recorded.") != std::string::npos);
  CHECK(capture::epochsKnownWhole(loader->job) == 0);
  const auto not_read = capture::plannedNotRead(*loader, Plan::make(loader->spec.spec).value());
  REQUIRE(not_read);
  CHECK(not_read->batches == 0);
  CHECK(not_read->may_have_more);
  CHECK(words::planOfRecording("RUN", *loader, *not_read).ends_with(" Rank 0 may have read more than was recorded."));
  const auto passes = capture::recordedPasses(recorded.job, 0);
  REQUIRE(passes);
  CHECK(words::passRead(capture::readingOf(loader->job, *passes).passes.front()) ==
        "Pass 0: 3 batches with 6 items on rank 0: 6 samples, none twice. Rank 0 may have read more of it than was "
        "recorded.");
}

TEST_CASE("a rank that was killed before its batches were written is not said to have got none") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderWith(0, kSequential);
    text.pass(0, 0, 0, 0);
    if (rank == 0) text.batches(0, 0, {{0, 1}, {2, 3}});
    text.news(0, rank == 0 ? ProbeText::News{2, 2, 2, 2, true, true} : ProbeText::News{1, 0, 0, 0, false});
    if (rank == 0) text.end();
    ranks.push_back(text);
  }
  const Recorded recorded(ranks);
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK(words::agreement(*loader).ends_with(" Rank 1 may have read more than was recorded."));
  const auto passes = capture::recordedPasses(recorded.job, 0);
  REQUIRE(passes);
  CHECK(words::passRead(capture::readingOf(loader->job, *passes).passes.front()) ==
        "Pass 0: 2 batches with 4 items on rank 0: 4 samples, none twice. Rank 1 may have read more of it than was "
        "recorded.");
}

TEST_CASE("batches are trained on where a backward pass follows on every second one") {
  CHECK(capture::areTrainedOn(4, 2));
  CHECK(capture::areTrainedOn(3, 1));
  CHECK_FALSE(capture::areTrainedOn(4, 1));
  CHECK_FALSE(capture::areTrainedOn(1, 0));
}

TEST_CASE("of two loaders in one loop, the one to which no backward pass is counted is no validation") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, kSequential, "train.py:7");
  text.loaderWith(1, kSequential, "train.py:8");
  text.loaderWith(2, kSequential, "train.py:9");
  text.loaderWith(3, kSequential, "train.py:10");
  for (const std::int64_t pass : {0, 1, 2, 3}) {
    text.pass(pass, pass, 0, 0);
    text.batches(pass, 0, kAll);
  }
  text.news(0, ProbeText::News{5, 5, 0, 5, true});
  text.news(1, ProbeText::News{5, 5, 5, 4, true});
  text.news(2, ProbeText::News{5, 5, 0, 0, true});   // a whole pass without a backward pass
  text.news(3, ProbeText::News{5, 1, 0, 0, false});  // a look at one batch
  text.end();
  const Recorded recorded(text);
  REQUIRE(recorded.job.loaders.size() == 4);
  CHECK(recorded.job.loaders[0].purpose == Purpose::Train);  // what trains comes first
  CHECK(recorded.job.loaders[1].purpose == Purpose::Unknown);
  CHECK(recorded.job.loaders[1].name == "loader");
  CHECK(recorded.job.loaders[2].purpose == Purpose::Validation);
  CHECK(recorded.job.loaders[3].name == "loader-2");
  const auto meant = capture::loaderMeant(recorded.job.loaders, "");
  REQUIRE(meant);
  CHECK(*meant == 0);
}

TEST_CASE(
    "a design is about the loader with its samples, world and batch size, whether that is known to train or not") {
  std::vector<capture::JobLoader> loaders(3);
  for (std::size_t i = 0; i < loaders.size(); ++i) {
    loaders[i].ranks.resize(1);
    loaders[i].ranks[0].loader.dataset_length = i == 0 ? 40 : 64;
    loaders[i].ranks[0].loader.batch_size = i == 1 ? 4 : 8;
    loaders[i].purpose = i == 0 ? Purpose::Train : Purpose::Unknown;
  }
  PipelineSpec design;
  design.dataset.size = 64;
  design.loader.batch_size = 4;
  design.world = {1, 1};
  const auto found = capture::loadersFor(loaders, design, "");
  REQUIRE(found);
  CHECK(*found == std::vector<std::size_t>{1});
  design.loader.batch_size = 2;
  CHECK(capture::loadersFor(loaders, design, "").value().size() == 2);
}

TEST_CASE("set_epoch that is called with one number again and again is told from one that is never called") {
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1);
  for (const std::int64_t pass : {0, 1, 2}) {
    text.pass(pass, 0, 4, pass + 1);
    text.batches(pass, 0, kAll);
    text.news(pass, 5, 5);
  }
  const Recorded recorded(text);
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  REQUIRE_FALSE(loader->findings.empty());
  CHECK(loader->findings[0].text.find(
            "set_epoch was called before each epoch, and always with 4: all 3 epochs have the order "
            "of epoch 4.") == 0);
}

TEST_CASE("an epoch that comes again is found where it was cut short, and one wording serves while a job goes on") {
  const auto said = [](std::int64_t whole, const Batches& cut, bool goes_on = false) {
    ProbeText text(0, 1, 1);
    text.loader(0, 0, 1);
    for (std::int64_t pass = 0; pass < whole; ++pass) {
      text.pass(pass, 0, 0, 0);
      text.batches(pass, 0, kAll);
      text.news(pass, 5, 5);
    }
    const auto count = static_cast<std::int64_t>(cut.size());
    text.pass(whole, 0, 0, 0);
    text.batches(whole, 0, cut);
    text.news(whole, ProbeText::News{count, count, count, count, false});
    const Recorded recorded(text);
    capture::RecordedJob job = recorded.job;
    job.loaders[0].goes_on = goes_on;
    const auto loader = capture::captured(job, 0);
    REQUIRE(loader);
    return loader->findings.empty() ? std::string() : loader->findings[0].text;
  };
  const std::string advice = ". Call sampler.set_epoch(epoch) before each epoch.";
  const Batches first_three(kAll.begin(), kAll.begin() + 3);
  CHECK(said(1, first_three) ==
        "set_epoch was never called: all 2 epochs have the order of epoch 0, as far as they were read" + advice);
  CHECK(said(1, {kAll[0], kAll[2], kAll[1]}).empty());
  CHECK(said(2, first_three, true) == "set_epoch was never called: all 2 epochs have the order of epoch 0" + advice);
  CHECK(said(3, first_three, true) == "set_epoch was never called: all 3 epochs have the order of epoch 0" + advice);
  CHECK(said(2, first_three) ==
        "set_epoch was never called: all 3 epochs have the order of epoch 0, as far as they were read" + advice);
}

TEST_CASE("while a job is recorded, it is not said that more may have been read") {
  const TempFolder folder;
  const auto text = [&folder] {
    const auto job = capture::readJob(folder / "job.slrun");
    REQUIRE(job);
    const auto loader = capture::captured(*job, 0);
    const auto passes = capture::recordedPasses(*job, 0);
    REQUIRE(loader);
    REQUIRE(passes);
    return words::agreement(*loader) + words::passRead(capture::readingOf(job->loaders[0], *passes).passes[0]);
  };
  {
    auto writer = RecordingWriter::create(folder / "job.slrun");
    REQUIRE(writer);
    writer->add({1, RunBegin{}});
    std::ofstream(folder / "job.slrun" / "h-0.slprobe", std::ios::binary) << leftEarly(false).bytes();
    CHECK(text().find("may have read more") == std::string::npos);
    CHECK(text().find(" 2 more batches were waiting for the loop when the ranks last reported.") != std::string::npos);
    writer->add({2, RunEnd{}});
  }
  CHECK(text().find(" Rank 0 may have read more than was recorded.") != std::string::npos);
  CHECK(text().find(" Rank 0 may have read more of it than was recorded.") != std::string::npos);
}

TEST_CASE("one epoch that is looked into before it is read is no epoch that repeats") {
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1);
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {kAll[0]});
  text.news(0, ProbeText::News{1, 1, 0, 0, false});
  text.pass(1, 0, 0, 1);
  text.batches(1, 0, kAll);
  text.news(1, 5, 5);
  const Recorded recorded(text);
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK(loader->findings.empty());
}

TEST_CASE("a sampler that draws from torch's global generator is not denied its rule, which cannot be checked") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"torch.utils.data.sampler.WeightedRandomSampler","values":{"num_samples":10,)"
                     R"("replacement":true},"lists":{"weights":[1,1,1,1,1,1,1,1,1,1]}})");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, kAll);
  text.news(0, 5, 5);
  const Recorded recorded(text);
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  REQUIRE(loader->reasons.size() == 1);
  CHECK(loader->reasons[0].find("which draws from torch's global generator.") != std::string::npos);
  CHECK(loader->rules.tried == 0);
}

namespace {

/// What audit says of the first pass over the loader.
std::string firstPass(const Recorded& recorded) {
  const auto passes = capture::recordedPasses(recorded.job, 0);
  REQUIRE_MESSAGE(passes, passes.error().text());
  return words::passRead(capture::readingOf(recorded.job.loaders.front(), *passes).passes.front());
}

/// Five batches were drawn, and the process said this of them.
ProbeText said(const std::string& news, const std::string& sampler = kSequential) {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, sampler);
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, kAll);
  text.newsWith(0, news);
  text.end();
  return text;
}

}  // namespace

TEST_CASE("a batch whose loading raised is not read, and those after it are") {
  const std::string one =
      firstPass(Recorded(said(R"("drawn":5,"handed":4,"failed":[1],"open":false,"exhausted":true,"ended":true)")));
  CHECK(one ==
        "Pass 0: 4 batches with 8 items on rank 0: 8 samples, none twice. Loading 1 batch raised an error; it is not "
        "among these.");
  const Recorded recorded(said(R"("drawn":5,"handed":4,"failed":[1],"open":false,"exhausted":true,"ended":true)"));
  const auto passes = capture::recordedPasses(recorded.job, 0);
  REQUIRE(passes);
  CHECK(passes->front().ids == std::vector<SampleIndex>{0, 1, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("of a rank whose first batch raised it is said that it did") {
  CHECK(firstPass(Recorded(said(R"("drawn":5,"handed":0,"failed":[0],"open":false,"exhausted":true,"ended":false)"))) ==
        "Pass 0: 0 batches with 0 items on rank 0: 0 samples. Rank 0 got none: loading its first batch raised an "
        "error.");
}

TEST_CASE("of a process that did not tell its end it is not said that its last batch raised") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, kSequential);
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{0, 1}});
  text.newsWith(0, R"("drawn":1,"handed":0,"failed":[0],"open":true,"exhausted":false,"ended":false)");
  CHECK(firstPass(Recorded(text)) ==
        "Pass 0: 0 batches with 0 items on rank 0: 0 samples. Rank 0 may have read more of it than was recorded.");
}

TEST_CASE("what a rule gives and could not be loaded was not read") {
  const Recorded recorded(said(R"("drawn":5,"handed":4,"failed":[1],"open":false,"exhausted":true,"ended":true)"));
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK(words::agreement(*loader) ==
        "All 4 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them. Loading 1 batch raised an "
        "error; it is not among these.");
  const auto not_read = capture::plannedNotRead(*loader, Plan::make(loader->spec.spec).value());
  REQUIRE(not_read);
  CHECK(not_read->batches == 1);
  CHECK(capture::epochsReadWhole(loader->job, loader->spec).count == 0);
  CHECK(capture::epochsKnownWhole(loader->job) == 1);
  const auto read = capture::asRead(recorded.job, 0, *loader);
  REQUIRE(read);
  CHECK(read->isProven());
}

TEST_CASE("a rule is found for what an unknown sampler gave, also where a batch of it could not be loaded") {
  const Recorded recorded(said(R"("drawn":5,"handed":4,"failed":[1],"open":false,"exhausted":true,"ended":true)",
                               R"({"class":"mine.Sampler"})"));
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK(loader->agreement.batches == 4);
  CHECK(loader->rules.ids == 10);
  REQUIRE_FALSE(loader->rules.matches.empty());
  CHECK(loader->rules.matches.front().batches_alike);
}

TEST_CASE("a rank whose loop got no more is said to have left only where it did not ask for more") {
  const auto after = [](const std::string& open) {
    return firstPass(Recorded(said(R"("drawn":5,"handed":3,)" + open + R"("exhausted":true,"ended":false)")));
  };
  CHECK(after(R"("failed":[],"open":false,)").ends_with("Rank 0 left it there, without asking for another batch."));
  CHECK(after(R"("failed":[],"open":true,)")
            .ends_with(
                "Rank 0 asked for another batch and got none: loading it raised an error, or the rank ended first."));
  CHECK(after({}).ends_with("Rank 0 got no more of it."));  // of an older probe
}

TEST_CASE("an older probe does not tell which batches were handed out when loading one raised") {
  const Recorded recorded(said(R"("drawn":5,"handed":4,"exhausted":true,"ended":true)"));
  const auto loader = capture::captured(recorded.job, 0);
  REQUIRE(loader);
  CHECK_FALSE(loader->agreement.is_ended);
}

TEST_CASE("a rank that asked for its first batch and got none is not known to have no samples") {
  const Recorded old(said(R"("drawn":5,"handed":0,"exhausted":true,"ended":false)"));
  CHECK(capture::epochsKnownWhole(old.job.loaders.front()) == 0);
  const Recorded recorded(said(R"("drawn":5,"handed":0,"failed":[0],"open":true,"exhausted":true,"ended":false)"));
  CHECK(capture::epochsKnownWhole(recorded.job.loaders.front()) == 0);
}
