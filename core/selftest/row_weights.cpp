// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/row_weights.h"

#include "core/sampling/torch/weights.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardlens::selftest {
namespace {

using nlohmann::json;
using Shape = std::vector<std::int64_t>;

std::optional<RowWeights> ofPattern(const Fields& weights) {
  const auto kind = weights.text("kind");
  const auto n = weights.integer("n");
  const auto& known = sampling::weightPatterns();
  if (!kind || !n || *n < 0 || !weights.onlyHas({"kind", "n"})) return std::nullopt;
  if (std::find(known.begin(), known.end(), *kind) == known.end()) return std::nullopt;
  return RowWeights{*kind, *n};
}

std::optional<Shape> shapeOf(const json& value) {
  if (value.is_number()) return Shape{};
  if (!value.is_array()) return std::nullopt;
  std::optional<Shape> inner = Shape{};
  for (std::size_t i = 0; i < value.size(); ++i) {
    auto one = shapeOf(value[i]);
    if (!one || (i > 0 && one != inner)) return std::nullopt;
    inner = std::move(one);
  }
  inner->insert(inner->begin(), static_cast<std::int64_t>(value.size()));
  return inner;
}

}  // namespace

std::optional<RowWeights> rowWeights(const Fields& params) {
  const json* weights = params.find("weights");
  if (weights == nullptr) return std::nullopt;
  if (weights->is_object()) return ofPattern(Fields(*weights));
  if (!weights->is_array()) return std::nullopt;
  std::vector<double> numbers;
  for (const json& weight : *weights) {
    if (!weight.is_number()) return std::nullopt;
    numbers.push_back(weight.get<double>());
  }
  const auto size = static_cast<std::int64_t>(numbers.size());
  return RowWeights{std::move(numbers), size};
}

std::optional<Shape> shapeOfWeights(const Fields& params) {
  const json* weights = params.find("weights");
  if (weights == nullptr) return std::nullopt;
  if (const auto plain = rowWeights(params)) return Shape{plain->size};
  return shapeOf(*weights);
}

std::optional<bool> usesMkl(const VectorRow& row) {
  if (!row.params.has("math_library")) return false;
  const auto library = row.params.text("math_library");
  if (library != "MKL" && library != "no MKL") return std::nullopt;
  return library == "MKL";
}

}  // namespace shardlens::selftest
