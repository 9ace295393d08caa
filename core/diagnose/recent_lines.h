// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <utility>

namespace shardlens {

/// The last lines of a run, oldest first. A copy shares the lines.
class RecentLines {
 public:
  RecentLines() = default;
  RecentLines(std::initializer_list<LogLine> lines) {
    for (const LogLine& line : lines) push(line);
  }

  void push(LogLine line) { lines_.push_back(std::make_shared<const LogLine>(std::move(line))); }
  void popFront() { lines_.pop_front(); }

  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] const LogLine& operator[](std::size_t index) const { return *lines_[index]; }
  /// Whether both have the very same line there, not merely an equal one.
  [[nodiscard]] bool shares(std::size_t index, const RecentLines& other, std::size_t other_index) const {
    return lines_[index] == other.lines_[other_index];
  }

 private:
  std::deque<std::shared_ptr<const LogLine>> lines_;
};

}  // namespace shardlens
