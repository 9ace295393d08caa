// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/run/progress.h"

#include "app/cli/verbs/run/run_text.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/base/work.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace shardlens::cli {
namespace {

constexpr std::size_t kMostLines = 16;
constexpr std::int64_t kLineEveryNs = 2'000'000'000;
constexpr std::int64_t kBarCells = 20;
constexpr std::int64_t kWorthSaying = 1'000'000'000;
/// By then, what loaders gave before a verdict is in the files of their probes.
constexpr std::chrono::seconds kProbesHaveWritten{1};

double fraction(const RunState& state, const RankState& rank) {
  if (state.planned_steps <= 0) return 0;
  return std::min(1.0, static_cast<double>(rank.steps_done) / static_cast<double>(state.planned_steps));
}

std::string bar(double done) {
  const auto full = static_cast<std::int64_t>(std::lround(done * kBarCells));
  std::string text = "[";
  for (std::int64_t i = 0; i < kBarCells; ++i) text += i < full ? '=' : ' ';
  return text + "]";
}

std::string shown(double value, const char* pattern) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), pattern, value);
  return text.data();
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

double totalRate(const RunState& state) {
  double rate = 0;
  for (const RankState& rank : state.ranks) rate += rank.samples_per_s;
  return rate;
}

std::int64_t fewestSteps(const RunState& state) {
  std::int64_t fewest = state.planned_steps > 0 ? state.planned_steps : std::numeric_limits<std::int64_t>::max();
  for (const RankState& rank : state.ranks) fewest = std::min(fewest, rank.steps_done);
  return fewest;
}

std::string headline(const RunState& state) {
  if (state.world_size == 0) return durationText(state.elapsed_ns);
  std::string text = durationText(state.elapsed_ns);
  if (state.planned_steps > 0) {
    text += "  step " + grouped(fewestSteps(state)) + " of " + grouped(state.planned_steps);
  } else if (state.hasSteps()) {
    text += "  step " + grouped(fewestSteps(state));
  } else {
    text += "  " + counted(state.world_size, "rank");
  }
  const bool counts_samples =
      std::any_of(state.ranks.begin(), state.ranks.end(), [](const RankState& rank) { return rank.samples > 0; });
  if (counts_samples) text += "  " + shown(totalRate(state), "%.0f") + " samples/s";
  if (state.waiting_for) text += "  everyone waits for rank " + std::to_string(*state.waiting_for);
  return text;
}

std::string rankLine(const RunState& state, const RankState& rank) {
  const std::int64_t waited = state.elapsed_ns - rank.since_ns;
  std::string doing = statusText(rank);
  if (waited >= kWorthSaying && rank.status != RankStatus::Done) doing += " for " + durationText(waited);
  const std::string name = padded("rank " + std::to_string(rank.rank), 9);
  if (!state.hasSteps()) return name + padded(counted(rank.collectives, "operation"), 22) + doing + "\n";
  return name + bar(fraction(state, rank)) + " epoch " + std::to_string(rank.epoch) + " step " +
         padded(std::to_string(rank.step), 5) + padded(shown(rank.samples_per_s, "%.0f/s"), 9) + doing + "\n";
}

std::string slowestLine(const RunState& state) {
  if (state.arrivals.empty()) return {};
  const auto last = std::max_element(state.arrivals.begin(), state.arrivals.end(),
                                     [](const Arrival& a, const Arrival& b) { return a.last_in < b.last_in; });
  if (last->last_in == 0) return {};
  return "most often last: rank " + std::to_string(last->rank) + " (" + std::to_string(last->last_in) + " of " +
         std::to_string(last->collectives) + ", " + durationText(std::llround(last->median_ms * 1e6)) +
         " after the first)\n";
}

TerminalSize terminalSize() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

/// The first `most` characters of a line.
std::string cut(std::string_view line, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U;
    if (begins && ++characters > most) return std::string(line.substr(0, i));
  }
  return std::string(line);
}

/// The job does not go on, or goes wrong: who looks at it wants to know where.
bool isUrgent(const Verdict& verdict) {
  return gravityOf(verdict.kind) == Gravity::Error;
}

}  // namespace

std::string progressBlock(const RunState& state) {
  std::string text = headline(state) + "\n";
  if (!state.reports) return text;
  if (state.ranks.size() <= kMostLines) {
    for (const RankState& rank : state.ranks) text += rankLine(state, rank);
  } else {
    text += slowestLine(state);
  }
  for (const Verdict& verdict : state.verdicts)
    text += verdict.title + "\n" + (isUrgent(verdict) ? "  " + verdict.message + "\n" : "");
  return text;
}

std::string progressLine(const RunState& state) {
  return headline(state) + "\n";
}

std::string fitted(const std::string& block, TerminalSize size) {
  const auto lines = static_cast<std::size_t>(std::count(block.begin(), block.end(), '\n'));
  const std::size_t room = std::max<std::size_t>(size.rows, 2) - 1;  // the cursor stands below
  const std::size_t shown = lines <= room ? lines : room - 1;
  std::string out;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t end = block.find('\n', begin);
    out += cut(std::string_view(block).substr(begin, end - begin), size.columns) + "\n";
    begin = end + 1;
  }
  if (shown < lines) out += cut("... " + counted(std::int64_t(lines - shown), "more line"), size.columns) + "\n";
  return out;
}

void RunProgress::erase() {
  if (drawn_lines_ > 0) screen_.put(STDERR_FILENO, "\x1b[" + std::to_string(drawn_lines_) + "A\x1b[J");
  drawn_lines_ = 0;
}

void RunProgress::draw() {
  const std::string shown = fitted(block_, terminalSize());
  screen_.put(STDERR_FILENO, shown);
  drawn_lines_ = static_cast<std::size_t>(std::count(shown.begin(), shown.end(), '\n'));
}

void RunProgress::show(const RunState& state, const std::filesystem::path& recording) {
  if (is_quiet_ || screen_.isFull()) return;
  lookAtLoaders(state, recording);
  if (is_terminal_) {
    erase();
    block_ = printable(progressBlock(state) + findings_);
    draw();
    return;
  }
  tellVerdicts(state);
  if (state.status == JobStatus::Running && state.elapsed_ns >= next_line_ns_) {
    screen_.put(STDERR_FILENO, progressLine(state));
    next_line_ns_ = state.elapsed_ns + kLineEveryNs;
  }
}

void RunProgress::tellVerdicts(const RunState& state) {
  if (state.status != JobStatus::Running) return;  // the closing words tell what was found in the end
  for (const Verdict& verdict : state.verdicts) {
    if (gravityOf(verdict.kind) == Gravity::Note || !told_.insert({verdict.kind, verdict.ranks}).second) continue;
    screen_.put(STDERR_FILENO,
                printable(durationText(state.elapsed_ns) + "  " + verdict.title + "\n  " + verdict.message + "\n" +
                          (verdict.next.empty() ? "" : "  Next: " + verdict.next + "\n")));
  }
}

/// On a thread of its own: it may take long, and meanwhile the rings of a job that goes on fill up.
void RunProgress::lookAtLoaders(const RunState& state, const std::filesystem::path& recording) {
  takeFindings(state);
  if (state.status != JobStatus::Running) return;
  const auto now = std::chrono::steady_clock::now();
  for (const Verdict& verdict : state.verdicts) {
    if (isUrgent(verdict) && wrong_.insert(verdict.kind).second) look_at_ = now + kProbesHaveWritten;
  }
  if (!look_at_ || now < *look_at_ || looking_.valid()) return;
  look_at_.reset();
  const auto look = [recording, work = Work{stop_.get_token(), {}}]() -> std::string {
    const auto found = guarded([&] { return Result<std::string>(findingsText(loaderFindings(recording, work))); });
    return found ? *found : std::string();
  };
  (void)guarded([&] { looking_ = std::async(std::launch::async, look); });
}

void RunProgress::takeFindings(const RunState& state) {
  if (!looking_.valid() || looking_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const std::string found = looking_.get();
  if (found == findings_) return;
  findings_ = found;
  if (!is_terminal_ && !findings_.empty())
    screen_.put(STDERR_FILENO, printable(durationText(state.elapsed_ns) + "  " + findings_));
}

void RunProgress::tellLeftOut() {
  const std::int64_t count = std::exchange(left_out_, 0);
  if (count == 0) return;
  screen_.put(STDERR_FILENO, counted(count, "line") + (count == 1 ? " was" : " were") +
                                 " not shown: this output is read too slowly. The recording has more.\n");
}

void RunProgress::line(const LogLine& line) {
  if (is_quiet_) return;
  if (screen_.isFull()) {
    ++left_out_;
    return;
  }
  if (is_terminal_) erase();
  tellLeftOut();
  const std::string who = line.rank >= 0 ? "[rank " + std::to_string(line.rank) + "] " : "";
  screen_.put(line.is_error || line.rank < 0 ? STDERR_FILENO : STDOUT_FILENO,
              who + printable(withoutStyles(line.text)) + "\n");
  if (is_terminal_) draw();
}

void RunProgress::finish() {
  stop_.request_stop();
  if (is_terminal_) erase();
  tellLeftOut();
  block_.clear();
}

namespace {

/// What stands before each piece of text in the queue.
struct ScreenHead {
  std::uint32_t fd = 0;
  std::uint32_t length = 0;
};

/// Writes until the descriptor takes no more for ever.
bool writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EAGAIN) {  // somebody else has made our terminal or pipe non-blocking
      pollfd wanted{fd, POLLOUT, 0};
      (void)::poll(&wanted, 1, 100);
    } else if (wrote < 0 && errno != EINTR) {
      return false;
    }
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

/// An output that cannot be written is given up by itself: the other one may have a reader.
class TwoOutputs : public FrameSink {
 public:
  Result<void> write(std::string_view frames) override {
    while (frames.size() >= sizeof(ScreenHead)) {
      ScreenHead head;
      std::memcpy(&head, frames.data(), sizeof(head));
      const std::string_view text = frames.substr(sizeof(head), head.length);
      bool& is_open = is_open_.at(head.fd);
      is_open = is_open && writeAll(static_cast<int>(head.fd), text);
      frames.remove_prefix(sizeof(head) + text.size());
    }
    return {};
  }

 private:
  std::array<bool, 3> is_open_ = {false, true, true};
};

}  // namespace

Result<Screen> Screen::open() {
  auto queue = WriteQueue::start(std::make_unique<TwoOutputs>());
  if (!queue) return queue.error();
  return Screen(*std::move(queue));
}

void Screen::put(int fd, std::string_view text) {
  const ScreenHead head{static_cast<std::uint32_t>(fd), static_cast<std::uint32_t>(text.size())};
  std::string frame(reinterpret_cast<const char*>(&head), sizeof(head));
  queue_->push(frame.append(text));
}

void Screen::finish() {
  queue_->wait();
}

}  // namespace shardlens::cli
