// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming_shuffle_py1e.h"

#include "core/sampling/numpy_arguments.h"
#include "core/sampling/torch_arguments.h"

#include <algorithm>
#include <future>
#include <string>

namespace shardlens::sampling {
namespace {

constexpr std::size_t kDrawsBetweenLooks = 1 << 18;

/// Samples of one canonical node, and where each wants to stand.
struct NodeDraw {
  std::vector<double> places;
  StreamingIds ids;
};

struct Placed {
  double place;
  std::uint32_t id;
};

/// argsort(places) applied to ids. Places lie in [0, n] and about one in each unit, so they are dealt into units first;
/// within one an insertion keeps equal places in order.
bool sortByPlace(const NodeDraw& draw, std::span<std::uint32_t> sorted, const Work& work) {
  const std::size_t n = draw.places.size();
  std::vector<std::uint32_t> ends(n + 1, 0);
  const auto unit = [n](double place) { return std::min(static_cast<std::size_t>(place), n - 1); };
  for (const double place : draw.places) ++ends[unit(place) + 1];
  for (std::size_t i = 1; i <= n; ++i) ends[i] += ends[i - 1];
  std::vector<Placed> dealt(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % kDrawsBetweenLooks == 0 && work.stopped()) return false;
    dealt[ends[unit(draw.places[i])]++] = {draw.places[i], draw.ids[i]};
  }
  for (std::size_t i = 1; i < n; ++i) {  // units are in order: items move inside their own only
    const Placed item = dealt[i];
    std::size_t to = i;
    for (; to > 0 && dealt[to - 1].place > item.place; --to) dealt[to] = dealt[to - 1];
    dealt[to] = item;
  }
  for (std::size_t i = 0; i < n; ++i) sorted[i] = dealt[i].id;
  return true;
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

StreamingIds drawIds(std::span<const StreamingSpan> spans, std::int64_t samples, NumpyGenerator& rng,
                     const Work& work) {
  StreamingIds ids(static_cast<std::size_t>(samples));
  std::size_t at = 0;
  for (const StreamingSpan& span : spans) {
    if (work.stopped()) break;
    const auto part = std::span(ids).subspan(at, static_cast<std::size_t>(span.size()));
    std::iota(part.begin(), part.end(), static_cast<std::uint32_t>(span.begin));
    rng.shuffle(part);
    at += part.size();
  }
  return ids;
}

Result<std::vector<double>> drawPlaces(std::span<const StreamingSpan> spans, std::int64_t samples,
                                       std::int64_t block_size, NumpyGenerator& rng, const Work& work) {
  std::vector<double> places;
  places.reserve(static_cast<std::size_t>(samples));
  std::int64_t at = 0;
  for (const StreamingSpan& span : spans) {
    if (work.stopped()) return cancelled();
    const Result<std::int64_t> block = drawStreamingBlock(block_size, rng);
    if (!block) return block.error();
    const double cutoff = std::max(static_cast<double>(*block - span.size()) / 2, 0.0);
    const double low = std::max(-cutoff, -static_cast<double>(at));
    const double high = std::min(cutoff, static_cast<double>(samples - at - span.size()));
    for (std::int64_t i = 0; i < span.size(); ++i) {
      places.push_back(static_cast<double>(at + i) + rng.uniform(low, high));
    }
    at += span.size();
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
    draw.ids = drawIds(spans, count, rng, work);
    Result<std::vector<double>> places = drawPlaces(spans, count, arguments.block_size, rng, work);
    if (!places) return places.error();
    draw.places = std::move(*places);
    if (sorting.valid() && !sorting.get()) return cancelled();
    const auto sorted = std::span(all).subspan(at, static_cast<std::size_t>(count));
    sorting = std::async(std::launch::async,
                         [draw = std::move(draw), sorted, &work] { return sortByPlace(draw, sorted, work); });
    at += static_cast<std::size_t>(count);
    work.progress(static_cast<double>(at) / static_cast<double>(samples));
  }
  if (sorting.valid() && !sorting.get()) return cancelled();
  return all;
}

}  // namespace shardlens::sampling
