// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launchers/launcher.h"

#include <memory>

namespace shardlens {

/// No launcher at all: every rank is a process of ours that runs the command, with RANK, WORLD_SIZE, LOCAL_RANK,
/// LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT as torch.distributed reads them.
std::unique_ptr<Launcher> makePlain();

}  // namespace shardlens
