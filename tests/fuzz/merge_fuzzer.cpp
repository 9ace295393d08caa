// SPDX-License-Identifier: Apache-2.0
// Two texts, with a line of three dashes and "wanted" between them: what is merged has all of the second, so that
// merging it once more changes nothing.
#include "core/yaml/merge.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kBorder = "--- wanted\n";
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t border = text.find(kBorder);
  if (border == std::string_view::npos) return 0;
  const std::string_view wanted = text.substr(border + kBorder.size());
  const auto merged = shardlens::yaml::mergeTexts(text.substr(0, border), wanted);
  if (!merged) return 0;
  const auto again = shardlens::yaml::mergeTexts(*merged, wanted);
  if (again && *again != *merged) std::abort();
  return 0;
}
