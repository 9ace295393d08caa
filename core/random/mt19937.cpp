// SPDX-License-Identifier: Apache-2.0
#include "core/random/mt19937.h"

#include "core/base/wide.h"

#include <cassert>
#include <vector>

namespace shardlens {
namespace {

/// Degree of the Mersenne Twister's characteristic polynomial.
inline constexpr std::size_t kTwisterDegree = 19937;

/// A polynomial of a lower degree over the numbers 0 and 1: bit i % 64 of word i / 64 is the factor of t^i.
using TwisterPolynomial = std::array<std::uint64_t, kTwisterDegree / 64 + 1>;

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

/// t^steps modulo the characteristic polynomial. The state `steps` outputs later is the sum of the states i outputs
/// later over all i whose factor is 1. Takes a few milliseconds at most. Source: Haramoto, Matsumoto, Nishimura,
/// Panneton, L'Ecuyer, "Efficient Jump Ahead for F2-Linear Random Number Generators", 2008.
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

constexpr std::size_t kShift = 397;

[[gnu::always_inline]] inline std::uint32_t twist(std::uint32_t high, std::uint32_t low) {
  const std::uint32_t mixed = (high & 0x80000000U) | (low & 0x7FFFFFFFU);
  return mixed >> 1 ^ ((0U - (low & 1U)) & 0x9908B0DFU);
}

// Three loops without a modulus, so that the compiler can vectorise the first two.
[[gnu::always_inline]] inline void refillWords(std::uint32_t* s) {
  constexpr std::size_t kWords = Mt19937::kWords;
  for (std::size_t i = 0; i < kWords - kShift; ++i) s[i] = s[i + kShift] ^ twist(s[i], s[i + 1]);
  for (std::size_t i = kWords - kShift; i < kWords - 1; ++i) s[i] = s[i + kShift - kWords] ^ twist(s[i], s[i + 1]);
  s[kWords - 1] = s[kShift - 1] ^ twist(s[kWords - 1], s[0]);
}

[[gnu::always_inline]] inline void temperWords(const std::uint32_t* words, std::uint32_t* outputs, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) outputs[i] = Mt19937::temper(words[i]);
}

void refillPortable(std::uint32_t* s) {
  refillWords(s);
}
void temperPortable(const std::uint32_t* words, std::uint32_t* outputs, std::size_t count) {
  temperWords(words, outputs, count);
}
SHARDLENS_WIDE void refillWide(std::uint32_t* s) {
  refillWords(s);
}
SHARDLENS_WIDE void temperWide(const std::uint32_t* words, std::uint32_t* outputs, std::size_t count) {
  temperWords(words, outputs, count);
}

std::uint32_t spread(std::uint32_t word) {
  return word ^ word >> 30;
}

}  // namespace

Mt19937::Mt19937(std::uint32_t seed) {
  state_[0] = seed;
  for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253U * spread(state_[i - 1]) + i;
}

Mt19937 Mt19937::ofState(std::span<const std::uint32_t> words, std::size_t next) {
  Mt19937 engine(0);
  std::copy_n(words.begin(), kWords, engine.state_.begin());
  engine.next_ = next;
  return engine;
}

Mt19937 Mt19937::byArray(std::span<const std::uint32_t> key) {
  assert(!key.empty());
  Mt19937 engine(19650218U);
  auto& state = engine.state_;
  std::uint32_t i = 1;
  const auto step = [&] {
    if (++i < kWords) return;
    state[0] = state[kWords - 1];
    i = 1;
  };
  for (std::size_t k = 0, j = 0; k < std::max(kWords, key.size()); ++k) {
    state[i] = (state[i] ^ spread(state[i - 1]) * 1664525U) + key[j] + static_cast<std::uint32_t>(j);
    step();
    j = j + 1 < key.size() ? j + 1 : 0;
  }
  for (std::size_t k = 1; k < kWords; ++k) {
    state[i] = (state[i] ^ spread(state[i - 1]) * 1566083941U) - i;
    step();
  }
  state[0] = 0x80000000U;
  return engine;
}

void Mt19937::refill() {
  (hasWideVectors() ? refillWide : refillPortable)(state_.data());
  next_ = 0;
}

void Mt19937::fill(std::span<std::uint32_t> outputs) {
  const auto temper_all = hasWideVectors() ? temperWide : temperPortable;
  for (std::size_t done = 0; done < outputs.size();) {
    if (next_ == kWords) refill();
    const std::size_t count = std::min(kWords - next_, outputs.size() - done);
    temper_all(&state_[next_], &outputs[done], count);
    next_ += count;
    done += count;
  }
}

void Mt19937::skip(std::uint64_t count) {
  constexpr std::uint64_t kJumpFrom = std::uint64_t{1} << 25;  // what stepping takes as long for as a jump
  if (count >= kJumpFrom) count -= jumpBelow(count);
  while (count > 0) {
    if (next_ == kWords) refill();
    const std::uint64_t step = std::min<std::uint64_t>(kWords - next_, count);
    next_ += step;
    count -= step;
  }
}

std::uint64_t Mt19937::jumpBelow(std::uint64_t count) {
  const std::uint64_t used = kWords - next_;
  refill();  // the first word of a state that was just seeded is no sum of others
  const std::uint64_t steps = (count - used) / kWords * kWords;
  const TwisterPolynomial sum = twisterJump(steps);
  std::vector<std::uint32_t> words;
  for (Mt19937 ahead = *this; words.size() < kTwisterDegree + kWords; ahead.refill()) {
    words.insert(words.end(), ahead.state_.begin(), ahead.state_.end());
  }
  state_ = {};
  for (std::size_t i = 0; i < kTwisterDegree; ++i) {
    if ((sum[i / 64] >> (i % 64) & 1) == 0) continue;
    for (std::size_t k = 0; k < kWords; ++k) state_[k] ^= words[i + k];
  }
  return used + steps;
}

}  // namespace shardlens
