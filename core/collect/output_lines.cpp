// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"

#include <charconv>
#include <system_error>

namespace shardlens {
namespace {

constexpr std::size_t kLongest = 8192;

}  // namespace

LogLine parseTagged(std::string_view line, bool is_error) {
  LogLine own{-1, is_error, std::string(line)};
  if (line.empty() || line[0] != '[') return own;
  const std::size_t comma = line.find(',');
  const std::size_t end = line.find("]<std");
  if (comma == std::string_view::npos || end == std::string_view::npos || end < comma) return own;
  LogLine tagged;
  const char* last = line.data() + end;
  const auto [rest, error] = std::from_chars(line.data() + comma + 1, last, tagged.rank);
  const std::size_t colon = line.find(">:", end);
  if (error != std::errc() || rest != last || colon == std::string_view::npos) return own;
  tagged.is_error = line.substr(end + 2, colon - end - 2) == "stderr";
  tagged.text = line.substr(colon + 2);
  return tagged;
}

void OutputLines::add(std::string_view bytes, const std::function<void(const LogLine&)>& use) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t room = kLongest - partial_.size();
    const std::string_view part = bytes.substr(0, end);
    partial_ += part.substr(0, room);
    if (end == std::string_view::npos) return;
    use(parseTagged(partial_, is_error_));
    partial_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void OutputLines::finish(const std::function<void(const LogLine&)>& use) {
  if (!partial_.empty()) use(parseTagged(partial_, is_error_));
  partial_.clear();
}

}  // namespace shardlens
