// SPDX-License-Identifier: Apache-2.0
// A stream has no indices: ranks and workers that read the same are found by what they got, or nothing is said.
#include "tests/core/capture/captured.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using capture::CapturedLoader;
using test::ProbeText;

namespace {

using Marks = std::vector<std::vector<std::int64_t>>;

/// A rank of `world_size` whose loop got all of a stream: batches with these marks.
ProbeText streamOf(std::int64_t rank, std::int64_t world_size, const Marks& marks, std::uint32_t form = 0,
                   std::int64_t workers = 0) {
  ProbeText text(rank, world_size, world_size);
  text.loaderOf(0, R"({"class":"D","is_iterable":true},"num_workers":)" + std::to_string(workers));
  text.pass(0, 0, 0, 0);
  const auto count = static_cast<std::int64_t>(marks.size());
  text.opaque(0, count + 1);
  text.marks(0, 0, marks, form);
  text.news(0, {count + 1, count, count, count, false, true});
  text.end();
  return text;
}

bool says(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&part](const std::string& text) { return text.find(part) != std::string::npos; });
}

bool finds(const CapturedLoader& loader, const std::string& part) {
  return says(test::textsOf(loader.findings), part);
}

}  // namespace

TEST_CASE("ranks that got the same of a stream are found by what it holds") {
  const Marks mine = {{11, 12}, {13, -14}};
  const Marks other = {{21, 22}, {23, 24}};
  const CapturedLoader same = test::capturedLoader({streamOf(0, 3, mine), streamOf(1, 3, other), streamOf(2, 3, mine)});
  CHECK(finds(same,
              "In pass 0 of this stream, ranks 0 and 2 got equal data, batch for batch: their contents were "
              "compared."));
  CHECK(
      says(same.job.remarks,
           "Pass 0, by content: 6 batches with 12 samples on ranks 0 to 2: 8 different, 4 of them on several ranks."));
  const CapturedLoader shuffled = test::capturedLoader({streamOf(0, 2, mine), streamOf(1, 2, {{-14, 11}, {12, 13}})});
  CHECK(finds(shuffled, "ranks 0 and 1 got equal data, batched or ordered otherwise"));
  const CapturedLoader whole = test::capturedLoader({streamOf(0, 2, {{11}, {13}}, 1), streamOf(1, 2, {{13}, {11}}, 1)});
  CHECK(finds(whole, "ranks 0 and 1 got equal data, in another order"));
  CHECK(says(whole.job.remarks,
             "Pass 0, by content: 4 batches on ranks 0 and 1: 2 different, all of them on several ranks."));
}

TEST_CASE("ranks that got different data, or one content over and over, are not accused") {
  const CapturedLoader apart = test::capturedLoader({streamOf(0, 2, {{11, 12}}), streamOf(1, 2, {{13, 14}})});
  CHECK(apart.findings.empty());
  CHECK(says(apart.job.remarks, "Pass 0, by content: 2 batches with 4 samples on ranks 0 and 1, no two alike."));
  const CapturedLoader overlap = test::capturedLoader({streamOf(0, 2, {{11, 12}}), streamOf(1, 2, {{12, 14}})});
  CHECK(overlap.findings.empty());
  CHECK(says(overlap.job.remarks, "3 different, 1 of them on several ranks."));
  const CapturedLoader zeros = test::capturedLoader({streamOf(0, 2, {{7, 7}}, 0, 2), streamOf(1, 2, {{7, 7}}, 0, 2)});
  CHECK(zeros.findings.empty());
}

TEST_CASE("workers that each read the whole stream are found") {
  const CapturedLoader twice = test::capturedLoader({streamOf(0, 1, {{11, 12}, {11, 12}, {13}, {13}}, 0, 2)});
  CHECK(finds(twice, "each sample that rank 0 got came 2 times, or a multiple of that"));
  CHECK(says(twice.job.remarks, "3 different, 3 repeat what the same rank had got."));
  CHECK(test::capturedLoader({streamOf(0, 1, {{11, 12}, {11, 12}, {13}}, 0, 2)}).findings.empty());
  CHECK(test::capturedLoader({streamOf(0, 1, {{11, 12}, {11, 12}}, 0, 0)}).findings.empty());
}

TEST_CASE("of a stream that rank 0 reads for all, it is not said that the others got nothing") {
  const std::string dataset = R"({"class":"D","is_iterable":true},"num_workers":0)";
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderOf(0, dataset + R"(,"dispatcher":{"class":"accelerate.data_loader.DataLoaderDispatcher"})");
    text.pass(0, 0, 0, 0);
    if (rank == 0) {
      text.opaque(0, 3);
      text.marks(0, 0, {{11, 12}, {13, 14}});
      text.news(0, {3, 2, 2, 2, false, true});
    }
    text.end();
    ranks.push_back(text);
  }
  const CapturedLoader loader = test::capturedLoader(ranks);
  CHECK(loader.findings.empty());
  CHECK(says(loader.job.remarks, "Pass 0, by content: 2 batches with 4 samples on rank 0, no two alike."));
  CHECK_FALSE(says(loader.job.remarks, "got none"));
}

TEST_CASE("where a batch has no marks, or is not recorded, nothing is said of what the stream gave") {
  const Marks mine = {{11, 12}, {13, 14}};
  const CapturedLoader longer = test::capturedLoader({streamOf(0, 2, mine), streamOf(1, 2, mine, 2)});
  CHECK(longer.findings.empty());
  CHECK(says(longer.job.remarks, "With SHARDLENS_PROBE_CONTENTS=1"));
  CHECK_FALSE(says(longer.job.remarks, "by content"));
  ProbeText lacking(1, 2, 2);
  lacking.loaderOf(0, R"({"class":"D","is_iterable":true},"num_workers":0)");
  lacking.pass(0, 0, 0, 0);
  lacking.opaque(0, 3);
  lacking.marks(0, 1, {{13, 14}});
  lacking.news(0, {3, 2, 2, 2, false, true});
  const CapturedLoader gap = test::capturedLoader({streamOf(0, 2, mine), lacking});
  CHECK(gap.findings.empty());
  CHECK(says(gap.job.remarks, "not everything that rank 1 got is recorded"));
}
