// SPDX-License-Identifier: Apache-2.0
// Sentences about the datasets of a loader's ranks, and about what equal ids mean.
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/word_parts.h"

namespace shardlens::words {
namespace {

using capture::DatasetDifference;
using capture::DatasetPart;
using capture::JobLoader;
using capture::LoaderFacts;
using capture::SampleIds;

std::string samplesOf(const std::optional<std::int64_t>& length) {
  return length ? counted(*length, "sample") : "a dataset without len()";
}

std::string differText(const DatasetDifference& difference) {
  std::string who =
      difference.rank == difference.other
          ? "In its passes, rank " + std::to_string(difference.rank) + " read "
          : "Ranks " + std::to_string(difference.rank) + " and " + std::to_string(difference.other) + " read ";
  switch (difference.part) {
    case DatasetPart::Class:
      return who + "datasets of different classes";
    case DatasetPart::Length:
      return who + "datasets of different lengths";
    case DatasetPart::Attribute:
      return who + "datasets that differ in their attribute " + difference.attribute;
    case DatasetPart::Indices:
      return who + "Subsets with different indices, which are not all recorded";
    case DatasetPart::Unseen:
      return who + "Subsets whose indices are not recorded";
  }
  return who;
}

}  // namespace

std::string datasetsOfRanks(const JobLoader& job) {
  const LoaderFacts& loader = job.ranks.front().loader;
  switch (job.datasets.ids) {
    case SampleIds::None:
      return {};
    case SampleIds::Below:
      return "Not all ranks and passes read the same Subset of " + loader.subset->type + " with " +
             samplesOf(loader.subset->length) + ": ids are those of that dataset.";
    case SampleIds::OwnPositions:
      return differText(*job.datasets.difference) +
             ": ids are positions in these, and equal ones need not be the same sample.";
    case SampleIds::Positions:
      break;
  }
  if (!loader.subset) return {};
  const std::string of = loader.subset->type + " with " + samplesOf(loader.subset->length);
  return "The dataset is a Subset of " + of + ": ids are positions in the Subset.";
}

std::string sameDatasets(const JobLoader& job) {
  const LoaderFacts& loader = job.ranks.front().loader;
  const auto& marks = loader.subset ? loader.subset->marks : loader.dataset_marks;
  return marks.empty()
             ? "Equal ids are taken for the same sample: the ranks' datasets have one class and length, and what "
               "they hold was not seen."
             : "Equal ids are taken for the same sample: the ranks' datasets are alike in class, length and what was "
               "seen of " +
                   counted(static_cast<std::int64_t>(marks.size()), "attribute") + ".";
}

std::string notInOrder() {
  return "The loader hands out batches as workers have them ready (in_order=False): they are shown as its sampler drew "
         "them, and which of the queued ones the loop got is not known.";
}

std::string specHasOneDataset() {
  return "No file is written: a spec has one dataset, which all ranks read in all epochs.";
}

std::string subsetsOfTheirOwn() {
  return "What its sampler draws are positions in Subsets, which are not the same for all ranks and passes.";
}

}  // namespace shardlens::words
