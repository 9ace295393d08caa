// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/seeds.h"

#include "core/random/numpy_generator.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace shardlens::sampling {
namespace {

constexpr std::uint64_t kMurmurFirst = 0xFF51'AFD7'ED55'8CCD;
constexpr std::uint64_t kMurmurSecond = 0xC4CE'B9FE'1A85'EC53;
constexpr std::uint64_t kKnuth = 6'364'136'223'846'793'005;
constexpr std::int64_t kMostLightningSeed = 4'294'967'295;

/// The 32-bit words of a number of any length as NumPy and random.seed take it: low word first, at least one.
void appendWords(std::vector<std::uint32_t>& words, std::uint64_t number) {
  words.push_back(static_cast<std::uint32_t>(number));
  if (number >> 32 != 0) words.push_back(static_cast<std::uint32_t>(number >> 32));
}

/// repr() of a text; bytes beyond ASCII stand for themselves.
std::string reprOf(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') out += '\\';
    if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

/// The digits of what int(text) takes, without sign, underscores and leading zeros; nothing where int() raises.
std::optional<std::string> digitsOf(std::string_view text) {
  std::string digits;
  bool after_digit = false;
  for (const char c : text) {
    if (c == '_' && after_digit) {
      after_digit = false;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    digits += c;
    after_digit = true;
  }
  if (!after_digit) return std::nullopt;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits;
}

/// A whole number of any size, by its text.
Result<std::int64_t> bounded(const std::string& number) {
  std::int64_t seed = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), seed);
  if (read.ec == std::errc() && seed >= 0 && seed <= kMostLightningSeed) return seed;
  return raised("ValueError",
                number + " is not in bounds, numpy accepts from 0 to " + std::to_string(kMostLightningSeed));
}

std::optional<std::string> wholeNumber(std::string_view text) {
  std::string_view number = stripped(text);
  const bool negative = number.starts_with('-');
  if (negative || number.starts_with('+')) number.remove_prefix(1);
  auto digits = digitsOf(number);
  if (digits && negative && *digits != "0") digits->insert(0, "-");
  return digits;
}

Result<std::int64_t> seedOf(double number) {
  if (std::isnan(number)) return raised("ValueError", "cannot convert float NaN to integer");
  if (std::isinf(number)) return raised("OverflowError", "cannot convert float infinity to integer");
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.0f", std::trunc(number) + 0.0);
  return bounded(text.data());
}

Result<std::int64_t> seedOf(const std::string& text) {
  const auto number = wholeNumber(text);
  if (number) return bounded(*number);
  return raised("ValueError", "invalid literal for int() with base 10: " + reprOf(text));
}

Result<std::int64_t> inherited(const std::optional<std::string>& global_seed) {
  if (!global_seed) return std::int64_t{0};
  const auto number = wholeNumber(*global_seed);
  if (number) return bounded(*number);
  return raised("ValueError", "Invalid seed specified via PL_GLOBAL_SEED: " + reprOf(*global_seed));
}

}  // namespace

std::array<std::uint64_t, 4> lightningSeedSequence(std::uint64_t base_seed, std::uint64_t worker, std::uint64_t rank) {
  // Python keeps all bits of the shifted numbers until the first shift back: 128 are enough here.
  const std::uint64_t high = base_seed >> 32 | worker >> 48;
  std::uint64_t seed = base_seed << 32 | worker << 16 | rank;
  seed ^= seed >> 33 | high << 31;
  seed *= kMurmurFirst;
  seed ^= seed >> 33;
  seed *= kMurmurSecond;
  seed ^= seed >> 33;
  std::array<std::uint64_t, 4> words{};
  for (std::uint64_t& word : words) word = seed = seed * kKnuth + 1;
  return words;
}

LightningWorkerSeeds lightningWorkerSeeds(std::uint64_t base_seed, std::uint64_t worker, std::uint64_t rank) {
  const auto words = lightningSeedSequence(base_seed, worker, rank);
  LightningWorkerSeeds seeds;
  seeds.torch = words[0];
  // words[1] << 32 | words[2]: both have 64 bits, so they overlap in the middle.
  const std::uint64_t middle = (words[1] << 32 | words[2]) >> 32;
  seeds.python = {static_cast<std::uint32_t>(words[2]), static_cast<std::uint32_t>(middle),
                  static_cast<std::uint32_t>(words[1] >> 32)};
  while (seeds.python.size() > 1 && seeds.python.back() == 0) seeds.python.pop_back();
  std::vector<std::uint32_t> entropy;
  for (const std::uint64_t part : {base_seed, worker, rank}) appendWords(entropy, part);
  seeds.numpy = NumpySeedSequence(entropy).generateState(4);
  return seeds;
}

Result<std::int64_t> lightningSeedEverything(const LightningSeed& seed, const std::optional<std::string>& global_seed) {
  if (std::holds_alternative<std::monostate>(seed)) return inherited(global_seed);
  if (const bool* flag = std::get_if<bool>(&seed)) return std::int64_t{*flag ? 1 : 0};
  if (const auto* number = std::get_if<std::int64_t>(&seed)) return bounded(std::to_string(*number));
  if (const double* number = std::get_if<double>(&seed)) return seedOf(*number);
  return seedOf(std::get<std::string>(seed));
}

}  // namespace shardlens::sampling
