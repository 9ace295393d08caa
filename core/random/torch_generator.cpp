// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_generator.h"

#include <algorithm>

namespace shardlens {
namespace {

constexpr std::size_t kShift = 397;

std::uint32_t twist(std::uint32_t high, std::uint32_t low) {
  const std::uint32_t mixed = (high & 0x80000000U) | (low & 0x7FFFFFFFU);
  return mixed >> 1 ^ ((0U - (low & 1U)) & 0x9908B0DFU);
}

}  // namespace

TorchGenerator::TorchGenerator(std::uint64_t seed) : seed_(seed) {
  state_[0] = static_cast<std::uint32_t>(seed);
  for (std::uint32_t i = 1; i < kWords; ++i) {
    state_[i] = 1812433253U * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
  }
}

// Three loops without a modulus, so that the compiler can vectorise the first two.
void TorchGenerator::refill() {
  std::uint32_t* s = state_.data();
  for (std::size_t i = 0; i < kWords - kShift; ++i) s[i] = s[i + kShift] ^ twist(s[i], s[i + 1]);
  for (std::size_t i = kWords - kShift; i < kWords - 1; ++i) s[i] = s[i + kShift - kWords] ^ twist(s[i], s[i + 1]);
  s[kWords - 1] = s[kShift - 1] ^ twist(s[kWords - 1], s[0]);
  next_ = 0;
}

void TorchGenerator::fill(std::span<std::uint32_t> outputs) {
  for (std::size_t done = 0; done < outputs.size();) {
    if (next_ == kWords) refill();
    const std::size_t count = std::min(kWords - next_, outputs.size() - done);
    for (std::size_t i = 0; i < count; ++i) outputs[done + i] = temper(state_[next_ + i]);
    next_ += count;
    done += count;
  }
}

void TorchGenerator::skip(std::uint64_t count) {
  while (count > 0) {
    if (next_ == kWords) refill();
    const std::uint64_t step = std::min<std::uint64_t>(kWords - next_, count);
    next_ += step;
    count -= step;
  }
}

}  // namespace shardlens
