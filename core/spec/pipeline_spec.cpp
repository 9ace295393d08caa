// SPDX-License-Identifier: Apache-2.0
#include "core/spec/pipeline_spec.h"

namespace shardlens {

double PipelineSpec::Run::delayMs(Rank rank, std::string_view phase, std::int64_t global_step) const {
  double ms = 0;
  for (const Delay& delay : delays) {
    const bool is_due = global_step >= delay.from_step && (delay.until_step == 0 || global_step < delay.until_step);
    if (delay.rank == rank.value && delay.phase == phase && is_due) ms += delay.ms;
  }
  return ms;
}

}  // namespace shardlens
