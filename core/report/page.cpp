// SPDX-License-Identifier: Apache-2.0
#include "core/report/page.h"

#include "core/base/html.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/diagnose/proof_words.h"
#include "core/report/outcome.h"
#include "core/report/page_files.h"
#include "core/report/picture_svg.h"
#include "core/report/rank_table.h"
#include "core/timeline/chrome_trace.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

namespace shardlens {
namespace {

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
  return have_met
             ? "No rank died, stalled, or was late so often or so long that it stands out."
             : "No rank died or stalled. No operation of all ranks was recorded, so who waits for whom is not known.";
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
