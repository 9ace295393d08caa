// SPDX-License-Identifier: Apache-2.0
// What the datasets of the ranks are to each other: what may be said of samples that they share. Real jobs:
// tests/integration/capture/reader_jobs.py.
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_batches.h"
#include "core/sampling/recorded_lists.h"
#include "tests/core/capture/captured.h"
#include "tests/core/capture/probe_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;
using capture::CapturedLoader;
using capture::SampleIds;
using test::ProbeText;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

const Batches kFirstFour = {{0, 1}, {2, 3}};

/// Two ranks that read the first four positions of these datasets.
CapturedLoader readingOf(const std::string& first, const std::string& second) {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderOf(0, rank == 0 ? first : second);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, kFirstFour);
    text.news(0, 2, 2);
    text.end();
    ranks.push_back(text);
  }
  return test::capturedLoader(ranks);
}

std::string dataset(const std::string& type, const std::string& length, const std::string& attributes) {
  return R"({"class":")" + type + R"(","is_iterable":false,"length":)" + length + R"(,"attributes":{)" + attributes +
         "}}";
}

std::string subset(const std::string& digest, const std::string& indices, const std::string& mark = "1") {
  return R"({"class":"torch.utils.data.dataset.Subset","is_iterable":false,"length":4,"subset":{"class":"D","length":8,)"
         R"("attributes":{"root":")" +
         mark + R"("},"digest":)" + digest + R"(,"indices":)" + indices + "}}";
}

bool has(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("ranks that read the same positions of datasets that look alike are named, with the condition") {
  const CapturedLoader loader =
      readingOf(dataset("D", "4", R"("root":"1","n":"2")"), dataset("D", "4", R"("root":"1","n":"2")"));
  CHECK(loader.job.datasets.ids == SampleIds::Positions);
  CHECK(has(test::textsOf(loader.findings),
            "ranks 0 and 1 read the same batches. Equal ids are assumed to be the same sample: the ranks' datasets "
            "agree in class, length and what was seen of 2 attributes."));
  CHECK(loader.yaml);
  const CapturedLoader unseen = readingOf(dataset("D", "4", ""), dataset("D", "4", ""));
  CHECK(has(test::textsOf(unseen.findings), "have the same class and length. What they contain was not seen."));
}

TEST_CASE("of datasets that differ, nothing is said of what their ranks share, and no file makes them one") {
  const auto differ = [](const std::string& other, const std::string& how) {
    CAPTURE(other);
    const CapturedLoader loader = readingOf(dataset("D", "4", R"("root":"1")"), other);
    CHECK(loader.job.datasets.ids == SampleIds::OwnPositions);
    CHECK(loader.findings.empty());
    CHECK_FALSE(loader.yaml);
    CHECK(has(loader.job.remarks, "Ranks 0 and 1 read datasets " + how + ""));
    CHECK(has(loader.job.remarks, "No file is written"));
  };
  differ(dataset("D", "4", R"("root":"2")"), "that differ in their attribute root");
  differ(dataset("D", "4", R"("root":"1","shard":"3")"), "that differ in their attribute shard");
  differ(dataset("D", "5", R"("root":"1")"), "of different lengths");
  const CapturedLoader unseen = readingOf(subset("null", "null"), subset("null", "null"));
  CHECK(unseen.job.datasets.ids == SampleIds::OwnPositions);
  CHECK(has(unseen.job.remarks, "read Subsets whose indices are not recorded"));
  CHECK(unseen.findings.empty());
}

TEST_CASE("positions in Subsets of the ranks' own become ids of the dataset below") {
  const CapturedLoader loader = readingOf(subset(R"("a")", "[0,2,4,6]"), subset(R"("b")", "[1,3,5,7]"));
  CHECK(loader.job.datasets.ids == SampleIds::Below);
  CHECK(loader.findings.empty());
  REQUIRE(loader.isProven());
  CHECK(loader.is_recorded);
  CHECK(loader.spec.spec.dataset.size == 8);
  const IndexList ids = sampling::recordedLists(loader.spec.spec).ids;
  CHECK(std::vector<std::int64_t>(ids.begin(), ids.end()) == std::vector<std::int64_t>{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(words::loaderText(loader.job).find("8 samples") != std::string::npos);
  // Subsets that share samples do.
  const CapturedLoader shared = readingOf(subset(R"("a")", "[0,2,4,6]"), subset(R"("b")", "[0,2,4,6,7]"));
  CHECK(shared.job.datasets.ids == SampleIds::OwnPositions);  // not as many indices as it has samples
  CHECK(readingOf(subset(R"("a")", "[0,2,4,6]"), subset(R"("b")", "[0,2,4,9]")).job.datasets.ids ==
        SampleIds::OwnPositions);
  CHECK(readingOf(subset(R"("a")", "[0,2,4,6]"), subset(R"("b")", "[1,3,5,7]", "2")).job.datasets.ids ==
        SampleIds::OwnPositions);
}

TEST_CASE("a Subset or a dataset that a rank makes anew for every pass is the one of that pass") {
  const auto passes = [](const std::string& first, const std::string& second) {
    ProbeText text(0, 1, 1);
    for (const std::int64_t pass : {0, 1}) {
      text.loaderOf(pass, pass == 0 ? first : second);
      text.pass(pass, pass, 0, 0);
      text.batches(pass, 0, kFirstFour);
      text.news(pass, 2, 2);
    }
    text.end();
    return test::capturedLoader({text});
  };
  const CapturedLoader subsets = passes(subset(R"("a")", "[0,2,4,6]"), subset(R"("b")", "[1,3,5,7]"));
  CHECK(subsets.job.datasets.ids == SampleIds::Below);
  const IndexList ids = sampling::recordedLists(subsets.spec.spec).ids;
  CHECK(std::vector<std::int64_t>(ids.begin(), ids.end()) == std::vector<std::int64_t>{0, 2, 4, 6, 1, 3, 5, 7});
  const CapturedLoader shards = passes(dataset("D", "4", R"("file":"1")"), dataset("D", "4", R"("file":"2")"));
  CHECK(shards.job.datasets.ids == SampleIds::OwnPositions);
  CHECK(has(shards.job.remarks, "In its passes, rank 0 read datasets that differ in their attribute file"));
}

TEST_CASE("ids in one Subset that all ranks read stay positions, which is said") {
  const CapturedLoader loader = readingOf(subset(R"("a")", "[1,3,5,7]"), subset(R"("a")", "[1,3,5,7]"));
  CHECK(loader.job.datasets.ids == SampleIds::Positions);
  CHECK(loader.spec.spec.dataset.size == 4);
  CHECK(has(loader.job.remarks, "The dataset is a Subset of D with 8 samples: ids are positions in the Subset."));
  CHECK(has(test::textsOf(loader.findings), "ranks 0 and 1 read the same batches."));
}

TEST_CASE("of an iterable dataset no samples are known, and no rank is said to read those of another") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.iterable(0);
    text.pass(0, 0, 0, 0);
    text.opaque(0, 7);
    text.news(0, ProbeText::News{7, 4, 4, 4, false});
    text.end();
    ranks.push_back(text);
  }
  const CapturedLoader loader = test::capturedLoader(ranks);
  CHECK(loader.findings.empty());
  CHECK(has(loader.spec.problems, "It is not known which samples a rank reads."));
  CHECK(words::agreement(loader) ==
        "8 batches on ranks 0 and 1 are recorded.");  // what a stream is asked for is not what it has
}
