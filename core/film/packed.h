// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/film/film.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shardlens {

/// One array among packed bytes: `count` numbers of `width` bytes, little-endian; or all of them `value`, in no bytes.
struct PackedArray {
  std::string name;
  std::int64_t count = 0;
  int width = 0;  ///< 0, 1, 2, 4
  std::uint32_t value = 0;
};

/// A film's numbers, each array in the least width that holds its largest, one after the other. Epochs follow each
/// other within an array.
struct Packed {
  std::vector<PackedArray> arrays;
  std::vector<std::uint8_t> bytes;
};

Packed packed(const Film& film);

/// RFC 4648 with padding, in one line.
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace shardlens
