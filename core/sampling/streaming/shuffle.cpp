// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/shuffle.h"

#include "core/random/numpy_permutation.h"
#include "core/sampling/numpy_arguments.h"
#include "core/sampling/streaming/draws.h"
#include "core/sampling/streaming/shuffle_py1e.h"
#include "core/sampling/streaming/spans.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace shardlens::sampling {
namespace {

constexpr std::array<std::pair<std::string_view, StreamingShuffle>, 5> kNames = {{{"naive", StreamingShuffle::Naive},
                                                                                  {"py1s", StreamingShuffle::Py1s},
                                                                                  {"py2s", StreamingShuffle::Py2s},
                                                                                  {"py1br", StreamingShuffle::Py1br},
                                                                                  {"py1e", StreamingShuffle::Py1e}}};

void appendIds(StreamingIds& ids, const StreamingSpan& span) {
  for (std::int64_t id = span.begin; id < span.end; ++id) ids.push_back(static_cast<std::uint32_t>(id));
}

/// Appends the span's ids, shuffled.
Result<void> appendDrawn(StreamingIds& ids, const StreamingSpan& span, NumpyGenerator& rng, const Work& work) {
  const std::size_t first = ids.size();
  ids.resize(first + static_cast<std::size_t>(span.size()));
  return drawSpan(span, std::span(ids).subspan(first), rng, work);
}

void reportDone(const StreamingIds& ids, const Work& work) {
  work.progress(static_cast<double>(ids.size()) / static_cast<double>(ids.capacity()));
}

/// py1s: each span shuffled where it stands.
Result<StreamingIds> withinSpans(const StreamingNodeSpans& nodes, std::int64_t samples, NumpyGenerator& rng,
                                 const Work& work) {
  StreamingIds ids;
  ids.reserve(static_cast<std::size_t>(samples));
  for (const StreamingSpan& span : nodes.spans) {
    if (auto done = appendDrawn(ids, span, rng, work); !done) return done.error();
    reportDone(ids, work);
  }
  return ids;
}

/// py1br's blocks of one node: of random size, each begun `stagger` before the last one's end.
Result<void> shuffleBlocks(StreamingIds& ids, std::int64_t first, std::int64_t last, std::int64_t stagger,
                           std::int64_t block_size, NumpyGenerator& rng, const Work& work) {
  std::vector<StreamingSpan> blocks;
  for (std::int64_t end = first; end < last; end += blocks.back().size()) {
    if (work.stopped()) return cancelled();
    const Result<std::int64_t> size = drawStreamingBlock(block_size, rng);
    if (!size) return size.error();
    blocks.push_back({std::max(end - stagger, first), std::min(end + *size - stagger, last)});
  }
  for (const StreamingSpan& block : blocks) {
    const auto part =
        std::span(ids).subspan(static_cast<std::size_t>(block.begin), static_cast<std::size_t>(block.size()));
    if (auto done = shufflePart(part, rng, work); !done) return done;
  }
  return {};
}

Result<StreamingIds> inBlocks(StreamingNodeSpans& nodes, std::int64_t block_size, NumpyGenerator& rng,
                              const Work& work) {
  std::vector<std::int64_t> staggers;
  for (std::size_t n = 0; n < nodes.ends.size(); ++n) {
    const auto stagger = numpyIntegers(rng, 0, static_cast<std::int64_t>(0.75 * static_cast<double>(block_size)));
    if (!stagger) return stagger.error();
    staggers.push_back(*stagger);
  }
  StreamingIds ids;
  for (std::size_t n = 0; n < nodes.ends.size(); ++n) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(n) / static_cast<double>(nodes.ends.size()));
    const auto first = static_cast<std::int64_t>(ids.size());
    for (const StreamingSpan& span : nodes.node(n)) appendIds(ids, span);
    const auto last = static_cast<std::int64_t>(ids.size());
    if (auto done = shuffleBlocks(ids, first, last, staggers[n], block_size, rng, work); !done) return done.error();
  }
  return ids;
}

/// py2s: shards scattered and shuffled once for the run, then again for the epoch in each node.
Result<StreamingIds> twice(std::span<const std::int64_t> shard_sizes, const StreamingShuffleArguments& arguments,
                           const Work& work) {
  NumpyGenerator fixed(arguments.seed);
  std::vector<StreamingSpan> shards = spansOfShards(shard_sizes);
  fixed.shuffle(std::span(shards));
  StreamingIds scattered;
  std::vector<StreamingSpan> places = shards;  // of the ids, in `scattered`
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const auto first = static_cast<std::int64_t>(scattered.size());
    if (auto done = appendDrawn(scattered, shards[i], fixed, work); !done) return done.error();
    places[i] = {first, static_cast<std::int64_t>(scattered.size())};
  }
  NumpyGenerator rng(arguments.seed + arguments.epoch);
  StreamingNodeSpans nodes =
      divideSpans(places, static_cast<std::int64_t>(scattered.size()), arguments.canonical_nodes);
  StreamingIds ids;
  ids.reserve(scattered.size());
  for (std::size_t n = 0; n < nodes.ends.size(); ++n) {
    rng.shuffle(nodes.node(n));
    for (const StreamingSpan& span : nodes.node(n)) {
      const std::size_t first = ids.size();
      ids.insert(ids.end(), scattered.begin() + span.begin, scattered.begin() + span.end);
      if (auto done = shufflePart(std::span(ids).subspan(first), rng, work); !done) return done.error();
      reportDone(ids, work);
    }
  }
  return ids;
}

}  // namespace

std::optional<StreamingShuffle> streamingShuffleNamed(std::string_view name) {
  for (const auto& [known, algorithm] : kNames) {
    if (known == name) return algorithm;
  }
  return std::nullopt;
}

Result<StreamingIds> streamingShuffle(std::span<const std::int64_t> shard_sizes,
                                      const StreamingShuffleArguments& arguments, const Work& work) {
  const std::int64_t samples = std::accumulate(shard_sizes.begin(), shard_sizes.end(), std::int64_t{0});
  NumpyGenerator rng(arguments.seed + arguments.epoch);
  if (arguments.algorithm == StreamingShuffle::Naive) {
    StreamingIds ids(static_cast<std::size_t>(samples));
    if (auto drawn = numpyPermutation(rng, ids, work); !drawn) return drawn.error();
    return ids;
  }
  if (arguments.algorithm == StreamingShuffle::Py2s) return twice(shard_sizes, arguments, work);
  std::vector<StreamingSpan> shards = spansOfShards(shard_sizes);
  NumpyGenerator(arguments.seed).shuffle(std::span(shards));
  StreamingNodeSpans nodes = divideSpans(std::move(shards), samples, arguments.canonical_nodes);
  for (std::size_t n = 0; n < nodes.ends.size(); ++n) rng.shuffle(nodes.node(n));
  if (arguments.algorithm == StreamingShuffle::Py1s) return withinSpans(nodes, samples, rng, work);
  if (arguments.algorithm == StreamingShuffle::Py1br) return inBlocks(nodes, arguments.block_size, rng, work);
  return streamingShufflePy1e(nodes, arguments, rng, samples, work);
}

}  // namespace shardlens::sampling
