// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/random/torch_generator.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace shardlens::sampling {

/// A length as the script passes it: a whole number of samples, or a fraction.
using SplitLength = std::variant<std::int64_t, double>;

/// torch.utils.data.random_split (torch/utils/data/dataset.py, 1.13 to 2.9) of a dataset of `size` samples: the samples
/// of each Subset, in their order. Lengths whose sum is about 1 are fractions; what they leave is added one by
/// one, beginning with the first. The sum is Python's: since 3.12, assumed for every release but 1.13, one that
/// compensates rounding. Otherwise the framework's exception, or Unsupported for lengths of float that are no
/// fractions. 0 <= size < 2^31.
Result<std::vector<std::vector<std::int64_t>>> torchRandomSplit(std::string_view release, std::int64_t size,
                                                                std::span<const SplitLength> lengths,
                                                                TorchGenerator& generator);

}  // namespace shardlens::sampling
