// SPDX-License-Identifier: Apache-2.0
// WebDataset e0953f9: no part of it has a state.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

#include <utility>

namespace shardlens::resumes {

std::vector<ResumeWay> webDataset(const PipelineSpec& stopped, const ResumePoint& point, const Work& /*work*/) {
  ResumeWay way =
      makeWay(stopped, "webdataset", worded("resume", "WebDataset: restarted"),
              worded("resume", "It saves nothing: every rank starts its shards again, in the order of epoch 0."));
  way.notes.push_back(
      {Severity::Info,
       worded("resume", "The object counts its epochs, so a new process always starts at the first one.")});
  if (stopped.worldSize() == 1 && resumedSpec(stopped, point).worldSize() > 1) {
    way.notes.push_back(
        {Severity::Warning,
         worded("resume",
                "It refuses more than one rank without a nodesplitter; this shows it with wds.split_by_node.")});
  }
  return {skipping(std::move(way), point, Epoch{0}, 0)};
}

}  // namespace shardlens::resumes
