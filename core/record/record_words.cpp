// SPDX-License-Identifier: Apache-2.0
#include "core/record/record_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

std::string megabytes(std::size_t bytes) {
  return grouped(static_cast<std::int64_t>(bytes / 1'000'000)) + " MB";
}

}  // namespace

Error recordingNotCreated(ErrorCode code, const std::string& path, const std::string& why) {
  return Error::inFile(code, path, "The recording cannot be created: " + why + ".",
                       "choose another place with --run-file");
}

Error recordingIsThere(const std::string& path) {
  return Error::inFile(ErrorCode::Io, path,
                       "The recording cannot be created: there is a file or folder of this name, and a recording never "
                       "overwrites one.",
                       "choose another name with --run-file, or remove " + path + " first; nothing was started");
}

Error recordingNotBegun(ErrorCode code, const std::string& path, const std::string& why) {
  return Error::inFile(code, path, "The recording cannot be created: " + why + ".",
                       "free some disk space, or choose another place with --run-file; nothing was started");
}

Error recordingStopped(ErrorCode code, const std::string& path, const std::string& why) {
  return Error::inFile(code, path, "The recording stopped here, because it cannot be written: " + why + ".",
                       "free some disk space; the job itself continues");
}

Error recordingRemoved(const std::string& path) {
  return Error::inFile(ErrorCode::Io, path, "The recording stopped here, because its file was removed.",
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
  return Error::inFile(ErrorCode::Io, path, leftOutOfRecording(records, lines), "record on a faster disk (--run-file)");
}

Error messageTooLong(const std::string& path, std::size_t spec_bytes, std::size_t most) {
  const std::string what = spec_bytes == 0 ? "One message" : "The spec (" + megabytes(spec_bytes) + ")";
  return Error::inFile(ErrorCode::BadInput, path,
                       what + " was left out of the recording: it is longer than " + megabytes(most) +
                           ", the most that a message may have.");
}

Error recordingNotRead(const std::string& path, const std::string& why) {
  return Error::inFile(ErrorCode::Io, path, filled(worded("record", "The recording cannot be read: %1."), why));
}

Error noRecording(const std::string& path) {
  return Error::inFile(
      ErrorCode::BadInput, path, worded("record", "This is not a ShardLens recording."),
      worded("record", "give the folder that shardlens run wrote, or a file that shardlens replay --pack made of it"));
}

Error noSegments(const std::string& folder) {
  return Error::inFile(ErrorCode::BadInput, folder,
                       worded("record", "This folder is not a recording: it holds no segment (*.slseg)."),
                       worded("record", "give the folder that shardlens run wrote"));
}

Error noFileOrFolder(const std::string& path) {
  return Error::inFile(ErrorCode::BadInput, path,
                       worded("record", "This is neither a file nor a folder: it cannot be a recording."));
}

Error otherFormat(const std::string& path, std::uint32_t format, std::uint32_t own) {
  return Error::inFile(ErrorCode::BadInput, path,
                       filled(worded("record", "The recording has format %1; this program reads format %2."),
                              std::to_string(format), std::to_string(own)),
                       format < own
                           ? worded("record", "read it with the version that recorded it, or record the run again")
                           : worded("record", "read it with a newer version"));
}

Error recordingNotPacked(const std::string& path, const std::string& why) {
  return Error::inFile(ErrorCode::Io, path, filled(worded("record", "The recording cannot be packed: %1."), why));
}

Error packedInPart(const std::string& file) {
  return Error::inFile(ErrorCode::Io, file,
                       worded("record", "The recording cannot be packed: the file could not be written to its end."),
                       worded("record", "free some disk space, or choose another place"));
}

Error packedAlready(const std::string& file) {
  return Error::inFile(ErrorCode::Usage, file, worded("record", "This recording is already a single file."),
                       worded("record", "copy it"));
}

Error packedFilesLost(const std::string& file) {
  return Error::inFile(
      ErrorCode::BadInput, file,
      worded(
          "record",
          "In this file, the list of what probes wrote is damaged: the record of what the job's loaders read is lost."),
      worded("record", "pack the folder again"));
}

std::string bytesDamaged(std::int64_t bytes, std::int64_t places) {
  const std::string in = wordedCount(places, "place");
  return bytes == 1 ? filled(worded("record", "1 byte in %1 is damaged; its content was not read."), in)
                    : filled(worded("record", "%1 in %2 are damaged; their content was not read."),
                             wordedCount(bytes, "byte"), in);
}

std::string recordingHasNoEnd() {
  return worded("record", "The recording has no end.");
}

std::string recordingCutOff(std::int64_t bytes) {
  return bytes == 1
             ? worded("record", "The recording is cut off in the middle of a frame; its last byte was not read.")
             : filled(worded("record", "The recording is cut off in the middle of a frame; its last %1 were not read."),
                      wordedCount(bytes, "byte"));
}

std::string recorderOutOfSight(const std::string& host, bool wrote, std::int64_t seconds) {
  const std::string time = wordedCount(seconds, "second");
  return wrote ? filled(worded("record",
                               "This host cannot check whether the recorder on host %1 is still running; it wrote "
                               "within the last %2."),
                        host, time)
               : filled(worded("record",
                               "This host cannot check whether the recorder on host %1 is still running; it has "
                               "written nothing in the last %2."),
                        host, time);
}

}  // namespace shardlens::words
