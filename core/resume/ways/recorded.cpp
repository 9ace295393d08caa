// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

namespace shardlens::resumes {

std::vector<ResumeWay> recorded(const PipelineSpec& stopped, const ResumePoint& /*point*/, const Work& /*work*/) {
  return {failing(
      makeWay(stopped, "recorded", worded("resume", "The recorded job, started again"),
              worded("resume", "Its sampler continues as it would after such a stop.")),
      Error{ErrorCode::Unsupported,
            worded("resume", "Not predictable: a recording says what was read, not how the sampler would continue."),
            {},
            worded("resume", "record the job after a restart, or name the sampler's rule in sampler.type")})};
}

}  // namespace shardlens::resumes
