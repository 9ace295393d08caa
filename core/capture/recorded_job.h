// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/facts.h"
#include "core/capture/job_loaders.h"
#include "core/capture/probe_reader.h"
#include "core/record/pack.h"
#include "core/spec/pipeline_spec.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace shardlens::capture {

/// What the probes of a job wrote: its processes, and what they read.
struct RecordedJob {
  std::vector<RecordedFile> files;                ///< one of each process
  std::vector<ProcessFacts> processes;            ///< in the order of their files
  std::vector<std::vector<BatchesPlace>> places;  ///< likewise; empty unless skimmed
  std::vector<JobLoader> loaders;                 ///< empty: no loader was observed
  std::vector<std::string> notes;                 ///< about the recording: what is damaged or not recorded
};

/// Reads a recording, a folder or a packed file. BadInput when it is neither.
Result<RecordedJob> readJob(const std::filesystem::path& recording, const Work& work = {});

/// Likewise by skimProbe(), for who needs few of the batches. Damage among batches is not found.
Result<RecordedJob> skimJob(const std::filesystem::path& recording, const Work& work = {});

/// The loaders that a design may be about: the one of this name, if there is a name, otherwise those of the training or
/// of unknown purpose whose dataset has as many samples, of these those with its world and batch size if there are any,
/// or else the only one of the training. Usage when there is none, or no loader of that name.
Result<std::vector<std::size_t>> loadersFor(const std::vector<JobLoader>& loaders, const PipelineSpec& design,
                                            const std::string& name);

/// The loader that is meant: the one of this name, or without a name the only one that is known to train, or else the
/// only one that may. Usage when there is
/// none, or more than one.
Result<std::size_t> loaderMeant(const std::vector<JobLoader>& loaders, const std::string& name);

}  // namespace shardlens::capture
