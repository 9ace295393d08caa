// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// All sentences about recordings, in one place. Callers decide when to use them.
namespace shardlens::words {

// --- what cannot be written; `why` is the system's reason without a full stop
Error recordingNotCreated(ErrorCode code, const std::string& path, const std::string& why);
/// Something has this name: a recording is not overwritten.
Error recordingIsThere(const std::string& path);
/// The file is there, but not even its first bytes fit.
Error recordingNotBegun(ErrorCode code, const std::string& path, const std::string& why);
Error recordingStopped(ErrorCode code, const std::string& path, const std::string& why);
Error recordingRemoved(const std::string& path);
/// "12 records of ranks and 1 line of output were left out of the recording, because the disk was too slow."
std::string leftOutOfRecording(std::int64_t records, std::int64_t lines);
Error diskTooSlow(const std::string& path, std::int64_t records, std::int64_t lines);
/// A message of more than `most` bytes; the spec's when `spec_bytes` is not 0.
Error messageTooLong(const std::string& path, std::size_t spec_bytes, std::size_t most);

// --- what cannot be read
Error recordingNotRead(const std::string& path, const std::string& why);
Error noRecording(const std::string& path);
Error noSegments(const std::string& folder);
Error noFileOrFolder(const std::string& path);
/// `own` is what this program reads.
Error otherFormat(const std::string& path, std::uint32_t format, std::uint32_t own);

// --- packing
Error recordingNotPacked(const std::string& path, const std::string& why);
Error packedInPart(const std::string& file);
Error packedAlready(const std::string& file);
/// The list of what probes wrote is damaged.
Error packedFilesLost(const std::string& file);

// --- what a recording lacks: one sentence each
std::string bytesDamaged(std::int64_t bytes, std::int64_t places);
std::string recordingHasNoEnd();
/// `bytes` of an incomplete frame are at the end.
std::string recordingCutOff(std::int64_t bytes);
/// A recorder on another host, which wrote within the last `seconds`, or did not.
std::string recorderOutOfSight(const std::string& host, bool wrote, std::int64_t seconds);

}  // namespace shardlens::words
