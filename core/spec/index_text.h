// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace shardlens {

/// The same number several times: "64 x 20018".
struct RepeatedIndex {
  std::int64_t count = 0;
  std::int64_t index = 0;
};

/// What such a text means, with or without spaces around the x; nothing for another text or for zero times.
std::optional<RepeatedIndex> repeatedIndex(std::string_view text);

}  // namespace shardlens
