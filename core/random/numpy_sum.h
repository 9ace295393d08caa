// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace shardlens {

/// sum() of a contiguous array of doubles as NumPy 1.24 to 2.2 rounds it: halves of at most 128 items, eight partial
/// sums in each.
double numpySum(std::span<const double> items);

}  // namespace shardlens
