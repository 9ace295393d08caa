// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/numpy_arguments.h"

#include "core/sampling/torch_arguments.h"

namespace shardlens::sampling {

Result<void> checkNumpySeed(std::int64_t seed, const char* field) {
  if (seed >= 0) return {};
  return raised("ValueError", "expected non-negative integer", field, "use a seed from 0 on");
}

}  // namespace shardlens::sampling
