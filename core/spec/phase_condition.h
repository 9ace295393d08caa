// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// "rank % 2 == 0", "rank in [0, 3]": one comparison of a phase's `if`.
struct ConditionTerm {
  enum class Is { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, In, NotIn };

  std::string variable;
  std::int64_t modulus = 0;  ///< of "%"; 0: none
  Is is = Is::Equal;
  std::vector<std::int64_t> numbers;  ///< one, or a list after "in"; kLast is the word "last"

  static constexpr std::int64_t kLast = -1;

  /// Whether the term is about the step or the epoch, and not about the rank.
  [[nodiscard]] bool isOfTime() const { return variable == "step" || variable == "epoch"; }
  /// Whether it holds where the variable is `value` and goes up to `last`.
  [[nodiscard]] bool holds(std::int64_t value, std::int64_t last) const;
  /// The term that holds exactly where this one does not.
  [[nodiscard]] ConditionTerm negated() const;
  [[nodiscard]] std::string text() const;
};

/// Terms that must all hold; none is "always".
using Condition = std::vector<ConditionTerm>;

/// Reads "always", or terms that are joined by "and". The error has no place.
Result<Condition> parseCondition(std::string_view text);
/// As parseCondition() reads it.
std::string textOf(const Condition& condition);

}  // namespace shardlens
