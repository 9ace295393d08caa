// SPDX-License-Identifier: Apache-2.0
#include "core/random/mt19937.h"

#include "core/base/wide.h"
#include "core/random/mt19937_jump.h"

#include <cassert>
#include <vector>

namespace shardlens {
namespace {

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
