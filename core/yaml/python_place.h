// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"

#include <string>

namespace shardlens::yaml {

/// Python: the planned world and dataset as constants, and this_rank(), which asks torch.distributed, then the
/// launcher's variables, and raises when neither says which rank it is or when the job is not the planned one. Nothing
/// is read when the module is imported.
std::string pythonPlace(const PipelineSpec& spec);

}  // namespace shardlens::yaml
