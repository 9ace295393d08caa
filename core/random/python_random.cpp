// SPDX-License-Identifier: Apache-2.0
#include "core/random/python_random.h"

#include <array>
#include <bit>
#include <cassert>
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

}  // namespace

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
  const int bits = std::bit_width(n);
  std::uint64_t value = getrandbits(bits);
  while (value >= n) value = getrandbits(bits);
  return value;
}

double PythonRandom::random() {
  const double high = engine_.next() >> 5;
  const double low = engine_.next() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

void PythonRandom::shuffle(std::span<std::int64_t> items) {
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[randbelow(i + 1)]);
}

}  // namespace shardlens
