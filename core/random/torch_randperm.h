// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/torch_generator.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace shardlens {

/// Which of torch.randperm's two algorithms a release uses where they differ, at n >= 214,748,364 (pytorch PR 143682,
/// which 2.6.0 already has).
enum class TorchRandpermRule {
  Forward,    ///< torch up to 2.5: for i in 0..n-2 swap [i] with [i + random() % (n - i)]; n - 1 outputs
  InsideOut,  ///< newer: for i in 0..n-1 z = random64() % (i + 1); [i] = [z]; [z] = i; 2 n outputs
};

/// The rule of this release ("1.13", "2.6", "2.9") for n elements.
TorchRandpermRule torchRandpermRule(std::string_view release, std::uint64_t n);

/// How many outputs of the generator randperm(n) consumes.
std::uint64_t torchRandpermOutputs(TorchRandpermRule rule, std::uint64_t n);

/// torch.randperm(out.size()) on the CPU, drawn from `generator`. Source: ATen randperm_cpu. Targets are drawn windows
/// at a time and prefetched many swaps before their turn, which hides the latency of memory. Ids of 32 bits for n <
/// 2^32, of 64 bits for any n. Looks at `work` several times in 50 ms.
Result<void> torchRandperm(TorchGenerator& generator, std::span<std::uint32_t> out, const Work& work = {},
                           TorchRandpermRule rule = TorchRandpermRule::Forward);
Result<void> torchRandperm(TorchGenerator& generator, std::span<std::int64_t> out, const Work& work = {},
                           TorchRandpermRule rule = TorchRandpermRule::Forward);

/// Where torch.randperm(n) from this generator puts `id`, followed through the swaps without the other elements: no
/// memory, and about a fifth of the time that the permutation takes. Asserts id < n.
Result<std::uint64_t> torchRandpermPlace(TorchGenerator generator, std::uint64_t n, std::uint64_t id,
                                         const Work& work = {}, TorchRandpermRule rule = TorchRandpermRule::Forward);

}  // namespace shardlens
