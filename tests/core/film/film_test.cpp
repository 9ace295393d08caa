// SPDX-License-Identifier: Apache-2.0
// The cells of a film against a plain recomputation from the plan.
#include "core/film/film.h"

#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

using namespace shardlens;

namespace {

std::int64_t partOf(SampleIndex sample, std::int64_t size) {
  return sample * kFilmParts / size;
}

/// How often each sample is handed out in batches, padding aside.
std::map<SampleIndex, int> timesOf(const EpochPlan& epoch) {
  std::map<SampleIndex, int> times;
  for (const RankEpoch& rank : epoch.ranks) {
    for (std::int64_t step = 0; step < rank.batches(); ++step) {
      const auto range = rank.batch(Step{step});
      for (std::int64_t k = range.first; k < range.last; ++k) {
        if (!rank.isPadding(k)) ++times[rank.sample(k)];
      }
    }
  }
  return times;
}

FilmCell plainCell(const RankEpoch& rank, std::int64_t step, const std::map<SampleIndex, int>& times,
                   std::int64_t size) {
  FilmCell cell;
  if (step >= rank.batches()) return cell;
  std::vector<std::int64_t> parts;
  double sum = 0;
  const auto range = rank.batch(Step{step});
  for (std::int64_t k = range.first; k < range.last; ++k) {
    const SampleIndex sample = rank.sample(k);
    parts.push_back(partOf(sample, size));
    sum += static_cast<double>(sample);
    if (rank.isPadding(k)) {
      ++cell.padding;
    } else if (times.at(sample) > 1) {
      ++cell.duplicates;
    }
  }
  if (parts.empty()) return cell;
  std::ranges::sort(parts);
  const auto at = [&parts](double share) {
    return static_cast<std::uint8_t>(
        parts[static_cast<std::size_t>(std::lround(share * static_cast<double>(parts.size() - 1)))]);
  };
  cell.samples = static_cast<std::uint32_t>(parts.size());
  cell.mean =
      static_cast<std::uint8_t>(sum / static_cast<double>(parts.size()) * kFilmParts / static_cast<double>(size));
  cell.low = at(0.05);
  cell.high = at(0.95);
  return cell;
}

void checkCells(const FilmEpoch& film, const EpochPlan& epoch, std::int64_t size) {
  const auto times = timesOf(epoch);
  const auto ranks = std::ssize(epoch.ranks);
  std::set<SampleIndex> seen;
  REQUIRE(std::ssize(film.cells) == film.steps * ranks);
  for (std::int64_t step = 0; step < film.steps; ++step) {
    const std::size_t before = seen.size();
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const RankEpoch& of_rank = epoch.ranks[static_cast<std::size_t>(rank)];
      CHECK(film.cells[static_cast<std::size_t>(step * ranks + rank)] == plainCell(of_rank, step, times, size));
      if (step >= of_rank.batches()) continue;
      for (const SampleIndex sample : of_rank.batchSamples(Step{step})) seen.insert(sample);
    }
    CHECK(film.fresh[static_cast<std::size_t>(step)] == seen.size() - before);
  }
}

void checkIds(const FilmEpoch& film, const EpochPlan& epoch) {
  const auto times = timesOf(epoch);
  std::vector<SampleIndex> ids;
  std::vector<std::uint8_t> marks;
  for (std::int64_t step = 0; step < film.steps; ++step) {
    for (const RankEpoch& rank : epoch.ranks) {
      if (step >= rank.batches()) continue;
      const auto range = rank.batch(Step{step});
      for (std::int64_t k = range.first; k < range.last; ++k) {
        const SampleIndex sample = rank.sample(k);
        ids.push_back(sample);
        marks.push_back(rank.isPadding(k) ? kFilmPadding : times.at(sample) > 1 ? kFilmDuplicate : std::uint8_t{0});
      }
    }
  }
  CHECK(film.ids == ids);
  CHECK(film.marks == marks);
}

/// Each hair is the part of a sample of its batch; each moment of the strip says which share of a part was handed out.
void checkStrip(const FilmEpoch& film, const EpochPlan& epoch, std::int64_t size, std::int64_t hairs) {
  const auto ranks = std::ssize(epoch.ranks);
  std::set<SampleIndex> seen;
  std::int64_t dealt = 0;
  for (std::int64_t moment = 1; moment <= film.moments; ++moment) {
    for (; dealt * film.moments <= moment * film.steps - film.moments; ++dealt) {
      for (std::int64_t rank = 0; rank < ranks; ++rank) {
        const RankEpoch& of_rank = epoch.ranks[static_cast<std::size_t>(rank)];
        if (dealt >= of_rank.batches() || of_rank.batch(Step{dealt}).size() == 0) continue;
        std::set<std::int64_t> parts;
        for (const SampleIndex sample : of_rank.batchSamples(Step{dealt})) {
          seen.insert(sample);
          parts.insert(partOf(sample, size));
        }
        for (std::int64_t i = 0; i < hairs; ++i)
          CHECK(parts.contains(film.hairs[static_cast<std::size_t>((dealt * ranks + rank) * hairs + i)]));
      }
    }
    std::vector<double> all(kFilmParts, 0);
    std::vector<double> taken(kFilmParts, 0);
    for (SampleIndex sample = 0; sample < size; ++sample) {
      const auto part = static_cast<std::size_t>(partOf(sample, size));
      ++all[part];
      taken[part] += seen.contains(sample) ? 1 : 0;
    }
    for (std::size_t part = 0; part < all.size(); ++part) {
      const double share = all[part] > 0 ? taken[part] / all[part] : 0;
      CHECK(film.coverage[static_cast<std::size_t>((moment - 1) * kFilmParts) + part] == std::lround(share * 65535));
    }
  }
}

Plan planOf(std::int64_t size, std::int64_t ranks, std::int64_t batch, std::int64_t epochs) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world.ranks_per_node = ranks;
  spec.loader.batch_size = batch;
  spec.epochs = epochs;
  return *Plan::make(spec);
}

}  // namespace

TEST_CASE("cells, samples and what is new are what the plan says, for designs of every sampler") {
  test::SmallSpecs specs(test::randomSeed());
  for (int i = 0; i < 400; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const auto film = makeFilm(plan, *filmRange(plan, {}));
    REQUIRE(film);
    if (!film->has_ids) continue;  // some streams draw shards so often that a page has no room for each item
    bool is_whole = std::ssize(film->epochs) == plan.epochs();
    for (const FilmEpoch& epoch : film->epochs) {
      const auto drawn = plan.epoch(Epoch{epoch.epoch});
      checkCells(epoch, *drawn, plan.spec().dataset.size);
      checkIds(epoch, *drawn);
      CHECK(epoch.all_steps == drawn->steps());
      std::int64_t batches = 0;
      for (const RankEpoch& rank : drawn->ranks) batches += std::min(rank.batches(), epoch.steps);
      CHECK(epoch.batches == batches);
      is_whole = is_whole && epoch.steps == drawn->steps();
    }
    CHECK(film->left_out.empty() == is_whole);
  }
}

TEST_CASE("hairs and strip are what the plan says, for designs of every sampler") {
  test::SmallSpecs specs(test::randomSeed());
  for (int i = 0; i < 200; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const std::int64_t steps = 1 + specs.below(12);
    const auto film = filmEpoch(plan, Epoch{0}, {steps, false, 5}, {});
    REQUIRE(film);
    const auto drawn = plan.epoch(Epoch{0});
    CHECK(film->steps == std::min(steps, drawn->steps()));
    checkCells(*film, *drawn, plan.spec().dataset.size);
    checkStrip(*film, *drawn, plan.spec().dataset.size, 5);
  }
}

TEST_CASE("a film takes what fits, and says what it leaves out") {
  const Plan small = planOf(16, 2, 2, 2);
  CHECK(*filmRange(small, {}) == FilmRange{0, 2, 4});
  CHECK(*filmRange(small, {1, 3, {}}) == FilmRange{1, 1, 4});
  CHECK(*filmRange(small, {0, 1, 3}) == FilmRange{0, 1, 3});
  const Plan large = planOf(1'281'167, 8, 32, 90);
  CHECK(*filmRange(large, {}) == FilmRange{0, 3, 4166});
  CHECK(*filmRange(large, {0, 1, {}}) == FilmRange{0, 1, 5005});
  CHECK(*filmRange(large, {0, 90, {}}) == FilmRange{0, 90, 138});
  CHECK(*filmRange(large, {0, 3, 9999}) == FilmRange{0, 3, 4166});
  CHECK(*filmRange(planOf(200'000, 50'001, 2, 4), {}) == FilmRange{0, 1, 1});
  const auto outside = filmRange(small, {2, 1, {}});
  REQUIRE(!outside);
  CHECK(outside.error().code == ErrorCode::BadInput);

  const auto cut = makeFilm(small, {0, 1, 3});
  REQUIRE(cut);
  CHECK(cut->left_out == std::vector<std::string>{"The film shows only the first 3 of the 4 steps of epoch 0.",
                                                  "The film shows only epoch 0. The spec has 2 epochs."});
  const auto first = makeFilm(small, {0, 2, 1});
  REQUIRE(first);
  CHECK(first->left_out == std::vector<std::string>{"The film shows only the first of the 4 steps of each epoch."});
}

TEST_CASE("a film of recorded batches states no size of them") {
  PipelineSpec spec = planOf(4, 2, 2, 1).spec();
  CHECK(makeFilm(*Plan::make(spec), {0, 1, 1})->sentence ==
        "torch.DistributedSampler · 2 ranks on 1 node · batch size 2 per rank · 4 samples");
  sampling::setRecorded(spec, {{3, 1, 0, 2}, {2, 1, 1}, {1, 2}});
  CHECK(makeFilm(*Plan::make(spec), {0, 1, 1})->sentence == "recorded batches · 2 ranks on 1 node · 4 samples");
}

TEST_CASE("a film that is stopped is cancelled") {
  std::stop_source source;
  source.request_stop();
  const Plan plan = planOf(100'000, 4, 8, 2);
  const auto film = makeFilm(plan, {0, 2, 100}, {source.get_token(), {}});
  REQUIRE(!film);
  CHECK(film.error().code == ErrorCode::Cancelled);
}
