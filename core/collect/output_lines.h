// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launchers/launcher.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens {

/// Cuts what comes through a pipe into lines as a terminal would show them: if a carriage return starts a line again
/// (a progress bar), what is written over stays only behind the new text. A line is cut at 8 kB, and says how much of
/// it was left out.
class OutputLines {
 public:
  using UseLine = std::function<void(std::string_view line)>;

  void add(std::string_view bytes, const UseLine& use);
  /// The present text of a line that is drawn again and again, if it has changed since. Call this now and then.
  void showProgress(const UseLine& use);
  /// The last line, when it had no end.
  void finish(const UseLine& use);

 private:
  void append(std::string_view text);
  void beginAgain();
  void end(const UseLine& use);

  std::string partial_;   ///< since the last line break or carriage return
  std::int64_t cut_ = 0;  ///< bytes of it that were left out
  std::string drawn_;     ///< the text before the last carriage return
  std::string told_;      ///< the part of this line that was shown as progress
  bool is_drawn_ = false;
};

/// What a terminal shows of a line when `text` is written over it from its first column: what `shown` has behind that
/// stays, unless the text erases it (ESC [ K). Blanks at the end are left out. Counts columns as terminals do for wide
/// and combining characters; other control sequences than erasing take none.
std::string writtenOver(std::string_view shown, std::string_view text);

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
