// SPDX-License-Identifier: Apache-2.0
// shardlens audit SPEC [--epochs N] [--first-epoch E] [--format text|json|junit]. Exit 1 when an error-level finding
// exists.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "core/audit/ledger.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/sampling/recorded_lists.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

Json jsonOf(const Value& value);

Json jsonOf(const RecordList& records) {
  Json list = Json::array();
  for (const Record& record : records) {
    Json& entry = list.emplace_back(Json::object());
    for (const auto& [key, value] : record.values) entry[key] = jsonOf(value);
  }
  return list;
}

Json jsonOf(const Value& value) {
  if (const auto* records = std::get_if<RecordList>(&value)) return jsonOf(*records);
  if (const auto* indices = std::get_if<IndexList>(&value)) return indices->items();
  if (const auto* numbers = std::get_if<NumberList>(&value)) return numbers->items();
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  return std::get<double>(value);
}

Json jsonOf(const Change& change) {
  return {{"before", change.before}, {"after", change.after}};
}

Json jsonOf(const Effect& effect) {
  return {{"epoch", effect.epoch},
          {"missing", jsonOf(effect.missing)},
          {"repeated", jsonOf(effect.repeated)},
          {"padded", jsonOf(effect.padded)},
          {"steps", jsonOf(effect.steps)},
          {"fewest_steps", jsonOf(effect.fewest_steps)},
          {"new", effect.added},
          {"gone", effect.gone}};
}

Json jsonOf(const Fix& fix) {
  Json edits = Json::array();
  for (const Edit& edit : fix.edits) edits.push_back({{"path", edit.path}, {"value", jsonOf(edit.value)}});
  for (const std::string& path : fix.removed) edits.push_back({{"path", path}, {"value", nullptr}});
  return {
      {"label", fix.label}, {"price", orNull(fix.price)}, {"edits", std::move(edits)}, {"effect", jsonOf(fix.effect)}};
}

Json jsonOf(const Where& where) {
  return {{"ranks", where.ranks},         {"compared_ranks", orNull(where.compared_ranks)},
          {"epoch", orNull(where.epoch)}, {"step", orNull(where.step)},
          {"samples", where.samples},     {"field", orNull(where.field)},
          {"example", where.example},     {"seed", where.seed ? Json(std::to_string(*where.seed)) : Json(nullptr)}};
}

Json jsonOf(const Finding& finding) {
  Json fixes = Json::array();
  for (const Fix& fix : finding.fixes) fixes.push_back(jsonOf(fix));
  return {{"code", finding.code},   {"severity", severityName(finding.severity)},
          {"title", finding.title}, {"message", finding.message},
          {"why", finding.why},     {"fix", fixes.empty() ? Json(nullptr) : fixes.front()},
          {"fixes", fixes},         {"where", jsonOf(finding.where)}};
}

Json jsonOf(const Ledger& coverage) {
  return {{"epoch", coverage.epoch},
          {"dataset_size", coverage.dataset_size},
          {"handed_out", coverage.handed_out},
          {"seen", coverage.seen},
          {"missing", coverage.missing},
          {"duplicated", coverage.duplicated},
          {"dropped_by_sampler", coverage.missing_by[MissingCause::CutBySampler]},
          {"dropped_by_loader", coverage.missing_by[MissingCause::CutByLoader]},
          {"times_seen", coverage.times_seen},
          {"missing_ids", coverage.missing_ids},
          {"duplicated_ids", coverage.duplicated_ids}};
}

Json paddingOf(const Ledger& coverage) {
  return {{"epoch", coverage.epoch}, {"items", coverage.padding()}, {"ids", coverage.padding_ids}};
}

/// "cause": how many, for every cause there is.
template <class Cause, std::size_t kCauses>
Json jsonOf(const CountByCause<Cause, kCauses>& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kCauses; ++i) json[std::string(causeName(static_cast<Cause>(i)))] = counts.counts[i];
  return json;
}

Json ledgerOf(const AuditReport& report) {
  Json epochs = Json::array();
  for (const Ledger& ledger : report.coverage)
    epochs.push_back({{"epoch", ledger.epoch},
                      {"handed_out", ledger.handed_out},
                      {"first_readings", ledger.seen},
                      {"repeats", jsonOf(ledger.repeats)},
                      {"dataset_size", ledger.dataset_size},
                      {"seen", ledger.seen},
                      {"missing", jsonOf(ledger.missing_by)}});
  return {{"epochs", std::move(epochs)},
          {"run",
           {{"first_epoch", report.run.first_epoch},
            {"epochs", report.run.epochs},
            {"never_read", report.run.never_read},
            {"never_read_ids", report.run.never_read_ids}}}};
}

Json jsonOf(const Overlap& overlap) {
  Json rows = Json::array();
  for (std::int64_t row = 0; row < overlap.size; ++row) {
    const auto first = static_cast<std::size_t>(row * overlap.size);
    rows.push_back(std::span(overlap.shared).subspan(first, static_cast<std::size_t>(overlap.size)));
  }
  return {{"size", overlap.size}, {"shared", std::move(rows)}, {"same_as", overlap.same_as}};
}

Json overlapOf(const AuditReport& report) {
  const std::int64_t first = report.coverage.empty() ? 0 : report.coverage.front().epoch;
  Json ranks = jsonOf(report.ranks);
  ranks["epoch"] = first;
  Json epochs = jsonOf(report.epochs);
  epochs["rank"] = 0;
  epochs["first_epoch"] = first;
  return {{"ranks", std::move(ranks)},
          {"epochs", std::move(epochs)},
          {"repeats",
           {{"first_epoch", report.repeats.first_epoch},
            {"epochs", report.repeats.epochs},
            {"same_as", report.repeats.same_as}}}};
}

Json jsonOf(const SeedTable& seeds) {
  Json rows = Json::array();
  for (const SeedRow& row : seeds.rows)
    rows.push_back({{"epoch", row.epoch},
                    {"rank", row.rank},
                    {"worker", row.worker},
                    {"seed", std::to_string(row.seed)},
                    {"stream", row.stream},
                    {"first_ids", firstIds(seeds, row)},
                    {"equal_to", row.equal_to}});
  return {{"epochs", seeds.epochs},
          {"ranks", seeds.ranks},
          {"distinct_ranks", seeds.distinct_ranks},
          {"colliding_ranks", seeds.colliding_ranks},
          {"distinct_workers", seeds.distinct_workers},
          {"colliding_workers", seeds.colliding_workers},
          {"truncated", seeds.truncated},
          {"rows", std::move(rows)}};
}

Json jsonOf(const Lockstep& steps) {
  return {{"epoch", steps.epoch},
          {"fewest", steps.fewest},
          {"most", steps.most},
          {"first_out", steps.first_out},
          {"batches", steps.batches}};
}

Json jsonOf(const MemoryEstimate& memory) {
  return {{"order_bytes", memory.order_bytes},
          {"prefetched_batches", memory.prefetched_batches},
          {"prefetched_samples", memory.prefetched_samples}};
}

/// One element a line: a list of findings is read by people and by grep, too.
template <class Items, class Make>
void writeList(Output& out, std::string_view key, const Items& items, Make make) {
  out << "\"" << key << "\": [";
  std::string_view before = "\n  ";
  for (const auto& item : items) {
    out << before << dumped(make(item));
    before = ",\n  ";
  }
  out << "],\n";
}

Json jsonOf(const capture::PassReading& pass) {
  return {{"pass", pass.index},        {"ranks", pass.ranks},
          {"left", pass.left},         {"unfinished", pass.unfinished},
          {"batches", pass.batches},   {"items", pass.items},
          {"samples", pass.samples},   {"shared", pass.shared},
          {"repeated", pass.repeated}, {"same_as", orNull(pass.same_as)}};
}

/// Of a recording: what was read; null of a spec.
Json recordedOf(const LoadedPlan& loaded) {
  if (!loaded.judged) return nullptr;
  const capture::Reading& reading = loaded.judged->reading;
  const Error* const why = loaded.notJudged();
  Json passes = Json::array();
  for (const capture::PassReading& pass : reading.passes) passes.push_back(jsonOf(pass));
  return {{"loader", words::namedLoader(loaded.judged->loader.job)},
          {"passes", passes},
          {"dataset_size", orNull(reading.dataset_size)},
          {"never_read", reading.dataset_size ? Json(reading.never_read) : Json(nullptr)},
          {"not_judged", why != nullptr ? Json(why->message) : Json(nullptr)}};
}

/// Where the order is not known, null at these keys: they depend on it.
Json known(const AuditReport& report, Json json, std::initializer_list<const char*> by_order) {
  for (const char* key : by_order) {
    if (report.unknown_order) json[key] = nullptr;
  }
  return json;
}

Json overlapAsKnown(const AuditReport& report) {
  Json overlap = known(report, overlapOf(report), {"epochs", "repeats"});
  overlap["ranks"] = known(report, std::move(overlap["ranks"]), {"same_as"});
  if (report.unknown_order && !report.unknown_order->has_readings) overlap["ranks"] = nullptr;
  return overlap;
}

/// Why the order is not known, and what each rank has in any order; null where it is known.
Json unknownOf(const AuditReport& report) {
  if (!report.unknown_order) return nullptr;
  Json epochs = Json::array();
  for (const EpochShape& shape : report.unknown_order->shapes) {
    Json ranks = Json::array();
    for (const RankEpochShape& rank : shape.ranks)
      ranks.push_back(
          {{"samples", rank.samples}, {"added", rank.added}, {"batches", rank.batches}, {"dropped", rank.dropped}});
    epochs.push_back({{"epoch", shape.epoch.value}, {"ranks", std::move(ranks)}});
  }
  const Error& why = report.unknown_order->why;
  return {{"why", why.message}, {"field", why.place.field}, {"hint", why.hint}, {"epochs", std::move(epochs)}};
}

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

/// "epoch 0  ranks 0 to 3: seed 42, first ids 4, 9, 3, 0", of ranks in the first epoch.
void writeSeeds(Output& out, const SeedTable& seeds, std::int64_t world_size) {
  constexpr std::size_t kMostSeeds = 8;
  std::vector<std::pair<SeedRow, std::vector<std::int64_t>>> told;  // the first rank's, and all ranks with this seed
  std::int64_t others = 0;
  for (const SeedRow& row : seeds.rows) {
    if (row.epoch != seeds.first_epoch) break;
    if (row.worker >= 0) continue;
    auto same = std::ranges::find_if(told, [&](const auto& one) { return one.first.seed == row.seed; });
    if (same == told.end() && told.size() == kMostSeeds) {
      ++others;
      continue;
    }
    if (same == told.end()) same = told.emplace(told.end(), row, std::vector<std::int64_t>());
    same->second.push_back(row.rank);
  }
  if (told.empty() || seeds.dataset_size == 0) return;
  out << "First ids: torch.randint(0, " << seeds.dataset_size << ", (4,)) right after the seed is set.\n";
  for (const auto& [row, ranks] : told) {
    std::vector<std::string> ids;
    for (const std::int64_t id : firstIds(seeds, row)) ids.push_back(std::to_string(id));
    out << "epoch " << row.epoch << "  " << listedRanks(ranks) << ": seed " << std::to_string(row.seed)
        << ", first ids " << join(ids, ", ") << "\n";
  }
  if (others > 0) out << "epoch " << seeds.first_epoch << "  " << counted(others, "more rank") << " with other seeds\n";
  if (seeds.ranks < world_size)
    out << "epoch " << seeds.first_epoch << "  only the seeds of the first " << counted(seeds.ranks, "rank")
        << " are listed\n";
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
  if (errors + warnings == 0 && std::ranges::any_of(report.findings, &Finding::leaves_open))
    return "no problems found in what is known";
  if (errors + warnings == 0) return loaded.notJudged() != nullptr ? "not judged" : "no problems found";
  std::vector<std::string> parts;
  if (errors > 0) parts.push_back(counted(errors, "error"));
  if (warnings > 0) parts.push_back(counted(warnings, "warning"));
  return join(parts, ", ");
}

std::string bodyOf(const Finding& finding) {
  std::string body = finding.message + " " + finding.why;
  for (const Fix& fix : finding.fixes) {
    body += (&fix == finding.fix() ? " Fix: " : " Or: ") + fix.label + ".";
    if (!fix.price.empty()) body += " Effect: " + fix.price + ".";
  }
  return body;
}

/// The object that resources/schemas/audit.schema.json describes.
void writeAuditJson(Output& out, const LoadedPlan& loaded, const AuditReport& report) {
  const bool is_known = !report.unknown_order;
  out << "{";
  writeList(out, "findings", report.findings, [](const Finding& finding) { return jsonOf(finding); });
  writeList(out, "coverage", report.coverage, [&](const Ledger& coverage) {
    return known(report, jsonOf(coverage), {"missing_ids", "duplicated_ids"});
  });
  writeList(out, "padding", report.coverage,
            [&](const Ledger& coverage) { return known(report, paddingOf(coverage), {"ids"}); });
  out << "\"ledger\": " << dumped(known(report, ledgerOf(report), {"run"})) << ",\n";
  out << "\"overlap\": " << dumped(overlapAsKnown(report)) << ",\n";
  out << "\"seeds\": " << dumped(is_known ? jsonOf(report.seeds) : Json(nullptr)) << ",\n";
  out << "\"lockstep\": " << dumped(jsonOf(report.lockstep)) << ",\n";
  out << "\"memory\": " << dumped(is_known ? jsonOf(report.memory) : Json(nullptr)) << ",\n";
  out << "\"unknown_order\": " << dumped(unknownOf(report)) << ",\n";
  out << "\"recorded\": " << dumped(recordedOf(loaded)) << "}\n";
}

/// The verdict first, then what was recorded, each finding, and the counts; for people. Colours are ANSI sequences.
void writeAuditText(Output& out, const LoadedPlan& loaded, const AuditReport& report, bool colours) {
  const Plan& plan = loaded.plan;
  const PipelineSpec& spec = plan.spec();
  out.style(colours ? "\033[1m" : "") << oneLine(spec.name) << ": " << verdictOf(loaded, report);
  out.style(colours ? "\033[0m" : "") << "\n";
  const std::int64_t epochs = loaded.judged ? loaded.judged->loader.spec.spec.epochs : plan.epochs();
  const ParallelGroups& groups = spec.world.groups;
  out << counted(spec.dataset.size, "sample") << ", " << counted(spec.worldSize(), "rank") << " (" << spec.world.text()
      << (groups.any() ? "; " + groups.text(spec.worldSize()) : "") << "), ";
  if (spec.sampler.type != sampling::kRecordedBatches) out << "batch_size " << grouped(spec.loader.batch_size) << ", ";
  out << sampling::samplerName(spec.sampler.type) << "; counted "
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
  if (!report.unknown_order) writeSeeds(out, report.seeds, spec.worldSize());
}

/// One test case a finding, for CI servers; error-level findings are failures.
void writeAuditJunit(Output& out, const Plan& plan, const AuditReport& report) {
  std::vector<JunitCase> cases;
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::Error) {
      cases.push_back({finding.code, bodyOf(finding), finding.code, finding.title});
    } else {
      cases.push_back(
          {finding.code, std::string(severityName(finding.severity)) + ": " + finding.title + ". " + bodyOf(finding)});
    }
  }
  writeJunit(out, "shardlens.audit." + plan.spec().name, cases);
}

struct AuditArgs {
  AuditedOptions audited;
  std::string format = "text";
};

bool wantsColours() {
  const char* refused = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || refused[0] == '\0');
}

int run(const AuditArgs& options) {
  Progress progress(options.audited.quiet);
  const auto answer = auditedPlan(options.audited, progress);
  if (const auto* issues = std::get_if<Issues>(&answer)) return fail(progress, *issues);
  progress.clear();
  const auto& [spec, report] = std::get<Audited>(answer);
  Output out;
  if (options.format == "json") {
    writeAuditJson(out, spec, report);
  } else if (options.format == "junit") {
    writeAuditJunit(out, spec.plan, report);
  } else {
    writeAuditText(out, spec, report, wantsColours());
  }
  const int code = out.finish();
  if (code != kFine) return code;
  if (report.hasErrors()) return kFindings;
  if (report.unknown_order) return exitCode(report.unknown_order->why.code);
  const Error* const why = spec.notJudged();
  return why != nullptr ? static_cast<int>(exitCode(why->code)) : static_cast<int>(kFine);
}

}  // namespace

void addAudit(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<AuditArgs>();
  options->audited.counts_suffice = true;
  Arguments verb(app, "audit", "Reports what is wrong with a plan: coverage, overlap, seeds, lockstep");
  addAudited(verb, options->audited);
  verb.addFormat(options->format, {"text", "json", "junit"});
  verb.addQuiet(options->audited.quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
