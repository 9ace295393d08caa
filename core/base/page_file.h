// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace shardlens {

/// A text file of resources, as it was when this was built.
struct PageFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace shardlens
