// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/loader_spec.h"
#include "core/record/pack.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace shardlens::capture {

/// The first batch, by epoch, step and rank, that is not the planned one.
struct FirstDifference {
  std::int64_t rank = 0;
  std::int64_t epoch = 0;  ///< of the spec; negative: of no epoch
  std::int64_t step = 0;
  std::optional<std::vector<SampleIndex>> planned;  ///< none: the plan has no such batch
  std::optional<std::vector<SampleIndex>> read;     ///< none: the job read no such batch, or no whole numbers
};

/// One pass of one rank, as far as it was recorded: equal prints mean equal batches.
struct PassPrint {
  std::int64_t rank = 0;
  std::size_t index = 0;      ///< of the pass among those of the rank
  std::int64_t drawn = 0;     ///< by the sampler; of a stream, which draws without end: those that the loop got
  std::int64_t recorded = 0;  ///< of those that the loop got
  std::int64_t samples = 0;
  bool exhausted = false;  ///< there were no more
  bool is_opaque = false;  ///< it has items that are no whole numbers
  std::uint64_t print = 0;
  /// What it was after as many batches as a pass of this rank has that was not read whole.
  std::map<std::int64_t, std::uint64_t> print_after = {};
};

/// What the recorded batches of a loader are, beside its plan. Only batches that the loop got count.
struct Agreement {
  std::int64_t batches = 0;  ///< that were recorded
  std::int64_t as_planned = 0;
  std::int64_t not_recorded = 0;         ///< the loop got them, and they are not in the files
  std::int64_t queued = 0;               ///< drawn for the loop, which did not ask for them, as far as is known
  bool is_ended = true;                  ///< every process told to its end how much its loop got
  std::vector<std::int64_t> unfinished;  ///< ranks that may have read more: they did not tell their end, or their file
                                         ///< was full. Empty while they run
  std::optional<FirstDifference> first_difference;
  std::vector<PassPrint> passes;  ///< by rank, then by pass

  /// Everything that was recorded is as planned, and what the job read to its end the plan ends there, too.
  [[nodiscard]] bool isWhole() const { return batches > 0 && as_planned == batches && !first_difference; }
};

/// What batches are compared with.
enum class Against {
  Nothing,     ///< they are only counted
  Spec,        ///< the plan of the spec
  DrawnSeeds,  ///< what a RandomSampler gives for the seed that the rank drew in each pass
  LeftPasses,  ///< what it gives by a generator of its own where each pass is left before its end
};

/// Reads the files of the loader's ranks again and compares each batch. `files` are those of the processes, in their
/// order.
Result<Agreement> agreementOf(const JobLoader& job, const LoaderSpec& spec, Against against,
                              const std::vector<RecordedFile>& files, const Work& work = {});

}  // namespace shardlens::capture
