// SPDX-License-Identifier: Apache-2.0
// detectron2 02b5c4e (engine/train_loop.py, engine/defaults.py): the trainer resumes its iteration, not its loader.
#include "core/plan/resumes/resumes.h"

#include <utility>

namespace shardlens::resumes {

std::vector<ResumeWay> detectron2(const PipelineSpec& stopped, const ResumePoint& point) {
  const std::string& type = stopped.sampler.type;
  if (type == "detectron2.InferenceSampler") return {};
  ResumeWay way = makeWay(stopped, "detectron2", "detectron2: resume_or_load",
                          "The iteration goes on, the stream of samples begins again with its seed.");
  way = skipping(std::move(way), point, Epoch{0}, 0);
  way.goes_on->counts_on = true;
  way.notes.push_back({Severity::Warning,
                       "Without a seed in the config another stream is drawn at each start, and nobody can tell what "
                       "comes again."});
  return {way};
}

}  // namespace shardlens::resumes
