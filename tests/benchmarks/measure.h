// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <sys/resource.h>

namespace bench {

/// Prints the line that bench.py reads.
inline void print(double seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"seconds\": %.9f, \"peak_bytes\": %lld}\n", seconds, static_cast<long long>(usage.ru_maxrss) * 1024);
}

/// Seconds that `work` takes.
template <class Work>
double timed(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace bench
