// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/collect/job_proof.h"
#include "core/collect/loader_findings.h"
#include "core/diagnose/run_state.h"
#include "core/plan/plan.h"
#include "core/record/write_queue.h"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::cli {

/// Standard output and standard error of a process that must wait for neither: a thread writes what was put, in its
/// order. Who reads may be slow, may have stopped (a pager, Ctrl+S), or may have gone (`| head`): the job that is being
/// watched goes on.
class Screen {
 public:
  /// Text that is shown and not yet read, at most.
  static constexpr std::size_t kMostWaiting = std::size_t{4} << 20;

  /// Environment when the machine has no thread for it.
  static Result<Screen> open();

  /// So much waits already that what can be left out should be.
  [[nodiscard]] bool isFull() const { return queue_->waiting() > kMostWaiting; }
  /// `text` for the descriptor STDOUT_FILENO or STDERR_FILENO. Never waits.
  void put(int fd, std::string_view text);
  /// Returns when everything was written, or cannot be.
  void finish();

 private:
  explicit Screen(std::unique_ptr<WriteQueue> queue) : queue_(std::move(queue)) {}

  std::unique_ptr<WriteQueue> queue_;
};

/// Shows a running job on stderr: on a terminal a block that is drawn over and fits into it, one line a rank (or a
/// summary when there are more than 16), else a plain line every two seconds, and each verdict once when it is first
/// found. Once the job does not go on, or goes wrong, it also says what is wrong with the batches that its loaders
/// read. What the job prints goes to stdout and stderr with its rank, without what a terminal would obey.
class RunProgress {
 public:
  RunProgress(Screen& screen, bool is_terminal, bool is_quiet)
      : screen_(screen), is_terminal_(is_terminal), is_quiet_(is_quiet) {}

  /// `recording`: the folder of this job.
  void show(const RunState& state, const std::filesystem::path& recording);
  void line(const LogLine& line);
  /// Takes the block away.
  void finish();

 private:
  void erase();
  void draw();
  void tellLeftOut();
  void tellVerdicts(const RunState& state);
  void lookAtLoaders(const RunState& state, const std::filesystem::path& recording);
  void takeFindings(const RunState& state);

  using VerdictId = std::pair<VerdictKind, std::vector<std::int64_t>>;

  Screen& screen_;
  bool is_terminal_;
  bool is_quiet_;
  std::string block_;
  std::size_t drawn_lines_ = 0;
  std::int64_t next_line_ns_ = 0;
  std::int64_t left_out_ = 0;  ///< lines that were not shown
  std::set<VerdictId> told_;
  std::set<VerdictKind> wrong_;  ///< what made us look at the loaders: a look reads the whole recording
  std::optional<std::chrono::steady_clock::time_point> look_at_;
  std::stop_source stop_;
  std::future<std::string> looking_;  ///< its thread ends before all of the above
  std::string findings_;              ///< what was found last
};

/// The size of a terminal in characters.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// `block` as a terminal of this size has room for it: long lines are cut, and lines that are too many are counted.
std::string fitted(const std::string& block, TerminalSize size);
/// The block for this state, without cursor movements.
std::string progressBlock(const RunState& state);
/// The plain line for this state.
std::string progressLine(const RunState& state);

/// The table of ranks, one line each, with a heading. Ranks beyond `most` are summed up in a last line.
std::string rankTable(const RunState& state, std::size_t most = 1024);

/// The verdicts as a list, each with its evidence and what to do; empty when nothing is wrong.
std::string verdictText(const RunState& state);

/// What is wrong with the batches that its loaders read, a line each; empty when nothing was found.
std::string findingsText(const std::vector<LoaderFinding>& findings);

/// The object of `replay --format json` (resources/schemas/replay.schema.json).
nlohmann::ordered_json runJson(const RunState& state);

/// How a job ended, what was found, and what to look at next. `spec`: the file of its design; may be empty.
std::string closingText(const RunState& state, const std::string& run_file, const std::string& spec, bool is_whole);

/// Tells on stdout what is wrong with the batches that the job's loaders read, and how far this is while it takes long.
void tellFindings(const std::string& run_file, bool is_quiet, Screen& screen);

/// Whether a command obeyed the spec that it was run with.
struct Obeyed {
  std::string text;
  int code = kFine;
};

/// Holds what a command read against its design, says on stdout whether it obeyed, and how far this is while it takes
/// long. `must_read`: a command that read nothing did not obey.
Obeyed tellObeyed(const Plan& design, const std::string& run_file, bool must_read, bool is_quiet, Screen& screen);

/// "match", "mismatch" or "incomplete".
const char* resultName(ProofResult result);

/// The proof for a terminal; `differing` says in what the run's own spec or loader is another one.
std::string proofText(const JobProof& proved, const std::vector<std::string>& differing);

}  // namespace shardlens::cli
