// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/capture.h"
#include "core/collect/loader_findings.h"
#include "core/diagnose/proof.h"
#include "core/diagnose/run_state.h"
#include "core/report/run_picture.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

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

}  // namespace shardlens
