// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"
#include "core/random/numpy_seed_sequence.h"

#include <array>
#include <cstdint>
#include <span>

namespace shardlens {

// NOLINTNEXTLINE(google-runtime-int): the only spelling of a 128-bit integer that GCC and clang share
__extension__ using Uint128 = unsigned __int128;

/// Serves a 64-bit generator's outputs as 32-bit halves, low half first; the high half waits for the next call,
/// whatever is drawn in between.
class HalfBuffer {
 public:
  template <class Next64>
  std::uint32_t next(Next64&& next64) {
    full_ = !full_;
    if (!full_) return high_;
    const std::uint64_t output = next64();
    high_ = static_cast<std::uint32_t>(output >> 32);
    return static_cast<std::uint32_t>(output);
  }

 private:
  bool full_ = false;
  std::uint32_t high_ = 0;
};

/// numpy.random.PCG64: a 128-bit linear congruential generator with XSL-RR output (O'Neill, 2014). Source:
/// numpy/random/src/pcg64/pcg64.h (1.24 to 2.2).
class NumpyPcg64 {
 public:
  explicit NumpyPcg64(const NumpySeedSequence& seed);

  std::uint64_t next64() {
    step();
    const auto high = static_cast<std::uint64_t>(state_ >> 64);
    const std::uint64_t mixed = high ^ static_cast<std::uint64_t>(state_);
    const unsigned turn = static_cast<unsigned>(high >> 58);
    return mixed >> turn | mixed << (-turn & 63U);
  }
  std::uint32_t next32() {
    return halves_.next([this] { return next64(); });
  }
  double nextDouble() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

 private:
  void step() { state_ = state_ * (Uint128{0x2360ED051FC65DA4U} << 64 | 0x4385DF649FCCF645U) + increment_; }

  Uint128 state_ = 0;
  Uint128 increment_ = 0;
  HalfBuffer halves_;
};

/// numpy.random.Philox: Philox4x64 of ten rounds (Salmon et al., 2011), its counter raised before each block.
class NumpyPhilox {
 public:
  explicit NumpyPhilox(const NumpySeedSequence& seed);

  std::uint64_t next64();
  std::uint32_t next32() {
    return halves_.next([this] { return next64(); });
  }
  double nextDouble() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

 private:
  std::array<std::uint64_t, 2> key_{};
  std::array<std::uint64_t, 4> counter_{};
  std::array<std::uint64_t, 4> block_{};
  std::size_t next_ = 4;
  HalfBuffer halves_;
};

/// numpy.random.SFC64 (Doty-Humphrey's small fast chaotic generator), warmed up by twelve outputs.
class NumpySfc64 {
 public:
  explicit NumpySfc64(const NumpySeedSequence& seed);

  std::uint64_t next64();
  std::uint32_t next32() {
    return halves_.next([this] { return next64(); });
  }
  double nextDouble() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

 private:
  std::uint64_t a_ = 0, b_ = 0, c_ = 0, count_ = 1;
  HalfBuffer halves_;
};

/// numpy.random.MT19937 as a new-style bit generator: its whole state comes from the SeedSequence.
class NumpyMt19937 {
 public:
  explicit NumpyMt19937(const NumpySeedSequence& seed);

  std::uint32_t next32() { return engine_.next(); }
  std::uint64_t next64() {
    const std::uint64_t high = engine_.next();
    return high << 32 | engine_.next();
  }
  double nextDouble() {
    const std::uint32_t high = engine_.next() >> 5;
    return (high * 67108864.0 + (engine_.next() >> 6)) / 9007199254740992.0;
  }

 private:
  Mt19937 engine_;
};

}  // namespace shardlens
