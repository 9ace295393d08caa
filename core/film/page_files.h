// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace shardlens {

/// A file of resources/film, as it was when this was built.
struct PageFile {
  std::string_view name;
  std::string_view text;
};

/// In the order in which the page needs the scripts.
std::span<const PageFile> pageFiles();

}  // namespace shardlens
