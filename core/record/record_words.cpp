// SPDX-License-Identifier: Apache-2.0
#include "core/record/record_words.h"

#include "core/base/text.h"

namespace shardlens::words {
namespace {

Error ofPath(ErrorCode code, const std::string& path, std::string message, std::string hint = {}) {
  return Error{code, std::move(message), Place{path, 0, 0, {}}, std::move(hint)};
}

std::string megabytes(std::size_t bytes) {
  return grouped(static_cast<std::int64_t>(bytes / 1'000'000)) + " MB";
}

}  // namespace

Error recordingNotCreated(ErrorCode code, const std::string& path, const std::string& why) {
  return ofPath(code, path, "The recording cannot be created: " + why + ".", "choose another place with --run-file");
}

Error recordingNotBegun(ErrorCode code, const std::string& path, const std::string& why) {
  return ofPath(code, path, "The recording cannot be created: " + why + ".",
                "free some disk space, or choose another place with --run-file; nothing was started");
}

Error recordingStopped(ErrorCode code, const std::string& path, const std::string& why) {
  return ofPath(code, path, "The recording stopped here, because it cannot be written: " + why + ".",
                "free some disk space; the job itself continues");
}

Error recordingRemoved(const std::string& path) {
  return ofPath(ErrorCode::Io, path, "The recording stopped here, because its file was removed.",
                "the job itself continues");
}

std::string leftOutOfRecording(std::int64_t records, std::int64_t lines) {
  std::string what;
  if (records > 0) what = counted(records, "record") + " of ranks";
  if (lines > 0) what += (what.empty() ? "" : " and ") + counted(lines, "line") + " of output";
  return what + (records + lines == 1 ? " was" : " were") +
         " left out of the recording, because the disk was too slow.";
}

Error diskTooSlow(const std::string& path, std::int64_t records, std::int64_t lines) {
  return ofPath(ErrorCode::Io, path, leftOutOfRecording(records, lines), "record on a faster disk (--run-file)");
}

Error messageTooLong(const std::string& path, std::size_t spec_bytes, std::size_t most) {
  const std::string what = spec_bytes == 0 ? "One message" : "The spec (" + megabytes(spec_bytes) + ")";
  return ofPath(ErrorCode::BadInput, path,
                what + " was left out of the recording: it is longer than " + megabytes(most) +
                    ", the most that a message may have.");
}

Error recordingNotRead(const std::string& path, const std::string& why) {
  return ofPath(ErrorCode::Io, path, "The recording cannot be read: " + why + ".");
}

Error noRecording(const std::string& path) {
  return ofPath(ErrorCode::BadInput, path, "This is not a ShardLens recording.",
                "give the folder that shardlens run wrote, or a file that shardlens replay --pack made of it");
}

Error noSegments(const std::string& folder) {
  return ofPath(ErrorCode::BadInput, folder, "This folder is not a recording: it holds no segment (*.slseg).",
                "give the folder that shardlens run wrote");
}

Error noFileOrFolder(const std::string& path) {
  return ofPath(ErrorCode::BadInput, path, "This is neither a file nor a folder: it cannot be a recording.");
}

Error otherFormat(const std::string& path, std::uint32_t format, std::uint32_t own) {
  return ofPath(
      ErrorCode::BadInput, path,
      "The recording has format " + std::to_string(format) + "; this program reads format " + std::to_string(own) + ".",
      format < own ? "read it with the version that recorded it, or record the run again"
                   : "read it with a newer version");
}

Error recordingNotPacked(const std::string& path, const std::string& why) {
  return ofPath(ErrorCode::Io, path, "The recording cannot be packed: " + why + ".");
}

Error packedInPart(const std::string& file) {
  return ofPath(ErrorCode::Io, file, "The recording cannot be packed: the file could not be written to its end.",
                "free some disk space, or choose another place");
}

Error packedAlready(const std::string& file) {
  return ofPath(ErrorCode::Usage, file, "This recording is already a single file.", "copy it");
}

std::string bytesDamaged(std::int64_t bytes, std::int64_t places) {
  return counted(bytes, "byte") + " in " + counted(places, "place") +
         (bytes == 1 ? " is damaged; its content was not read." : " are damaged; their content was not read.");
}

std::string messagesUnknown(std::int64_t messages) {
  return counted(messages, "message") + " of a type that this version does not know " +
         (messages == 1 ? "was" : "were") + " skipped: a newer version wrote this recording.";
}

std::string recordingHasNoEnd() {
  return "The recording has no end.";
}

std::string recordingCutOff(std::int64_t bytes) {
  return "The recording is cut off in the middle of a frame; its last " +
         (bytes == 1 ? "byte was" : counted(bytes, "byte") + " were") + " not read.";
}

std::string recorderOutOfSight(const std::string& host, bool wrote, std::int64_t seconds) {
  return "Whether the recorder on host " + host + " is still running cannot be checked from this host; it " +
         (wrote ? "wrote within" : "has written nothing in") + " the last " + counted(seconds, "second") + ".";
}

std::string clocksNotCompared(const std::string& host, const std::string& other) {
  return "The offset between the clocks of " + host + " and " + other +
         " was not measured: the order of their events follows the wall clocks and is uncertain.";
}

std::string segmentOfAnotherJob(const std::string& name) {
  return name + " belongs to another job and was left out.";
}

std::string segmentCopied(const std::string& name) {
  return name + " is a copy of another segment and was left out.";
}

}  // namespace shardlens::words
