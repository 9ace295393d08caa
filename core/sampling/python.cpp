// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/python.h"

#include <array>
#include <charconv>
#include <utility>

namespace shardlens::sampling {
namespace {

std::string floatText(double number) {
  std::array<char, 32> text{};
  std::string out(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
  return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

}  // namespace

std::string pyText(const PyValue& value) {
  struct Visitor {
    std::string operator()(std::monostate /*none*/) const { return "None"; }
    std::string operator()(bool flag) const { return flag ? "True" : "False"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return floatText(number); }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Visitor{}, value);
}

Error raised(std::string type, std::string message, std::string field, std::string hint) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, std::move(field)}, std::move(hint),
               std::move(type)};
}

Error refused(std::string message, std::string field, std::string hint) {
  return {ErrorCode::BadInput, std::move(message), {{}, 0, 0, std::move(field)}, std::move(hint)};
}

Error unsupported(std::string message, std::string field, std::string hint) {
  return {ErrorCode::Unsupported, std::move(message), {{}, 0, 0, std::move(field)}, std::move(hint)};
}

Error tooLarge(std::string message, std::string field, std::string hint) {
  return {ErrorCode::Environment, std::move(message), {{}, 0, 0, std::move(field)}, std::move(hint)};
}

Error invalidRank(std::int64_t rank, std::int64_t replicas, std::string field, std::string hint) {
  return raised("ValueError",
                "Invalid rank " + std::to_string(rank) + ", rank should be in the interval [0, " +
                    std::to_string(replicas - 1) + "]",
                std::move(field), std::move(hint));
}

}  // namespace shardlens::sampling
