// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launchers/launcher.h"

#include <memory>

namespace shardlens {

/// Open MPI's mpirun, version 4.
std::unique_ptr<Launcher> makeMpirun();

}  // namespace shardlens
