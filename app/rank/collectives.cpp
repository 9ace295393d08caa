// SPDX-License-Identifier: Apache-2.0
#include "app/rank/collectives.h"

#include <algorithm>
#include <string>

namespace shardlens::rank {

Result<void> Collectives::prepareGroups(const std::vector<schedule::Group>& /*groups*/) {
  return Error{ErrorCode::Usage,
               "This rank program cannot perform the schedule of a spec.",
               {"", 0, 0, "run.program"},
               "run.program: mpi_rank, with launcher mpirun"};
}

Result<void> Collectives::perform(const schedule::Operation& /*operation*/, std::vector<float>& /*values*/) {
  return {};
}

Result<void> HostGradient::resize(std::size_t floats) {
  try {
    values_.resize(floats);
  } catch (const std::exception&) {
    return Error{ErrorCode::Environment,
                 "There is not enough memory for a gradient of " + std::to_string(floats * sizeof(float)) + " bytes.",
                 {"", 0, 0, "run.gradient_kb"},
                 "make it smaller"};
  }
  return {};
}

void HostGradient::fill(float value) {
  std::fill(values_.begin(), values_.end(), value);
}

bool HostGradient::isEverywhere(float expected) const {
  return std::all_of(values_.begin(), values_.end(), [expected](float value) { return value == expected; });
}

}  // namespace shardlens::rank
