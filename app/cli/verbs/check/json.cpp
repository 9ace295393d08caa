// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/check/report.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace shardlens::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* stateName(BudgetState state) {
  switch (state) {
    case BudgetState::Kept:
      return "kept";
    case BudgetState::Broken:
      return "broken";
    case BudgetState::NotKnown:
      break;
  }
  return "not_known";
}

Json orNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// What a line fails with, in one text.
std::string sentences(const CheckLine& line) {
  return line.title + ": " + line.message + (line.fix.empty() ? "" : " Fix: " + line.fix + ".");
}

/// Where the spec says it, or the place around that.
Json regionOf(const CheckLine& line, const yaml::ReadSpec& read) {
  const Place place = read.placed(Error{ErrorCode::BadInput, {}, {{}, 0, 0, line.field}, {}}).place;
  Json region = {{"startLine", place.line > 0 ? place.line : 1}};
  if (place.column > 0) region["startColumn"] = place.column;
  return region;
}

}  // namespace

void writeCheckJson(Output& out, const CheckReport& report) {
  Json lines = Json::array();
  for (const CheckLine& line : report.lines) {
    lines.push_back({{"code", line.code},
                     {"state", stateName(line.state)},
                     {"title", line.title},
                     {"message", line.message},
                     {"fix", orNull(line.fix)},
                     {"field", orNull(line.field)}});
  }
  out << document({{"name", report.name},
                   {"passed", report.passes()},
                   {"epochs_counted", report.counted},
                   {"epochs", report.planned},
                   {"checks", std::move(lines)}});
}

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
  out << document({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", {{{"tool", {{"driver", driver}}}, {"results", std::move(results)}}}}});
}

}  // namespace shardlens::cli
