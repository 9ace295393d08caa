// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace shardlens {

/// How often the rings of running ranks are emptied, and how often their slots and processes are looked at.
constexpr std::chrono::milliseconds kDrainEvery{20};
constexpr std::chrono::milliseconds kLookEvery{100};

}  // namespace shardlens
