// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/batching.h"
#include "core/sampling/datasets/iterable_dataset.h"
#include "core/sampling/torch/iterable_dataset.h"

#include <optional>
#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

/// `uneven`: whether ranks may get different numbers of batches.
void noteRanks(LensColumn& column, const PipelineSpec& spec, bool uneven) {
  if (spec.worldSize() == 1) return;
  if (uneven) {
    column.notes.push_back(
        {Severity::Info,
         worded("lens",
                "split_dataset_by_node pads and cuts nothing: ranks with more batches than others wait for them in "
                "vain (datasets#6437).")});
  }
  column.notes.push_back(
      {Severity::Info,
       worded("lens", "Without split_dataset_by_node every rank reads the whole dataset (datasets#5360).")});
}

/// Whether the first ranks, which have the larger parts, get more batches than the last one.
bool isUneven(const PipelineSpec& spec) {
  const std::int64_t smaller = spec.dataset.size / spec.worldSize();
  const std::int64_t larger = smaller + (spec.dataset.size % spec.worldSize() == 0 ? 0 : 1);
  const Batching batching = Batching::ofSize(spec.loader.batch_size, spec.loader.drop_last);
  return batching.count(smaller) != batching.count(larger);
}

LensColumn mapStyle(const PipelineSpec& spec) {
  const bool shuffled = isShuffled(spec);
  std::map<std::string, Value> parameters = {{"shuffle", std::string(shuffled ? "before_split" : "none")}};
  if (shuffled) parameters["seed"] = spec.seeds.base;
  LensColumn column =
      ownSampler(spec, "datasets", "datasets, split_dataset_by_node", "datasets.Dataset", std::move(parameters));
  column.makes = shuffled
                     ? worded("lens", "The dataset is shuffled once, and each rank reads one contiguous part of it.")
                     : worded("lens", "Each rank reads one contiguous part of the dataset, in order.");
  if (shuffled) {
    column.notes.push_back(
        {Severity::Warning,
         filled(
             worded(
                 "lens",
                 "shuffle(seed=%1) is called once: every epoch has the same order unless the script shuffles again."),
             std::to_string(spec.seeds.base))});
  }
  column.when = worded("lens", "in split_dataset_by_node()");
  noteRanks(column, spec, isUneven(spec));
  return column;
}

/// Whether each rank gets files of its own; shuffle() may count fewer of them than there are.
bool dividesFiles(const PipelineSpec& spec) {
  std::optional<sampling::DatasetsShuffle> shuffle;
  if (isShuffled(spec)) shuffle = sampling::DatasetsShuffle{.seed = spec.seeds.base};
  const auto epoch = sampling::DatasetsEpoch::make(sampling::shardStarts(spec), shuffle, 0, spec.worldSize());
  return epoch && epoch->dividesShards();
}

std::string streamsText(const PipelineSpec& spec, bool own_files, bool shuffled) {
  if (own_files) {
    return shuffled ? worded("lens", "Each rank streams its own files, through a shuffle buffer.")
                    : worded("lens", "Each rank streams its own files.");
  }
  return filled(shuffled
                    ? worded("lens", "Every rank reads all files and keeps one sample of %1, through a shuffle buffer.")
                    : worded("lens", "Every rank reads all files and keeps one sample of %1."),
                std::to_string(spec.worldSize()));
}

LensColumn iterableStyle(const PipelineSpec& spec) {
  const bool shuffled = isShuffled(spec);
  std::map<std::string, Value> parameters = {{"shuffle", shuffled}};
  if (shuffled) parameters["seed"] = spec.seeds.base;
  LensColumn column = ownSampler(spec, "datasets-streaming", worded("lens", "datasets, streaming"),
                                 "datasets.IterableDataset", std::move(parameters));
  column.makes = streamsText(spec, dividesFiles(spec), shuffled);
  if (shuffled && !dividesFiles(spec)) {
    column.notes.push_back(
        {Severity::Warning, worded("lens",
                                   "shuffle() counts its sources as files: they are fewer than the design has, and the "
                                   "world size does not divide them (datasets#8669).")});
  }
  column.when = worded("lens", "when the first sample is read");
  noteRanks(column, spec, true);
  return column;
}

}  // namespace

/// Hugging Face datasets @b7cb10b: split_dataset_by_node(dataset.shuffle(seed), rank, world_size) in a plain
/// DataLoader; streamed, too, where the design says how many samples each file has.
std::vector<LensColumn> datasets(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "datasets", "datasets")) return {*std::move(written)};
  if (spec.dataset.shards.empty()) return {mapStyle(spec)};
  return {mapStyle(spec), iterableStyle(spec)};
}

}  // namespace shardlens::lenses
