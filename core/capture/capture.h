// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/agreement.h"
#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"
#include "core/capture/reading.h"
#include "core/capture/recorded_job.h"
#include "core/capture/rule_search.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::capture {

/// One loader of a job, as a spec that was checked against every batch that was recorded.
struct CapturedLoader {
  JobLoader job;
  LoaderSpec spec;
  Agreement agreement;               ///< of that spec
  std::optional<std::string> yaml;   ///< the spec as a file; none: see spec.problems
  bool is_recorded = false;          ///< the spec holds what was read; `reasons` say why no sampler's rule is written
  std::vector<std::string> reasons;  ///< one sentence each
  bool has_drawn_seeds = false;      ///< its order is a RandomSampler's, by seeds that a spec cannot foretell
  bool has_left_passes = false;      ///< likewise, by a generator of its own, and each pass was left before its end
  RuleSearch rules;                  ///< that give what an unknown sampler gave
  std::vector<std::string> seeds;    ///< what is known of the seeds of NumPy, random and workers, one sentence each
  std::vector<RunFinding> findings;  ///< what the recorded batches and seeds show

  /// There is a spec, perhaps one that is too long for a file, and it reproduces every recorded batch.
  [[nodiscard]] bool isProven() const { return spec.problems.empty() && agreement.isWhole(); }
};

struct CaptureOptions {
  bool search = true;         ///< for rules that give what unknown samplers gave, and for seeds
  RuleSearchBounds bounds;    ///< of the search
  bool writes_rules = false;  ///< the first rule that gives the batches becomes the spec, instead of the batches
};

struct Capture {
  std::vector<CapturedLoader> loaders;
  std::vector<std::string> notes;  ///< about the recording: what is damaged or not recorded
};

/// One loader of the job.
Result<CapturedLoader> captured(const RecordedJob& job, std::size_t index, const CaptureOptions& options = {},
                                const Work& work = {});

/// The loader with the spec that holds what its loop got, where its rule plans more than that.
Result<CapturedLoader> asRead(const RecordedJob& job, std::size_t index, CapturedLoader loader, const Work& work = {});

/// What the job's loaders really did. BadInput when there are no loaders in the recording.
Result<Capture> capture(const std::filesystem::path& recording, const CaptureOptions& options = {},
                        const Work& work = {});

/// Batches of the captured spec, on the recorded ranks.
struct NotRead {
  std::int64_t batches = 0;    ///< that are known not to have been read
  bool may_have_more = false;  ///< of others it is not known whether they were read
  bool is_counted = true;      ///< else there are too many epochs
  [[nodiscard]] bool isAllRead() const { return batches == 0 && !may_have_more && is_counted; }
};

/// What the loop got in no pass. `plan` is that of the captured spec.
Result<NotRead> plannedNotRead(const CapturedLoader& loader, const Plan& plan, const Work& work = {});

/// The spec as a file, with comments that say where it comes from, whether it reproduces what was read, and what is
/// not known, in the language of this thread.
std::string specText(const CapturedLoader& loader);

/// What is said of a captured loader wherever a recording is shown, as sentences.
struct LoaderAccount {
  std::string title;                  ///< "train (train.py:31, 103 samples)"
  std::string sampler;                ///< "torch.DistributedSampler"; empty: no file can hold its spec
  std::string checked;                ///< how much was read, and whether its spec plans that
  std::vector<std::string> remarks;   ///< why there is no spec or another one, and what else a person should know
  std::vector<std::string> findings;  ///< what is wrong with what it read
  bool is_plain = false;              ///< its spec plans all that was read, and nothing has to be said beside that
};

LoaderAccount accountOf(const CapturedLoader& loader);

/// What only measured batches can show: set_epoch that was never called, ranks that read the same batches, ranks that
/// have another number of batches. One sentence each. Ranks that read the same because the sampler pads, as the plan of
/// `spec` does, are none: the audit of the plan says what it pads.
Result<std::vector<RunFinding>> findingsOf(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement,
                                           const Work& work = {});

/// What the ranks got of a stream. It has no indices: what it holds is told apart by the marks of the probe.
struct StreamContents {
  bool by_batch = false;             ///< batches are told apart; else samples
  std::vector<PassReading> passes;   ///< its samples are different contents
  std::vector<RunFinding> findings;  ///< ranks, or workers, that got the same
  std::string not_compared;          ///< why the contents are not known; else empty
};

/// Reads and compares them. `loader` is one of a stream. Errors as those of readProbe().
Result<StreamContents> contentsOf(const RecordedJob& job, std::size_t loader, const Work& work = {});

}  // namespace shardlens::capture
