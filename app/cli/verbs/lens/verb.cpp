// SPDX-License-Identifier: Apache-2.0
// shardlens lens SPEC [--epoch E] [--only ID,...] [--format text|json]: one pipeline through several frameworks.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "core/base/text.h"
#include "core/lens/head.h"
#include "core/lens/report.h"
#include "core/sampling/recorded_lists.h"
#include "core/spec/field.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::cli {
namespace {

constexpr std::size_t kCell = 30;
constexpr std::size_t kTable = 2;  ///< columns of batches beside the first one

void writeVerdict(Output& out, const JudgedColumn& judged) {
  if (const std::string head = headOf(judged).text; !head.empty()) writeLabelled(out, "result", head);
  const std::string first = firstDifferenceText(judged);
  writeLabelled(out, "verdict", verdictText(judged) + (first.empty() ? "" : ", " + first));
  if (const std::string shares = sharesText(judged); !shares.empty()) writeLabelled(out, "shares", shares);
}

/// What taking the column's spec for the design means.
void writeUse(Output& out, const JudgedColumn& judged, const LensReport& report) {
  const std::string cost = costText(judged, report.columns.front());
  if (!cost.empty()) writeLabelled(out, "to use", changeText(report.spec, judged.column) + "; " + cost);
}

void writeError(Output& out, const Error& error) {
  writeLabelled(out, error.raised.empty() ? "because" : "raises",
                (error.raised.empty() ? "" : error.raised + ": ") + error.message);
}

void writeColumn(Output& out, const JudgedColumn& judged, const LensReport& report) {
  const LensColumn& column = judged.column;
  out << "\n" << column.title << "  [" << column.id << "]";
  if (!column.remedy_of.empty()) out << "  instead of " << column.remedy_of;
  out << "\n";
  writeLabelled(out, "makes", column.makes);
  if (judged.hasOrder()) {
    writeLabelled(out, "deals", sampling::samplerName(column.sampler));
    writeLabelled(out, "",
                  counted(judged.batches, "batch") + ", " + counted(judged.items, "sample") + " over all ranks");
  }
  writeVerdict(out, judged);
  writeUse(out, judged, report);
  if (column.error) writeError(out, *column.error);
  for (const Note& note : column.notes) writeLabelled(out, severityName(note.severity), note.text);
}

std::string cellOf(const JudgedColumn& judged, Rank rank, Step step) {
  for (const LensBatch& batch : judged.first) {
    if (!(batch.rank == rank) || !(batch.step == step)) continue;
    std::string text = valueText(IndexList(batch.samples));
    if (columnsOf(text) > kCell - 4) text = text.substr(0, kCell - 12) + "...]";
    return text + (batch.differs ? " *" : "");
  }
  return "-";
}

/// The last cell of a line needs no blanks behind it.
void writeCells(Output& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) out << paddedText(cells[i], kCell);
  out << cells.back() << "\n";
}

using Shown = std::vector<const JudgedColumn*>;

void writeTable(Output& out, const Shown& columns) {
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  for (const JudgedColumn* judged : columns) {
    for (const LensBatch& batch : judged->first) places.insert({batch.rank.value, batch.step.value});
  }
  out << "\n" << paddedText("rank step", 11);
  std::vector<std::string> cells;
  for (const JudgedColumn* judged : columns) cells.push_back(judged->column.id);
  writeCells(out, cells);
  for (const auto& [rank, step] : places) {
    out.padded(rank, 4).padded(step, 5) << "  ";
    cells.clear();
    for (const JudgedColumn* judged : columns) cells.push_back(cellOf(*judged, Rank{rank}, Step{step}));
    writeCells(out, cells);
  }
}

/// The first batches side by side, some columns at a time, always beside what was written.
void writeTables(Output& out, const LensReport& report) {
  Shown dealt;
  for (const JudgedColumn& judged : report.columns) {
    if (judged.hasOrder()) dealt.push_back(&judged);
  }
  for (std::size_t i = 1; i < dealt.size(); i += kTable) {
    Shown part = {dealt.front()};
    for (std::size_t k = i; k < std::min(i + kTable, dealt.size()); ++k) part.push_back(dealt[k]);
    writeTable(out, part);
  }
}

void writeLensText(Output& out, const LensReport& report) {
  const PipelineSpec& spec = report.spec;
  out << oneLine(spec.name) << " in epoch " << report.epoch.value << ": " << counted(spec.dataset.size, "sample")
      << ", " << counted(spec.worldSize(), "rank") << " (" << spec.world.text() << "), batch_size "
      << grouped(spec.loader.batch_size) << "\n";
  for (const JudgedColumn& judged : report.columns) writeColumn(out, judged, report);
  writeTables(out, report);
  out << "* differs from the batch of as-written\n";
}

Json errorJson(const LensColumn& column) {
  if (!column.error) return nullptr;
  return {{"raised", orNull(column.error->raised)}, {"message", column.error->message}, {"when", orNull(column.when)}};
}

Json notesJson(const LensColumn& column) {
  Json notes = Json::array();
  for (const Note& note : column.notes)
    notes.push_back({{"severity", severityName(note.severity)}, {"text", note.text}});
  return notes;
}

Json orderJson(const JudgedColumn& judged) {
  if (!judged.hasOrder()) return nullptr;
  Json first = nullptr;
  const BatchDifferences* differences = judged.differences.get();
  if (differences != nullptr && differences->first())
    first = {{"rank", differences->first()->rank.value}, {"step", differences->first()->step.value}};
  const SampleComparison samples = judged.samples.value_or(SampleComparison{});
  const std::string relation = differences == nullptr ? "the same order" : relationText(judged);
  Json batches = Json::array();
  for (const LensBatch& batch : judged.first)
    batches.push_back({{"rank", batch.rank.value},
                       {"step", batch.step.value},
                       {"samples", batch.samples},
                       {"differs", batch.differs}});
  return {{"batches", judged.batches},
          {"samples", judged.items},
          {"relation", relation},
          {"only_as_written", samples.only_first},
          {"only_here", samples.only_second},
          {"compared", differences == nullptr ? judged.batches : differences->batches()},
          {"differing", differences == nullptr ? 0 : differences->differing()},
          {"first_difference", first},
          {"first_batches", batches}};
}

/// What becomes of the readings; null where the column was not compared.
Json sharesJson(const JudgedColumn& judged) {
  if (!judged.samples) return nullptr;
  const ReadingShares& shares = judged.samples->shares;
  return {{"same", shares.same}, {"moved", shares.moved},       {"read_less_often", shares.fewer},
          {"lost", shares.lost}, {"repeated", shares.repeated}, {"added", shares.added}};
}

Json columnJson(const JudgedColumn& judged, const LensReport& report) {
  const LensColumn& column = judged.column;
  return {{"id", column.id},
          {"title", column.title},
          {"remedy_of", orNull(column.remedy_of)},
          {"sampler", column.sampler},
          {"makes", column.makes},
          {"notes", notesJson(column)},
          {"verdict", lensVerdictName(judged.verdict)},
          {"head", headOf(judged).text},
          {"summary", verdictText(judged)},
          {"shares", sharesJson(judged)},
          {"change", orNull(changeText(report.spec, column))},
          {"cost", orNull(costText(judged, report.columns.front()))},
          {"error", errorJson(column)},
          {"order", orderJson(judged)}};
}

std::string lensJson(const LensReport& report) {
  Json json = {{"name", report.spec.name}, {"epoch", report.epoch.value}, {"world_size", report.spec.worldSize()}};
  json["columns"] = Json::array();
  for (const JudgedColumn& judged : report.columns) json["columns"].push_back(columnJson(judged, report));
  return dumped(json, 1) + "\n";
}

struct LensArgs {
  std::string spec;
  std::string loader;
  std::int64_t epoch = 0;
  std::vector<std::string> only;
  std::string format = "text";
  bool quiet = false;
};

/// BadInput when the lens has no column of one of these ids.
Result<void> checkColumns(const PipelineSpec& spec, const std::vector<std::string>& only) {
  std::vector<std::string> ids;
  for (const LensColumn& column : lensColumns(spec)) ids.push_back(column.id);
  for (const std::string& id : only) {
    if (std::ranges::find(ids, id) != ids.end()) continue;
    const std::string near = nearest(id, ids);
    return Error::inField(ErrorCode::BadInput, "--only", "the lens has no column '" + id + "'",
                          near.empty() ? "it has " + join(ids, ", ") : "did you mean " + near + "?");
  }
  return {};
}

/// The first column and those that are asked for; all of them when none is. A design whose order nobody can tell still
/// has other columns; one that raises has none worth showing.
Result<LensReport> chosenReport(const PipelineSpec& spec, const LensArgs& options, const Work& work) {
  const auto wanted = [&only = options.only](const std::string& id) {
    return only.empty() || std::ranges::find(only, id) != only.end();
  };
  auto report = lensReport(spec, {Epoch{options.epoch}, wanted}, work);
  if (!report) return report;
  std::optional<Error> error = report->columns.front().column.error;
  if (error && error->code != ErrorCode::Unsupported) {
    if (error->place.file.empty()) error->place.file = options.spec;
    return *error;
  }
  std::vector<JudgedColumn> others(report->columns.begin() + 1, report->columns.end());
  std::erase_if(others, [&](const JudgedColumn& judged) { return !wanted(judged.column.id); });
  report->columns.resize(1);
  report->columns.insert(report->columns.end(), others.begin(), others.end());
  return report;
}

int run(const LensArgs& options) {
  Progress progress(options.quiet);
  const yaml::ReadSpec read = loadSpec({options.spec, options.loader}, progress.whole());
  if (!read.issues.empty()) return fail(progress, read.issues);
  const PipelineSpec& spec = read.spec;
  if (auto range = checkRange(spec, options.epoch, {}); !range) return fail(progress, range.error());
  if (auto known = checkColumns(spec, options.only); !known) return fail(progress, known.error());
  const auto report = chosenReport(spec, options, progress.whole());
  progress.clear();
  if (!report) return fail(progress, read.placed(report.error()));
  const auto out = std::make_unique<Output>();
  if (options.format == "json") {
    *out << lensJson(*report);
  } else {
    writeLensText(*out, *report);
  }
  return out->finish();
}

}  // namespace

void addLens(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<LensArgs>();
  Arguments verb(app, "lens", "Compares the same pipeline in several frameworks, side by side");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.add("--epoch", options->epoch, "epoch to compare");
  verb.add("--only", options->only, "columns to show: ids separated by commas, such as lightning,accelerate")
      .separatedByCommas();
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
