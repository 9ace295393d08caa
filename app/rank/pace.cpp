// SPDX-License-Identifier: Apache-2.0
#include "app/rank/pace.h"

#include "core/wire/ring_file.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <sched.h>
#include <thread>

namespace shardlens::rank {
namespace {

/// Some microseconds of arithmetic that the compiler must keep.
void computeALittle() {
  static std::array<float, 1024> values{};
  for (int round = 0; round < 8; ++round) {
    for (float& value : values) value = value * 0.999F + 0.5F;
  }
  asm volatile("" : : "r"(values.data()) : "memory");
}

}  // namespace

void loadFor(double ms) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

void computeFor(double ms, bool crowded) {
  const std::uint64_t until = sl_now() + static_cast<std::uint64_t>(ms * 1e6);
  while (sl_now() < until) {
    computeALittle();
    if (crowded) sched_yield();
  }
}

}  // namespace shardlens::rank
