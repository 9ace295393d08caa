// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shardlens {

#if defined(__x86_64__)
/// Marks a function that the compiler may translate with the wide vectors of newer x86-64 processors; it may be called
/// only if hasWideVectors(). Loops in it become several times as fast.
#define SHARDLENS_WIDE __attribute__((target("avx512f,avx512dq")))

/// Whether this processor has them.
inline bool hasWideVectors() {
  static const bool kHas = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  return kHas;
}
#else
#define SHARDLENS_WIDE
constexpr bool hasWideVectors() {
  return false;
}
#endif

}  // namespace shardlens
