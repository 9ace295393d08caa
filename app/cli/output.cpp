// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "core/base/html.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace shardlens::cli {
namespace {

constexpr std::size_t kLongestNumber = 20;

constexpr std::chrono::seconds kFirst{2};         ///< what is done sooner shows nothing
constexpr std::chrono::milliseconds kEvery{500};  ///< on a terminal
constexpr std::chrono::seconds kEveryElsewhere{5};

}  // namespace

Output& Output::operator<<(std::string_view text) {
  return isPrintable(text) ? raw(text) : raw(printable(text));
}

Output& Output::raw(std::string_view text) {
  while (!text.empty()) {
    if (used_ == buffer_.size()) flush();
    const std::size_t count = std::min(text.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, text.data(), count);
    used_ += count;
    text.remove_prefix(count);
  }
  return *this;
}

Output& Output::operator<<(std::int64_t number) {
  if (buffer_.size() - used_ < kLongestNumber) flush();
  char* const end = buffer_.data() + buffer_.size();
  used_ = static_cast<std::size_t>(std::to_chars(buffer_.data() + used_, end, number).ptr - buffer_.data());
  return *this;
}

Output& Output::padded(std::int64_t number, std::size_t width) {
  std::array<char, kLongestNumber> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  for (std::size_t i = text.size(); i < width; ++i) *this << " ";
  return *this << text;
}

void Output::flush() {
  if (progress_ != nullptr && ::isatty(STDOUT_FILENO) != 0) progress_->clear();
  for (std::size_t done = 0; done < used_ && error_ == 0;) {
    const ssize_t written = ::write(STDOUT_FILENO, buffer_.data() + done, used_ - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  used_ = 0;
}

int Output::finish() {
  flush();
  if (error_ == 0) return kFine;
  return fail(Error{ErrorCode::Environment,
                    std::string("the answer could not be written: ") +
                        (error_ == EBADF ? "it is closed" : std::strerror(error_)) + ".",
                    Place{"stdout", 0, 0, {}},
                    {}});
}

Result<void> checkNewFile(const std::string& path, bool force) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return Error{ErrorCode::BadInput, "this is a folder, not a file.", Place{path, 0, 0, {}}, {}};
  if (path == "-" || force || !std::filesystem::exists(path, code)) return {};
  return Error{ErrorCode::BadInput, "the file exists already.", Place{path, 0, 0, {}}, "overwrite it with --force"};
}

namespace {

void writeCase(Output& out, const std::string& suite, const JunitCase& one) {
  out << "    <testcase classname=\"" << suite << "\" name=\"" << htmlText(one.name) << "\">\n";
  if (one.failure.empty()) {
    out << "      <system-out>" << htmlText(one.body) << "</system-out>\n";
  } else {
    out << "      <failure type=\"" << htmlText(one.failure) << "\" message=\"" << htmlText(one.message) << "\">"
        << htmlText(one.body) << "</failure>\n";
  }
  out << "    </testcase>\n";
}

}  // namespace

void writeJunit(Output& out, const std::string& suite, const std::vector<JunitCase>& cases) {
  const std::string name = htmlText(suite);
  const auto failures = std::ranges::count_if(cases, [](const JunitCase& one) { return !one.failure.empty(); });
  const auto counts = [&](Output& to) -> Output& {
    return to << "tests=\"" << static_cast<std::int64_t>(cases.size()) << "\" failures=\""
              << static_cast<std::int64_t>(failures) << "\" errors=\"0\"";
  };
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ";
  counts(out) << ">\n  <testsuite name=\"" << name << "\" ";
  counts(out) << " skipped=\"0\">\n";
  for (const JunitCase& one : cases) writeCase(out, name, one);
  out << "  </testsuite>\n</testsuites>\n";
}

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

namespace {

/// Words in lines of at most 92 columns; `begun` is what stands before them on the first line.
void wrap(Output& out, std::string_view text, const std::string& begun, std::size_t indent) {
  constexpr std::size_t kColumns = 92;
  const std::string blanks(indent, ' ');
  std::size_t used = 0;
  out << begun;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = columnsOf(word);
    const bool full = used > 0 && used + 1 + width > kColumns - indent;
    if (full) {
      out << "\n" << blanks;
      used = 0;
    }
    out << (used == 0 ? "" : " ") << word;
    used += width + (used == 0 ? 0 : 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out << "\n";
}

}  // namespace

void writeWrapped(Output& out, std::string_view text, std::size_t indent) {
  wrap(out, text, std::string(indent, ' '), indent);
}

void writeLabelled(Output& out, std::string_view label, std::string_view text) {
  constexpr std::size_t kIndent = 10;
  wrap(out, text, "  " + paddedText(std::string(label), kIndent - 2), kIndent);
}

std::string paddedText(std::string text, std::size_t width) {
  const std::size_t used = columnsOf(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

Progress::Progress(bool quiet) : is_terminal_(::isatty(STDERR_FILENO) != 0) {
  if (quiet) return;
  const auto run = [this](const std::stop_token& stop) { (void)guarded([&] { speak(stop); }); };
  (void)guarded([&] { thread_ = std::jthread(run); });  // without a thread it is silent
}

Work Progress::part(std::int64_t first, std::int64_t count, std::int64_t all) {
  if (!thread_.joinable()) return {};
  const double from = static_cast<double>(first) / static_cast<double>(all);
  const double to = static_cast<double>(first + count) / static_cast<double>(all);
  const auto note = [this](double fraction) { percent_ = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100); };
  return Work{{}, note}.part(from, to);
}

void Progress::speak(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  Clock::time_point next = start_ + kFirst;
  while (!stop.stop_requested()) {
    if (woken_.wait_until(lock, stop, next, [&stop] { return stop.stop_requested(); })) return;
    const auto now = Clock::now();
    show(std::chrono::duration_cast<std::chrono::seconds>(now - start_));
    next = now + (is_terminal_ ? Clock::duration(kEvery) : Clock::duration(kEveryElsewhere));
  }
}

void Progress::show(std::chrono::seconds taken) {
  const int percent = percent_;
  const std::string far = percent < 0 ? "working" : std::to_string(percent) + " %";
  const std::string line = far + " after " + durationText(std::chrono::nanoseconds(taken).count());
  is_shown_ = is_terminal_;
  (void)std::fprintf(stderr, is_terminal_ ? "\r%s\x1b[K" : "%s\n", line.c_str());
}

void Progress::clear() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (is_shown_) (void)std::fputs("\r\x1b[K", stderr);
  is_shown_ = false;
}

}  // namespace shardlens::cli
