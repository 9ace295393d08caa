// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/columns.h"
#include "core/sampling/datasets/epoch.h"
#include "core/sampling/torch/shard_streams.h"

#include <optional>
#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

void noteUneven(LensColumn& column, const PipelineSpec& spec) {
  if (spec.worldSize() == 1) return;
  column.notes.push_back({Severity::Info,
                          "Nothing is padded or cut: ranks with one batch more than others wait for them in "
                          "vain (datasets#6437)."});
  column.notes.push_back(
      {Severity::Info, "Without split_dataset_by_node every rank reads the whole dataset (datasets#5360)."});
}

LensColumn mapStyle(const PipelineSpec& spec) {
  const bool shuffled = isShuffled(spec);
  std::map<std::string, Value> parameters = {{"shuffle", std::string(shuffled ? "before_split" : "none")}};
  if (shuffled) parameters["seed"] = spec.seeds.base;
  LensColumn column =
      ownSampler(spec, "datasets", "datasets, split_dataset_by_node", "datasets.Dataset", std::move(parameters));
  column.makes = shuffled ? "The dataset is shuffled once, and each rank reads one contiguous part of it."
                          : "Each rank reads one contiguous part of the dataset, in order.";
  if (shuffled) {
    column.notes.push_back(
        {Severity::Warning, "shuffle(seed=" + std::to_string(spec.seeds.base) +
                                ") is called once: every epoch has the same order unless the script shuffles again."});
  }
  column.when = "in split_dataset_by_node()";
  noteUneven(column, spec);
  return column;
}

/// Whether each rank gets files of its own; shuffle() may count fewer of them than there are.
bool dividesFiles(const PipelineSpec& spec) {
  std::optional<sampling::DatasetsShuffle> shuffle;
  if (isShuffled(spec)) shuffle = sampling::DatasetsShuffle{.seed = spec.seeds.base};
  const auto epoch = sampling::DatasetsEpoch::make(sampling::shardStarts(spec), shuffle, 0, spec.worldSize());
  return epoch && epoch->dividesShards();
}

LensColumn iterableStyle(const PipelineSpec& spec) {
  const bool shuffled = isShuffled(spec);
  std::map<std::string, Value> parameters = {{"shuffle", shuffled}};
  if (shuffled) parameters["seed"] = spec.seeds.base;
  LensColumn column =
      ownSampler(spec, "datasets-streaming", "datasets, streaming", "datasets.IterableDataset", std::move(parameters));
  const std::string buffer = shuffled ? ", through a shuffle buffer." : ".";
  const std::string one_of = "keeps one sample of " + std::to_string(spec.worldSize());
  column.makes =
      (dividesFiles(spec) ? "Each rank streams its own files" : "Every rank reads all files and " + one_of) + buffer;
  if (shuffled && !dividesFiles(spec)) {
    column.notes.push_back({Severity::Warning,
                            "shuffle() counts its sources as files: they are fewer than the design has, and the "
                            "world size does "
                            "not divide them (datasets#8669)."});
  }
  column.when = "when the first sample is read";
  noteUneven(column, spec);
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
