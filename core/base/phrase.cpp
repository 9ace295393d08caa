// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"

#include "core/base/text.h"

#include <atomic>

namespace shardlens {
namespace {

std::atomic<Translation> translation_set = nullptr;
thread_local int in_english = 0;  ///< how many InEnglish live on this thread

Translation translationNow() {
  return in_english > 0 ? nullptr : translation_set.load();
}

}  // namespace

void setTranslation(Translation translation) {
  translation_set = translation;
}

InEnglish::InEnglish() {
  ++in_english;
}

InEnglish::~InEnglish() {
  --in_english;
}

bool speaksEnglish() {
  return translationNow() == nullptr;
}

std::string worded(const char* context, const char* text) {
  const Translation translation = translationNow();
  return translation == nullptr ? std::string(text) : translation(context, text);
}

std::string filledFrom(std::string_view text, std::span<const std::string> arguments) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t place =
        text[i] == '%' && i + 1 < text.size() ? static_cast<std::size_t>(text[i + 1] - '1') : arguments.size();
    if (place < arguments.size()) {
      out += arguments[place];
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string wordedCount(std::int64_t number, std::string_view noun) {
  const std::string one = "%1 " + std::string(noun);
  const Translation translation = translationNow();
  const std::string here = translation == nullptr ? one : translation("count", one.c_str());
  return here == one ? counted(number, noun) : filled(here, grouped(number));
}

}  // namespace shardlens
