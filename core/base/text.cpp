// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "core/base/phrase.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace shardlens {
namespace {

constexpr const char* kThinSpace = "\u202f";

/// Letters to insert, remove, replace or swap with their neighbour.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Bytes of the well-formed UTF-8 sequence at the front (Unicode 15, table 3-7); 0 when there is none.
std::size_t utf8Sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return within(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    return within(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && within(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead < 0xF0 || lead > 0xF4) return 0;
  return within(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && within(2, 0x80, 0xBF) &&
                 within(3, 0x80, 0xBF)
             ? 4
             : 0;
}

/// Neighbouring numbers, both ends included.
struct Run {
  std::int64_t first;
  std::int64_t last;

  std::int64_t count() const { return last - first + 1; }
};

/// The runs of neighbours among the numbers, in ascending order; a number that is there twice counts once.
std::vector<Run> runsOf(std::vector<std::int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<Run> runs;
  for (const std::int64_t number : numbers) {
    if (!runs.empty() && number <= runs.back().last + 1) {
      runs.back().last = number;
    } else {
      runs.push_back({number, number});
    }
  }
  return runs;
}

bool isPlainByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte < 0x7F) || c == '\n' || c == '\t';
}

/// Bytes of the UTF-8 character whose first byte this is.
std::size_t lengthOf(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xE0) return 2;
  return first < 0xF0 ? 3 : 4;
}

std::uint32_t codePoint(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first;
  std::uint32_t code = first & (0x7FU >> character.size());
  for (const char c : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

/// Controls of ISO 6429, and those of Unicode that turn the direction of writing.
bool isControl(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(std::uint32_t code) {
  std::array<char, 8> text{};
  (void)std::snprintf(text.data(), text.size(), "\\u%04x", code);
  return text.data();
}

}  // namespace

std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) out += kThinSpace;
    out += digits[i];
  }
  return out;
}

std::string byteSize(double bytes) {
  constexpr std::array<const char*, 6> kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", bytes, kUnits[unit]);
  return text.data();
}

std::string counted(std::int64_t number, std::string_view noun) {
  const bool hisses = noun.ends_with("tch") || noun.ends_with("s");
  return grouped(number) + " " + std::string(noun) + (number == 1 ? "" : hisses ? "es" : "s");
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const std::size_t limit = std::max<std::size_t>(word.size() > 4 ? 2 : 1, word.size() / 3);
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string ranges(std::vector<std::int64_t> numbers, std::size_t most) {
  std::string out;
  std::size_t written = 0;
  for (const Run& run : runsOf(std::move(numbers))) {
    if (written == most) return out + ", ...";
    if (written++ > 0) out += ", ";
    out += std::to_string(run.first);
    if (run.count() > 1) out += (run.count() == 2 ? ", " : "-") + std::to_string(run.last);
  }
  return out;
}

std::string listed(std::vector<std::int64_t> numbers, std::size_t most) {
  std::vector<std::string> parts;
  std::int64_t unsaid = 0;
  const auto say = [&](std::int64_t first, std::int64_t last) {
    if (parts.size() == most) {
      unsaid += last - first + 1;
    } else {
      parts.push_back(first == last ? grouped(first)
                                    : filled(worded("list", "%1 to %2"), grouped(first), grouped(last)));
    }
  };
  for (const Run& run : runsOf(std::move(numbers))) {
    if (run.count() == 2) {  // "1 and 2" rather than "1 to 2"
      say(run.first, run.first);
      say(run.last, run.last);
    } else {
      say(run.first, run.last);
    }
  }
  if (unsaid > 0) parts.push_back(filled(worded("list", "%1 more"), grouped(unsaid)));
  if (parts.size() < 2) return join(parts, "");
  const std::string last = std::move(parts.back());
  parts.pop_back();
  return filled(worded("list", "%1 and %2"), join(parts, ", "), last);
}

std::string listedRanks(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1 ? filled(worded("list", "rank %1"), listed(ranks))
                           : filled(worded("list", "ranks %1"), listed(ranks));
}

std::string capitalRanks(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1 ? filled(worded("list", "Rank %1"), listed(ranks))
                           : filled(worded("list", "Ranks %1"), listed(ranks));
}

std::string listedEpochs(const std::vector<std::int64_t>& epochs) {
  return epochs.size() == 1 ? filled(worded("list", "epoch %1"), listed(epochs))
                            : filled(worded("list", "epochs %1"), listed(epochs));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::size_t utf8Prefix(std::string_view text) {
  std::size_t valid = 0;
  while (valid < text.size()) {
    const std::size_t length = utf8Sequence(text.substr(valid));
    if (length == 0) break;
    valid += length;
  }
  return valid;
}

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

bool isPrintable(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), isPlainByte)) return true;
  if (utf8Prefix(text) != text.size()) return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = lengthOf(static_cast<unsigned char>(text[at]));
    if (isControl(codePoint(text.substr(at, length)))) return false;
    at += length;
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view sound = text.substr(0, utf8Prefix(text));
    for (std::size_t at = 0; at < sound.size();) {
      const std::string_view character = sound.substr(at, lengthOf(static_cast<unsigned char>(sound[at])));
      const std::uint32_t code = codePoint(character);
      out += isControl(code) ? escaped(code) : std::string(character);
      at += character.size();
    }
    text.remove_prefix(sound.size());
    if (text.empty()) break;
    out += "\uFFFD";
    text.remove_prefix(1);
  }
  return out;
}

std::string oneLine(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "\\n" : "\\t";
    } else {
      out += c;
    }
  }
  return out;
}

std::string withoutStyles(std::string_view text) {
  constexpr std::string_view kBegin = "\x1b[";
  std::string out;
  while (true) {
    const std::size_t begin = text.find(kBegin);
    if (begin == std::string_view::npos) return out.append(text);
    std::size_t end = begin + kBegin.size();
    while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) ++end;
    const bool is_whole = end < text.size() && text[end] >= 0x40 && text[end] < 0x7F;
    out.append(text.substr(0, is_whole ? begin : end));
    text.remove_prefix(is_whole ? end + 1 : end);
  }
}

}  // namespace shardlens
