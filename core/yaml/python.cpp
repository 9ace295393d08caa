// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/python.h"

#include "core/spec/field.h"
#include "core/yaml/scalar.h"

namespace shardlens::yaml {
namespace {

/// Long lists are wrapped; consecutive ones are a range.
std::string pythonList(const IndexList& list) {
  if (isRun(list)) return "range(" + std::to_string(list.front()) + ", " + std::to_string(list.back() + 1) + ")";
  constexpr std::size_t kOnALine = 12;
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += i % kOnALine == 0 ? ",\n        " : ", ";
    out += std::to_string(list[i]);
  }
  return out + "]";
}

}  // namespace

std::string pythonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += {'\\', 'x', kDigits[static_cast<unsigned char>(c) >> 4U], kDigits[static_cast<unsigned char>(c) & 15U]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string pythonValue(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const auto* text = std::get_if<std::string>(&value)) return pythonText(*text);
  if (const auto* list = std::get_if<IndexList>(&value)) return pythonList(*list);
  if (const auto* list = std::get_if<NumberList>(&value)) return writeValue(*list);
  return valueText(value);
}

}  // namespace shardlens::yaml
