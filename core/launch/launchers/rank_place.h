// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"

#include <string>
#include <vector>

namespace shardlens {

/// What precedes a command so that each rank has what torch.distributed reads: RANK and WORLD_SIZE out of the variables
/// of a launcher, LOCAL_RANK and LOCAL_WORLD_SIZE out of the nodes of the spec, although all ranks run on this host.
/// `start` is what the shell then does with the command.
std::vector<std::string> rankPlace(const PipelineSpec& spec, const std::string& rank_variable,
                                   const std::string& size_variable, const std::string& start = "exec \"$@\"");

}  // namespace shardlens
