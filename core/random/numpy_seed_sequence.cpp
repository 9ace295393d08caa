// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_seed_sequence.h"

namespace shardlens {
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
