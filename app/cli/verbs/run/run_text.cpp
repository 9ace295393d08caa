// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/run/run_text.h"

#include "app/cli/json.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/base/work.h"
#include "core/collect/observed_ranks.h"
#include "core/launch/launch_command.h"
#include "core/report/report.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace shardlens::cli {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  std::array<char, 512> text{};
  va_list arguments;
  va_start(arguments, pattern);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above
  (void)std::vsnprintf(text.data(), text.size(), pattern, arguments);
  va_end(arguments);
  return text.data();
}

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

bool hasTimes(const RankState& rank) {
  return rank.load_ns + rank.compute_ns + rank.wait_ns + rank.transfer_ns > 0;
}

std::string tableRow(const RunState& state, const RankState& rank) {
  const std::string doing = statusText(state, rank) + (rank.has_gaps ? ", records missing" : "");
  const auto count = [&](std::int64_t number) { return rank.is_measured ? std::to_string(number) : std::string("-"); };
  const auto time = [&](std::int64_t ns) { return hasTimes(rank) ? format("%.3f", seconds(ns)) : std::string("-"); };
  const std::string wrong = rank.matched + rank.mismatched > 0 ? count(rank.mismatched) : "-";
  const std::string samples = countsSamples(rank) ? count(rank.samples) : "-";
  return format("%5lld  %6s  %7s  %9s  %9s  %9s  %9s  %6s  %s\n", static_cast<long long>(rank.rank),
                count(rank.steps_done).c_str(), samples.c_str(), time(rank.load_ns).c_str(),
                time(rank.compute_ns).c_str(), time(rank.wait_ns).c_str(), time(rank.transfer_ns).c_str(),
                wrong.c_str(), doing.c_str());
}

/// Of a rank that tells its operations alone: what it does beside them is not known.
std::string operationsRow(const RunState& state, const RankState& rank) {
  const std::string doing = statusText(state, rank) + (rank.has_gaps ? ", records missing" : "");
  const auto shown = [&](const std::string& text) { return rank.is_measured ? text : std::string("-"); };
  return format("%5lld  %10s  %9s  %9s  %s\n", static_cast<long long>(rank.rank),
                shown(std::to_string(rank.collectives)).c_str(), shown(format("%.3f", seconds(rank.wait_ns))).c_str(),
                shown(format("%.3f", seconds(rank.transfer_ns))).c_str(), doing.c_str());
}

Json operationJson(const RankState& rank) {
  if (!rank.operation) return nullptr;
  const Operation& operation = *rank.operation;
  return {{"op", operationName(operation.op)},
          {"group", operation.group},
          {"seq", operation.seq},
          {"peer", operation.peer != SL_NO_PEER ? Json(operation.peer) : Json(nullptr)},
          {"open", rank.open_operations}};
}

Json stackJson(const RankStack& stack) {
  Json frames = Json::array();
  for (const StackFrame& frame : stack.frames)
    frames.push_back({{"function", frame.function},
                      {"file", frame.file},
                      {"line", frame.line},
                      {"code", frame.code},
                      {"own", frame.is_own}});
  Json exception;
  if (const auto& handled = stack.exception)
    exception = {{"text", handled->text}, {"file", handled->file}, {"line", handled->line}};
  return {{"pid", stack.pid},
          {"worker", orNull(stack.worker)},
          {"owed_by", orNull(stack.owed_by)},
          {"sample", orNull(stack.sample)},
          {"exception", std::move(exception)},
          {"frames", std::move(frames)}};
}

Json stacksJson(const RankState& rank) {
  Json stacks = Json::array();
  if (rank.stacks)
    for (const RankStack& stack : *rank.stacks) stacks.push_back(stackJson(stack));
  return stacks;
}

Json groupJson(const GroupState& group) {
  return {
      {"group", group.group}, {"name", group.name}, {"members", group.members ? Json(*group.members) : Json(nullptr)}};
}

/// Counts are null where the rank never reported, times also where it reported none: 0 would be a measurement.
/// A job without steps tells none of what is counted in them.
Json rankJson(const RankState& rank, bool reports, bool has_steps) {
  const bool measured = reports && rank.is_measured;
  const bool is_timed = measured && hasTimes(rank);
  const auto number = [](bool is_known, std::int64_t value) { return is_known ? Json(value) : Json(); };
  const auto count = [&](std::int64_t value) { return number(measured && has_steps, value); };
  const auto time = [&](std::int64_t ns) { return is_timed ? Json(seconds(ns)) : Json(nullptr); };
  const auto work = [&](std::int64_t ns) { return has_steps ? time(ns) : Json(nullptr); };
  return {{"rank", rank.rank},
          {"host", rank.host},
          {"pid", rank.pid},
          {"state", statusText(rank)},
          {"operation", operationJson(rank)},
          {"measured", measured},
          {"epoch", count(rank.epoch)},
          {"step", count(rank.step)},
          {"steps", count(rank.steps_done)},
          {"samples", countsSamples(rank) ? count(rank.samples) : Json(nullptr)},
          {"collectives", number(measured, rank.collectives)},
          {"load_s", work(rank.load_ns)},
          {"compute_s", work(rank.compute_ns)},
          {"wait_s", time(rank.wait_ns)},
          {"transfer_s", time(rank.transfer_ns)},
          {"matched", count(rank.matched)},
          {"mismatched", count(rank.mismatched)},
          {"dropped", rank.dropped},
          {"records_missing", rank.has_gaps},
          {"stacks", stacksJson(rank)}};
}

Json verdictJson(const Verdict& verdict) {
  Json json = {{"kind", verdictName(verdict.kind)},
               {"rank", verdict.rank},
               {"ranks", verdict.ranks},
               {"from_s", nullptr},
               {"to_s", nullptr},
               {"lost_s", verdict.lost_s},
               {"gain_s", verdict.gain_s},
               {"gain_alone_s", verdict.gain_alone_s},
               {"confidence", verdict.confidence},
               {"title", verdict.title},
               {"message", verdict.message},
               {"evidence", verdict.evidence},
               {"next", verdict.next},
               {"cost", verdict.cost},
               {"line", nullptr}};
  if (const auto& line = verdict.line)
    json["line"] = {{"file", line->place.file},
                    {"line", line->place.line},
                    {"function", line->place.function},
                    {"there", line->there},
                    {"samples", line->samples}};
  if (verdict.from_ns) json["from_s"] = seconds(*verdict.from_ns);
  if (verdict.to_ns) json["to_s"] = seconds(*verdict.to_ns);
  return json;
}

Json arrivalJson(const Arrival& arrival) {
  const auto late = [&](double ms) { return arrival.collectives > 0 ? Json(ms) : Json(nullptr); };
  return {{"rank", arrival.rank},           {"collectives", arrival.collectives},
          {"last_in", arrival.last_in},     {"median_ms", late(arrival.median_ms)},
          {"p05_ms", late(arrival.p05_ms)}, {"p95_ms", late(arrival.p95_ms)}};
}

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
  const bool counts_samples = std::ranges::any_of(state.ranks, [](const RankState& rank) { return rank.samples > 0; });
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
  const auto last = std::ranges::max_element(state.arrivals, {}, &Arrival::last_in);
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

std::string ranksText(const Proof& proof) {
  std::string text;
  for (const RankProof& rank : proof.ranks) {
    if (rank.different + rank.missing + rank.extra + rank.out_of_order == 0) continue;
    text += "  rank " + std::to_string(rank.rank) + ": " + std::to_string(rank.matched) + " as planned, " +
            std::to_string(rank.different) + " different, " + std::to_string(rank.missing) + " missing, " +
            std::to_string(rank.extra) + " extra, " + std::to_string(rank.out_of_order) + " out of order\n";
  }
  return text;
}

/// A program that a launcher started has a spec for the sake of its ranks, too: only what it read counts.
Obeyed obeyed(const Plan& design, const std::string& run_file, bool must_read, const Work& work) {
  const auto proved = proveJob(design, run_file, {}, work);
  if (!proved) return {"incomplete: " + proved.error().text() + "\n", kFindings};
  const bool is_proven = proved->proof.result == ProofResult::Match;
  const bool counts = must_read || proved->proof.checked_batches > 0;
  return {proofText(*proved, proved->differing), is_proven || !counts ? kFine : kFindings};
}

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

std::string rankTable(const RunState& state, std::size_t most) {
  if (state.ranks.empty()) return {};
  const bool has_steps = !state.reports || state.hasSteps();
  std::string text = has_steps ? " rank   steps  samples     load_s  compute_s     wait_s  transfer_s  wrong  state\n"
                               : " rank  operations     wait_s  transfer_s  state\n";
  for (std::size_t i = 0; i < std::min(most, state.ranks.size()); ++i)
    text += has_steps ? tableRow(state, state.ranks[i]) : operationsRow(state, state.ranks[i]);
  if (state.ranks.size() > most)
    text += "  ... and " + counted(std::int64_t(state.ranks.size() - most), "rank") + " more\n";
  return text;
}

std::string verdictText(const RunState& state) {
  std::string text;
  for (const Verdict& verdict : state.verdicts) {
    text += verdict.title + "\n  " + verdict.message + "\n";
    if (!verdict.evidence.empty()) text += "  Evidence: " + verdict.evidence + "\n";
    if (!verdict.next.empty()) text += "  Next: " + verdict.next + "\n";
  }
  return text;
}

std::string findingsText(const std::vector<LoaderFinding>& findings) {
  std::string text = findings.empty() ? "" : "What its loaders read:\n";
  for (const LoaderFinding& finding : findings) text += "  " + finding.loader + ": " + finding.text + "\n";
  return text;
}

Json runJson(const RunState& state) {
  Json json = {{"name", state.name},
               {"status", statusName(state.status)},
               {"exit_code", state.exit_code},
               {"failure", state.failure},
               {"command", state.command.text()},
               {"host", state.host},
               {"world_size", state.world_size},
               {"cores", state.cores},
               {"oversubscribed", state.oversubscribed()},
               {"elapsed_s", seconds(state.elapsed_ns)},
               {"planned_steps", state.planned_steps},
               {"planned_batches", state.planned_batches},
               {"ranks", Json::array()},
               {"verdicts", Json::array()},
               {"arrivals", Json::array()},
               {"first_difference", nullptr},
               {"dropped", state.dropped},
               {"unread", Json{{"damaged_bytes", state.unread.damaged_bytes},
                               {"damaged_places", state.unread.damaged_places},
                               {"unknown_frames", state.unread.unknown_frames},
                               {"unknown_records", state.unread.unknown_records}}},
               {"clock_error_us", nullptr},
               {"groups", Json::array()}};
  if (state.clock_error_us) json["clock_error_us"] = *state.clock_error_us;
  for (const GroupState& group : state.groups) json["groups"].push_back(groupJson(group));
  for (const RankState& rank : state.ranks) json["ranks"].push_back(rankJson(rank, state.reports, state.hasSteps()));
  for (const Verdict& verdict : state.verdicts) json["verdicts"].push_back(verdictJson(verdict));
  for (const Arrival& arrival : state.arrivals) json["arrivals"].push_back(arrivalJson(arrival));
  if (const auto& first = state.first_difference)
    json["first_difference"] = {{"rank", first->rank}, {"epoch", first->epoch}, {"step", first->step}};
  return json;
}

std::string closingText(const RunState& state, const std::string& run_file, const std::string& spec, bool is_whole) {
  RunState seen = state;
  if (seen.world_size == 0) addObserved(observedRanks(run_file), seen);
  std::string text = outcomeText(seen) + "\n";
  const std::string verdicts = verdictText(state);
  if (verdicts.find(state.failure) == std::string::npos) text += state.failure + "\n";
  const std::string quoted = shellQuoted(run_file);
  text += verdicts;
  if (is_whole) {
    // Ranks that tell operations and no steps are not of a program whose loaders the probe knows.
    const bool has_loaders = !state.reports || state.hasSteps();
    const std::string further = !spec.empty() ? "verify " + shellQuoted(spec) + " " + quoted
                                : has_loaders ? "capture " + quoted
                                              : "report " + quoted + " -o report.html";
    text += "Recorded in " + run_file + ". Next:\n  shardlens replay " + quoted + "\n  shardlens " + further + "\n";
  } else {
    text += "The recording " + run_file + " is incomplete.\n";
  }
  return printable(text);
}

void tellFindings(const std::string& run_file, bool is_quiet, Screen& screen) {
  Progress progress(is_quiet);
  const std::string text = findingsText(loaderFindings(run_file, progress.whole()));
  progress.clear();
  if (text.empty()) return;
  screen.put(STDOUT_FILENO, printable(text + "  More: shardlens audit " + shellQuoted(run_file) + "\n"));
  screen.finish();
}

Obeyed tellObeyed(const Plan& design, const std::string& run_file, bool must_read, bool is_quiet, Screen& screen) {
  Progress progress(is_quiet);
  Obeyed proof = obeyed(design, run_file, must_read, progress.whole());
  progress.clear();
  screen.put(STDOUT_FILENO, printable(proof.text));
  screen.finish();
  return proof;
}

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
  const auto lines = static_cast<std::size_t>(std::ranges::count(block, '\n'));
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
  drawn_lines_ = static_cast<std::size_t>(std::ranges::count(shown, '\n'));
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

const char* resultName(ProofResult result) {
  if (result == ProofResult::Match) return "match";
  return result == ProofResult::Mismatch ? "mismatch" : "incomplete";
}

std::string proofText(const JobProof& proved, const std::vector<std::string>& differing) {
  const Proof& proof = proved.proof;
  std::string text = resultName(proof.result) + std::string(": ");
  if (proof.result == ProofResult::Match) {
    text += proved.text() + "\n";
  } else {
    text += proof.what + "\n";
    if (!proof.explanation.empty()) text += proof.explanation + "\n";
    text += ranksText(proof);
  }
  if (!differing.empty()) text += differencesText(proved, differing) + "\n";
  for (const std::string& note : proof.notes) text += note + "\n";
  return text;
}

}  // namespace shardlens::cli
