// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/litdata/pieces.h"

#include "core/random/numpy_legacy.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace shardlens::sampling {
namespace {

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

}  // namespace

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

}  // namespace shardlens::sampling
