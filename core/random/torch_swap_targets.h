// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace shardlens {

/// targets[k] = here + k + draws[k] % (size - here - k): what randperm's older rule swaps with, from step `here` on. As
/// many as there are draws, at most size - here.
void torchForwardTargets(std::span<const std::uint32_t> draws, std::uint32_t here, std::uint32_t size,
                         std::span<std::uint32_t> targets);

/// targets[k] = (draws[2 k] * 2^32 + draws[2 k + 1]) % (here + k + 1): the same for the newer rule; two draws a target.
void torchInsideOutTargets(std::span<const std::uint32_t> draws, std::uint64_t here, std::span<std::uint64_t> targets);

}  // namespace shardlens
