// SPDX-License-Identifier: Apache-2.0
#include "core/random/mt19937_jump.h"

#include <algorithm>
#include <span>
#include <vector>

namespace shardlens {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::size_t kLong = 2 * kTwisterDegree / 64 + 2;  // words of a square

bool bitOf(std::span<const std::uint64_t> words, std::size_t bit) {
  return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

/// to += word * t^bit.
void addShifted(std::span<std::uint64_t> to, std::uint64_t word, std::size_t bit) {
  to[bit / 64] ^= word << (bit % 64);
  if (bit % 64 != 0) to[bit / 64 + 1] ^= word >> (64 - bit % 64);
}

/// factor * (t^high + t^low).
Words timesTwo(const Words& factor, std::size_t high, std::size_t low) {
  Words product(kLong);
  for (std::size_t i = 0; i < factor.size() && i < TwisterPolynomial().size(); ++i) {
    addShifted(product, factor[i], 64 * i + high);
    addShifted(product, factor[i], 64 * i + low);
  }
  return product;
}

/// Exponents of the characteristic polynomial's terms but for the first one, t^19937. With p = t^624 + t^397, q =
/// t^623 + t^396 and the bits a of the twister's constant it is p q^31 + the sum of a[i] p q^(30-i) + a[31]. Source:
/// Matsumoto and Nishimura, "Mersenne Twister", 1998, appendix A.
std::vector<std::size_t> characteristicTerms() {
  constexpr std::uint32_t kConstant = 0x9908B0DFU;
  Words sum(kLong);
  Words power(kLong);
  power[0] = 1;  // p q^(30-i) without p
  for (std::size_t i = 31; i-- > 0; power = timesTwo(power, 623, 396)) {
    if ((kConstant >> i & 1) == 0) continue;
    const Words term = timesTwo(power, 624, 397);
    for (std::size_t word = 0; word < kLong; ++word) sum[word] ^= term[word];
  }
  const Words first = timesTwo(power, 624, 397);
  for (std::size_t word = 0; word < kLong; ++word) sum[word] ^= first[word];
  sum[0] ^= kConstant >> 31;
  std::vector<std::size_t> terms;
  for (std::size_t bit = 0; bit < kTwisterDegree; ++bit) {
    if (bitOf(sum, bit)) terms.push_back(bit);
  }
  return terms;
}

/// Takes multiples of the characteristic polynomial away until the degree is below its own; 64 terms at a time, since
/// its second term is far below its first.
void reduce(std::span<std::uint64_t> square, const std::vector<std::size_t>& terms) {
  for (std::size_t word = square.size(); word-- > kTwisterDegree / 64;) {
    const bool last = word == kTwisterDegree / 64;
    const std::uint64_t kept = last ? (std::uint64_t{1} << kTwisterDegree % 64) - 1 : 0;
    const std::uint64_t high = square[word] & ~kept;
    square[word] &= kept;
    if (high == 0) continue;
    for (const std::size_t term : terms) {
      if (last)
        addShifted(square, high >> kTwisterDegree % 64, term);
      else
        addShifted(square, high, 64 * word - kTwisterDegree + term);
    }
  }
}

/// The factors of a square are those of its root, each with a zero behind it.
std::uint64_t spreadOut(std::uint64_t half) {
  half = (half | half << 16) & 0x0000'FFFF'0000'FFFFULL;
  half = (half | half << 8) & 0x00FF'00FF'00FF'00FFULL;
  half = (half | half << 4) & 0x0F0F'0F0F'0F0F'0F0FULL;
  half = (half | half << 2) & 0x3333'3333'3333'3333ULL;
  return (half | half << 1) & 0x5555'5555'5555'5555ULL;
}

}  // namespace

TwisterPolynomial twisterJump(std::uint64_t steps) {
  static const std::vector<std::size_t> kTerms = characteristicTerms();
  TwisterPolynomial power{1};
  Words square(kLong);
  for (int bit = 63; bit >= 0; --bit) {
    std::fill(square.begin(), square.end(), 0);
    for (std::size_t i = 0; i < power.size(); ++i) {
      square[2 * i] = spreadOut(power[i] & 0xFFFF'FFFFU);
      square[2 * i + 1] = spreadOut(power[i] >> 32);
    }
    if ((steps >> bit & 1) != 0) {
      for (std::size_t i = kLong; i-- > 0;) square[i] = square[i] << 1 | (i == 0 ? 0 : square[i - 1] >> 63);
    }
    reduce(square, kTerms);
    std::copy_n(square.begin(), power.size(), power.begin());
  }
  return power;
}

}  // namespace shardlens
