// SPDX-License-Identifier: Apache-2.0
// The picture of a run against a plain recomputation from its spans.
#include "core/report/report.h"
#include "tests/support/random_seed.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace shardlens;

namespace {

struct RankSpan {
  std::int64_t rank;
  Span span;
};

/// The phase that takes most of a column on one rank, counted span by span.
Phase plainPhase(const std::vector<RankSpan>& spans, std::int64_t rank, std::int64_t begin, std::int64_t end) {
  std::map<Phase, std::int64_t> ns;
  std::int64_t rest = end - begin;
  for (const RankSpan& one : spans) {
    if (one.rank != rank) continue;
    const std::int64_t inside = std::min(one.span.end_ns, end) - std::max(one.span.begin_ns, begin);
    if (inside <= 0) continue;
    ns[one.span.phase] += inside;
    rest -= inside;
  }
  Phase most = Phase::Unmeasured;
  std::int64_t most_ns = rest;
  for (const auto& [phase, its_ns] : ns) {
    if (its_ns > most_ns) {
      most = phase;
      most_ns = its_ns;
    }
  }
  return most;
}

Phase phaseAt(const PictureRow& row, std::int64_t column) {
  for (const PictureBlock& block : row.blocks) {
    if (column >= block.first && column < block.last) return block.phase;
  }
  return Phase::Unmeasured;
}

Timeline timelineOf(const std::vector<RankSpan>& spans) {
  std::map<std::int64_t, Lane> lanes;
  for (const RankSpan& one : spans) {
    lanes[one.rank].rank = one.rank;
    lanes[one.rank].spans.push_back(one.span);
  }
  Timeline timeline;
  for (auto& [rank, lane] : lanes) timeline.lanes.push_back(std::move(lane));
  return timeline;
}

/// Consecutive spans of random length and kind, with holes.
std::vector<RankSpan> randomSpans(std::mt19937_64& random, std::int64_t ranks, std::int64_t most_ns) {
  std::vector<RankSpan> spans;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::int64_t at = 0;
    for (int i = 0; i < 400; ++i) {
      const auto length = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most_ns));
      const auto kind = random() % 5;
      if (kind > 0) spans.push_back({rank, {static_cast<Phase>(kind), at, at + length, 0, 0}});
      at += length;
    }
  }
  return spans;
}

}  // namespace

TEST_CASE("each column shows what took most of it, however long the run is") {
  std::mt19937_64 random(test::randomSeed());
  for (const std::int64_t most_ns : {30, 9'000, 40'000'000}) {
    const std::int64_t ranks = 3;
    const auto spans = randomSpans(random, ranks, most_ns);
    std::int64_t end = 0;
    for (const RankSpan& one : spans) end = std::max(end, one.span.end_ns);
    const RunPicture picture(timelineOf(spans), ranks);
    const std::int64_t width = picture.columnNs();
    CAPTURE(most_ns);
    REQUIRE(picture.columns() == (end + width - 1) / width);
    CHECK(picture.columns() <= RunPicture::kColumns);
    CHECK(picture.columns() > RunPicture::kColumns / 2);
    const auto rows = picture.rows(64);
    REQUIRE(rows.size() == 3);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      for (std::int64_t column = 0; column < picture.columns(); ++column) {
        const Phase plain = plainPhase(spans, rank, column * width, std::min(end, (column + 1) * width));
        CHECK(phaseAt(rows[static_cast<std::size_t>(rank)], column) == plain);
      }
    }
  }
}

TEST_CASE("rows that several ranks share show the one that worked longest") {
  std::vector<RankSpan> spans;
  for (std::int64_t rank = 0; rank < 8; ++rank) {
    const std::int64_t work = rank == 5 ? 900'000 : 300'000;
    spans.push_back({rank, {Phase::Compute, 0, work, 0, 0}});
    spans.push_back({rank, {Phase::Wait, work, 1'000'000, 0, 0}});
  }
  const RunPicture picture(timelineOf(spans), 8);
  const auto rows = picture.rows(4);
  REQUIRE(rows.size() == 4);
  const std::int64_t late = 600'000 / picture.columnNs();
  CHECK(phaseAt(rows[2], late) == Phase::Compute);
  CHECK(rows[2].first_rank == 4);
  CHECK(rows[2].last_rank == 6);
  CHECK(phaseAt(rows[1], late) == Phase::Wait);
}

TEST_CASE("ranks of which nothing was measured have rows without blocks") {
  const RunPicture picture(timelineOf({{1, {Phase::Load, 0, 500, 0, 0}},
                                       {1, {Phase::Unmeasured, 0, 1'000, 0, 0}},
                                       {2, {Phase::Load, 500, 500, 0, 0}}}),
                           3);
  const auto rows = picture.rows(64);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].blocks.empty());
  CHECK(rows[1].blocks == std::vector<PictureBlock>{{0, 500, Phase::Load}});
  CHECK(rows[2].blocks.empty());
  CHECK(RunPicture({}, 2).columns() == 0);
}
