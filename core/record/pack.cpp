// SPDX-License-Identifier: Apache-2.0
#include "core/record/pack.h"

#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/record_words.h"
#include "core/record/recording_reader.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

struct Segment {
  fs::path path;
  FilePart part;
};

Result<std::vector<Segment>> segmentsOf(const fs::path& folder, const std::vector<std::string>& copies) {
  std::vector<Segment> segments;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const bool is_copy = std::find(copies.begin(), copies.end(), entry.path().filename().string()) != copies.end();
    if (entry.path().extension() != ".slseg" || is_copy) continue;
    segments.push_back({entry.path(), {0, static_cast<std::int64_t>(entry.file_size(code))}});
    if (code) break;
  }
  if (code) return words::recordingNotPacked(folder.string(), code.message());
  std::sort(segments.begin(), segments.end(), [](const Segment& a, const Segment& b) { return a.path < b.path; });
  std::int64_t begin = 0;
  for (Segment& segment : segments) {
    segment.part.begin = begin;
    begin += segment.part.length;
  }
  return segments;
}

/// Exactly as many bytes as the table says: a segment that still grows is cut there.
bool copyBytes(const Segment& segment, std::ofstream& out) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  std::ifstream in(segment.path, std::ios::binary);
  std::vector<char> piece(static_cast<std::size_t>(kPiece));
  for (std::int64_t left = segment.part.length; left > 0;) {
    const std::int64_t wanted = std::min(left, kPiece);
    if (!in.read(piece.data(), wanted) || !out.write(piece.data(), wanted)) return false;
    left -= wanted;
  }
  return true;
}

bool write(const std::vector<Segment>& segments, std::ofstream& out) {
  std::vector<FilePart> table;
  table.reserve(segments.size());
  for (const Segment& segment : segments) table.push_back(segment.part);
  std::string head = frame::fileHeader(frame::Content::Packed);
  frame::append(head, frame::Kind::Table, -1, payload::encode(table));
  out.write(head.data(), static_cast<std::streamsize>(head.size()));
  const bool copied =
      std::all_of(segments.begin(), segments.end(), [&out](const Segment& segment) { return copyBytes(segment, out); });
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
  const auto segments = segmentsOf(recording, reader->copies());
  if (!segments) return segments.error();
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return words::recordingNotPacked(file.string(), std::generic_category().message(errno));
  (void)::close(fd);
  std::ofstream out(file, std::ios::binary);
  if (write(*segments, out)) return {};
  fs::remove(file, code);
  return words::packedInPart(file.string());
}

}  // namespace shardlens
