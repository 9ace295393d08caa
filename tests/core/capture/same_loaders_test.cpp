// SPDX-License-Identifier: Apache-2.0
#include "core/capture/same_loaders.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

using namespace shardlens;
using namespace shardlens::capture;

namespace {

using Numbers = std::vector<std::optional<std::size_t>>;

LoaderFacts loaderWith(std::int64_t number, std::int64_t seed) {
  LoaderFacts loader;
  loader.number = number;
  loader.site = "train.py:7";
  loader.dataset_length = 10;
  loader.batch_size = 2;
  SamplerFacts sampler;
  sampler.type = "torch.utils.data.distributed.DistributedSampler";
  sampler.values = {{"seed", seed}, {"epoch", number}};
  loader.sampler = sampler;
  return loader;
}

/// A pass over this loader whose sampler was told the epoch; -1: it was told none.
PassFacts passOf(std::int64_t loader, std::int64_t epoch) {
  PassFacts pass;
  pass.loader = loader;
  pass.epoch = std::max<std::int64_t>(epoch, 0);
  pass.set_epoch_calls = epoch < 0 ? 0 : 1;
  return pass;
}

struct Read {
  std::int64_t loader = 0;
  std::int64_t epoch = 0;
};

/// Loader n of the process has the n-th of these seeds. Batches of the first pass came when `newest` had begun.
Numbers numbers(const std::vector<std::int64_t>& seeds, const std::vector<Read>& reads, std::int64_t newest = 0) {
  ProcessFacts process;
  for (const std::int64_t seed : seeds)
    process.loaders.push_back(loaderWith(static_cast<std::int64_t>(process.loaders.size()), seed));
  for (const Read& read : reads) {
    process.passes.push_back(passOf(read.loader, read.epoch));
    process.passes.back().number = static_cast<std::int64_t>(process.passes.size()) - 1;
  }
  process.passes.front().newest_beside = newest;
  return loadersOfPasses(process);
}

}  // namespace

TEST_CASE("loaders that are made anew for every epoch are one") {
  CHECK(numbers({0, 0, 0}, {{0, 0}, {1, 1}, {2, 2}}) == Numbers{0, 0, 0});
  CHECK(numbers({0, 0, 0}, {{0, -1}, {1, -1}, {2, -1}}) == Numbers{0, 0, 0});
  CHECK(numbers({0, 1, 2}, {{0, -1}, {1, -1}, {2, -1}}) == Numbers{0, 0, 0});  // seeded by the epoch
  CHECK(numbers({0, 0}, {{0, 0}, {1, 0}, {1, 1}}) == Numbers{0, 0, 0});        // a look, then the training
}

TEST_CASE("two loaders that are read in turns are two, also in the first epoch") {
  CHECK(numbers({0, 7}, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}) == Numbers{0, 1, 0, 1});
  CHECK(numbers({0, 0}, {{0, -1}, {1, -1}, {0, -1}, {1, -1}}) == Numbers{0, 1, 0, 1});
  CHECK(numbers({0, 7, 3}, {{0, -1}, {1, -1}, {2, -1}, {0, -1}, {1, -1}, {2, -1}}) == Numbers{0, 1, 2, 0, 1, 2});
}

TEST_CASE("two loaders that are read at the same time are two, also in a single epoch") {
  CHECK(numbers({0, 7}, {{0, -1}, {1, -1}}, 1) == Numbers{0, 1});
  CHECK(numbers({0, 0}, {{0, -1}, {0, -1}}, 1) == Numbers{0, 0});
  CHECK(numbers({0, 7, 0}, {{0, -1}, {1, -1}, {2, -1}}, 1) == Numbers{0, 1, 2});
}

TEST_CASE("epochs that begin again with another seed are of another loader") {
  CHECK(numbers({1, 0}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}) == Numbers{0, 0, 1, 1});
  CHECK(numbers({0, 0}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}) == Numbers{0, 0, 0, 0});
}

TEST_CASE("while a job runs, loaders get numbers of their own when it comes back to one") {
  SameLoaders same;
  const LoaderFacts a = loaderWith(0, 0);
  const LoaderFacts b = loaderWith(1, 7);
  CHECK(same.of(passOf(0, -1), a) == 0);
  CHECK(same.of(passOf(1, -1), b) == 0);
  const std::size_t of_a = same.of(passOf(0, -1), a);
  const std::size_t of_b = same.of(passOf(1, -1), b);
  CHECK(of_a != 0);
  CHECK(of_b != 0);
  CHECK(of_a != of_b);
  CHECK(same.of(passOf(0, -1), a) == of_a);
}

TEST_CASE("a pass over a loader that the file does not know is of none") {
  CHECK(numbers({0}, {{0, 0}, {5, 0}}) == Numbers{0, std::nullopt});
}
