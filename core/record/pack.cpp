// SPDX-License-Identifier: Apache-2.0
#include "core/record/pack.h"

#include "core/record/frame.h"
#include "core/record/record_words.h"
#include "core/record/recording_reader.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

/// The files with this extension in a folder, by name, and how long they are now.
Result<std::vector<RecordedFile>> filesIn(const fs::path& folder, const char* extension) {
  std::vector<RecordedFile> files;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (at->path().extension() != extension) continue;
    files.push_back({at->path(), at->path().filename().string(), {0, static_cast<std::int64_t>(at->file_size(code))}});
  }
  if (code) return words::recordingNotRead(folder.string(), code.message());
  std::ranges::sort(files, [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

/// What is packed: segments, then what probes wrote.
struct Content {
  std::vector<RecordedFile> segments;
  std::vector<RecordedFile> probes;
};

Result<Content> contentOf(const fs::path& folder, const std::vector<std::string>& copies) {
  auto segments = filesIn(folder, ".slseg");
  if (!segments) return segments.error();
  const auto is_copy = [&copies](const RecordedFile& one) {
    return std::ranges::find(copies, one.name) != copies.end();
  };
  std::erase_if(*segments, is_copy);
  auto probes = filesIn(folder, kProbeExtension);
  if (!probes) return probes.error();
  return Content{*std::move(segments), *std::move(probes)};
}

/// The bytes before the segments. Places count from the end of the frame that lists them.
std::string headOf(const Content& content) {
  std::int64_t begin = 0;
  std::vector<FilePart> table;
  for (const RecordedFile& segment : content.segments) {
    table.push_back({begin, segment.part.length});
    begin += segment.part.length;
  }
  std::vector<PackedFile> files;
  for (const RecordedFile& probe : content.probes) {
    files.push_back({probe.name, {begin, probe.part.length}});
    begin += probe.part.length;
  }
  std::string list;
  if (!files.empty()) frame::append(list, frame::Kind::Files, -1, payload::encode(files));
  for (FilePart& part : table) part.begin += static_cast<std::int64_t>(list.size());
  std::string head = frame::fileHeader(frame::Content::Packed);
  frame::append(head, frame::Kind::Table, -1, payload::encode(table));
  return head + list;
}

/// Exactly as many bytes as the head says: a file that still grows is cut there.
bool copyBytes(const RecordedFile& file, std::ofstream& out) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  std::ifstream in(file.path, std::ios::binary);
  std::vector<char> piece(static_cast<std::size_t>(kPiece));
  for (std::int64_t left = file.part.length; left > 0;) {
    const std::int64_t wanted = std::min(left, kPiece);
    if (!in.read(piece.data(), wanted) || !out.write(piece.data(), wanted)) return false;
    left -= wanted;
  }
  return true;
}

bool write(const Content& content, std::ofstream& out) {
  const std::string head = headOf(content);
  out.write(head.data(), static_cast<std::streamsize>(head.size()));
  const auto copy = [&out](const RecordedFile& file) { return copyBytes(file, out); };
  const bool copied = std::ranges::all_of(content.segments, copy) && std::ranges::all_of(content.probes, copy);
  out.close();
  return copied && out.good();
}

}  // namespace

Result<void> packRecording(const fs::path& recording, const fs::path& file) {
  // Whatever is refused as a recording is refused here, in the same words.
  auto reader = RecordingReader::open(recording);
  if (!reader) return reader.error();
  std::error_code code;
  if (!fs::is_directory(recording, code)) return words::packedAlready(recording.string());
  (void)reader->readMore();
  const auto content = contentOf(recording, reader->copies());
  if (!content) return content.error();
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return words::recordingNotPacked(file.string(), std::generic_category().message(errno));
  (void)::close(fd);
  std::ofstream out(file, std::ios::binary);
  if (write(*content, out)) return {};
  fs::remove(file, code);
  return words::packedInPart(file.string());
}

Result<std::vector<RecordedFile>> probeFilesOf(const fs::path& recording) {
  std::error_code code;
  if (fs::is_directory(recording, code)) return filesIn(recording, kProbeExtension);
  auto reader = SegmentReader::open(recording);
  if (!reader) return reader.error();
  std::vector<Event> events;
  while (reader->readMore(events) && reader->table() && !reader->closed()) events.clear();
  if (reader->lostFiles()) return words::packedFilesLost(recording.string());
  std::vector<RecordedFile> files;
  for (const PackedFile& file : reader->files()) files.push_back({recording, file.name, file.part});
  return files;
}

}  // namespace shardlens
