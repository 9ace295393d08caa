// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

std::map<std::string, Value> parametersOf(const PipelineSpec& spec, const char* nodesplitter) {
  std::map<std::string, Value> parameters = {{"nodesplitter", std::string(nodesplitter)}};
  if (!isShuffled(spec)) return parameters;
  parameters["shardshuffle"] = std::int64_t{100};
  parameters["detshuffle"] = true;
  parameters["seed"] = spec.seeds.base;
  return parameters;
}

LensColumn reading(const PipelineSpec& spec, std::string id, std::string title, const char* nodesplitter) {
  LensColumn column =
      ownSampler(spec, std::move(id), std::move(title), "webdataset.WebDataset", parametersOf(spec, nodesplitter));
  column.makes = worded("lens", "Each worker of each rank reads its own tar files, one after another.");
  column.when = worded("lens", "when the first sample is read");
  if (isShuffled(spec)) {
    column.notes.push_back(
        {Severity::Warning, worded("lens",
                                   "The tar files are shuffled, but not the samples in them: that takes a .shuffle(n), "
                                   "which is seeded by time and process unless it gets a seed.")});
  }
  return column;
}

}  // namespace

/// WebDataset @e0953f9: WebDataset(urls, shardshuffle=100, detshuffle=True), a tar file for each of dataset.shards.
std::vector<LensColumn> webdataset(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "webdataset", "WebDataset")) return {*std::move(written)};
  if (spec.dataset.shards.empty()) {
    LensColumn column;
    column.id = "webdataset";
    column.title = "WebDataset";
    column.makes = worded("lens", "It reads tar files, and divides files rather than samples.");
    leaveOpen(column, spec,
              worded("lens", "the design does not say how many samples each tar file has (fill in dataset.shards)"));
    return {column};
  }
  if (spec.worldSize() == 1) return {reading(spec, "webdataset", "WebDataset", "split_by_node")};
  LensColumn refused = reading(spec, "webdataset", "WebDataset", "single_node_only");
  refused.makes =
      worded("lens", "It refuses more than one rank until the script says how tar files are split between ranks.");
  LensColumn remedy = reading(spec, "webdataset-split", "nodesplitter=wds.split_by_node", "split_by_node");
  remedy.remedy_of = "webdataset";
  return {std::move(refused), std::move(remedy)};
}

}  // namespace shardlens::lenses
