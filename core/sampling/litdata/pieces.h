// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

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

/// The pieces of each worker, the workers of rank 0 first, of chunks that are given in their own order.
std::vector<LitdataPieces> litdataUnshuffled(const LitdataPieces& chunks, const LitdataReaders& readers);
std::vector<LitdataPieces> litdataFull(const LitdataPieces& chunks, const LitdataReaders& readers,
                                       const LitdataShuffle& shuffle);
std::vector<LitdataPieces> litdataWindow(const LitdataPieces& chunks, const LitdataReaders& readers,
                                         const LitdataShuffle& shuffle);

/// The items of a piece in the order of FullShuffle, or of WindowShuffle; `chunks` is the number of all chunks.
std::vector<std::int64_t> litdataFullItems(const LitdataPiece& piece, std::int64_t chunks,
                                           const LitdataShuffle& shuffle);
std::vector<std::int64_t> litdataWindowItems(const LitdataPiece& piece, std::int64_t chunks,
                                             const LitdataShuffle& shuffle);

}  // namespace shardlens::sampling
