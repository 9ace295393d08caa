// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/numpy_generator.h"
#include "core/random/numpy_legacy.h"

#include <cstdint>
#include <span>

namespace shardlens {

/// Generator.permutation(out.size()) of fewer than 2^32 elements, for long ones: swaps are drawn window by window and
/// their memory is prefetched. Cancelled when `work` says so, which is checked several times in 50 ms.
Result<void> numpyPermutation(NumpyGenerator& generator, std::span<std::uint32_t> out, const Work& work = {});

/// Generator.shuffle of a list, likewise; of any length.
Result<void> numpyShuffle(NumpyGenerator& generator, std::span<std::uint32_t> items, const Work& work = {});
Result<void> numpyShuffle(NumpyGenerator& generator, std::span<std::int64_t> items, const Work& work = {});
/// RandomState.shuffle.
Result<void> numpyShuffle(NumpyLegacy& generator, std::span<std::uint32_t> items, const Work& work = {});

}  // namespace shardlens
