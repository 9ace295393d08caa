// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/value.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::selftest {

/// A JSON object read with types: a value that is missing, null or of another type gives nothing. Never throws.
class Fields {
 public:
  Fields();  ///< no fields
  explicit Fields(nlohmann::json object);

  [[nodiscard]] bool has(std::string_view key) const;  ///< also when it is null
  [[nodiscard]] bool isNull(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const;
  /// A seed of 64 bits: a number with or without sign, or digits of this base in a text; negative ones modulo 2^64.
  [[nodiscard]] std::optional<std::uint64_t> bits(std::string_view key, int base = 10) const;
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  /// A list of whole numbers, or {"range": [a, b]} for a .. b-1.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::string_view key) const;
  /// A list of any numbers.
  [[nodiscard]] std::optional<std::vector<double>> numbers(std::string_view key) const;
  /// A list of 64-bit numbers, each a number or a text in this base.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> words(std::string_view key, int base = 10) const;
  [[nodiscard]] std::optional<std::vector<std::vector<std::int64_t>>> lists(std::string_view key) const;
  /// The value itself, or null.
  [[nodiscard]] const nlohmann::json* find(std::string_view key) const;

  /// Whether every key of the object is one of these: a replay must not ignore what it does not know.
  [[nodiscard]] bool onlyHas(std::initializer_list<std::string_view> keys) const;

 private:
  std::shared_ptr<const nlohmann::json> object_;  ///< shared: a copy costs nothing, and users need not compile JSON
};

/// One row of a reference file (tests/vectors/README.md): what a framework's class was given and what it gave.
struct VectorRow {
  std::string framework;
  std::string version;
  std::string sampler;
  Fields params;
  Fields fields;  ///< the whole row

  /// The framework's own exception, when the row is one.
  struct Raised {
    std::string type;
    std::string message;
  };
  std::optional<Raised> error;
};

/// Reads one line. BadInput when it is no JSON object with framework, sampler and params.
Result<VectorRow> readRow(std::string_view line);

/// Weights as a row gives them: a list, or {"kind", "n"}, n of a pattern that sampling::weightsField() knows.
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
