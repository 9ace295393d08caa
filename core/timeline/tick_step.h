// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shardlens {

/// How far apart the marks of a time axis are, in nanoseconds: the smallest round length that is not below `least_ns`.
/// Up to a second 1, 2 or 5 times a power of ten; above that what clocks count by: 10, 15, 30 s, 1, 2, 5, 10, 15,
/// 30 min, and so on.
std::int64_t tickStep(double least_ns);

}  // namespace shardlens
