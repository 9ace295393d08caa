// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"

#include <functional>
#include <string>
#include <string_view>

namespace shardlens {

/// Cuts what a launcher prints into lines and finds whose they are: Open MPI's --tag-output writes
/// "[1,3]<stdout>:text" for rank 3; a line without a tag is the launcher's own. Lines are cut at 8 kB.
class OutputLines {
 public:
  explicit OutputLines(bool is_error) : is_error_(is_error) {}
  void add(std::string_view bytes, const std::function<void(const LogLine&)>& use);
  /// The last line, when it had no end.
  void finish(const std::function<void(const LogLine&)>& use);

 private:
  bool is_error_;
  std::string partial_;
};

/// One line without its end.
LogLine parseTagged(std::string_view line, bool is_error);

}  // namespace shardlens
