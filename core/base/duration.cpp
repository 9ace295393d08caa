// SPDX-License-Identifier: Apache-2.0
#include "core/base/duration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace shardlens {
namespace {

constexpr const char* kThinSpace = "\u202f";  // as in grouped()

}  // namespace

std::string durationText(std::int64_t ns, int figures) {
  struct Unit {
    double ns;
    const char* name;
  };
  constexpr std::array<Unit, 6> kUnits = {
      {{1, "ns"}, {1e3, "\u00b5s"}, {1e6, "ms"}, {1e9, "s"}, {6e10, "min"}, {3.6e12, "h"}}};
  if (ns <= 0) return std::string("0") + kThinSpace + "s";
  const auto value = static_cast<double>(ns);
  for (std::size_t unit = 0;; ++unit) {
    const double shown = value / kUnits[unit].ns;
    const int whole = shown < 1 ? 1 : static_cast<int>(std::log10(shown)) + 1;
    const int decimals = unit == 0 ? 0 : std::max(0, figures - whole);
    const double scale = std::pow(10, decimals);
    const double rounded = std::round(shown * scale) / scale;
    const bool is_last = unit + 1 == kUnits.size();
    if (!is_last && rounded * kUnits[unit].ns >= kUnits[unit + 1].ns) continue;
    const bool gained_a_digit = rounded >= std::pow(10, whole);  // 9.96 is 10, not 10.0
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), "%.*f", gained_a_digit ? std::max(0, decimals - 1) : decimals,
                        rounded);
    return std::string(text.data()) + kThinSpace + kUnits[unit].name;
  }
}

}  // namespace shardlens
