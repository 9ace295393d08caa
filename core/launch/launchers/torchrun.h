// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launchers/launcher.h"

#include <memory>

namespace shardlens {

/// PyTorch's torchrun, from 1.10 on: one node, no restarts.
std::unique_ptr<Launcher> makeTorchrun();

}  // namespace shardlens
