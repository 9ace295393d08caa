// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace shardlens {

/// A TCP port of this host that no program has at this moment, and that none gets by chance: it is not one of those
/// that the system gives away, where there are others. Environment when there is none.
Result<int> freePort();

}  // namespace shardlens
