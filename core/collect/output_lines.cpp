// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"

namespace shardlens {
namespace {

constexpr std::size_t kLongest = 8192;

}  // namespace

void OutputLines::add(std::string_view bytes, const UseLine& use) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t room = kLongest - partial_.size();
    const std::string_view part = bytes.substr(0, end);
    partial_ += part.substr(0, room);
    if (end == std::string_view::npos) return;
    use(partial_);
    partial_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void OutputLines::finish(const UseLine& use) {
  if (!partial_.empty()) use(partial_);
  partial_.clear();
}

}  // namespace shardlens
