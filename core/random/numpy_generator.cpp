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

namespace {

/// Multiplies by a constant that changes with every call.
class Hash {
 public:
  Hash(std::uint32_t start, std::uint32_t factor) : constant_(start), factor_(factor) {}
  std::uint32_t operator()(std::uint32_t value) {
    value ^= constant_;
    constant_ *= factor_;
    value *= constant_;
    return value ^ value >> 16;
  }

 private:
  std::uint32_t constant_, factor_;
};

std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t value = 0xCA01F9DDU * x - 0x4973F715U * y;
  return value ^ value >> 16;
}

}  // namespace

NumpySeedSequence::NumpySeedSequence(std::span<const std::uint32_t> entropy) {
  Hash hash(0x43B0D7E5U, 0x931E8875U);
  for (std::size_t i = 0; i < kPool; ++i) pool_[i] = hash(i < entropy.size() ? entropy[i] : 0);
  for (std::size_t from = 0; from < kPool; ++from) {
    for (std::size_t to = 0; to < kPool; ++to) {
      if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
    }
  }
  for (std::size_t i = kPool; i < entropy.size(); ++i) {
    for (std::uint32_t& word : pool_) word = mix(word, hash(entropy[i]));
  }
}

NumpySeedSequence NumpySeedSequence::ofInteger(std::uint64_t value) {
  const std::array<std::uint32_t, 2> words = {static_cast<std::uint32_t>(value),
                                              static_cast<std::uint32_t>(value >> 32)};
  return NumpySeedSequence(words);  // a zero word behind the last one changes nothing
}

NumpySeedSequence NumpySeedSequence::spawned(std::vector<std::uint32_t> entropy, std::uint32_t key) {
  if (entropy.size() < kPool) entropy.resize(kPool);
  entropy.push_back(key);
  return NumpySeedSequence(entropy);
}

std::vector<std::uint64_t> NumpySeedSequence::generateState64(std::size_t count) const {
  const std::vector<std::uint32_t> words = generateState(2 * count);
  std::vector<std::uint64_t> wide(count);
  for (std::size_t i = 0; i < count; ++i) wide[i] = std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
  return wide;
}

std::vector<std::uint32_t> NumpySeedSequence::generateState(std::size_t count) const {
  Hash hash(0x8B51F9DDU, 0x58F38DEDU);
  std::vector<std::uint32_t> words;
  words.reserve(count);
  for (std::size_t i = 0; i < count; ++i) words.push_back(hash(pool_[i % kPool]));
  return words;
}

}  // namespace shardlens
