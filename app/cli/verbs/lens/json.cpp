// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/lens/report.h"

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

Json orderJson(const SeenColumn& seen) {
  if (!seen.comparison) return nullptr;
  Json first = nullptr;
  if (seen.comparison->first) {
    first = {{"rank", seen.comparison->first->rank.value}, {"step", seen.comparison->first->step.value}};
  }
  Json batches = Json::array();
  for (const LensBatch& batch : seen.first) {
    batches.push_back({{"rank", batch.rank.value},
                       {"step", batch.step.value},
                       {"samples", batch.samples},
                       {"differs", batch.differs}});
  }
  return {{"batches", seen.batches},
          {"samples", seen.items},
          {"relation", relationText(seen)},
          {"only_as_written", seen.samples.only_first},
          {"only_here", seen.samples.only_second},
          {"compared", seen.comparison->batches},
          {"differing", seen.comparison->differing},
          {"first_difference", first},
          {"first_batches", batches}};
}

Json columnJson(const SeenColumn& seen) {
  const LensColumn& column = seen.column;
  return {{"id", column.id},
          {"title", column.title},
          {"remedy_of", textOrNull(column.remedy_of)},
          {"sampler", column.sampler},
          {"makes", column.makes},
          {"notes", notesJson(column)},
          {"error", errorJson(column)},
          {"order", orderJson(seen)}};
}

}  // namespace

std::string lensJson(const LensReport& report) {
  Json json = {{"name", report.spec.name}, {"epoch", report.epoch.value}, {"world_size", report.spec.worldSize()}};
  json["columns"] = Json::array();
  for (const SeenColumn& seen : report.columns) json["columns"].push_back(columnJson(seen));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shardlens::cli
