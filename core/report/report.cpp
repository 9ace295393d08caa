// SPDX-License-Identifier: Apache-2.0
#include "core/report/report.h"

#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_job.h"
#include "core/collect/job_proof.h"
#include "core/collect/run_replay.h"
#include "core/timeline/chrome_trace.h"
#include "core/timeline/tick_step.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace shardlens {
namespace {

constexpr std::array<Phase, 4> kMeasured = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer};

/// -1: not measured.
int placeOf(Phase phase) {
  const auto found = std::ranges::find(kMeasured, phase);
  return found == kMeasured.end() ? -1 : static_cast<int>(found - kMeasured.begin());
}

std::int64_t worked(const std::array<std::int64_t, kMeasured.size()>& column) {
  return column[0] + column[1];
}

std::optional<Result<Proof>> proofOfLoaders(const RunFacts& facts, const std::filesystem::path& recording,
                                            const Work& work) {
  const auto plan = Plan::make(facts.spec);
  if (facts.planned_batches == 0 || !plan) return std::nullopt;
  auto proved = proveJob(*plan, recording, {}, work);
  if (!proved) return proved.error();
  auto& notes = proved->proof.notes;
  if (!proved->differing.empty()) notes.insert(notes.begin(), differencesText(*proved, proved->differing));
  return std::move(proved->proof);
}

/// The judge of `shardlens verify`, with the spec of the recording itself.
void addProof(const RunFacts* facts, std::optional<Result<Proof>> proof, bool is_known, Report& report) {
  if (facts == nullptr) {
    report.no_proof = "The recording does not say which spec the job ran.";
    return;
  }
  if (!is_known) {
    report.no_proof = "The command does not report to ShardLens, so its batches are not known.";
    return;
  }
  if (report.state.spec_yaml.text().empty()) {
    report.no_proof = "The command was run without a spec, so there is no plan to compare its batches with.";
    return;
  }
  if (!proof) {
    report.no_proof = "There is no plan to compare with: " + facts->problem;
  } else if (*proof) {
    report.proof = **std::move(proof);
  } else {
    report.no_proof = "The batches could not be compared with the plan: " + proof->error().message;
  }
}

/// What `shardlens capture` says of them, without a search for rules.
void addLoaders(const capture::RecordedJob& job, Report& report, const Work& work) {
  const bool has_spec = !report.state.spec_yaml.text().empty();
  capture::CaptureOptions options;
  options.search = false;
  for (std::size_t i = 0; i < job.loaders.size() && !work.stopped(); ++i) {
    const auto loader = capture::captured(job, i, options, work);
    if (!loader) continue;
    capture::LoaderAccount account = capture::accountOf(*loader);
    for (const std::string& finding : account.findings)
      report.loader_findings.push_back({job.loaders[i].name, finding});
    if (!has_spec) report.loaders.push_back(std::move(account));
  }
  if (!report.loaders.empty()) report.no_proof = words::heldAgainstCaptured();
}

/// Spans are final when they end: a rank that hangs is in one that has not. The state knows it.
Timeline withOpenSpans(Timeline whole, const Timeline& recent) {
  std::map<std::int64_t, std::int64_t> ends;
  for (const Lane& lane : whole.lanes) {
    for (const Span& span : lane.spans) ends[lane.rank] = std::max(ends[lane.rank], span.end_ns);
  }
  for (const Lane& lane : recent.lanes) {
    Lane open{lane.rank, {}};
    for (const Span& span : lane.spans) {
      if (span.end_ns <= ends[lane.rank]) continue;
      open.spans.push_back(span);
      open.spans.back().begin_ns = std::max(span.begin_ns, ends[lane.rank]);
    }
    whole.lanes.push_back(std::move(open));
  }
  whole.end_ns = recent.end_ns;
  return whole;
}

std::string checkedText(const RunState& state) {
  std::int64_t matched = 0;
  std::int64_t mismatched = 0;
  for (const RankState& rank : state.ranks) {
    matched += rank.matched;
    mismatched += rank.mismatched;
  }
  const std::int64_t reported = matched + mismatched;
  if (reported == 0) return {};
  const bool is_whole = reported == state.planned_batches;
  const std::string planned = is_whole || state.planned_batches == 0 ? "" : " of " + grouped(state.planned_batches);
  const char* const noun = std::max(reported, state.planned_batches) == 1 ? " batch" : " batches";
  const std::string what = ", " + grouped(reported) + planned + noun + (is_whole ? "" : " reported");
  if (mismatched == 0) return what + (is_whole ? ", all as planned" : ", all of them as planned");
  return what + ", " + grouped(mismatched) + " of them not as planned";
}

constexpr std::size_t kMostRows = 1024;

std::string fixed(double number, int digits, const char* unit) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), "%.*f\u202f%s", digits, number, unit);
  return text.data();
}

std::string seconds(std::int64_t ns) {
  return fixed(static_cast<double>(ns) / 1e9, 2, "s");
}

std::string cell(const std::string& text, const char* mark = nullptr) {
  return (mark == nullptr ? std::string("<td>") : std::string("<td class=\"") + mark + "\">") + text + "</td>";
}

/// The measured time of a rank, as a bar of its parts.
std::string timeBar(const RankState& rank) {
  const std::array<std::pair<Phase, std::int64_t>, 4> parts = {{{Phase::Load, rank.load_ns},
                                                                {Phase::Compute, rank.compute_ns},
                                                                {Phase::Wait, rank.wait_ns},
                                                                {Phase::Transfer, rank.transfer_ns}}};
  std::int64_t all = 0;
  for (const auto& part : parts) all += part.second;
  if (all == 0) return "not measured";
  std::string bar = "<span class=\"bar\">";
  for (const auto& [phase, ns] : parts) {
    if (ns == 0) continue;
    std::array<char, 64> width{};
    (void)std::snprintf(width.data(), width.size(), "%.2f", 100.0 * static_cast<double>(ns) / static_cast<double>(all));
    bar += std::string("<i class=\"") + phaseName(phase) + "\" style=\"width:" + width.data() + "%\"></i>";
  }
  return bar + "</span>";
}

std::string arrivalCells(const RunState& state, std::int64_t rank) {
  const auto arrival = std::ranges::find(state.arrivals, rank, &Arrival::rank);
  if (arrival == state.arrivals.end() || arrival->collectives == 0) return cell("") + cell("");
  return cell(fixed(arrival->median_ms, 1, "ms")) +
         cell(grouped(arrival->last_in) + " of " + grouped(arrival->collectives));
}

std::string rowHtml(const RunState& state, const RankState& rank, bool is_named) {
  const bool is_measured = rank.load_ns + rank.compute_ns + rank.wait_ns + rank.transfer_ns > 0;
  const std::string least = rank.has_gaps ? "\u2265\u202f" : "";
  const auto time = [&](std::int64_t ns) { return cell(is_measured ? least + seconds(ns) : std::string()); };
  const bool has_steps = state.hasSteps();
  const auto count = [&](std::int64_t number) {
    return cell(rank.is_measured && has_steps ? least + grouped(number) : std::string());
  };
  const auto work = [&](std::int64_t ns) { return has_steps ? time(ns) : cell(std::string()); };
  const bool was_compared = rank.matched + rank.mismatched > 0;
  return std::string(is_named ? "<tr class=\"named\">" : "<tr>") + cell(std::to_string(rank.rank)) +
         cell(htmlText(printable(rank.host)), "text") + count(rank.steps_done) + count(rank.samples) +
         cell(timeBar(rank), "text") + work(rank.load_ns) + work(rank.compute_ns) + time(rank.wait_ns) +
         time(rank.transfer_ns) + arrivalCells(state, rank.rank) +
         cell(was_compared ? least + grouped(rank.matched) : "") +
         cell(was_compared ? grouped(rank.mismatched) : "", rank.mismatched > 0 ? "wrong" : nullptr) +
         cell(htmlText(statusText(state, rank)), "text") + "</tr>\n";
}

constexpr std::array<std::pair<std::string_view, bool>, 14> kHead = {{{"rank", false},
                                                                      {"host", true},
                                                                      {"steps", false},
                                                                      {"samples", false},
                                                                      {"time", true},
                                                                      {"data wait", false},
                                                                      {"compute", false},
                                                                      {"waiting", false},
                                                                      {"transfer", false},
                                                                      {"late, median", false},
                                                                      {"last in", false},
                                                                      {"as planned", false},
                                                                      {"other", false},
                                                                      {"state", true}}};

/// A row for each rank: how far it came, where its time went, how late it came to collectives, which of its batches
/// were the planned ones, and its end. Beyond a bound the ranks that the verdicts name come first, and the rest is
/// counted.
std::string rankTableHtml(const RunState& state) {
  std::set<std::int64_t> named;
  for (const Verdict& verdict : state.verdicts) named.insert(verdict.ranks.begin(), verdict.ranks.end());
  std::vector<const RankState*> ranks;
  ranks.reserve(state.ranks.size());
  for (const RankState& rank : state.ranks) ranks.push_back(&rank);
  if (ranks.size() > kMostRows)
    (void)std::stable_partition(ranks.begin(), ranks.end(),
                                [&named](const RankState* rank) { return named.contains(rank->rank); });
  std::string out = "<div class=\"table\"><table><thead><tr>";
  for (const auto& [name, is_text] : kHead)
    out += std::string(is_text ? "<th class=\"text\">" : "<th>") + std::string(name) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(ranks.size(), kMostRows); ++i)
    out += rowHtml(state, *ranks[i], named.contains(ranks[i]->rank));
  out += "</tbody></table></div>\n";
  if (std::ranges::any_of(state.ranks, &RankState::has_gaps))
    out += "<p class=\"gaps\">\u2265: records are missing, so there was at least so much.</p>\n";
  if (ranks.size() > kMostRows)
    out += "<p class=\"muted\">" + counted(static_cast<std::int64_t>(ranks.size() - kMostRows), "more rank") +
           " of the job are not in this table.</p>\n";
  return out +
         "<p class=\"muted\">Lateness is measured from the first rank's arrival, over each rank's most recent "
         "collectives.</p>\n";
}

/// With more ranks, several share a row.
constexpr std::int64_t kMostPictureRows = 64;

constexpr int kLeft = 64;     ///< for the numbers of the ranks
constexpr int kTop = 22;      ///< for the axis
constexpr int kWidth = 1024;  ///< of the rows
constexpr int kRight = 12;
constexpr int kTickWidth = 90;  ///< at least, from one tick to the next
constexpr std::array<Phase, 4> kStacked = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer};

struct Frame {
  std::int64_t columns = 1;
  double column_ns = 1;
  int pitch = 20;
  std::vector<PictureRow> rows;

  [[nodiscard]] int bar() const { return pitch * 3 / 4; }
  [[nodiscard]] int bottom() const { return kTop + pitch * static_cast<int>(rows.size()); }
  [[nodiscard]] double x(std::int64_t ns) const {
    return std::clamp(static_cast<double>(ns) / column_ns / static_cast<double>(columns), 0.0, 1.0) * kWidth;
  }
  [[nodiscard]] int y(std::size_t row) const { return kTop + pitch * static_cast<int>(row); }
};

Frame frameOf(const RunPicture& picture) {
  Frame frame;
  frame.rows = picture.rows(kMostPictureRows);
  frame.columns = std::max<std::int64_t>(picture.columns(), 1);
  frame.column_ns = static_cast<double>(picture.columnNs());
  frame.pitch = frame.rows.size() <= 16 ? 22 : frame.rows.size() <= 32 ? 16 : 10;
  return frame;
}

std::string decimals(double number) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + decimals(value) + "\"";
}

std::string line(const char* mark, double x0, double y0, double x1, double y1) {
  return std::string("<line class=\"") + mark + "\"" + attribute("x1", x0) + attribute("y1", y0) + attribute("x2", x1) +
         attribute("y2", y1) + "/>";
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + "\">" + htmlText(text) +
         "</text>";
}

std::string secondsText(double seconds, double tick) {
  const bool is_ms = tick < 0.1;
  std::array<char, 64> text{};
  const double shown = is_ms ? seconds * 1e3 : seconds;
  const double step = is_ms ? tick * 1e3 : tick;
  (void)std::snprintf(text.data(), text.size(), "%.*f %s",
                      step >= 1     ? 0
                      : step >= 0.1 ? 1
                                    : 3,
                      shown, is_ms ? "ms" : "s");
  return text.data();
}

std::string axis(const Frame& frame) {
  const double seconds = static_cast<double>(frame.columns) * frame.column_ns / 1e9;
  const double tick = static_cast<double>(tickStep(seconds * 1e9 * kTickWidth / kWidth)) / 1e9;
  std::string out;
  for (int i = 0; i * tick <= seconds; ++i) {
    const double x = kLeft + i * tick / seconds * kWidth;
    out += line("tick", x, kTop - 6, x, frame.bottom());
    if (x + 20 <= kLeft + kWidth) out += label(x, kTop - 9, "middle", secondsText(i * tick, tick));
  }
  return out;
}

std::string rowName(const PictureRow& row) {
  if (row.last_rank - row.first_rank == 1) return std::to_string(row.first_rank);
  return std::to_string(row.first_rank) + "\u2013" + std::to_string(row.last_rank - 1);
}

std::string share(std::int64_t part, std::int64_t whole) {
  return std::to_string(
             std::llround(100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(whole, 1)))) +
         "\u202f%";
}

/// What a pointer over the row is told.
std::string rowTitle(const PictureRow& row, const RunState& state) {
  if (row.last_rank - row.first_rank > 1) return "ranks " + rowName(row);
  std::string text = "rank " + rowName(row);
  if (row.first_rank >= std::ssize(state.ranks)) return text;
  const RankState& rank = state.ranks[static_cast<std::size_t>(row.first_rank)];
  const std::int64_t all = rank.load_ns + rank.compute_ns + rank.wait_ns + rank.transfer_ns;
  if (all == 0) return text + ": not measured";
  if (rank.has_gaps) text += ", of what was recorded";
  return text + ": data wait " + share(rank.load_ns, all) + ", compute " + share(rank.compute_ns, all) +
         ", waiting for others " + share(rank.wait_ns, all) + ", transfer " + share(rank.transfer_ns, all);
}

std::string rowSvg(const Frame& frame, std::size_t index, const RunState& state) {
  const PictureRow& row = frame.rows[index];
  const int y = frame.y(index);
  std::string out = "<g><title>" + htmlText(rowTitle(row, state)) + "</title><rect class=\"rowless\"" +
                    attribute("x", kLeft) + attribute("y", y) + attribute("width", kWidth) +
                    attribute("height", frame.bar()) + "/>";
  for (const Phase phase : kStacked) {
    std::string path;
    for (const PictureBlock& block : row.blocks) {
      if (block.phase != phase) continue;
      path += "M" + std::to_string(block.first) + " 0h" + std::to_string(block.last - block.first) + "v1H" +
              std::to_string(block.first) + "z";
    }
    if (path.empty()) continue;
    out += std::string("<path class=\"") + phaseName(phase) + "\" transform=\"translate(" + std::to_string(kLeft) +
           " " + std::to_string(y) + ") scale(" + decimals(kWidth / static_cast<double>(frame.columns)) + " " +
           std::to_string(frame.bar()) + ")\" d=\"" + path + "\"/>";
  }
  // Ten rows of 64 have room for a number each eighth.
  if (frame.pitch > 10 || index % 4 == 0) out += label(kLeft - 8, y + frame.bar() - 3, "end", rowName(row));
  return out + "</g>";
}

std::size_t rowOf(const Frame& frame, std::int64_t rank) {
  const auto row = std::ranges::find_if(frame.rows, [rank](const PictureRow& one) { return rank < one.last_rank; });
  return static_cast<std::size_t>(row - frame.rows.begin());
}

/// The ranks and the time that the first verdict is about.
std::string bands(const Frame& frame, const RunState& state) {
  if (state.verdicts.empty() || !state.verdicts[0].from_ns || !state.verdicts[0].to_ns) return {};
  const Verdict& verdict = state.verdicts[0];
  const double begin = frame.x(*verdict.from_ns);
  const double end = frame.x(*verdict.to_ns);
  std::string out;
  std::size_t last = frame.rows.size();
  for (const std::int64_t rank : verdict.ranks) {
    const std::size_t row = rowOf(frame, rank);
    if (row == last || row >= frame.rows.size()) continue;
    last = row;
    out += "<rect class=\"band\"" + attribute("x", kLeft + begin) +
           attribute("y", frame.y(row) - (frame.pitch - frame.bar()) / 2.0) + attribute("width", end - begin) +
           attribute("height", frame.pitch) + "/>";
  }
  return out;
}

std::string deaths(const Frame& frame, const RunState& state) {
  std::string out;
  for (const RankState& rank : state.ranks) {
    const std::size_t row = rowOf(frame, rank.rank);
    if (rank.status != RankStatus::Dead || row >= frame.rows.size()) continue;
    const double x = kLeft + frame.x(rank.since_ns);
    const double y = frame.y(row) + frame.bar() / 2.0;
    out += "<g><title>rank " + std::to_string(rank.rank) + " died</title>" + line("cross", x - 4, y - 4, x + 4, y + 4) +
           line("cross", x - 4, y + 4, x + 4, y - 4) + "</g>";
  }
  return out;
}

/// Rows of ranks over the whole run, with an axis of seconds, a cross where a rank died, and a band over the ranks and
/// the time that the first verdict names. An SVG element whose colours come from the page's style.
std::string pictureSvg(const RunPicture& picture, const RunState& state) {
  const Frame frame = frameOf(picture);
  std::string out = "<svg role=\"img\" aria-label=\"Ranks over time\" viewBox=\"0 0 " +
                    std::to_string(kLeft + kWidth + kRight) + " " + std::to_string(frame.bottom() + 4) + "\">";
  out += bands(frame, state) + axis(frame);
  for (std::size_t row = 0; row < frame.rows.size(); ++row) out += rowSvg(frame, row, state);
  return out + deaths(frame, state) + "</svg>";
}

constexpr std::size_t kMostLines = 400;          ///< of the job's output
constexpr std::size_t kMostTextBytes = 200'000;  ///< of output, and of the spec

/// Text that comes from a job, from its spec or from a host. What would move a cursor or turn the direction of writing
/// is spelled out.
std::string shown(std::string_view text) {
  return htmlText(printable(text));
}

std::string paragraph(std::string_view text, const char* mark = nullptr) {
  if (text.empty()) return {};
  const std::string attribute = mark == nullptr ? std::string() : std::string(" class=\"") + mark + "\"";
  return "<p" + attribute + ">" + shown(text) + "</p>\n";
}

const char* toneName(Gravity gravity) {
  switch (gravity) {
    case Gravity::Note:
      return "note";
    case Gravity::Warning:
      return "warning";
    case Gravity::Error:
      break;
  }
  return "error";
}

std::string sentence(const char* label, const std::string& text) {
  return text.empty() ? text : label + text;
}

std::string card(const char* tone, const std::string& title, const std::string& body) {
  return std::string("<div class=\"card ") + tone + "\"><h3>" + shown(title) + "</h3>\n" + body + "</div>\n";
}

/// What was looked for and not found; nothing where nothing could be.
std::string noVerdict(const RunState& state) {
  if (!state.reports) return "The ranks were not measured, so nothing can be said about them.";
  const bool have_met =
      std::ranges::any_of(state.arrivals, [](const Arrival& arrival) { return arrival.collectives > 0; });
  return have_met ? "No rank died, stalled, or was late so often or so long that it stands out."
                  : "No rank died or stalled. No operation of all ranks was recorded, so it is not known who waits for "
                    "whom.";
}

std::string verdictsHtml(const Report& report) {
  const RunState& state = report.state;
  std::string out;
  for (const Verdict& verdict : state.verdicts) {
    out += card(toneName(gravityOf(verdict.kind)), verdict.title,
                paragraph(verdict.message) + paragraph(sentence("Evidence: ", verdict.evidence)) +
                    paragraph(sentence("Next: ", verdict.next), "next"));
  }
  for (const LoaderFinding& finding : report.loader_findings)
    out += card("warning", "What the loader " + finding.loader + " read", paragraph(finding.text));
  if (!out.empty()) return out;
  if (!state.failure.empty()) {
    const bool is_failed = state.status == JobStatus::Failed;
    return card(is_failed ? "error" : "note", is_failed ? "The job failed" : "The job was stopped",
                paragraph(state.failure));
  }
  return paragraph(noVerdict(state), "muted");
}

std::string legendEntry(Phase phase, const char* words) {
  return std::string("<span><i class=\"") + phaseName(phase) + "\"></i>" + words + "</span>";
}

std::string pictureHtml(const Report& report) {
  const bool has_gaps = std::ranges::any_of(report.state.ranks, &RankState::has_gaps);
  const std::string gaps =
      report.is_damaged || has_gaps
          ? "Records of this job are missing: ranks may have done more, and waited longer, than is shown here."
          : "";
  if (report.picture.columns() == 0) return paragraph("No rank reported what it did.", "muted");
  std::string out = "<div class=\"picture\">" + pictureSvg(report.picture, report.state) + "<div class=\"legend\">" +
                    legendEntry(Phase::Load, "data wait") + legendEntry(Phase::Compute, "compute") +
                    legendEntry(Phase::Wait, "waiting for others") + legendEntry(Phase::Transfer, "transfer") +
                    legendEntry(Phase::Unmeasured, "not measured") + "</div></div>\n";
  std::string words = "Each moment has the colour of what took most of it.";
  if (report.picture.rows(kMostPictureRows).size() < static_cast<std::size_t>(report.state.world_size))
    words += " Several ranks share a row, which shows the one of them that worked longest.";
  return out + paragraph(words, "muted") + paragraph(gaps, "gaps");
}

std::string loadersHtml(const Report& report) {
  std::string out;
  for (const capture::LoaderAccount& loader : report.loaders) {
    std::string body = paragraph(loader.sampler, "muted") + paragraph(loader.checked);
    for (const std::string& remark : loader.remarks) body += paragraph(remark, "muted");
    for (const std::string& finding : loader.findings) body += paragraph(finding);
    out += card(!loader.findings.empty() ? "warning" : loader.is_plain ? "fine" : "note", loader.title, body);
  }
  return out;
}

const char* toneName(ProofResult result) {
  switch (result) {
    case ProofResult::Match:
      return "fine";
    case ProofResult::Mismatch:
      return "error";
    case ProofResult::Incomplete:
      break;
  }
  return "note";
}

std::string proofHtml(const Report& report) {
  if (!report.proof) return paragraph(report.no_proof, "muted") + loadersHtml(report);
  const Proof& proof = *report.proof;
  std::string body;
  if (proof.result == ProofResult::Match)
    body = paragraph(grouped(proof.planned_batches) + (proof.planned_batches == 1 ? " batch was" : " batches were") +
                     " compared.");
  body += paragraph(proof.what) + paragraph(proof.explanation);
  for (const std::string& note : proof.notes) body += paragraph(note);
  return card(toneName(proof.result), words::proofTitle(proof.result), body);
}

std::string row(const char* name, const std::string& value) {
  if (value.empty()) return {};
  return std::string("<dt>") + name + "</dt><dd>" + value + "</dd>\n";
}

std::string speaker(std::int64_t rank) {
  if (rank >= 0) return "rank " + std::to_string(rank);
  return rank == LogLine::kOwn ? "ShardLens" : "launcher";
}

std::string outputHtml(const RecentLines& log) {
  if (log.size() == 0) return {};
  std::string lines;
  std::size_t first = log.size() - std::min(log.size(), kMostLines);
  std::size_t bytes = 0;
  for (std::size_t i = log.size(); i > first; --i) {
    bytes += log[i - 1].text.size();
    if (bytes > kMostTextBytes) first = i;
  }
  for (std::size_t i = first; i < log.size(); ++i) {
    const LogLine& line = log[i];
    const std::string text = shown(line.text);
    lines += "<span class=\"rank\">" + speaker(line.rank) + "</span> " +
             (line.is_error ? "<span class=\"bad\">" + text + "</span>" : text) + "\n";
  }
  const std::string count = grouped(static_cast<std::int64_t>(log.size() - first));
  return "<details open><summary>" + (count == "1" ? std::string("The last line") : "The last " + count + " lines") +
         " of the console</summary><pre>" + lines + "</pre></details>\n";
}

std::string specHtml(const std::string& spec) {
  if (spec.empty()) return {};
  const bool is_cut = spec.size() > kMostTextBytes;
  const std::string text = is_cut ? spec.substr(0, utf8Prefix(std::string_view(spec).substr(0, kMostTextBytes))) : spec;
  return "<details><summary>" + std::string(is_cut ? "The beginning of the spec" : "The spec") +
         " that the job ran</summary><pre>" + shown(text) + "</pre></details>\n";
}

/// "2026-11-22 14:09:31 UTC"; empty when it is not known.
std::string dateText(std::int64_t unix_ns) {
  if (unix_ns <= 0) return {};
  const std::time_t seconds = unix_ns / 1'000'000'000;
  std::tm utc{};
  std::array<char, 64> text{};
  if (gmtime_r(&seconds, &utc) == nullptr) return {};
  (void)std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
  return text.data();
}

std::string jobHtml(const Report& report) {
  const RunState& state = report.state;
  const std::string command = shown(state.command.text());
  const bool is_end_known = state.status != JobStatus::Unknown;
  std::string out = "<dl>" + row("Command", command.empty() ? command : "<code>" + command + "</code>") +
                    row("Started", dateText(report.started_unix_ns)) + row("Host", shown(state.host)) +
                    row("Cores", state.cores > 0 ? std::to_string(state.cores) : std::string()) +
                    row("Exit code", is_end_known ? std::to_string(state.exit_code) : "not known") +
                    row("Failure", is_end_known ? shown(state.failure) : std::string()) +
                    row("Recording", shown(report.note)) + "</dl>\n";
  return out + outputHtml(state.log) + specHtml(state.spec_yaml.text());
}

const char* toneOf(const Report& report) {
  const RunState& state = report.state;
  switch (state.status) {
    case JobStatus::Finished:
      if (report.proof && report.proof->result == ProofResult::Mismatch) return "error";
      if (!state.verdicts.empty()) return toneName(gravityOf(state.verdicts[0].kind));
      return report.loader_findings.empty() ? "fine" : "warning";
    case JobStatus::Failed:
      return "error";
    case JobStatus::Unknown:
      return "warning";
    default:
      return "note";
  }
}

std::string_view fileText(std::string_view name) {
  const auto files = reportFiles();
  return std::ranges::find(files, name, &PageFile::name)->text;
}

}  // namespace

RunPicture::RunPicture(const Timeline& timeline, std::int64_t ranks) {
  for (const Lane& lane : timeline.lanes) {
    ranks = std::max(ranks, lane.rank + 1);
    for (const Span& span : lane.spans) end_ns_ = std::max(end_ns_, span.end_ns);
  }
  if (end_ns_ > 0) end_ns_ = std::max(end_ns_, timeline.end_ns);
  ranks_.resize(static_cast<std::size_t>(ranks));
  column_ns_ = std::max<std::int64_t>(1, (end_ns_ + kColumns - 1) / kColumns);
  for (const Lane& lane : timeline.lanes) {
    for (const Span& span : lane.spans) add(lane.rank, span);
  }
}

void RunPicture::add(std::int64_t rank, const Span& span) {
  const int phase = placeOf(span.phase);
  const std::int64_t begin = std::max<std::int64_t>(span.begin_ns, 0);
  if (phase < 0 || rank < 0 || span.end_ns <= begin) return;
  std::vector<Column>& columns = ranks_[static_cast<std::size_t>(rank)];
  if (columns.empty()) columns.resize(kColumns);
  for (std::int64_t at = begin; at < span.end_ns;) {
    const std::int64_t column = at / column_ns_;
    const std::int64_t until = std::min(span.end_ns, (column + 1) * column_ns_);
    columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(phase)] += until - at;
    at = until;
  }
}

std::int64_t RunPicture::columns() const {
  return (end_ns_ + column_ns_ - 1) / column_ns_;
}

Phase RunPicture::phaseOf(std::int64_t at, const Column& column) const {
  const std::int64_t lasts = std::min(column_ns_, end_ns_ - at * column_ns_);
  const auto most = std::ranges::max_element(column);
  std::int64_t measured = 0;
  for (const std::int64_t ns : column) measured += ns;
  if (*most <= lasts - measured) return Phase::Unmeasured;
  return kMeasured[static_cast<std::size_t>(most - column.begin())];
}

PictureRow RunPicture::row(std::int64_t first_rank, std::int64_t last_rank) const {
  PictureRow row{first_rank, last_rank, {}};
  for (std::int64_t at = 0; at < columns(); ++at) {
    const auto column = static_cast<std::size_t>(at);
    Column slowest = this->at(static_cast<std::size_t>(first_rank), column);
    for (std::int64_t rank = first_rank + 1; rank < last_rank; ++rank) {
      const Column other = this->at(static_cast<std::size_t>(rank), column);
      if (worked(other) > worked(slowest)) slowest = other;
    }
    const Phase phase = phaseOf(at, slowest);
    if (phase == Phase::Unmeasured) continue;
    if (!row.blocks.empty() && row.blocks.back().last == at && row.blocks.back().phase == phase) {
      row.blocks.back().last = at + 1;
    } else {
      row.blocks.push_back({at, at + 1, phase});
    }
  }
  return row;
}

std::vector<PictureRow> RunPicture::rows(std::int64_t most) const {
  const std::int64_t ranks = std::ssize(ranks_);
  const std::int64_t count = std::min(ranks, most);
  std::vector<PictureRow> rows;
  rows.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(row(i * ranks / count, (i + 1) * ranks / count));
  return rows;
}

Result<Report> makeReport(const std::filesystem::path& recording, const Work& work) {
  auto replay = RunReplay::open(recording);
  if (!replay) return replay.error();
  replay->keepOverview();
  replay->keepProof();
  while (replay->advance(-1, work)) {
    if (work.stopped()) return cancelled();
  }
  if (work.stopped()) return cancelled();
  replay->toEnd();
  Report report;
  report.state = replay->state();
  report.note = replay->note();
  report.picture = RunPicture(withOpenSpans(replay->overview()->lanes, report.state.recent), report.state.world_size);
  if (replay->facts()) report.started_unix_ns = replay->facts()->started_unix_ns;
  report.is_damaged = replay->isDamaged();
  const auto facts = replay->facts();
  // Where a probe saw loaders of the job, it is these that count, and not what the ranks reported.
  const auto job = capture::readJob(recording, work);
  const bool has_loaders = facts != nullptr && job && !job->loaders.empty();
  auto proof = has_loaders ? proofOfLoaders(*facts, recording, work) : replay->takeProof(work);
  addProof(facts.get(), std::move(proof), has_loaders || report.state.reports, report);
  if (has_loaders) addLoaders(*job, report, work);
  if (work.stopped()) return cancelled();
  return report;
}

const char* statusName(JobStatus status) {
  switch (status) {
    case JobStatus::Starting:
      return "starting";
    case JobStatus::Running:
      return "running";
    case JobStatus::Finished:
      return "finished";
    case JobStatus::Failed:
      return "failed";
    case JobStatus::Stopped:
      return "stopped";
    case JobStatus::Unknown:
      break;
  }
  return "unknown";
}

std::string outcomeText(const RunState& state) {
  std::string text = statusName(state.status);
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  text += state.status == JobStatus::Running || state.status == JobStatus::Starting ? " for " : " after ";
  if (state.status == JobStatus::Unknown) text = "How the job ended is not known. It was recorded for ";
  text += durationText(state.elapsed_ns);
  if (!state.is_from_start) text += ", counted from its first rank on";
  if (state.world_size > 0) text += ": " + counted(state.world_size, "rank") + checkedText(state);
  text += ".";
  if (!state.reports) text += " No rank has reported steps or waits to ShardLens, so none is measured.";
  return text;
}

std::string reportPage(const Report& report) {
  const RunState& state = report.state;
  const std::string name = printable(state.name.empty() ? "A run" : oneLine(state.name));
  const std::array<Filling, 10> fillings = {{
      {"@page@", pageHead({name, outcomeText(state)})},
      {"@name@", htmlText(name)},
      {"@tone@", toneOf(report)},
      {"@outcome@", shown(outcomeText(state))},
      {"@style@", std::string(fileText("report.css"))},
      {"@verdicts@", verdictsHtml(report)},
      {"@picture@", pictureHtml(report)},
      {"@proof@", proofHtml(report)},
      {"@ranks@", rankTableHtml(state)},
      {"@job@", jobHtml(report)},
  }};
  return filledPage(fileText("report.html"), fillings);
}

}  // namespace shardlens
