// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace shardlens {

/// Results list at most this many ids; they count all of them.
constexpr std::size_t kShownIds = 1000;

}  // namespace shardlens
