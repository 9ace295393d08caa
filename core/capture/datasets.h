// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/facts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::capture {

/// What the indices that the ranks of a loader drew are.
enum class SampleIds {
  Positions,     ///< positions in one dataset: those of the ranks look alike, or there is one rank
  Below,         ///< after a translation, ids of the dataset of which each rank has a Subset of its own
  OwnPositions,  ///< positions in datasets that differ, or may: equal ones need not be one sample
  None,          ///< there are none: the dataset is iterable
};

/// In what the datasets of two ranks, or of two passes of one, differ.
enum class DatasetPart {
  Class,
  Length,
  Attribute,  ///< that has a name
  Indices,    ///< of Subsets
  Unseen,     ///< which samples their Subsets take is not recorded
};

struct DatasetDifference {
  DatasetPart part = DatasetPart::Class;
  std::string attribute;
  std::int64_t rank = 0;
  std::int64_t other = 0;
};

/// The datasets that the ranks of a loader read, in all their passes.
struct RankDatasets {
  SampleIds ids = SampleIds::Positions;
  std::optional<DatasetDifference> difference;  ///< the first one; of Below, that of the Subsets
};

/// A rank and a loader that it read.
struct LoaderOfRank {
  std::int64_t rank = 0;
  const LoaderFacts* loader = nullptr;
};

/// Compares the datasets, of which there is at least one, as far as the probe saw them.
RankDatasets compareDatasets(const std::vector<LoaderOfRank>& loaders);

/// Makes ids of the dataset below of positions in a Subset. False when one of them is none.
bool toIdsBelow(const SubsetFacts& subset, std::vector<SampleIndex>& positions);

}  // namespace shardlens::capture
