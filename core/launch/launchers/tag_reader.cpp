// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/tag_reader.h"

#include <charconv>
#include <system_error>

namespace shardlens {

bool TagReader::take(std::string_view word) {
  const std::string_view there = rest_.substr(0, word.size());
  if (there == word) return rest_.remove_prefix(word.size()), true;
  ended_ = there == word.substr(0, there.size());  // it may go on as it should
  return false;
}

bool TagReader::takeNumber(std::int64_t* number) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  ended_ = end == rest_.data() + rest_.size();
  if (error != std::errc() || ended_ || value < 0) return false;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  if (number != nullptr) *number = value;
  return true;
}

bool TagReader::takeOneOf(std::string_view no, std::string_view yes, bool* is_yes) {
  *is_yes = take(yes);
  return *is_yes || (!ended_ && take(no));
}

}  // namespace shardlens
