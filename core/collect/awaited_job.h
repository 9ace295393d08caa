// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/collect/probe_environment.h"
#include "core/spec/pipeline_spec.h"

#include <filesystem>
#include <optional>
#include <string>

namespace shardlens {

/// A job that somebody else will start: where it will be recorded, and what its environment needs for that.
struct AwaitedJob {
  std::filesystem::path recording;
  ProbeEnvironment environment;
};

/// Makes the folder of the recording: `dir`, which is new or empty, or, when that is empty, one below runsRoot(). The
/// job is compared with `design`, if there is one. Nothing else is made: the first rank, on any host, makes the rest.
/// Environment when this installation has no agent or the folder cannot be made, Usage when `dir` is not empty.
Result<AwaitedJob> awaitJob(const std::string& dir, const PipelineSpec* design = nullptr);

/// Lines for a POSIX shell that set these variables.
std::string exportLines(const ProbeEnvironment& environment);

/// Whether this is the folder of an awaited job of which nothing was recorded yet.
bool isAwaited(const std::filesystem::path& recording);
/// What distinguishes this awaited job from all others.
std::string awaitedName(const std::filesystem::path& recording);
/// Why a job that began is not recorded here, as a sentence; nothing while no host has reported a reason.
std::optional<std::string> failureToRecord(const std::filesystem::path& recording);
/// What to check when a job is said to have begun, but nothing was recorded.
std::string adviceOnSilence(const std::filesystem::path& recording);
/// The spec of the design that an awaited job was given; empty: none.
std::string awaitedDesign(const std::filesystem::path& recording);

/// What `shardlens watch` follows. `named` is a recording, an awaited job, or the folder of one. When it is empty: the
/// newest recording in progress among this user's and those in the current folder, otherwise the newest one, whether
/// awaited or over. Usage when there is none.
Result<std::filesystem::path> recordingToWatch(const std::string& named);
/// If nothing was named and the job of `awaited` has not begun: a newer recording or awaited job, if there is one by
/// now. Otherwise `awaited`.
std::filesystem::path newestToWatch(const std::filesystem::path& awaited);

}  // namespace shardlens
