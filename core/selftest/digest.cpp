// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/digest.h"

#include <openssl/evp.h>

#include <array>
#include <bit>
#include <cassert>

namespace shardlens::selftest {

static_assert(std::endian::native == std::endian::little, "the digest is defined over little-endian integers");

std::string sha256(std::span<const std::int64_t> numbers) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  const int done = EVP_Digest(numbers.data(), numbers.size_bytes(), digest.data(), &size, EVP_sha256(), nullptr);
  assert(done == 1);
  if (done != 1) return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace shardlens::selftest
