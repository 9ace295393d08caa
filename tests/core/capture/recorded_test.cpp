// SPDX-License-Identifier: Apache-2.0
// Samplers that no rule is known for: the spec holds what was read.
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_batches.h"
#include "core/plan/plan.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"
#include "tests/core/capture/captured.h"
#include "tests/core/capture/probe_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace shardlens;
using capture::Capture;
using capture::CapturedLoader;
using test::ProbeText;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

constexpr const char* kUnknown = R"({"class":"my.Sampler"})";

Capture withoutSearch(const std::vector<ProbeText>& ranks) {
  capture::CaptureOptions how;
  how.search = false;
  return test::captured(ranks, how);
}

void addPass(ProbeText& text, std::int64_t number, const Batches& batches, bool ends = true) {
  text.pass(number, 0, 0, 0);
  text.batches(number, 0, batches);
  if (ends) text.news(number, static_cast<std::int64_t>(batches.size()), 1);
}

/// What the file plans: [epoch][rank] -> batches.
std::vector<std::vector<Batches>> plannedBy(const CapturedLoader& loader) {
  REQUIRE(loader.yaml);
  const auto read = yaml::readSpec(*loader.yaml, sampling::catalogue());
  REQUIRE(read.issues.empty());
  const auto plan = Plan::make(read.spec);
  REQUIRE_MESSAGE(plan, plan.error().text());
  std::vector<std::vector<Batches>> all;
  for (Epoch epoch{0}; epoch.value < plan->epochs(); ++epoch) {
    const auto drawn = plan->epoch(epoch);
    REQUIRE(drawn);
    all.emplace_back();
    for (const RankEpoch& rank : drawn->ranks) {
      Batches batches;
      for (Step step{0}; step.value < rank.batches(); ++step) batches.push_back(rank.batchSamples(step));
      all.back().push_back(batches);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("what an unknown sampler gave is written, and planned again from the file") {
  const std::vector<std::vector<Batches>> read = {{{{3, 1}, {4}, {1, 5, 9}}, {{2, 6}, {5}}},
                                                  {{{3, 5}}, {{8}, {9, 7, 9}}}};
  std::vector<ProbeText> ranks;
  for (std::size_t rank = 0; rank < 2; ++rank) {
    ProbeText text(static_cast<std::int64_t>(rank), 2, 2);
    text.loaderWith(0, kUnknown);
    for (std::size_t epoch = 0; epoch < 2; ++epoch) addPass(text, static_cast<std::int64_t>(epoch), read[epoch][rank]);
    ranks.push_back(text);
  }
  const Capture all = withoutSearch(ranks);
  const CapturedLoader& loader = all.loaders.at(0);
  CHECK(loader.is_recorded);
  CHECK(loader.isProven());
  CHECK(loader.agreement.batches == 8);
  CHECK(loader.reasons.at(0) == "The sampler my.Sampler is not known to ShardLens.");
  CHECK(plannedBy(loader) == read);
}

TEST_CASE("batch_size is what the loader says, else that of the largest batch, whatever the first one has") {
  ProbeText stated(0, 1, 1);
  stated.loaderWith(0, kUnknown);
  addPass(stated, 0, {{7}});
  const Capture by_loader = withoutSearch({stated});
  CHECK(by_loader.loaders.at(0).spec.spec.loader.batch_size == 2);
  CHECK(by_loader.loaders.at(0).yaml->find("no batch_size of its own") == std::string::npos);
  ProbeText made(0, 1, 1);
  made.loaderOfBatches(0, kUnknown);
  addPass(made, 0, {{7}, {3, 1, 4}, {5}});
  const Capture by_batches = withoutSearch({made});
  CHECK(by_batches.loaders.at(0).spec.spec.loader.batch_size == 3);
  CHECK(by_batches.loaders.at(0).yaml->find("loader.batch_size is the size of its largest batch, 3.") !=
        std::string::npos);
}

TEST_CASE("batches that a BatchSampler gives as items of a loader without batch_size are batches") {
  const auto captured = [](const std::string& inner, bool shows_epochs = true) {
    ProbeText text(0, 1, 1);
    text.loaderOfBatches(0, "null",
                         R"(,"sampler":{"class":"torch.utils.data.sampler.BatchSampler","values":{"batch_size":4,)"
                         R"("drop_last":true},"samplers":{"sampler":)" +
                             inner + "}}");
    if (shows_epochs) text.pass(0, 0, 0, 1);
    if (!shows_epochs) text.passWith(0, 0, R"("has_set_epoch":false,"epoch":null,"torch_seed":7,"grad":true)");
    text.batches(0, 0, {{0, 1, 2, 3}, {4, 5, 6, 7}});
    text.news(0, 2, 1);
    return withoutSearch({text}).loaders.at(0);
  };
  const CapturedLoader plain = captured(R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
  CHECK(plain.isProven());
  CHECK_FALSE(plain.is_recorded);
  CHECK(plain.spec.spec.sampler.type == "torch.SequentialSampler");
  CHECK(plain.spec.spec.loader.batch_size == 4);
  CHECK(plain.spec.spec.loader.drop_last);
  const std::string distributed =
      R"({"class":"torch.utils.data.distributed.DistributedSampler","values":{"num_replicas":1,"rank":0,"epoch":0,)"
      R"("drop_last":false,"shuffle":false,"seed":0}})";
  const CapturedLoader told = captured(distributed);
  CHECK(told.isProven());
  CHECK_FALSE(told.is_recorded);
  CHECK(told.spec.spec.sampler.type == "torch.DistributedSampler");
  CHECK(told.spec.epoch_is_set);
  const CapturedLoader older = captured(distributed, false);
  CHECK(older.is_recorded);
  CHECK(older.spec.spec.loader.batch_size == 4);
  REQUIRE(older.reasons.size() == 1);
  CHECK(older.reasons[0].find("The epochs that set_epoch gave it are not recorded") != std::string::npos);
  ProbeText own(0, 1, 1);
  own.loaderOfBatches(0, "null", std::string(R"(,"sampler":)") + kUnknown);
  addPass(own, 0, {{7, 1}, {3, 1, 4}});
  CHECK(withoutSearch({own}).loaders.at(0).spec.spec.loader.batch_size == 3);
}

TEST_CASE("a recording of one batch, of a job that was killed, is one batch") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, kUnknown);
  addPass(text, 0, {{7, 2}}, false);
  const Capture all = withoutSearch({text});
  CHECK(plannedBy(all.loaders.at(0)) == std::vector<std::vector<Batches>>{{{{7, 2}}}});
  CHECK(all.loaders.at(0).yaml->find("does not show that rank 0 read every pass to its end") != std::string::npos);
}

TEST_CASE("ranks that were not observed have no batches, and the file says so") {
  ProbeText text(2, 3, 3);
  text.loaderWith(0, kUnknown);
  addPass(text, 0, {{7, 2}});
  const Capture all = withoutSearch({text});
  CHECK(plannedBy(all.loaders.at(0)) == std::vector<std::vector<Batches>>{{{}, {}, {{7, 2}}}});
  CHECK(all.loaders.at(0).yaml->find("Of 3 ranks, only rank 2 was seen to read this loader.") != std::string::npos);
}

TEST_CASE("ranks that read unequal numbers of passes are named, but none whose file was full") {
  for (const bool is_full : {false, true}) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      ProbeText& text = ranks.emplace_back(rank, 2, 2);
      text.loaderWith(0, kUnknown);
      for (std::int64_t pass = 0; pass <= rank; ++pass) addPass(text, pass, {{1, 2}});
      if (rank == 0 && is_full) text.limit();
    }
    const Capture all = withoutSearch(ranks);
    const auto said = std::ranges::count_if(all.loaders.at(0).spec.unknown, [](const std::string& sentence) {
      return sentence.find("Rank 1 read 2 passes, rank 0 1: ") == 0;
    });
    CHECK(said == (is_full ? 0 : 1));
  }
}

TEST_CASE("ids beyond len(dataset) make the dataset larger, and ids below 0 are no ids of a spec") {
  ProbeText beyond(0, 1, 1);
  beyond.loaderWith(0, kUnknown);
  addPass(beyond, 0, {{99, 2}});
  const Capture large = withoutSearch({beyond});
  CHECK(plannedBy(large.loaders.at(0)) == std::vector<std::vector<Batches>>{{{{99, 2}}}});
  CHECK(large.loaders.at(0).yaml->find("len(dataset) is 10, and sample 99 was read") != std::string::npos);
  ProbeText below(0, 1, 1);
  below.loaderWith(0, kUnknown);
  addPass(below, 0, {{4, -1}});
  const Capture none = withoutSearch({below});
  CHECK_FALSE(none.loaders.at(0).yaml);
  CHECK_FALSE(none.loaders.at(0).isProven());
  CHECK(none.loaders.at(0).spec.problems.at(1).find("rank 0 read id -1") != std::string::npos);
}

TEST_CASE("a batch that is not recorded, before others, leaves no spec") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, kUnknown);
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{7, 2}});
  text.batches(0, 2, {{1}});
  text.news(0, 3, 3);
  const Capture all = withoutSearch({text});
  CHECK_FALSE(all.loaders.at(0).yaml);
  CHECK(all.loaders.at(0).spec.problems.at(1).find("not all batches before step 2 of rank 0") != std::string::npos);
}

TEST_CASE("more ids than a file can hold are planned without one") {
  PipelineSpec spec;
  spec.world = {1, 1};
  const std::int64_t many = 2'100'000;
  spec.dataset.size = many;
  spec.epochs = 1;
  std::vector<std::int64_t> ids(static_cast<std::size_t>(many), 3);
  sampling::setRecorded(spec, {ids, std::vector<std::int64_t>(ids.size(), 1), {many}});
  CHECK(Plan::make(spec));
  REQUIRE(capture::tooLongForFile(spec));
  CHECK(capture::tooLongForFile(spec)->find("These 2\u202F100\u202F000 ids are too many") == 0);
}

TEST_CASE("a loop of a framework is named by the job's own line, and the framework's stands beside it") {
  ProbeText text(0, 1, 1);
  text.loaderOfBatches(0, R"({"class":"mine.Batches"})", R"(,"own_site":"/home/me/fit.py:31")");
  addPass(text, 0, {{0, 1}, {2, 3}});
  text.end();
  const Capture captured = withoutSearch({text});
  REQUIRE(captured.loaders.size() == 1);
  CHECK(words::loaderText(captured.loaders[0].job).find("(fit.py:31, ") != std::string::npos);
  CHECK(words::capturedFrom(captured.loaders[0].job) ==
        "The loader that fit.py:31 reads (in train.py:7), on 1 rank, captured by ShardLens from a run.");
}

TEST_CASE("processes that say no rank are programs of their own") {
  std::vector<ProbeText> processes;
  for (SampleIndex first = 0; first < 3; ++first) {
    ProbeText text = ProbeText::withoutRank();
    text.loaderWith(0, kUnknown);
    addPass(text, 0, {{first, 4}});
    processes.push_back(text);
  }
  const Capture all = withoutSearch(processes);
  REQUIRE(all.loaders.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const CapturedLoader& loader = all.loaders[i];
    CHECK(loader.job.world_size == 1);
    CHECK(loader.job.programs == 3);
    CHECK(loader.job.starts == 1);
    REQUIRE(loader.job.remarks.size() == 1);
    CHECK(loader.job.remarks[0].find("3 processes read such a loader without reporting a rank") == 0);
    CHECK(plannedBy(loader) == std::vector<std::vector<Batches>>{{{{static_cast<SampleIndex>(i), 4}}}});
  }
}

TEST_CASE("recorded batches that do not fit the spec are refused, each with its reason") {
  PipelineSpec spec;
  spec.dataset.size = 10;
  spec.world = {1, 2};
  spec.epochs = 1;
  const auto why = [&](sampling::RecordedLists lists) {
    PipelineSpec one = spec;
    sampling::setRecorded(one, std::move(lists));
    const auto plan = Plan::make(one);
    return plan ? std::string() : plan.error().place.field + ": " + plan.error().message;
  };
  CHECK(why({{1, 2, 3}, {2, 1}, {1, 1}}).empty());
  CHECK(why({{1, 2, 3}, {2, 1}, {1, 2}}) ==
        "sampler.rank_batches: the ranks have 3 batches together, and there are the sizes of 2.");
  CHECK(why({{1, 2, 3}, {2, 2}, {1, 1}}) == "sampler.batch_sizes: the batches have 4 items together, and there are 3.");
  CHECK(why({{1, 2, 3}, {2, 1}, {1, 1, 0}}).find("sampler.rank_batches: there are 3 items") == 0);
  CHECK(why({{1, 2, 30}, {2, 1}, {1, 1}}).find("sampler.ids: the list holds sample 30") == 0);
  PipelineSpec longer = spec;
  longer.epochs = 2;
  sampling::setRecorded(longer, {{1, 2, 3}, {2, 1}, {1, 1}});
  CHECK(Plan::make(longer).error().place.field == "epochs");
  PipelineSpec wider = spec;
  sampling::setRecorded(wider, {{1, 2, 3}, {2, 1}, {1, 1}});
  wider.world = {1, 1};
  CHECK(Plan::make(wider).error().place.field == "sampler.ranks");
}
