// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/lens/output.h"
#include "core/lens/head.h"

#include <nlohmann/json.hpp>

namespace shardlens::cli {
namespace {

using Json = nlohmann::ordered_json;

Json textOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json errorJson(const LensColumn& column) {
  if (!column.error) return nullptr;
  return {{"raised", textOrNull(column.error->raised)},
          {"message", column.error->message},
          {"when", textOrNull(column.when)}};
}

Json notesJson(const LensColumn& column) {
  Json notes = Json::array();
  for (const Note& note : column.notes) {
    notes.push_back({{"severity", severityName(note.severity)}, {"text", note.text}});
  }
  return notes;
}

Json orderJson(const JudgedColumn& judged) {
  if (!judged.hasOrder()) return nullptr;
  Json first = nullptr;
  const BatchDifferences* differences = judged.differences.get();
  if (differences != nullptr && differences->first()) {
    first = {{"rank", differences->first()->rank.value}, {"step", differences->first()->step.value}};
  }
  const SampleComparison samples = judged.samples.value_or(SampleComparison{});
  const std::string relation = differences == nullptr ? "the same order" : relationText(judged);
  Json batches = Json::array();
  for (const LensBatch& batch : judged.first) {
    batches.push_back({{"rank", batch.rank.value},
                       {"step", batch.step.value},
                       {"samples", batch.samples},
                       {"differs", batch.differs}});
  }
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
          {"remedy_of", textOrNull(column.remedy_of)},
          {"sampler", column.sampler},
          {"makes", column.makes},
          {"notes", notesJson(column)},
          {"verdict", lensVerdictName(judged.verdict)},
          {"head", headOf(judged).text},
          {"summary", verdictText(judged)},
          {"shares", sharesJson(judged)},
          {"change", textOrNull(changeText(report.spec, column))},
          {"cost", textOrNull(costText(judged, report.columns.front()))},
          {"error", errorJson(column)},
          {"order", orderJson(judged)}};
}

}  // namespace

std::string lensJson(const LensReport& report) {
  Json json = {{"name", report.spec.name}, {"epoch", report.epoch.value}, {"world_size", report.spec.worldSize()}};
  json["columns"] = Json::array();
  for (const JudgedColumn& judged : report.columns) json["columns"].push_back(columnJson(judged, report));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shardlens::cli
