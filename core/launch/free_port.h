// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace shardlens {

/// A TCP port of this host that no program listens on at this moment; another may take it at any time. Environment when
/// there is none.
Result<int> freePort();

}  // namespace shardlens
