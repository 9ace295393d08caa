// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/sampling.h"

#include "core/base/phrase.h"
#include "core/random/numpy_generator.h"
#include "core/random/numpy_legacy.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace shardlens::sampling {
namespace {

std::int64_t sumOf(std::span<const std::int64_t> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

/// `name` is Streaming's own, `field` the spec's.
Error negative(const char* name, const char* field, std::int64_t value, const char* kind = "non-negative") {
  return raised("ValueError",
                std::string("`") + name + "` must be a " + kind + " integer, but got: " + std::to_string(value) + ".",
                field);
}

/// A stream takes one weight of its own at most, and none below 0.
Result<void> checkWeights(const StreamingStream& stream) {
  if ((stream.proportion ? 1 : 0) + (stream.repeat ? 1 : 0) + (stream.choose ? 1 : 0) > 1) {
    return raised("ValueError",
                  "At most one of `proportion`, `repeat`, and `choose` may be specified; the others are derived",
                  stream.choose ? "sampler.choose" : "sampler.repeat",
                  worded("checks", "write -1 for a stream in the lists that do not count for it"));
  }
  const auto refused = [](const char* name) {
    return raised("ValueError", std::string("`") + name + "` must be non-negative", std::string("sampler.") + name,
                  worded("checks", "write -1 for a stream without it"));
  };
  if (stream.proportion.value_or(0) < 0) return refused("proportion");
  if (stream.repeat.value_or(0) < 0) return refused("repeat");
  if (stream.choose.value_or(0) < 0) return refused("choose");
  return {};
}

/// A pick: samples that are drawn together from one shard.
struct Pick {
  std::size_t shard;
  std::int64_t samples;
};

std::vector<Pick> picksOf(std::span<const std::int64_t> shard_sizes, std::int64_t granularity) {
  std::vector<Pick> picks;
  for (std::size_t shard = 0; shard < shard_sizes.size(); ++shard) {
    const std::int64_t count = shard_sizes[shard] / granularity + (shard_sizes[shard] % granularity > 0 ? 1 : 0);
    picks.insert(picks.end(), static_cast<std::size_t>(count), {shard, granularity});
  }
  std::size_t end = 0;
  for (const std::int64_t size : shard_sizes) {
    const std::int64_t count = size / granularity + (size % granularity > 0 ? 1 : 0);
    end += static_cast<std::size_t>(count);
    // An empty shard overwrites the last pick before it, as Streaming's does; the first one that of the whole list.
    picks[end == 0 ? picks.size() - 1 : end - 1].samples = size - (count - 1) * granularity;
  }
  return picks;
}

void weighByNumbers(StreamingWeights& weights, std::vector<double> numbers, std::int64_t seed) {
  const double sum = numpySum(numbers);
  for (double& number : numbers) number /= sum;
  for (const double share : numbers) {
    weights.chosen.push_back(static_cast<std::int64_t>(static_cast<double>(weights.epoch_size) * share));
  }
  const std::int64_t shortfall = weights.epoch_size - sumOf(weights.chosen);
  const auto streams = static_cast<std::int64_t>(numbers.size());
  NumpyGenerator rng(static_cast<std::uint64_t>(seed));
  for (const std::int64_t stream : rng.choice(streams, std::clamp<std::int64_t>(shortfall, 0, streams))) {
    ++weights.chosen[static_cast<std::size_t>(stream)];
  }
  weights.proportions = std::move(numbers);
}

StreamingWeights absolute(std::span<const StreamingStream> streams) {
  constexpr double kMost = 4e9;
  StreamingWeights weights;
  for (const StreamingStream& stream : streams) {
    const std::int64_t size = sumOf(stream.shards);
    const double repeated = std::min(stream.repeat.value_or(1) * static_cast<double>(size), kMost);
    weights.chosen.push_back(stream.repeat ? static_cast<std::int64_t>(repeated) : stream.choose.value_or(size));
  }
  weights.epoch_size = sumOf(weights.chosen);
  for (const std::int64_t choose : weights.chosen) {
    weights.proportions.push_back(static_cast<double>(choose) / static_cast<double>(weights.epoch_size));
  }
  return weights;
}

}  // namespace

Result<void> checkStreamingWeights(std::span<const StreamingStream> streams) {
  for (const StreamingStream& stream : streams) {
    if (auto good = checkWeights(stream); !good) return good;
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (streams[i].proportion.has_value() == streams[0].proportion.has_value()) continue;
    return raised("ValueError",
                  "Relative (`proportion`) and absolute (`repeat`, `choose`, none) stream weights are incompatible "
                  "with each other (error in stream " +
                      std::to_string(i) + ")",
                  "sampler.proportion", worded("checks", "give every stream a proportion, or none"));
  }
  return {};
}

Result<std::vector<std::int64_t>> streamingSampling(std::span<const std::int64_t> shard_sizes, std::int64_t choose,
                                                    std::int64_t granularity, std::int64_t seed, std::int64_t epoch,
                                                    bool use_epoch) {
  if (choose < 0) return negative("choose", "sampler.choose", choose);
  if (granularity <= 0) return negative("granularity", "sampler.sampling_granularity", granularity, "positive");
  if (seed < 0) return negative("seed", "sampler.shuffle_seed", seed);
  if (epoch < 0)
    return raised("ValueError", "`epoch` must be a non-negative integer, but got: {epoch}.", "sampler.epoch");
  const std::int64_t samples = sumOf(shard_sizes);
  std::vector<std::int64_t> chosen(shard_sizes.begin(), shard_sizes.end());
  const std::int64_t whole = samples == 0 ? 0 : choose / samples;
  for (std::int64_t& count : chosen) count *= whole;
  std::int64_t missing = samples == 0 ? 0 : choose % samples;
  if (missing == 0) return chosen;
  const std::vector<Pick> picks = picksOf(shard_sizes, granularity);
  NumpyGenerator rng(static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(use_epoch ? epoch : 0));
  for (const std::uint32_t pick : rng.permutation<std::uint32_t>(picks.size())) {
    const std::int64_t taken = std::min(missing, picks[pick].samples);
    chosen[picks[pick].shard] += taken;
    missing -= taken;
    if (missing == 0) break;
  }
  return chosen;
}

Result<StreamingWeights> streamingWeights(std::span<const StreamingStream> streams, std::int64_t epoch_size,
                                          std::int64_t seed) {
  if (auto done = checkStreamingWeights(streams); !done) return done.error();
  const bool relative = !streams.empty() && streams[0].proportion.has_value();
  const bool named =
      std::ranges::any_of(streams, [](const StreamingStream& s) { return s.proportion || s.repeat || s.choose; });
  if (!relative && (named || epoch_size == 0)) {
    if (epoch_size == 0) return absolute(streams);
    return raised("ValueError", "Only provide `choose` when weighting streams relatively", "sampler.epoch_size");
  }
  StreamingWeights weights;
  std::vector<double> numbers;
  for (const StreamingStream& stream : streams) {
    weights.epoch_size += sumOf(stream.shards);
    numbers.push_back(relative ? *stream.proportion : static_cast<double>(sumOf(stream.shards)));
  }
  if (epoch_size != 0) weights.epoch_size = epoch_size;
  if (!(numpySum(numbers) > 0)) {
    return refused(worded("checks", "The streams' proportions add up to nothing."), "sampler.proportion",
                   worded("checks", "give at least one stream a positive proportion"));
  }
  weighByNumbers(weights, std::move(numbers), seed);
  return weights;
}

}  // namespace shardlens::sampling
