// SPDX-License-Identifier: Apache-2.0
#include "core/random/python_random.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace shardlens {
namespace {

Mt19937 seeded(std::uint64_t magnitude) {
  const std::array<std::uint32_t, 2> words = {static_cast<std::uint32_t>(magnitude),
                                              static_cast<std::uint32_t>(magnitude >> 32)};
  return Mt19937::byArray(std::span(words).first(words[1] == 0 ? 1 : 2));
}

std::uint64_t magnitudeOf(std::int64_t seed) {
  const auto bits = static_cast<std::uint64_t>(seed);
  return seed < 0 ? 0 - bits : bits;
}

/// Up to this many items, sample draws from a list of them all instead of remembering what it drew.
std::int64_t poolLimit(std::int64_t k) {
  constexpr std::int64_t kEmptySet = 21;  // about the bytes of an empty set, as random.py counts
  if (k <= 5) return kEmptySet;
  std::int64_t table = 1;
  while (table < 3 * k) table *= 4;
  return kEmptySet + table;
}

constexpr int kHashBits = 61;
constexpr std::uint64_t kHashModulus = (std::uint64_t{1} << kHashBits) - 1;

/// -1 marks an error inside CPython, so that no number hashes to it.
std::int64_t signedHash(std::int64_t rest, bool negative) {
  if (!negative) return rest;
  return rest == 1 ? -2 : -rest;
}

}  // namespace

PythonRandom PythonRandom::ofText(std::string_view text) {
  const std::span letters(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  std::vector<unsigned char> bytes(letters.begin(), letters.end());
  bytes.resize(text.size() + SHA512_DIGEST_LENGTH);
  SHA512(letters.data(), letters.size(), bytes.data() + text.size());
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    words[i / 4] |= static_cast<std::uint32_t>(bytes[bytes.size() - 1 - i]) << (i % 4 * 8);
  }
  while (words.size() > 1 && words.back() == 0) words.pop_back();
  return ofWords(words);
}

PythonRandom PythonRandom::ofReal(double number) {
  return ofUnsigned(static_cast<std::uint64_t>(pythonHash(number)));
}

PythonRandom::PythonRandom(std::int64_t seed) : engine_(seeded(magnitudeOf(seed))) {}
PythonRandom::PythonRandom(Magnitude seed) : engine_(seeded(seed.value)) {}

std::uint64_t PythonRandom::getrandbits(int bits) {
  assert(bits >= 1 && bits <= 64);
  if (bits <= 32) return engine_.next() >> (32 - bits);
  const std::uint64_t low = engine_.next();
  return static_cast<std::uint64_t>(engine_.next() >> (64 - bits)) << 32 | low;
}

std::uint64_t PythonRandom::randbelow(std::uint64_t n) {
  assert(n >= 1);
  const auto bits = static_cast<int>(std::bit_width(n));
  std::uint64_t value = getrandbits(bits);
  while (value >= n) value = getrandbits(bits);
  return value;
}

std::uint64_t PythonRandom::random53() {
  const std::uint64_t high = engine_.next() >> 5;
  return high << 26 | engine_.next() >> 6;
}

void PythonRandom::shuffle(std::span<std::int64_t> items) {
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[randbelow(i + 1)]);
}

std::vector<std::int64_t> PythonRandom::sample(std::int64_t n, std::int64_t k) {
  assert(k >= 0 && k <= n);
  return n <= poolLimit(k) ? sampleFromPool(n, k) : sampleIntoSet(n, k);
}

std::vector<std::int64_t> PythonRandom::sampleFromPool(std::int64_t n, std::int64_t k) {
  std::vector<std::int64_t> pool(static_cast<std::size_t>(n));
  std::iota(pool.begin(), pool.end(), std::int64_t{0});
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    std::int64_t& place = pool[randbelow(pool.size() - i)];
    drawn[i] = place;
    place = pool[pool.size() - i - 1];
  }
  return drawn;
}

std::vector<std::int64_t> PythonRandom::sampleIntoSet(std::int64_t n, std::int64_t k) {
  std::unordered_set<std::int64_t> seen;
  std::vector<std::int64_t> drawn;
  drawn.reserve(static_cast<std::size_t>(k));
  while (drawn.size() < static_cast<std::size_t>(k)) {
    const auto place = static_cast<std::int64_t>(randbelow(static_cast<std::uint64_t>(n)));
    if (seen.insert(place).second) drawn.push_back(place);
  }
  return drawn;
}

std::int64_t PythonRandom::choices(std::int64_t n) {
  return static_cast<std::int64_t>(std::floor(random() * static_cast<double>(n)));
}

std::int64_t PythonRandom::choices(std::span<const double> sums) {
  const double drawn = random() * sums.back();
  return std::ranges::upper_bound(sums.first(sums.size() - 1), drawn) - sums.begin();
}

std::int64_t pythonHash(std::int64_t number) {
  const auto rest = static_cast<std::int64_t>(magnitudeOf(number) % kHashModulus);
  return signedHash(rest, number < 0);
}

// A 53-bit mantissa times a power of two, which modulo 2^61 - 1 is a rotation by its exponent.
std::int64_t pythonHash(double number) {
  if (std::isinf(number)) return number > 0 ? 314159 : -314159;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(number), &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  const int shift = ((exponent - 53) % kHashBits + kHashBits) % kHashBits;
  const std::uint64_t turned =
      shift == 0 ? mantissa : (mantissa << shift & kHashModulus) | mantissa >> (kHashBits - shift);
  return signedHash(static_cast<std::int64_t>(turned % kHashModulus), number < 0);
}

}  // namespace shardlens
