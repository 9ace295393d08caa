// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml {

/// One line of a comparison, without its line end.
struct DiffLine {
  enum class Kind { Same, Removed, Added };
  Kind kind = Kind::Same;
  std::string_view text;  ///< into one of the compared texts
  bool operator==(const DiffLine&) const = default;
};

/// How `before` becomes `after`, line by line, with as few removed and added lines as possible (Myers 1986). Texts that
/// differ in more than kMostDiffEdits lines come back as all old lines removed and all new ones added between what
/// they share at both ends. The texts must outlive the lines.
constexpr std::size_t kMostDiffEdits = 2000;
std::vector<DiffLine> diffLines(std::string_view before, std::string_view after);

/// The same as `diff -u` prints it, with three lines around each change; empty when the texts are equal.
std::string unifiedDiff(std::string_view before, std::string_view after, const std::string& before_name,
                        const std::string& after_name);

}  // namespace shardlens::yaml
