// SPDX-License-Identifier: Apache-2.0
#include "core/record/segment_file.h"

#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/record_words.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

/// What errno says, in the words of `told`.
Error ioError(const std::string& path, Error (*told)(ErrorCode, const std::string&, const std::string&)) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;  // another name would not help
  const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  return told(is_full ? ErrorCode::Environment : ErrorCode::Io, path, why);
}

/// "node-1-4711.slseg": two recorders of one folder never have the same, unless their hosts hide their names.
std::string segmentName(const Recorder& recorder, int attempt) {
  std::string name;
  for (const char c : recorder.host) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    name += is_plain ? c : '-';
  }
  if (name.empty() || name.front() == '.') name.insert(0, "host");
  name += "-" + std::to_string(recorder.pid);
  if (attempt > 1) name += "-" + std::to_string(attempt);
  return name + ".slseg";
}

}  // namespace

Result<std::unique_ptr<SegmentFile>> SegmentFile::make(const fs::path& folder, const Recorder& recorder) {
  constexpr int kAttempts = 1000;
  fs::path path;
  int fd = -1;
  for (int attempt = 1; fd < 0 && attempt <= kAttempts; ++attempt) {
    path = folder / segmentName(recorder, attempt);
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return ioError(path.string(), words::recordingNotCreated);
  std::unique_ptr<SegmentFile> file(new SegmentFile(fd, path.string()));
  std::string first = frame::fileHeader(frame::Content::Segment);
  frame::append(first, frame::Kind::Recorder, -1, payload::encode(recorder));
  if (const auto wrote = file->write(first); !wrote) {
    const Error error = ioError(path.string(), words::recordingNotBegun);
    (void)::unlink(path.c_str());
    return error;
  }
  return file;
}

SegmentFile::~SegmentFile() {
  ::close(fd_);
}

Result<void> SegmentFile::write(std::string_view frames) {
  struct stat info {};
  if (::fstat(fd_, &info) == 0 && info.st_nlink == 0) {
    errno = ENOENT;  // for whoever has words of its own
    return words::recordingRemoved(path_);
  }
  for (std::size_t done = 0; done < frames.size();) {
    const ssize_t wrote = ::write(fd_, frames.data() + done, frames.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      Error error = ioError(path_, words::recordingStopped);
      // What went in of these may end inside a frame: cut it, so that readers see a short recording and no damage.
      const int number = errno;
      (void)!::ftruncate(fd_, written_);
      errno = number;
      return error;
    }
    done += static_cast<std::size_t>(wrote);
  }
  written_ += static_cast<std::int64_t>(frames.size());
  return {};
}

}  // namespace shardlens
