// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace shardlens {

/// The translation of a text that was given to worded(): a literal.
using Translation = std::string (*)(const char* context, const char* text);

/// Texts that worded() makes from now on are in another language; null, as at the start: English. Called once, before
/// there are threads: by the window. What machines and the command line read is made in programs that never call it.
void setTranslation(Translation translation);

/// While it lives, the texts that its thread makes are English: for files, which other programs and people read.
class InEnglish {
 public:
  InEnglish();
  ~InEnglish();
  InEnglish(const InEnglish&) = delete;
  InEnglish& operator=(const InEnglish&) = delete;
};

/// Whether texts of this thread are English.
bool speaksEnglish();

/// A text for a person, or its translation. `context` and `text` are literals, so that lupdate finds them
/// (resources/scripts/translate); %1 to %9 in it are the places for filled().
std::string worded(const char* context, const char* text);

/// Marks a text in a table for lupdate; worded() is given it later, with the same context.
constexpr const char* marked(const char* /*context*/, const char* text) {
  return text;
}

/// The text with the arguments in its places. One argument may stand in several of them, and is itself never searched
/// for places.
std::string filledFrom(std::string_view text, std::span<const std::string> arguments);

template <std::convertible_to<std::string>... Arguments>
std::string filled(std::string_view text, const Arguments&... arguments) {
  const std::string all[] = {std::string(arguments)...};
  return filledFrom(text, all);
}

/// counted(number, noun), or its translation: that of "%1 sample" in the context "count" for the noun "sample".
std::string wordedCount(std::int64_t number, std::string_view noun);

}  // namespace shardlens
