// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/shuffle_py1e.h"

#include "core/sampling/python.h"
#include "core/sampling/streaming/draws.h"

#include <algorithm>
#include <future>
#include <string>

namespace shardlens::sampling {
namespace {

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

}  // namespace

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

}  // namespace shardlens::sampling
