// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shardlens {

/// Error: training goes wrong or hangs. Warning: it costs something. Info: good to know, or a proof that all is well.
enum class Severity { Error, Warning, Info };

/// "error", "warning", "info".
std::string_view severityName(Severity severity);

/// What a framework changes, loses or needs; one plain sentence.
struct Note {
  Severity severity = Severity::Info;
  std::string text;
};

/// Results list at most this many ids; they count all of them.
constexpr std::size_t kShownIds = 1000;

}  // namespace shardlens
