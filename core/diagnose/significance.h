// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace shardlens {

/// The logarithm of the number of ways to choose `chosen` of `all`.
double lnChoose(std::size_t all, std::size_t chosen);

/// The logarithm of the probability that at least `hits` of `trials` independent trials succeed, each with the chance
/// exp(ln_chance). 0 when no hit is needed.
double lnAtLeast(std::size_t trials, std::size_t hits, double ln_chance);

}  // namespace shardlens
