// SPDX-License-Identifier: Apache-2.0
// torch.IterableDataset and random_split.
#include "core/sampling/registry.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/sampling/torch/random_split.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Batches = std::vector<std::vector<std::int64_t>>;

PipelineSpec streamed(const char* world_split, const char* worker_split, std::int64_t workers) {
  PipelineSpec spec;
  spec.dataset.size = 10;
  spec.world = {1, 2};
  spec.loader = {2, workers, false, 2, false};
  spec.sampler = {"torch.IterableDataset",
                  {{"world_split", std::string(world_split)}, {"worker_split", std::string(worker_split)}}};
  return spec;
}

struct Delivered {
  Batches batches;
  std::vector<std::int64_t> workers;
};

Delivered delivered(const PipelineSpec& spec, Rank rank) {
  const SamplerRule& rule = *findRule("torch.IterableDataset");
  const auto order = rule.order(spec, rule.key(spec, Epoch{0}, rank), {});
  REQUIRE(order);
  const Slice slice = rule.slice(spec, Epoch{0}, rank, *order);
  const Batching batching = Batching::listed((*order)->deal(), rank);
  Delivered out;
  for (Step step{0}; step.value < batching.count(slice.size()); ++step) {
    const Batching::Range range = batching.range(step, slice.size());
    std::vector<std::int64_t>& batch = out.batches.emplace_back();
    for (std::int64_t k = range.first; k < range.last; ++k) batch.push_back(slice.sample(k));
    out.workers.push_back(batching.worker(step, spec.loader.num_workers));
  }
  return out;
}

using Lengths = std::vector<SplitLength>;

std::vector<std::size_t> sizesOf(std::int64_t size, const Lengths& lengths, const char* release = "2.6") {
  TorchGenerator generator(0);
  const auto split = torchRandomSplit(release, size, lengths, generator);
  REQUIRE(split);
  std::vector<std::size_t> sizes;
  for (const auto& subset : *split) sizes.push_back(subset.size());
  return sizes;
}

std::string refusal(std::int64_t size, const Lengths& lengths) {
  TorchGenerator generator(0);
  const auto split = torchRandomSplit("2.6", size, lengths, generator);
  return split ? "fine" : split.error().raised + ": " + split.error().message;
}

}  // namespace

TEST_CASE("a stream that nobody divides comes whole to every rank and worker") {
  const Delivered alone = delivered(streamed("none", "duplicate", 0), Rank{1});
  CHECK(alone.batches == Batches{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
  CHECK(alone.workers == std::vector<std::int64_t>(5, -1));
  const Delivered twice = delivered(streamed("none", "duplicate", 2), Rank{1});
  CHECK(twice.batches.size() == 10);
  CHECK(twice.batches[1] == std::vector<std::int64_t>{0, 1});
  CHECK(twice.workers == std::vector<std::int64_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
}

TEST_CASE("workers cut batches of their own, and leave the rotation when they have no more") {
  const Delivered parts = delivered(streamed("none", "contiguous", 3), Rank{0});  // 0..3, 4..7, 8..9
  CHECK(parts.batches == Batches{{0, 1}, {4, 5}, {8, 9}, {2, 3}, {6, 7}});
  CHECK(parts.workers == std::vector<std::int64_t>{0, 1, 2, 0, 1});
  const Delivered strides = delivered(streamed("none", "stride", 3), Rank{0});
  CHECK(strides.batches == Batches{{0, 3}, {1, 4}, {2, 5}, {6, 9}, {7}, {8}});
}

TEST_CASE("drop_last drops the short batch of each worker, and what is dropped can still be seen") {
  PipelineSpec spec = streamed("none", "stride", 3);
  spec.loader.drop_last = true;
  CHECK(delivered(spec, Rank{0}).batches == Batches{{0, 3}, {1, 4}, {2, 5}, {6, 9}});
  const SamplerRule& rule = *findRule("torch.IterableDataset");
  const auto order = rule.order(spec, rule.key(spec, Epoch{0}, Rank{0}), {});
  REQUIRE(order);
  CHECK((*order)->size() == 10);
  CHECK((**order)[8] == 7);
  CHECK((**order)[9] == 8);
}

TEST_CASE("a stream that strides over the ranks gives each sample to one of them") {
  std::vector<std::int64_t> all;
  for (Rank rank{0}; rank.value < 2; ++rank) {
    for (const std::vector<std::int64_t>& batch : delivered(streamed("stride", "contiguous", 2), rank).batches) {
      all.insert(all.end(), batch.begin(), batch.end());
    }
  }
  std::sort(all.begin(), all.end());
  CHECK(all == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(delivered(streamed("stride", "stride", 2), Rank{1}).batches == Batches{{1, 5}, {3, 7}, {9}});
}

TEST_CASE("more workers or ranks than samples get nothing") {
  PipelineSpec spec = streamed("stride", "contiguous", 7);
  spec.dataset.size = 1;
  CHECK(delivered(spec, Rank{0}).batches == Batches{{0}});
  CHECK(delivered(spec, Rank{1}).batches.empty());
  spec.dataset.size = 0;
  CHECK(delivered(spec, Rank{0}).batches.empty());
}

TEST_CASE("random_split rounds fractions down and hands out the rest from the first") {
  CHECK(sizesOf(10, {0.5, 0.5}) == std::vector<std::size_t>{5, 5});
  CHECK(sizesOf(11, {0.8, 0.1, 0.1}) == std::vector<std::size_t>{9, 1, 1});
  CHECK(sizesOf(5, {1.0 / 3, 1.0 / 3, 1.0 / 3}) == std::vector<std::size_t>{2, 2, 1});
  CHECK(sizesOf(10, {std::int64_t{1}}) == std::vector<std::size_t>{10});  // a sum of 1: a fraction
  CHECK(sizesOf(10, {std::int64_t{1}, std::int64_t{0}}) == std::vector<std::size_t>{10, 0});
  CHECK(sizesOf(0, {0.5, 0.5}) == std::vector<std::size_t>{0, 0});
  CHECK(sizesOf(0, {}).empty());
}

TEST_CASE("random_split takes negative lengths as Python's slices do") {
  TorchGenerator generator(0);
  const auto split = torchRandomSplit("1.13", 10, Lengths{std::int64_t{-2}, std::int64_t{12}}, generator);
  REQUIRE(split);
  CHECK(split->at(0).size() == 8);
  CHECK(split->at(1).size() == 2);
  CHECK(sizesOf(10, {std::int64_t{12}, std::int64_t{-2}}) == std::vector<std::size_t>{10, 0});
}

TEST_CASE("random_split refuses what PyTorch refuses") {
  const std::string wrong_sum = "ValueError: Sum of input lengths does not equal the length of the input dataset!";
  CHECK(refusal(10, {std::int64_t{3}, std::int64_t{2}}) == wrong_sum);
  CHECK(refusal(10, {}) == wrong_sum);
  CHECK(refusal(10, {0.5, 0.4}) == wrong_sum);
  CHECK(refusal(10, {INT64_MAX, INT64_MAX, std::int64_t{12}}) == wrong_sum);
  CHECK(refusal(10, {1.5, -0.5}) == "ValueError: Fraction at index 0 is not between 0 and 1");
}

TEST_CASE("whether fractions sum up to 1 depends on how Python adds") {
  // Added plainly these come to 1.0000000000000002; since 3.12 Python adds them exactly.
  const Lengths lengths = {0.33, 0.56, 0.11};
  TorchGenerator generator(0);
  CHECK_FALSE(torchRandomSplit("1.13", 100, lengths, generator));
  CHECK(sizesOf(100, lengths) == std::vector<std::size_t>{33, 56, 11});
}
