// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/sampling/equal_nodes.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace litdata_streaming_dataset {
namespace {

/// A part of a chunk that one worker reads.
struct LitdataPiece {
  std::int64_t chunk = 0;
  std::int64_t first = 0;  ///< item of the dataset
  std::int64_t last = 0;   ///< the item behind the last one
};

using LitdataPieces = std::vector<LitdataPiece>;

/// What the pieces are divided for.
struct LitdataReaders {
  std::int64_t nodes = 1;
  std::int64_t ranks = 1;    ///< on all nodes
  std::int64_t workers = 1;  ///< of each rank
  std::int64_t batch = 1;
  bool drop_last = true;
};

/// How the chunks of an epoch are shuffled.
struct LitdataShuffle {
  std::int64_t seed = 0;  ///< 0 .. 2^32 - 1
  std::int64_t epoch = 1;
  bool nodes_keep_theirs = true;  ///< from epoch 2 on, where the largest node's chunks fit into its cache
  std::int64_t window = 16;
};

NumpyLegacy seeded(std::initializer_list<std::int64_t> numbers) {
  std::vector<std::uint32_t> words;
  for (const std::int64_t number : numbers) words.push_back(static_cast<std::uint32_t>(number));
  return NumpyLegacy(std::span<const std::uint32_t>(words));
}

std::int64_t itemsOf(const LitdataPieces& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0},
                         [](std::int64_t sum, const LitdataPiece& piece) { return sum + piece.last - piece.first; });
}

/// Items of each worker: whole batches, divided among the ranks and then among their workers. What is left is lost, or
/// goes to one worker of the last rank.
std::vector<std::int64_t> budgets(std::int64_t items, const LitdataReaders& readers) {
  const std::int64_t batches = items / readers.batch / readers.ranks;
  std::vector<std::int64_t> all;
  for (std::int64_t rank = 0; rank < readers.ranks; ++rank) {
    for (std::int64_t worker = 0; worker < readers.workers; ++worker) {
      const std::int64_t more = worker < batches % readers.workers ? 1 : 0;
      all.push_back((batches / readers.workers + more) * readers.batch);
    }
  }
  const std::int64_t left = items - std::accumulate(all.begin(), all.end(), std::int64_t{0});
  const std::int64_t takes_rest = (readers.ranks - 1) * readers.workers + batches % readers.workers;
  if (!readers.drop_last) all[static_cast<std::size_t>(takes_rest)] += left;
  return all;
}

/// Fills the workers one after the other; a chunk that does not fit into one continues with the next.
std::vector<LitdataPieces> dealt(const LitdataPieces& chunks, const LitdataReaders& readers) {
  const std::vector<std::int64_t> wanted = budgets(itemsOf(chunks), readers);
  std::vector<LitdataPieces> workers(wanted.size());
  std::size_t worker = 0;
  std::int64_t left = wanted.front();
  for (LitdataPiece rest : chunks) {
    while (rest.first < rest.last) {
      while (left == 0 && worker + 1 < wanted.size()) left = wanted[++worker];
      if (left == 0) return workers;
      const std::int64_t taken = std::min(left, rest.last - rest.first);
      workers[worker].push_back({rest.chunk, rest.first, rest.first + taken});
      rest.first += taken;
      left -= taken;
    }
  }
  return workers;
}

LitdataPieces permuted(const LitdataPieces& chunks, NumpyLegacy numpy) {
  LitdataPieces out;
  for (const std::int64_t place : numpy.permutation(std::ssize(chunks)))
    out.push_back(chunks[static_cast<std::size_t>(place)]);
  return out;
}

/// The chunks that a node's workers read, each once and whole.
LitdataPieces chunksOfNode(const std::vector<LitdataPieces>& workers, const LitdataPieces& chunks, std::int64_t node,
                           std::int64_t workers_of_node) {
  std::vector<bool> seen(chunks.size());
  LitdataPieces own;
  for (std::int64_t worker = node * workers_of_node; worker < (node + 1) * workers_of_node; ++worker) {
    for (const LitdataPiece& piece : workers[static_cast<std::size_t>(worker)]) {
      const auto chunk = static_cast<std::size_t>(piece.chunk);
      if (!seen[chunk]) own.push_back(chunks[chunk]);
      seen[chunk] = true;
    }
  }
  return own;
}

/// Fisher-Yates that looks no further than `window` items ahead.
template <class T>
void shuffleAhead(std::vector<T>& items, std::int64_t window, NumpyLegacy numpy) {
  const std::int64_t count = std::ssize(items);
  if (window <= 1) return;
  for (std::int64_t i = 0; i + 1 < count; ++i) {
    const std::int64_t ahead = std::min(window, count - i) - 1;
    const auto j = i + static_cast<std::int64_t>(numpy.bounded(static_cast<std::uint64_t>(ahead)));
    std::swap(items[static_cast<std::size_t>(i)], items[static_cast<std::size_t>(j)]);
  }
}

/// The worker's first `most` items.
void keepFirst(LitdataPieces& pieces, std::int64_t most) {
  LitdataPieces kept;
  for (LitdataPiece& piece : pieces) {
    if (most == 0) break;
    piece.last = std::min(piece.last, piece.first + most);
    most -= piece.last - piece.first;
    kept.push_back(piece);
  }
  pieces = std::move(kept);
}

/// Whole chunks in turn, each to the worker in whose share of the dataset its middle lies.
std::vector<LitdataPieces> wholeChunks(const LitdataPieces& chunks, std::int64_t workers) {
  std::vector<LitdataPieces> all(static_cast<std::size_t>(workers));
  const auto total = static_cast<double>(itemsOf(chunks));
  std::int64_t before = 0;
  std::int64_t worker = 0;
  for (const LitdataPiece& chunk : chunks) {
    const std::int64_t size = chunk.last - chunk.first;
    const auto beyond = [&] {
      const double middle = static_cast<double>(before) + static_cast<double>(size) / 2;
      return middle > static_cast<double>(worker + 1) * total / static_cast<double>(workers);
    };
    while (worker + 1 < workers && !all[static_cast<std::size_t>(worker)].empty() && beyond()) ++worker;
    all[static_cast<std::size_t>(worker)].push_back(chunk);
    before += size;
  }
  return all;
}

/// The pieces of each worker, the workers of rank 0 first, of chunks that are given in their own order.
std::vector<LitdataPieces> litdataUnshuffled(const LitdataPieces& chunks, const LitdataReaders& readers) {
  return dealt(chunks, readers);
}

std::vector<LitdataPieces> litdataFull(const LitdataPieces& chunks, const LitdataReaders& readers,
                                       const LitdataShuffle& shuffle) {
  const bool by_node = readers.nodes > 1 && shuffle.epoch > 1 && shuffle.nodes_keep_theirs;
  const std::int64_t epoch = by_node ? 1 : shuffle.epoch;
  std::vector<LitdataPieces> all = dealt(permuted(chunks, seeded({shuffle.seed, epoch})), readers);
  if (!by_node) return all;
  LitdataReaders of_node = readers;
  of_node.ranks = readers.ranks / readers.nodes;
  const std::int64_t workers_of_node = of_node.ranks * readers.workers;
  std::vector<LitdataPieces> again;
  for (std::int64_t node = 0; node < readers.nodes; ++node) {
    const LitdataPieces own = chunksOfNode(all, chunks, node, workers_of_node);
    for (LitdataPieces& worker : dealt(permuted(own, seeded({shuffle.seed, shuffle.epoch, node})), of_node))
      again.push_back(std::move(worker));
  }
  return again;
}

std::vector<LitdataPieces> litdataWindow(const LitdataPieces& chunks, const LitdataReaders& readers,
                                         const LitdataShuffle& shuffle) {
  std::vector<LitdataPieces> all = wholeChunks(chunks, readers.ranks * readers.workers);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const LitdataPieces& worker : all) {
    if (const std::int64_t items = itemsOf(worker); items > 0) least = std::min(least, items);
  }
  if (readers.batch > 1) least -= least % readers.batch;
  for (std::int64_t worker = 0; worker < std::ssize(all); ++worker) {
    LitdataPieces& pieces = all[static_cast<std::size_t>(worker)];
    if (readers.drop_last) keepFirst(pieces, least);
    shuffleAhead(pieces, shuffle.window, seeded({shuffle.seed, shuffle.epoch, worker}));
  }
  return all;
}

/// The items of a piece in the order of FullShuffle, or of WindowShuffle; `chunks` is the number of all chunks.
std::vector<std::int64_t> litdataFullItems(const LitdataPiece& piece, std::int64_t chunks,
                                           const LitdataShuffle& shuffle) {
  NumpyLegacy numpy = seeded({shuffle.seed, chunks, shuffle.epoch, piece.chunk});
  std::vector<std::int64_t> items = numpy.permutation(piece.last - piece.first);
  for (std::int64_t& item : items) item += piece.first;
  return items;
}

std::vector<std::int64_t> litdataWindowItems(const LitdataPiece& piece, std::int64_t chunks,
                                             const LitdataShuffle& shuffle) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(piece.last - piece.first));
  std::iota(items.begin(), items.end(), piece.first);
  shuffleAhead(items, shuffle.window, seeded({shuffle.seed, chunks, shuffle.epoch, piece.chunk}));
  return items;
}

constexpr std::int64_t kMostWindow = 1'000'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "litdata.StreamingDataset",
      marked("samplers",
             "Cuts the chunks of an optimized dataset between the workers of all ranks, in whole batches, and "
             "shuffles chunks and the items in them."),
      {
          choiceField("sampler.shuffle", "none", {"none", "full", "window"},
                      marked("fields",
                             "none keeps the order of the chunks (shuffle=False); full shuffles chunks and items "
                             "(shuffle=True); window is the shuffle of local POSIX paths, within a window.")),
          seedField("sampler.seed", 42, INT64_MIN, INT64_MAX,
                    marked("fields", "Seed of all shuffles; NumPy takes 0 to 2^32 - 1.")),
          boolField("sampler.drop_last", true,
                    marked("fields",
                           "Leave out what gives no whole batch on every rank; litData's own default on several "
                           "ranks.")),
          boolField("sampler.node_shard_fits", true,
                    marked("fields",
                           "Whether max_cache_size holds the chunks of each node: from the second epoch on each node "
                           "then keeps its own.")),
          intField("sampler.window", 16, 0, kMostWindow, "",
                   marked("fields", "How far the shuffle window moves a chunk or an item forward.")),
          Field{.path = "sampler.roi",
                .kind = FieldKind::Numbers,
                .fallback = std::string("whole"),
                .min = 0,
                .max = INT64_MAX,
                .choices = {"whole"},
                .help = marked("fields",
                               "First item of each chunk that is used, and the item behind the last one, chunk after "
                               "chunk; whole uses all.")},
      },
      {
          marked("samplers",
                 "With shuffle on several nodes, a chunk that the first epoch cuts between two nodes is read whole by "
                 "both from the second epoch on: its items come twice."),
          marked("samplers",
                 "Another number of ranks or workers, or another batch size, moves every cut: a resumed run continues "
                 "only with the same ones."),
          marked("samplers",
                 "With drop_last off, all that is left goes to one worker of the last rank, which then has more "
                 "batches than the others."),
          marked("samplers",
                 "It divides the dataset among the ranks by itself, and no argument switches that off (litData#368)."),
      },
      {"dataset.shards"}};
  return kInfo;
}

std::string shuffleOf(const PipelineSpec& spec) {
  return textParameter(spec, info(), "shuffle");
}

LitdataPieces chunksOf(const PipelineSpec& spec) {
  LitdataPieces chunks;
  if (spec.dataset.size == 0) return chunks;
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const NumberList roi = numbersParameter(spec, info(), "roi");
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    LitdataPiece chunk{static_cast<std::int64_t>(i), starts[i], starts[i + 1]};
    if (!roi.empty()) {
      chunk.first = static_cast<std::int64_t>(roi[2 * i]);
      chunk.last = static_cast<std::int64_t>(roi[2 * i + 1]);
    }
    chunks.push_back(chunk);
  }
  return chunks;
}

/// Each pair lies in its chunk, in order.
Result<void> checkRoi(const PipelineSpec& spec) {
  const NumberList roi = numbersParameter(spec, info(), "roi");
  if (roi.empty()) return {};
  const std::vector<std::int64_t> starts = shardStarts(spec);
  bool good = spec.dataset.size > 0 && roi.size() == 2 * (starts.size() - 1);
  for (std::size_t i = 0; good && i + 1 < starts.size(); ++i) {
    const double first = roi[2 * i];
    const double last = roi[2 * i + 1];
    good = std::floor(first) == first && std::floor(last) == last && first >= static_cast<double>(starts[i]) &&
           first <= last && last <= static_cast<double>(starts[i + 1]);
  }
  if (good) return {};
  return refused(worded("checks",
                        "roi needs two items for each chunk: the first one that is used and the one behind "
                        "the last, both in the chunk."),
                 "sampler.roi", worded("checks", "count items through the whole dataset"));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto equal = checkEqualNodes(spec); !equal && shuffleOf(spec) == "full") return equal;
  if (auto roi = checkRoi(spec); !roi) return roi;
  if (shuffleOf(spec) == "none") return {};
  const std::int64_t seed = intParameter(spec, info(), "seed");
  if (auto good = checkNumpySeed(std::vector<std::int64_t>{seed}); !good) {
    Error error = good.error();
    error.place.field = "sampler.seed";
    error.hint = worded("checks", "NumPy takes no other seed");
    return error;
  }
  if (spec.dataset.size > 0 || shuffleOf(spec) == "window") return checkRoomForStreams(spec.dataset.size);
  return raised("IndexError", "arrays used as indices must be of integer (or boolean) type", "dataset.size",
                worded("checks", "give at least 1 sample"));
}

/// Epochs of litData count from 1.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const std::string shuffle = shuffleOf(spec);
  if (shuffle == "none") return {"litdata " + shuffle, 0, 0};
  return {"litdata " + shuffle, static_cast<std::uint64_t>(intParameter(spec, info(), "seed")),
          static_cast<std::uint64_t>(epoch.value) + 1};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const LitdataPieces chunks = chunksOf(spec);
  const std::int64_t workers = std::max<std::int64_t>(1, spec.loader.num_workers);
  const LitdataReaders readers{spec.world.nodes, spec.worldSize(), workers, spec.loader.batch_size,
                               boolParameter(spec, info(), "drop_last")};
  const LitdataShuffle shuffle{static_cast<std::int64_t>(key.seed), static_cast<std::int64_t>(key.skip),
                               boolParameter(spec, info(), "node_shard_fits"), intParameter(spec, info(), "window")};
  const std::string how = shuffleOf(spec);
  const std::vector<LitdataPieces> all = how == "none"   ? litdataUnshuffled(chunks, readers)
                                         : how == "full" ? litdataFull(chunks, readers, shuffle)
                                                         : litdataWindow(chunks, readers, shuffle);
  const auto read = [&](Rank rank, std::int64_t worker) -> Result<std::vector<std::int64_t>> {
    std::vector<std::int64_t> items;
    for (const LitdataPiece& piece : all[static_cast<std::size_t>(rank.value * workers + worker)]) {
      if (work.stopped()) return cancelled();
      std::vector<std::int64_t> part =
          how == "full"
              ? litdataFullItems(piece, std::ssize(chunks), shuffle)
              : litdataWindowItems(piece, std::ssize(chunks), how == "none" ? LitdataShuffle{.window = 0} : shuffle);
      items.insert(items.end(), part.begin(), part.end());
    }
    return items;
  };
  return dealStreams(spec, StreamReaders{spec.worldSize(), workers, spec.dataset.size}, read, work);
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .is_stream = true, .across_shares = RepeatCause::ShuffleDefect};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  if (numbersParameter(spec, info(), "roi").empty()) return always(MissingCause::CutBySampler);
  return [chunks = chunksOf(spec)](SampleIndex sample) {
    const bool used = std::ranges::any_of(
        chunks, [sample](const LitdataPiece& chunk) { return chunk.first <= sample && sample < chunk.last; });
    return used ? MissingCause::CutBySampler : MissingCause::OutsideSubset;
  };
}

}  // namespace
}  // namespace litdata_streaming_dataset

SamplerRule litdataStreamingDataset() {
  using namespace litdata_streaming_dataset;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .drop_last = "drop_last"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
