// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "app/cli/verbs/lens/output.h"
#include "app/cli/wrapped_text.h"
#include "core/base/printable.h"
#include "core/lens/head.h"
#include "core/spec/field.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

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
    writeLabelled(out, "deals", column.sampler);
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

}  // namespace

void writeLensText(Output& out, const LensReport& report) {
  const PipelineSpec& spec = report.spec;
  out << oneLine(spec.name) << " in epoch " << report.epoch.value << ": " << counted(spec.dataset.size, "sample")
      << ", " << counted(spec.worldSize(), "rank") << " (" << spec.world.text() << "), batch_size "
      << grouped(spec.loader.batch_size) << "\n";
  for (const JudgedColumn& judged : report.columns) writeColumn(out, judged, report);
  writeTables(out, report);
  out << "* differs from the batch of as-written\n";
}

}  // namespace shardlens::cli
