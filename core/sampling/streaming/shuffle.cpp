// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/shuffle.h"

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/numpy_generator.h"
#include "core/random/numpy_permutation.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <array>
#include <future>
#include <numeric>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

/// A run of consecutive sample ids, the end excluded.
struct StreamingSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// The spans of all canonical nodes, node after node.
struct StreamingNodeSpans {
  std::vector<StreamingSpan> spans;
  std::vector<std::size_t> ends;  ///< of each node's spans

  [[nodiscard]] std::span<StreamingSpan> node(std::size_t n) {
    const std::size_t first = n == 0 ? 0 : ends[n - 1];
    return std::span(spans).subspan(first, ends[n] - first);
  }
};

/// A block's size as Streaming draws it: from three to five quarters of block_size.
Result<std::int64_t> drawStreamingBlock(std::int64_t block_size, NumpyGenerator& rng) {
  const auto size = static_cast<double>(block_size);
  return numpyIntegers(rng, static_cast<std::int64_t>(0.75 * size), static_cast<std::int64_t>(1.25 * size));
}

/// rng.shuffle(ids) of one of many parts: reports no progress.
Result<void> shufflePart(std::span<std::uint32_t> ids, NumpyGenerator& rng, const Work& work) {
  constexpr std::size_t kLong = std::size_t{1} << 16;
  if (work.stopped()) return cancelled();
  if (ids.size() >= kLong) return numpyShuffle(rng, ids, Work{work.stop, {}});
  rng.shuffle(ids);
  return {};
}

/// The span's ids, shuffled; there are as many places as ids.
Result<void> drawSpan(const StreamingSpan& span, std::span<std::uint32_t> ids, NumpyGenerator& rng, const Work& work) {
  const auto begin = static_cast<std::uint32_t>(span.begin);
  const bool done = inParts(ids.size(), work, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ids[i] = begin + static_cast<std::uint32_t>(i);
  });
  return done ? shufflePart(ids, rng, work) : cancelled();
}

/// The ids of each shard, shard after shard.
std::vector<StreamingSpan> spansOfShards(std::span<const std::int64_t> shard_sizes) {
  std::vector<StreamingSpan> spans;
  spans.reserve(shard_sizes.size());
  std::int64_t begin = 0;
  for (const std::int64_t size : shard_sizes) {
    spans.push_back({begin, begin + size});
    begin += size;
  }
  return spans;
}

/// Cuts the spans, in their order, into `nodes` parts that differ by one sample at most (divide_spans).
StreamingNodeSpans divideSpans(std::vector<StreamingSpan> spans, std::int64_t samples, std::int64_t nodes) {
  StreamingNodeSpans divided;
  std::size_t next = 0;
  std::int64_t before = 0;
  for (std::int64_t node = 1; node <= nodes; ++node) {
    const auto node_end = samples / nodes * node + samples % nodes * node / nodes;
    for (; next < spans.size() && before + spans[next].size() <= node_end; ++next) {
      divided.spans.push_back(spans[next]);
      before += spans[next].size();
    }
    if (next < spans.size() && before < node_end) {
      const std::int64_t cut = spans[next].begin + node_end - before;
      divided.spans.push_back({spans[next].begin, cut});
      spans[next].begin = cut;
      before = node_end;
    }
    divided.ends.push_back(divided.spans.size());
  }
  return divided;
}

template <class T>
using Large = std::vector<T, LargeAllocator<T>>;

/// Samples of one canonical node, and where each wants to stand.
struct NodeDraw {
  Large<double> places;
  StreamingIds ids;
};

/// Moves item i before those in front of it with greater places. Units are in order, so none leaves its own.
void insertByPlace(std::span<std::uint32_t> items, const Large<double>& places, std::size_t i) {
  const std::uint32_t item = items[i];
  for (; i > 0 && places[items[i - 1]] > places[item]; --i) items[i] = items[i - 1];
  items[i] = item;
}

/// argsort(places) applied to ids. Places lie in [0, n] and about one in each unit, so they are dealt into units first;
/// within one an insertion keeps equal places in order. What is moved are indices: a block's fit into the cache.
bool sortByPlace(const NodeDraw& draw, std::span<std::uint32_t> sorted, const Work& work) {
  const std::size_t n = draw.places.size();
  Large<std::uint32_t> ends(n + 1, 0);
  const auto unit = [n](double place) { return std::min(static_cast<std::size_t>(place), n - 1); };
  const auto count = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ++ends[unit(draw.places[i]) + 1];
  };
  const auto add = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ends[i + 1] += ends[i];
  };
  const auto deal = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) sorted[ends[unit(draw.places[i])]++] = static_cast<std::uint32_t>(i);
  };
  const auto insert = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) insertByPlace(sorted, draw.places, i);
  };
  const auto write = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) sorted[i] = draw.ids[sorted[i]];
  };
  return inParts(n, work, count) && inParts(n, work, add) && inParts(n, work, deal) && inParts(n, work, insert) &&
         inParts(n, work, write);
}

Error emptyNode(std::int64_t nodes) {
  return raised("ValueError",
                "The number of samples assigned to a canonical node is 0. This very likely indicates that the number "
                "of samples in this stream is less than the number of canonical nodes, which is " +
                    std::to_string(nodes) +
                    ". Please check your index.json file and ensure that your dataset has been written out correctly. "
                    "If this was intended, reduce num_canonical_nodes.",
                "sampler.num_canonical_nodes");
}

Result<StreamingIds> drawIds(std::span<const StreamingSpan> spans, std::int64_t samples, NumpyGenerator& rng,
                             const Work& work) {
  StreamingIds ids(static_cast<std::size_t>(samples));
  std::size_t at = 0;
  for (const StreamingSpan& span : spans) {
    const auto part = std::span(ids).subspan(at, static_cast<std::size_t>(span.size()));
    if (auto drawn = drawSpan(span, part, rng, work); !drawn) return drawn.error();
    at += part.size();
  }
  return ids;
}

Result<Large<double>> drawPlaces(std::span<const StreamingSpan> spans, std::int64_t samples, std::int64_t block_size,
                                 NumpyGenerator& rng, const Work& work) {
  Large<double> places;
  places.reserve(static_cast<std::size_t>(samples));
  std::int64_t at = 0;
  for (const StreamingSpan& span : spans) {
    const Result<std::int64_t> block = drawStreamingBlock(block_size, rng);
    if (!block) return block.error();
    const double cutoff = std::max(static_cast<double>(*block - span.size()) / 2, 0.0);
    const double low = std::max(-cutoff, -static_cast<double>(at));
    const double high = std::min(cutoff, static_cast<double>(samples - at - span.size()));
    const bool done = inParts(static_cast<std::size_t>(span.size()), work, [&](std::size_t first, std::size_t last) {
      for (; first < last; ++first) places.push_back(static_cast<double>(at++) + rng.uniform(low, high));
    });
    if (!done) return cancelled();
  }
  return places;
}

/// py1e: shuffles each span, moves each sample by a uniform shift of up to half a block, and sorts by the new places.
/// `rng` is the epoch's generator after it has permuted the spans of every node. Draws and sorts in two threads.
Result<StreamingIds> streamingShufflePy1e(StreamingNodeSpans& nodes, const StreamingShuffleArguments& arguments,
                                          NumpyGenerator& rng, std::int64_t samples, const Work& work) {
  StreamingIds all(static_cast<std::size_t>(samples));
  std::future<bool> sorting;  // of the node before, while this one draws
  std::size_t at = 0;
  for (std::size_t n = 0; n < nodes.ends.size(); ++n) {
    const auto spans = nodes.node(n);
    std::int64_t count = 0;
    for (const StreamingSpan& span : spans) count += span.size();
    if (count == 0) return emptyNode(arguments.canonical_nodes);
    NodeDraw draw;
    Result<StreamingIds> ids = drawIds(spans, count, rng, work);
    if (!ids) return ids.error();
    draw.ids = std::move(*ids);
    Result<Large<double>> places = drawPlaces(spans, count, arguments.block_size, rng, work);
    if (!places) return places.error();
    draw.places = std::move(*places);
    if (sorting.valid() && !sorting.get()) return cancelled();
    const auto sorted = std::span(all).subspan(at, static_cast<std::size_t>(count));
    // On this thread, where the machine has no more to give.
    sorting = std::async(std::launch::async | std::launch::deferred,
                         [draw = std::move(draw), sorted, &work] { return sortByPlace(draw, sorted, work); });
    at += static_cast<std::size_t>(count);
    work.progress(static_cast<double>(at) / static_cast<double>(samples));
  }
  if (sorting.valid() && !sorting.get()) return cancelled();
  return all;
}

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
