// SPDX-License-Identifier: Apache-2.0
#include "core/spec/phase_condition.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

namespace shardlens {
namespace {

using Is = ConditionTerm::Is;

constexpr std::string_view kAlways = "always";
constexpr std::string_view kLastWord = "last";
const std::vector<std::string> kVariables = {"rank",       "local_rank", "node", "data_parallel_rank",
                                             "group_rank", "epoch",      "step"};
/// In the order of Is.
constexpr std::array<std::string_view, 8> kOperators = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"};

/// Words, numbers, and runs of signs; a bracket or a comma stands for itself.
std::vector<std::string> tokensOf(std::string_view text) {
  const auto kindOf = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isspace(byte) != 0) return 0;
    if (std::isalnum(byte) != 0 || c == '_') return 1;
    return c == '[' || c == ']' || c == ',' || c == '%' ? 2 : 3;
  };
  std::vector<std::string> tokens;
  int before = 0;
  for (const char c : text) {
    const int kind = kindOf(c);
    if (kind != 0 && (kind != before || kind == 2)) tokens.emplace_back();
    if (kind != 0) tokens.back() += c;
    before = kind;
  }
  return tokens;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), tokens_(tokensOf(text)) {}

  Result<Condition> parse() {
    if (tokens_.size() == 1 && tokens_[0] == kAlways) return Condition();
    Condition condition;
    do {
      auto term = readTerm();
      if (!term) return wrong();
      condition.push_back(*std::move(term));
    } while (take("and"));
    if (at_ < tokens_.size()) return wrong();
    return condition;
  }

 private:
  [[nodiscard]] Error wrong() const {
    std::string hint = worded("spec",
                              "write always, or comparisons such as rank == 0, rank in [0, 2], step % 100 == 0 "
                              "and group_rank != last, joined by and");
    for (std::size_t i = 0; i < tokens_.size(); i += 2) {
      const std::string near = nearest(tokens_[i], kVariables);
      if (!near.empty() && near != tokens_[i]) hint = filled(worded("spec", "did you mean %1?"), near);
    }
    return Error{ErrorCode::BadInput, filled(worded("spec", "'%1' is not a condition."), text_), {}, hint};
  }

  bool take(std::string_view token) {
    if (at_ == tokens_.size() || tokens_[at_] != token) return false;
    ++at_;
    return true;
  }

  std::optional<std::int64_t> readNumber(bool may_be_last) {
    if (may_be_last && take(kLastWord)) return ConditionTerm::kLast;
    if (at_ == tokens_.size()) return std::nullopt;
    const std::string& token = tokens_[at_];
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(token.data(), token.data() + token.size(), number);
    if (status != std::errc{} || end != token.data() + token.size()) return std::nullopt;
    ++at_;
    return number;
  }

  std::optional<Is> readOperator() {
    if (take("not")) return take("in") ? std::optional(Is::NotIn) : std::nullopt;
    for (std::size_t i = 0; i < kOperators.size(); ++i)
      if (take(kOperators[i])) return static_cast<Is>(i);
    return std::nullopt;
  }

  std::optional<ConditionTerm> readTerm() {
    ConditionTerm term;
    if (at_ == tokens_.size() || std::ranges::find(kVariables, tokens_[at_]) == kVariables.end()) return std::nullopt;
    term.variable = tokens_[at_++];
    if (take("%")) {
      term.modulus = readNumber(false).value_or(0);
      if (term.modulus == 0) return std::nullopt;
    }
    const auto is = readOperator();
    if (!is) return std::nullopt;
    term.is = *is;
    const bool is_list = *is == Is::In || *is == Is::NotIn;
    if (is_list && !take("[")) return std::nullopt;
    do {
      const auto number = readNumber(term.modulus == 0 && !term.isOfTime());
      if (!number) return std::nullopt;
      term.numbers.push_back(*number);
    } while (is_list && take(","));
    return is_list && !take("]") ? std::nullopt : std::optional(std::move(term));
  }

  std::string text_;
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

bool ConditionTerm::holds(std::int64_t value, std::int64_t last) const {
  const std::int64_t left = modulus == 0 ? value : value % modulus;
  const auto meant = [last](std::int64_t number) { return number == kLast ? last : number; };
  const bool is_listed = std::ranges::any_of(numbers, [&](std::int64_t number) { return left == meant(number); });
  const std::int64_t right = meant(numbers.front());
  switch (is) {
    case Is::Equal:
    case Is::In:
      return is_listed;
    case Is::NotEqual:
    case Is::NotIn:
      return !is_listed;
    case Is::Less:
      return left < right;
    case Is::LessOrEqual:
      return left <= right;
    case Is::Greater:
      return left > right;
    case Is::GreaterOrEqual:
      break;
  }
  return left >= right;
}

ConditionTerm ConditionTerm::negated() const {
  static constexpr std::array kOpposites = {Is::NotEqual,    Is::Equal, Is::GreaterOrEqual, Is::Greater,
                                            Is::LessOrEqual, Is::Less,  Is::NotIn,          Is::In};
  ConditionTerm other = *this;
  other.is = kOpposites[static_cast<std::size_t>(is)];
  return other;
}

std::string ConditionTerm::text() const {
  std::vector<std::string> items;
  for (const std::int64_t number : numbers)
    items.push_back(number == kLast ? std::string(kLastWord) : std::to_string(number));
  const bool is_list = is == Is::In || is == Is::NotIn;
  const std::string right = is_list ? "[" + join(items, ", ") + "]" : items.front();
  const std::string left = modulus == 0 ? variable : variable + " % " + std::to_string(modulus);
  return left + " " + std::string(kOperators[static_cast<std::size_t>(is)]) + " " + right;
}

Result<Condition> parseCondition(std::string_view text) {
  return Parser(text).parse();
}

std::string textOf(const Condition& condition) {
  std::vector<std::string> terms;
  for (const ConditionTerm& term : condition) terms.push_back(term.text());
  return terms.empty() ? std::string(kAlways) : join(terms, " and ");
}

}  // namespace shardlens
