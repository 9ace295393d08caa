// SPDX-License-Identifier: Apache-2.0
// Sentences about the datasets of a loader's ranks, and about what equal ids mean.
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"

#include <iterator>

namespace shardlens::words {
namespace {

using capture::DatasetDifference;
using capture::DatasetPart;
using capture::JobLoader;
using capture::LoaderFacts;
using capture::SampleIds;

/// What ranks read, or one rank in its passes.
std::string readText(const DatasetDifference& difference) {
  switch (difference.part) {
    case DatasetPart::Class:
      return worded("capture", "datasets of different classes");
    case DatasetPart::Length:
      return worded("capture", "datasets of different lengths");
    case DatasetPart::Attribute:
      return filled(worded("capture", "datasets that differ in their attribute %1"), difference.attribute);
    case DatasetPart::Indices:
      return worded("capture", "Subsets with different indices, which are not all recorded");
    case DatasetPart::Unseen:
      break;
  }
  return worded("capture", "Subsets whose indices are not recorded");
}

std::string ownPositions(const DatasetDifference& difference) {
  const std::string rank = std::to_string(difference.rank);
  return difference.rank == difference.other ? filled(worded("capture",
                                                             "In its passes, rank %1 read %2: ids are positions in "
                                                             "these, so equal ids need not be the same sample."),
                                                      rank, readText(difference))
                                             : filled(worded("capture",
                                                             "Ranks %1 and %2 read %3: ids are positions in these, so "
                                                             "equal ids need not be the same sample."),
                                                      rank, std::to_string(difference.other), readText(difference));
}

}  // namespace

std::string datasetsOfRanks(const JobLoader& job) {
  const LoaderFacts& loader = job.ranks.front().loader;
  switch (job.datasets.ids) {
    case SampleIds::None:
      return {};
    case SampleIds::Below:
      return filled(
          worded("capture",
                 "Not all ranks and passes read the same Subset of %1 with %2: ids are those of that dataset."),
          loader.subset->type, samplesOf(loader.subset->length));
    case SampleIds::OwnPositions:
      return ownPositions(*job.datasets.difference);
    case SampleIds::Positions:
      break;
  }
  if (!loader.subset) return {};
  return filled(worded("capture", "The dataset is a Subset of %1 with %2: ids are positions in the Subset."),
                loader.subset->type, samplesOf(loader.subset->length));
}

std::string sameDatasets(const JobLoader& job) {
  const LoaderFacts& loader = job.ranks.front().loader;
  const auto& marks = loader.subset ? loader.subset->marks : loader.dataset_marks;
  return marks.empty() ? worded("capture",
                                "Equal ids are assumed to be the same sample: the ranks' datasets have the same class "
                                "and length. What they contain was not seen.")
                       : filled(worded("capture",
                                       "Equal ids are assumed to be the same sample: the ranks' datasets agree in "
                                       "class, length and what was seen of %1."),
                                wordedCount(std::ssize(marks), "attribute"));
}

}  // namespace shardlens::words
