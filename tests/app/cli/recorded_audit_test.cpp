// SPDX-License-Identifier: Apache-2.0
// `audit RUN`: only what was read is judged.
#include "tests/core/capture/probe_text.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

using namespace shardlens::test;

namespace {

namespace fs = std::filesystem;

const std::string kProgram = binDir() + "/shardlens ";

Finished inFolder(const TempFolder& folder, const std::string& line) {
  return runShell("cd " + folder.path().string() + " && " + line);
}

}  // namespace

TEST_CASE("of an epoch that the loop left, only what it got is audited") {
  const TempFolder folder;
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})", "train.py:7");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
  text.news(0, ProbeText::News{5, 3, 3, 2, true});
  text.end();
  fs::create_directory(folder / "job.slrun");
  spill(folder / "job.slrun" / "h-1.slprobe", text.bytes());
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>said");
  CHECK(audit.code == 0);
  CHECK(audit.out.find("Every sample is read once") == std::string::npos);
  CHECK(audit.out.find("In epoch 0, 4 of 10 samples reach no rank") != std::string::npos);
  CHECK(slurp(folder / "said").find(" 2 more batches were queued and never handed to the loop.") != std::string::npos);
}

TEST_CASE("a rank that left its loop did not run out") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderWith(0, R"({"class":"mine.Sampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0 + rank, 2 + rank}, {4 + rank, 6 + rank}, {8 + rank}});
    text.news(0, rank == 0 ? ProbeText::News{3, 2, 2, 2, true} : ProbeText::News{3, 3, 3, 3, true, true});
    text.end();
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun --format json 2>said");
  const auto json = nlohmann::json::parse(audit.out);
  CHECK(json["recorded"]["passes"][0]["left"] == nlohmann::json::array({0}));
  CHECK(audit.out.find("runs out first") == std::string::npos);
}

TEST_CASE("unequal batches are an error where ranks wait for each other, and else a warning") {
  for (const bool waits : {true, false}) {
    CAPTURE(waits);
    const TempFolder folder;
    fs::create_directory(folder / "job.slrun");
    for (int rank = 0; rank < 2; ++rank) {
      ProbeText text(rank, 2, 2);
      text.loaderWith(0, R"({"class":"mine.Sampler"})");
      const std::string place = R"({"rank":)" + std::to_string(rank) + R"(,"world_size":2})";
      text.passWith(0, 0, R"("torch_seed":7,"grad":true,"distributed":)" + (waits ? place : "null"));
      const int count = 2 + rank;
      for (int i = 0; i < count; ++i) text.batches(0, i, {{2 * i + rank}});
      const bool is_ended = waits && rank == 1;  // while it waits
      text.news(0, ProbeText::News{count, count, count, count, !is_ended, !is_ended});
      if (!is_ended) text.end();
      spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
    }
    const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>said");
    CHECK(audit.code == (waits ? 1 : 0));
    CHECK((audit.out.find("error") != std::string::npos) == waits);
  }
}

TEST_CASE("a job that begins with a later epoch is judged by the epochs that it read") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  for (int rank = 0; rank < 3; ++rank) {
    ProbeText text(rank, 3, 3);
    text.loader(0, rank, 3, false);  // 10 samples on 3 ranks: 2 items are padding
    text.pass(0, 0, 2, 1);
    text.batches(0, 0, {{0 + rank, 3 + rank}, {6 + rank, (9 + rank) % 10}});
    text.news(0, 2, 2);
    text.end();
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>said");
  CHECK(slurp(folder / "said").find("Of 3 epochs, only epoch 2 is judged") != std::string::npos);
  CHECK(audit.code == 0);
  CHECK(audit.out.find("Ranks read the same samples") == std::string::npos);
  CHECK(audit.out.find("Epochs 0") == std::string::npos);  // which did not run
  CHECK(audit.out.find("in every epoch") == std::string::npos);
}

TEST_CASE("an audit of some epochs of a recording counts all that are in it") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderWith(0, R"({"class":"my.Sampler"})");
    for (int pass = 0; pass < 3; ++pass) {
      text.pass(pass, 0, 0, 0);
      text.batches(pass, 0, {{pass, 4 + rank}, {7 + rank}});
      if (pass < 2) text.news(pass, 2, 2);
    }
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>said");
  CHECK(slurp(folder / "said")
            .find("Of 3 epochs, only the first 2 are judged: the recording does not say for every rank how far it read "
                  "the others.") != std::string::npos);
  CHECK(audit.out.find("), recorded batches; counted 2 of 3 epochs") != std::string::npos);
  CHECK(audit.out.find("in the first 2 of 3 epochs") != std::string::npos);
  CHECK(audit.out.find("every epoch") == std::string::npos);
}

TEST_CASE("a loader that only one rank reads is not judged by what the others would get") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  ProbeText text(0, 2, 2);
  text.loaderOf(0, R"({"class":"D","is_iterable":false,"length":4})");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{0, 1}, {2, 3}});
  text.news(0, 2, 0);
  text.end();
  spill(folder / "job.slrun" / "h-0.slprobe", text.bytes());
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>&1");
  CHECK(audit.code == 2);
  CHECK(audit.out.find("It is not known what the others read.") != std::string::npos);
  CHECK(audit.out.find("share all") == std::string::npos);
}

TEST_CASE("find and audit give no rank what it did not read, or what could not be loaded") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{rank}});
    text.news(0, 1, 1);
    if (rank == 0) {
      text.loaderOf(1, R"({"class":"D","is_iterable":false,"length":6})", "train.py:9");
      text.pass(1, 1, 0, 0);
      text.batches(1, 0, {{0, 1}, {2, 3}, {4, 5}});
      text.newsWith(
          1,
          R"("drawn":3,"handed":2,"failed":[1],"open":false,"exhausted":true,"ended":true,"backwards":0,"beside":0)");
    }
    text.end();
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const auto found = [&](const std::string& sample) {
    return inFolder(folder, kProgram + "find job.slrun " + sample + " --loader val 2>/dev/null").out;
  };
  CHECK(found("1") == "epoch 0  rank 0  step 0  item 1 of the batch\n");
  CHECK(found("2") == "epoch 0  never: no rank gets it\n");
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun --loader val 2>&1");
  CHECK(audit.code == 2);
  CHECK(audit.out.find("Loading 1 batch raised an error") != std::string::npos);
}

TEST_CASE("ranks that read datasets of their own are not audited as if they read one") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderOf(
        0, R"({"class":"D","is_iterable":false,"length":4,"attributes":{"shard":")" + std::to_string(rank) + R"("}})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}});
    text.news(0, 2, 2);
    text.end();
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>&1");
  CHECK(audit.code == 2);
  CHECK(audit.out.find("it is not known what its loader train reads several times. Ranks 0 and 1 read datasets that "
                       "differ in their attribute shard") != std::string::npos);
  CHECK(inFolder(folder, kProgram + "find job.slrun 3 2>said").code == 0);
  CHECK(slurp(folder / "said").find("ids are positions in these, so equal ids need not be the same sample.") !=
        std::string::npos);
}
