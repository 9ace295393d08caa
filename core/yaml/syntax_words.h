// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shardlens::yaml {

/// Why a text is not YAML, as a person would say it, and the byte where that is seen best.
struct SyntaxProblem {
  std::string message;
  std::string hint;
  std::size_t offset = 0;
};

/// Past a quoted text that begins at `at`; npos when it is never closed.
std::size_t endOfQuoted(std::string_view text, std::size_t at);

/// The sentence for what yaml-cpp says about the byte at `offset`. A bracket or a quote that is never closed is
/// reported at its beginning; the parser notices at the end of the file, or wherever the text no longer fits.
SyntaxProblem syntaxProblem(std::string_view text, const std::string& parser_says, std::size_t offset);

}  // namespace shardlens::yaml
