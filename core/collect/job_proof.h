// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/epochs_of_passes.h"
#include "core/capture/recorded_job.h"
#include "core/collect/planned_batches.h"
#include "core/diagnose/proof.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// Whether a job obeyed a design.
struct JobProof {
  Proof proof;
  std::string spec_yaml;               ///< of the loader that was compared, or else of the run; may be empty
  std::optional<std::string> loader;   ///< "train": the one that was compared; none: ranks reported their batches
  std::string site;                    ///< of the loop that reads it
  std::string sentence;                ///< that all batches are as designed; empty unless loader and a match
  std::vector<std::string> differing;  ///< "sampler.seed is 7, not 0": in what the loader is another one than designed
  BatchProof grid;                     ///< batch by batch over the last steps, where a loader was compared
  std::vector<std::int64_t> epoch_starts = {};  ///< of the grid: steps before each epoch, and at the end all of them
  std::optional<capture::EpochsOfPasses> passes = {};  ///< in which epochs of the grid they are

  /// What the comparison found, in one sentence.
  [[nodiscard]] std::string text() const;
};

/// In what the job had another spec, in one sentence; empty where nothing differs. `differing` as of JobProof.
std::string differencesText(const JobProof& proof, const std::vector<std::string>& differing);

/// Holds a recording against a design: the batches that the job's DataLoaders drew, where a probe observed any, or
/// those that its ranks reported. `loader` names the loader; without a name it is the one of loadersFor(), or the one
/// among several that obeys the design. A rank whose process wrote nothing was not measured, and a rank that was killed
/// may have read more than it wrote: neither differs. Usage when it is not clear which loader is meant.
Result<JobProof> proveJob(const Plan& design, const std::filesystem::path& recording, const std::string& loader,
                          const Work& work = {});

/// The spec in the Begin of a recording; empty when it has none.
Result<std::string> designOf(const std::filesystem::path& recording);

}  // namespace shardlens
