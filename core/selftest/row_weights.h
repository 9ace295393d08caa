// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/selftest/vector_row.h"
#include "core/spec/value.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens::selftest {

/// Weights as a row gives them: a list, or {"kind", "n"}, n of a pattern that sampling::weightPatterns() knows.
struct RowWeights {
  Value value;  ///< a NumberList, or the pattern's name
  std::int64_t size = 0;
};

/// The row's `weights`; nothing when they are neither, or hold anything but numbers.
std::optional<RowWeights> rowWeights(const Fields& params);

/// The shape of nested lists of numbers of equal lengths, as torch.as_tensor gives it: of a plain list (n).
std::optional<std::vector<std::int64_t>> shapeOfWeights(const Fields& params);

/// Whether the row was made by a PyTorch that was built with MKL; none that does not say so was. Nothing for a library
/// that is unknown here.
std::optional<bool> usesMkl(const VectorRow& row);

}  // namespace shardlens::selftest
