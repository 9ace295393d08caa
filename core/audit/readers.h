// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shardlens {

/// What draws samples: one rank in one epoch.
struct Reader {
  Epoch epoch;
  Rank rank;
};

/// Indices into a list of readers.
using ReaderIndices = std::vector<std::size_t>;

/// Every rank of an epoch, by rank; at most `most`.
std::vector<Reader> ranksOf(const Plan& plan, Epoch epoch, std::int64_t most);

/// The readers that draw from the same order, found without computing it; groups in the order of their first reader.
/// Takes a few hundred nanoseconds per reader.
std::vector<ReaderIndices> groupByOrder(const Plan& plan, std::span<const Reader> readers);

/// Leaves one reader of each data-parallel rank: what ranks of one copy of the model read alike counts once.
void countPeersOnce(const Plan& plan, std::span<const Reader> readers, ReaderIndices& alike);

/// Whether the reader is handed each sample of the dataset exactly once, without drawing: false only means that this
/// is unknown. Two such readers get the same batches exactly when they are in one group of groupByOrder().
bool isHandedAll(const Plan& plan, const Reader& reader);

/// One way to read an order, and all readers that read it in exactly that way.
struct View {
  RankEpoch items;
  std::int64_t handed = 0;  ///< items that are in batches: all of them, unless loader.drop_last throws a tail away
  ReaderIndices readers;
};

/// The different views within one group of groupByOrder(), by first position; computes the group's order.
Result<std::vector<View>> viewsOf(const Plan& plan, std::span<const Reader> readers, const ReaderIndices& group,
                                  const Work& work);

/// Whether the views deal their order like cards: one stride, each view another first position below it. Then no
/// position belongs to two views, before the order starts again.
bool areInterleaved(std::span<const View> views);

/// Whether no two views read one place of their order.
bool areApart(std::span<const View> views);

}  // namespace shardlens
