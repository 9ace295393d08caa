// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/torch_generator.h"

#include <cstdint>
#include <span>

namespace shardlens {

/// torch.randperm(n) on the CPU, drawn from `generator` into `out` (n = out.size(), n < 2^32). Source: ATen
/// randperm_cpu, torch 2.6: for i in 0..n-2 swap [i] with [i + random() % (n - i)]; n - 1 outputs are consumed.
Result<void> torchRandperm(TorchGenerator& generator, std::span<std::uint32_t> out, const Work& work = {});

}  // namespace shardlens
