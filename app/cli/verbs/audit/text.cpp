// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "app/cli/output.h"
#include "app/cli/verbs/audit/report.h"
#include "core/audit/ledger.h"
#include "core/capture/capture_words.h"
#include "core/capture/word_parts.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

constexpr std::size_t kFindingIndent = 9;
constexpr std::size_t kPriceIndent = 5;  // below the label, behind "Fix: "

struct Look {
  std::string_view word;
  std::string_view colour;
};

Look lookOf(const Finding& finding) {
  if (finding.is_proof) return {"ok", "\033[32m"};
  if (finding.severity == Severity::Error) return {"error", "\033[1;31m"};
  return finding.severity == Severity::Warning ? Look{"warning", "\033[33m"} : Look{"info", "\033[36m"};
}

std::string editsOf(const Fix& fix) {
  std::vector<std::string> parts;
  for (const Edit& edit : fix.edits) {
    const bool is_long = std::holds_alternative<RecordList>(edit.value);  // the label says what is new in it
    parts.push_back(is_long ? edit.path : edit.path + ": " + valueText(edit.value));
  }
  for (const std::string& path : fix.removed) parts.push_back("remove " + path);
  return join(parts, ", ");
}

void writeFinding(Output& out, const Finding& finding, bool colours) {
  const Look look = lookOf(finding);
  std::string word(look.word);
  word.resize(kFindingIndent, ' ');
  const auto style = [&out, colours](std::string_view sequence) { out.style(colours ? sequence : ""); };
  out << "\n";
  style(look.colour);
  out << word;
  style("\033[0m\033[1m");
  out << finding.title;
  style("\033[0m\033[2m");
  out << "  [" << finding.code << "]";
  style("\033[0m");
  out << "\n";
  writeWrapped(out, finding.message, kFindingIndent);
  if (finding.is_proof) return;
  if (!finding.why.empty()) writeWrapped(out, finding.why, kFindingIndent);
  for (const Fix& fix : finding.fixes) {
    writeWrapped(out, (&fix == finding.fix() ? "Fix: " : "Or: ") + fix.label + " (" + editsOf(fix) + ")",
                 kFindingIndent);
    if (!fix.price.empty()) writeWrapped(out, "Effect: " + fix.price, kFindingIndent + kPriceIndent);
  }
}

/// Both sides of the ledger: "handed out 40 = 10 first readings + 30 read by several workers".
void writeLedger(Output& out, const Ledger& ledger) {
  std::vector<std::string> items = {counted(ledger.seen, "first reading")};
  for (std::string& part : repeatsText(ledger)) items.push_back(std::move(part));
  std::vector<std::string> samples = {grouped(ledger.seen) + " seen"};
  for (std::string& part : missingText(ledger)) samples.push_back(std::move(part));
  const std::string head = "epoch " + std::to_string(ledger.epoch) + "  ";
  out << head << grouped(ledger.handed_out) << " handed out = " << join(items, " + ") << "\n";
  out << std::string(head.size(), ' ') << counted(ledger.dataset_size, "sample") << " = " << join(samples, " + ")
      << "\n";
}

/// "ranks 0 to 3: each 4 batches from 16 samples", of ranks that follow each other and are alike.
void writeShape(Output& out, const EpochShape& shape) {
  for (std::size_t first = 0, last = 0; first < shape.ranks.size(); first = last) {
    const RankEpochShape& rank = shape.ranks[first];
    while (last < shape.ranks.size() && shape.ranks[last] == rank) ++last;
    out << "epoch " << shape.epoch.value << "  " << (last - first == 1 ? "rank " : "ranks ")
        << static_cast<std::int64_t>(first);
    if (last - first > 1) out << " to " << static_cast<std::int64_t>(last - 1);
    out << (last - first > 1 ? ": each " : ": ") << counted(rank.batches, "batch") << " from "
        << counted(rank.samples, "sample");
    if (rank.added > 0) out << ", " << grouped(rank.added) << " of them added by the sampler";
    if (rank.dropped > 0) out << ", " << grouped(rank.dropped) << " of them dropped by the loader";
    out << "\n";
  }
}

void writeRun(Output& out, const RunLedger& run) {
  if (run.epochs < 2) return;
  out << "epochs " << run.first_epoch << "-" << run.first_epoch + run.epochs - 1 << "  "
      << counted(run.never_read, "sample") << " never read\n";
}

/// What the loader of a run read, pass by pass.
void writeRecorded(Output& out, const capture::JudgedLoader& judged) {
  const std::vector<std::string> lines = words::readingText(judged.reading);
  if (lines.empty()) return;
  out << "\nAs recorded, its " << words::namedLoader(judged.loader.job) << " read:\n";
  for (const std::string& line : lines) writeWrapped(out, line, 2);
}

std::string verdictOf(const LoadedPlan& loaded, const AuditReport& report) {
  const std::int64_t errors = report.count(Severity::Error);
  const std::int64_t warnings = report.count(Severity::Warning);
  if (errors + warnings == 0 && report.unknown_order) return "no problems found in what is known";
  if (errors + warnings == 0) return loaded.notJudged() != nullptr ? "not judged" : "no problems found";
  std::vector<std::string> parts;
  if (errors > 0) parts.push_back(counted(errors, "error"));
  if (warnings > 0) parts.push_back(counted(warnings, "warning"));
  return join(parts, ", ");
}

}  // namespace

void writeAuditText(Output& out, const LoadedPlan& loaded, const AuditReport& report, bool colours) {
  const Plan& plan = loaded.plan;
  const PipelineSpec& spec = plan.spec();
  out.style(colours ? "\033[1m" : "") << oneLine(spec.name) << ": " << verdictOf(loaded, report);
  out.style(colours ? "\033[0m" : "") << "\n";
  const std::int64_t epochs = loaded.judged ? loaded.judged->loader.spec.spec.epochs : plan.epochs();
  const ParallelGroups& groups = spec.world.groups;
  out << counted(spec.dataset.size, "sample") << ", " << counted(spec.worldSize(), "rank") << " (" << spec.world.text()
      << (groups.ranksOfModel() > 1 ? "; " + groups.text(spec.worldSize()) : "") << "), batch_size "
      << grouped(spec.loader.batch_size) << ", " << spec.sampler.type << "; counted "
      << grouped(static_cast<std::int64_t>(report.steps.size())) << " of " << counted(epochs, "epoch") << "\n";
  if (loaded.judged) writeRecorded(out, *loaded.judged);
  const Error* const why = loaded.notJudged();
  if (why != nullptr) writeWrapped(out, words::notJudged(*why), 0);
  for (const Finding& finding : report.findings) writeFinding(out, finding, colours);
  if (why != nullptr) return;
  out << "\n";
  if (report.unknown_order) {
    for (const EpochShape& shape : report.unknown_order->shapes) writeShape(out, shape);
  }
  for (const Ledger& coverage : report.coverage) writeLedger(out, coverage);
  writeRun(out, report.run);
}

}  // namespace shardlens::cli
