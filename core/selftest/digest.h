// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace shardlens::selftest {

/// SHA-256 of numbers as little-endian signed 64-bit integers, as 64 hexadecimal digits.
std::string sha256(std::span<const std::int64_t> numbers);

}  // namespace shardlens::selftest
