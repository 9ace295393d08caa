// SPDX-License-Identifier: Apache-2.0
// shardlens check SPEC [--epochs N] [--first-epoch E] [--format text|json|junit|sarif]: holds the plan against the
// budgets of its spec (check.budgets), and the audit's findings against check.findings. For CI: exit 0 when all are
// kept, 1 when one is broken or cannot be known.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "core/audit/budget.h"
#include "core/base/text.h"
#include "core/yaml/spec_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

/// One thing that the plan was held against: a budget of the spec, or a finding that the audit may not have.
struct CheckLine {
  std::string code;     ///< "budget-padded", or the code of the finding
  std::string title;    ///< what is demanded: "at most 0.1 % of the items are padding"
  std::string message;  ///< what the plan has, with the epoch
  std::string fix;      ///< what mends a finding; empty for budgets
  std::string field;    ///< of the spec that it is about; may be empty
  BudgetState state = BudgetState::Kept;
};

/// The answer of `shardlens check`.
struct CheckReport {
  std::string name;  ///< of the design
  std::string file;
  std::int64_t counted = 0, planned = 0;  ///< epochs
  std::vector<CheckLine> lines;           ///< budgets in the order of the spec, then findings

  /// Every line is kept: what is not known passes no check.
  [[nodiscard]] bool passes() const;
};

/// How the sentences name what a budget limits, and what it is counted in.
struct Words {
  const char* of;
  const char* title;
  const char* whole;
  const char* unknown = "";  ///< what it means that not all is known
};

constexpr std::array kWords = {
    Words{"missing", "Missing samples", "samples"},
    Words{"repeated", "Repeated readings, padding not counted", "items"},
    Words{"padded", "Padding", "items"},
    Words{"shared", "Samples that two ranks share", "samples of one of them", "not all ranks could be compared."},
    Words{"uneven", "Batches that the shortest rank has less than the longest", "batches"},
    Words{"same_epochs", "Epochs that repeat an earlier one", "epochs", "not all epochs could be compared."},
    Words{"colliding_seeds", "Processes with the seed of another one", "processes",
          "not every process has a known seed."},
};

const Words& wordsOf(const PipelineSpec::Check::Budget& budget) {
  return *std::ranges::find(kWords, budget.of, &Words::of);
}

std::string number(double value) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

/// "Padding: at most 0.1 %"
std::string titleOf(const PipelineSpec::Check::Budget& budget) {
  const bool is_percent = budget.unit == "percent";
  const bool is_whole = budget.most == std::floor(budget.most) && budget.most < 1e15;
  return std::string(wordsOf(budget).title) + ": at most " +
         (is_whole ? grouped(static_cast<std::int64_t>(budget.most)) : number(budget.most)) + (is_percent ? " %" : "");
}

/// "1 of 104 items (0.962 %) in epoch 0."
std::string messageOf(const BudgetResult& result) {
  std::string text = grouped(result.count);
  if (result.whole > 0) {
    const double percent = 100 * static_cast<double>(result.count) / static_cast<double>(result.whole);
    text += " of " + grouped(result.whole) + " " + wordsOf(result.budget).whole + " (" + number(percent) + " %)";
  }
  if (result.epoch) text += " in epoch " + std::to_string(*result.epoch);
  if (result.state != BudgetState::NotKnown) return text + ".";
  return text + " as far as is known: " + wordsOf(result.budget).unknown;
}

CheckLine lineOf(const BudgetResult& result, std::size_t index) {
  std::string code = "budget-" + result.budget.of;
  std::ranges::replace(code, '_', '-');
  return {code,        titleOf(result.budget), messageOf(result), {}, "check.budgets[" + std::to_string(index) + "]",
          result.state};
}

CheckLine lineOf(const Finding& finding) {
  const Fix* fix = finding.fix();
  return {
      finding.code,        finding.title,      finding.message + " " + finding.why, fix == nullptr ? "" : fix->label,
      finding.where.field, BudgetState::Broken};
}

bool CheckReport::passes() const {
  return std::ranges::all_of(lines, [](const CheckLine& line) { return line.state == BudgetState::Kept; });
}

CheckReport checkReport(const Plan& plan, const AuditReport& audit, const std::vector<BudgetResult>& budgets,
                        const std::string& file) {
  CheckReport report{plan.spec().name, file, static_cast<std::int64_t>(audit.coverage.size()), plan.epochs(), {}};
  for (std::size_t i = 0; i < budgets.size(); ++i) report.lines.push_back(lineOf(budgets[i], i));
  for (const Finding& finding : audit.findings) {
    if (failsCheck(plan.spec(), finding)) report.lines.push_back(lineOf(finding));
  }
  return report;
}

constexpr std::size_t kLineIndent = 11;

void writeLine(Output& out, const CheckLine& line) {
  std::string word = line.state == BudgetState::Kept     ? "kept"
                     : line.state == BudgetState::Broken ? "broken"
                                                         : "not known";
  word.resize(kLineIndent, ' ');
  out << word << line.title << "  [" << line.code << "]\n";
  writeWrapped(out, line.message, kLineIndent);
  if (!line.fix.empty()) writeWrapped(out, "Fix: " + line.fix, kLineIndent);
}

/// A line for each, the broken ones first.
void writeCheckText(Output& out, const CheckReport& report) {
  std::int64_t failing = 0;
  for (const BudgetState state : {BudgetState::Broken, BudgetState::NotKnown, BudgetState::Kept}) {
    for (const CheckLine& line : report.lines) {
      if (line.state != state) continue;
      writeLine(out, line);
      failing += state == BudgetState::Kept ? 0 : 1;
    }
  }
  const std::string epochs = report.counted == report.planned
                                 ? counted(report.planned, "epoch")
                                 : grouped(report.counted) + " of " + counted(report.planned, "epoch");
  out << (report.lines.empty() ? "" : "\n") << report.name << ": "
      << (failing > 0 ? counted(failing, "check") + " failed" : std::string("passed")) << ", " << epochs
      << " counted\n";
}

const char* stateName(BudgetState state) {
  if (state == BudgetState::Kept) return "kept";
  return state == BudgetState::Broken ? "broken" : "not_known";
}

/// What a line fails with, in one text.
std::string sentences(const CheckLine& line) {
  return line.title + ": " + line.message + (line.fix.empty() ? "" : " Fix: " + line.fix + ".");
}

/// Where the spec says it, or the place around that.
Json regionOf(const CheckLine& line, const yaml::ReadSpec& read) {
  const Place place = read.placed(Error::inField(ErrorCode::BadInput, line.field, {})).place;
  Json region = {{"startLine", place.line > 0 ? place.line : 1}};
  if (place.column > 0) region["startColumn"] = place.column;
  return region;
}

/// The object that resources/schemas/check.schema.json describes.
void writeCheckJson(Output& out, const CheckReport& report) {
  Json lines = Json::array();
  for (const CheckLine& line : report.lines)
    lines.push_back({{"code", line.code},
                     {"state", stateName(line.state)},
                     {"title", line.title},
                     {"message", line.message},
                     {"fix", orNull(line.fix)},
                     {"field", orNull(line.field)}});
  out << dumped({{"name", report.name},
                 {"passed", report.passes()},
                 {"epochs_counted", report.counted},
                 {"epochs", report.planned},
                 {"checks", std::move(lines)}},
                2)
      << "\n";
}

/// SARIF 2.1.0, which code hosts show beside the lines of the spec.
void writeCheckSarif(Output& out, const CheckReport& report, const yaml::ReadSpec& read) {
  Json rules = Json::array();
  Json results = Json::array();
  std::set<std::string> known;
  for (const CheckLine& line : report.lines) {
    if (known.insert(line.code).second) rules.push_back({{"id", line.code}});
    if (line.state == BudgetState::Kept) continue;
    results.push_back(
        {{"ruleId", line.code},
         {"level", "error"},
         {"message", {{"text", sentences(line)}}},
         {"locations",
          {{{"physicalLocation", {{"artifactLocation", {{"uri", report.file}}}, {"region", regionOf(line, read)}}}}}}});
  }
  const Json driver = {{"name", "ShardLens"}, {"rules", std::move(rules)}};
  out << dumped({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", {{{"tool", {{"driver", driver}}}, {"results", std::move(results)}}}}},
                2)
      << "\n";
}

/// One test case a line; what is broken or not known is a failure.
void writeCheckJunit(Output& out, const CheckReport& report) {
  std::vector<JunitCase> cases;
  for (const CheckLine& line : report.lines) {
    const bool is_kept = line.state == BudgetState::Kept;
    cases.push_back({line.code + ": " + line.title, line.message + (line.fix.empty() ? "" : " Fix: " + line.fix + "."),
                     is_kept ? "" : line.code, line.message});
  }
  writeJunit(out, "shardlens.check." + report.name, cases);
}

struct CheckArgs {
  AuditedOptions audited;
  std::string format = "text";
};

int write(const CheckReport& report, const yaml::ReadSpec& read, const std::string& format) {
  Output out;
  if (format == "json") {
    writeCheckJson(out, report);
  } else if (format == "junit") {
    writeCheckJunit(out, report);
  } else if (format == "sarif") {
    writeCheckSarif(out, report, read);
  } else {
    writeCheckText(out, report);
  }
  return out.finish();
}

int run(const CheckArgs& options) {
  Progress progress(options.audited.quiet);
  const auto answer = auditedPlan(options.audited, progress);
  if (const auto* issues = std::get_if<Issues>(&answer)) return fail(progress, *issues);
  const auto& [spec, audited] = std::get<Audited>(answer);
  if (const Error* why = spec.notJudged()) return fail(progress, *why);
  const auto budgets = checkBudgets(spec.plan, audited, progress.whole());
  progress.clear();
  if (!budgets) return fail(progress, spec.placed(budgets.error()));
  const CheckReport report = checkReport(spec.plan, audited, *budgets, options.audited.spec);
  const int code = write(report, spec.read, options.format);
  return code == kFine && !report.passes() ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addCheck(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<CheckArgs>();
  Arguments verb(app, "check", "Holds a plan against the budgets of its spec, for CI");
  addAudited(verb, options->audited);
  verb.addFormat(options->format, {"text", "json", "junit", "sarif"});
  verb.addQuiet(options->audited.quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
