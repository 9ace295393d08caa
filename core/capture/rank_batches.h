// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/job_loaders.h"
#include "core/capture/probe_reader.h"
#include "core/record/pack.h"

namespace shardlens::capture {

/// Reads the batches of one rank's passes over a loader, each with whether the loop got it, from the file of its
/// process. Their samples are ids as the loader's datasets have them: SampleIds. Errors as those of readProbe().
Result<ProcessFacts> readBatches(const RecordedFile& file, const JobLoader& job, const RankLoader& rank,
                                 const UseBatch& use, const Work& work = {});

/// What takes the batches of a process and gives those of the rank's passes over the loader to `use`, likewise. The
/// job, the rank and `use` must outlive it.
UseBatch batchesFor(const JobLoader& job, const RankLoader& rank, const UseBatch& use);

}  // namespace shardlens::capture
