// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shardlens {

/// A length of time in its largest unit, with U+202F: "320 ns", "18 ms", "1.4 s", "7.9 min", "3.2 h". So many figures,
/// and as many more as a whole number needs; "0 s" for nothing and for less.
std::string durationText(std::int64_t ns, int figures = 2);

}  // namespace shardlens
