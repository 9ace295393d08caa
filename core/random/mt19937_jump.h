// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace shardlens {

/// Degree of the Mersenne Twister's characteristic polynomial.
inline constexpr std::size_t kTwisterDegree = 19937;

/// A polynomial of a lower degree over the numbers 0 and 1: bit i % 64 of word i / 64 is the factor of t^i.
using TwisterPolynomial = std::array<std::uint64_t, kTwisterDegree / 64 + 1>;

/// t^steps modulo the characteristic polynomial. The state `steps` outputs later is the sum of the states i outputs
/// later over all i whose factor is 1. Takes a few milliseconds at most. Source: Haramoto, Matsumoto, Nishimura,
/// Panneton, L'Ecuyer, "Efficient Jump Ahead for F2-Linear Random Number Generators", 2008.
TwisterPolynomial twisterJump(std::uint64_t steps);

}  // namespace shardlens
