// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace shardlens {

/// RFC 4648 with padding, in one line.
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace shardlens
