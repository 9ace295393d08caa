// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/swap_windows.h"
#include "core/random/torch_generator.h"

#include <cstdint>
#include <span>

namespace shardlens {

/// Takes the first steps of randperm's older rule on two threads, in `out` that holds 0, 1, ..., n - 1, and leaves the
/// generator after their draws. Returns how many it took: all but the last few million, fewer once other programs keep
/// the cores busy, none where one thread is as quick: small n, a single core, no wide vectors, another permutation that
/// has two threads already.
Result<std::size_t> torchForwardPair(TorchGenerator& generator, std::span<std::uint32_t> out, const SwapWatch& watch);

}  // namespace shardlens
