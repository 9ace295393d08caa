// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/output_lines.h"
#include "core/launch/launchers/launcher.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens {

/// What one process of a job prints on one of its outputs, as lines that belong to a rank or to the launcher: a rank's
/// process prints for its rank, a launcher's for itself and, tagged, for the ranks, in pieces that need not be lines.
class PrintedOutput {
 public:
  using UseLine = std::function<void(const PrintedLine& line)>;

  /// `rank` -1: a launcher's process. The launcher must outlive this.
  PrintedOutput(const Launcher& launcher, std::int64_t rank, bool is_error)
      : launcher_(&launcher), own_(rank, is_error), current_(own_) {}

  void add(std::string_view bytes, const UseLine& use);
  /// The present text of progress bars.
  void showProgress(const UseLine& use);
  /// What was left without a line break.
  void finish(const UseLine& use);

 private:
  using Source = std::pair<std::int64_t, bool>;  ///< rank, is_error

  void give(const Source& source, std::string_view bytes, const UseLine& use);
  void untag(std::string_view bytes, const UseLine& use);

  const Launcher* launcher_;
  Source own_;
  Source current_;
  bool is_after_tag_ = false;
  bool begins_line_ = true;
  std::string held_;  ///< what may be the beginning of a tag
  std::map<Source, OutputLines> lines_;
};

}  // namespace shardlens
