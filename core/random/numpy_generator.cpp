// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_generator.h"

namespace shardlens {

NumpyPcg64::NumpyPcg64(const NumpySeedSequence& seed) {
  const std::vector<std::uint64_t> words = seed.generateState64(4);
  increment_ = (Uint128{words[2]} << 64 | words[3]) << 1 | 1;
  step();
  state_ += Uint128{words[0]} << 64 | words[1];
  step();
}

NumpyPhilox::NumpyPhilox(const NumpySeedSequence& seed) {
  const std::vector<std::uint64_t> words = seed.generateState64(2);
  key_ = {words[0], words[1]};
}

std::uint64_t NumpyPhilox::next64() {
  if (next_ < block_.size()) return block_[next_++];
  for (std::uint64_t& word : counter_) {
    if (++word != 0) break;
  }
  block_ = counter_;
  std::array<std::uint64_t, 2> key = key_;
  for (int round = 0; round < 10; ++round) {
    const Uint128 first = Uint128{0xD2E7470EE14C6C93U} * block_[0];
    const Uint128 second = Uint128{0xCA5A826395121157U} * block_[2];
    block_ = {static_cast<std::uint64_t>(second >> 64) ^ block_[1] ^ key[0], static_cast<std::uint64_t>(second),
              static_cast<std::uint64_t>(first >> 64) ^ block_[3] ^ key[1], static_cast<std::uint64_t>(first)};
    key[0] += 0x9E3779B97F4A7C15U;
    key[1] += 0xBB67AE8584CAA73BU;
  }
  next_ = 1;
  return block_[0];
}

NumpySfc64::NumpySfc64(const NumpySeedSequence& seed) {
  const std::vector<std::uint64_t> words = seed.generateState64(3);
  a_ = words[0];
  b_ = words[1];
  c_ = words[2];
  for (int i = 0; i < 12; ++i) next64();
}

std::uint64_t NumpySfc64::next64() {
  const std::uint64_t output = a_ + b_ + count_++;
  a_ = b_ ^ b_ >> 11;
  b_ = c_ + (c_ << 3);
  c_ = (c_ << 24 | c_ >> 40) + output;
  return output;
}

NumpyMt19937::NumpyMt19937(const NumpySeedSequence& seed)
    : engine_([&seed] {
        std::vector<std::uint32_t> words = seed.generateState(Mt19937::kWords);
        words[0] = 0x80000000U;
        return Mt19937::ofState(words, Mt19937::kWords - 1);
      }()) {}

}  // namespace shardlens
