// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/html.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/capture.h"
#include "core/collect/loader_findings.h"
#include "core/diagnose/proof.h"
#include "core/diagnose/run_state.h"
#include "core/timeline/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shardlens {

/// A part of a row: columns [first, last) that mostly hold this phase.
struct PictureBlock {
  std::int64_t first = 0;
  std::int64_t last = 0;
  Phase phase = Phase::Unmeasured;

  bool operator==(const PictureBlock&) const = default;
};

/// One row of the picture: the ranks [first_rank, last_rank), and what they did. Columns without a block hold nothing
/// that was measured.
struct PictureRow {
  std::int64_t first_rank = 0;
  std::int64_t last_rank = 0;
  std::vector<PictureBlock> blocks;
};

/// What every rank did over a whole run, on a bounded number of columns: its size depends on the number of ranks alone.
class RunPicture {
 public:
  static constexpr std::int64_t kColumns = 1024;

  /// A lane for each rank, in any order; ranks without a lane have done nothing that was measured. Ends where the
  /// timeline does, unless nothing was measured at all.
  RunPicture() = default;
  RunPicture(const Timeline& timeline, std::int64_t ranks);

  /// How long one column lasts.
  [[nodiscard]] std::int64_t columnNs() const { return column_ns_; }
  /// Columns up to the end, at most kColumns.
  [[nodiscard]] std::int64_t columns() const;
  /// At most so many rows, by rank. A column shows the phase that takes most of it; time without a span counts as a
  /// phase of its own. Where several ranks share a row, each column shows the one that loads and computes longest: the
  /// one that the others wait for.
  [[nodiscard]] std::vector<PictureRow> rows(std::int64_t most) const;

 private:
  /// Nanoseconds of Load, Compute, Wait and Transfer.
  using Column = std::array<std::int64_t, 4>;

  void add(std::int64_t rank, const Span& span);
  [[nodiscard]] Phase phaseOf(std::int64_t at, const Column& column) const;
  [[nodiscard]] Column at(std::size_t rank, std::size_t column) const {
    return ranks_[rank].empty() ? Column{} : ranks_[rank][column];
  }
  [[nodiscard]] PictureRow row(std::int64_t first_rank, std::int64_t last_rank) const;

  std::vector<std::vector<Column>> ranks_;  ///< empty for a rank of which nothing was measured
  std::int64_t column_ns_ = 1;
  std::int64_t end_ns_ = 0;
};

/// Everything that a recording says about its run, in one value: how it ended, what was wrong, what each rank did and
/// when, and whether its batches were the planned ones.
struct Report {
  RunState state;                    ///< at the end of the recording
  std::string note;                  ///< sentences about what was not read of the recording; empty when all was
  RunPicture picture;                ///< of the whole run
  std::optional<Proof> proof;        ///< against the spec that the recording holds
  std::int64_t started_unix_ns = 0;  ///< when the job began; 0: the recording does not say
  std::string no_proof;              ///< why there is none, one sentence
  std::vector<LoaderFinding> loader_findings;   ///< what is wrong with the batches that its loaders read
  std::vector<capture::LoaderAccount> loaders;  ///< of a command without a spec: what they read
  bool is_damaged = false;                      ///< bytes of the recording were damaged
};

/// Reads the recording (a folder or a packed file) to its end. The errors of checkRecording() and RunReplay::open();
/// Cancelled. A recording of a job that still runs gives the report of this moment.
Result<Report> makeReport(const std::filesystem::path& recording, const Work& work = {});

/// "finished", "failed", ...: the spelling in JSON.
const char* statusName(JobStatus status);

/// One sentence: what the job is doing, or how it ended.
std::string outcomeText(const RunState& state);

/// The report as one HTML page without scripts, that opens in any browser and asks no network for anything. It has
/// light and dark colours, as the reader's system has. Text that comes from the job can be no markup.
std::string reportPage(const Report& report);

/// The files of resources/report.
std::span<const PageFile> reportFiles();

}  // namespace shardlens
