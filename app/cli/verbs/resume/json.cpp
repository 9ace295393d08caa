// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/resume/output.h"

#include <nlohmann/json.hpp>

namespace shardlens::cli {
namespace {

using Json = nlohmann::ordered_json;

Json errorJson(const ResumeWay& way) {
  if (!way.error) return nullptr;
  return {{"raised", way.error->raised.empty() ? Json(nullptr) : Json(way.error->raised)},
          {"message", way.error->message},
          {"hint", way.error->hint}};
}

Json notesJson(const ResumeWay& way) {
  Json notes = Json::array();
  for (const Note& note : way.notes) {
    notes.push_back({{"severity", severityName(note.severity)}, {"text", note.text}});
  }
  return notes;
}

Json batchesJson(const ResumeOutcome& outcome) {
  Json batches = Json::array();
  for (const ResumedBatch& batch : outcome.first) {
    batches.push_back({{"rank", batch.rank.value},
                       {"step", batch.step.value},
                       {"samples", batch.samples},
                       {"repeated", batch.repeated}});
  }
  return batches;
}

Json outcomeJson(const JudgedWay& judged) {
  if (!judged.outcome) return nullptr;
  const ResumeOutcome& outcome = *judged.outcome;
  return {{"trained", judged.trained},
          {"planned", judged.planned},
          {"steps", outcome.steps},
          {"samples", outcome.items},
          {"repeated", outcome.repeated},
          {"surplus", outcome.surplus},
          {"lost", outcome.lost},
          {"missed", outcome.missed},
          {"added", outcome.added},
          {"skipped", outcome.skipped},
          {"skipped_untrained", outcome.skipped_untrained},
          {"repeated_ids", outcome.repeated_ids},
          {"lost_ids", outcome.lost_ids},
          {"skipped_untrained_ids", outcome.skipped_untrained_ids},
          {"first_batches", batchesJson(outcome)}};
}

Json worldJson(const PipelineSpec::World& world) {
  const IndexList& list = world.ranks_per_node.list();
  const Json ranks = list.empty() ? Json(world.mostRanksOnNode()) : Json(list.items());
  return {{"nodes", world.nodes}, {"ranks_per_node", ranks}};
}

}  // namespace

std::string resumeJson(const ResumeAnswer& answer) {
  Json json = {{"name", answer.spec.name},
               {"epoch", answer.point.epoch.value},
               {"at", answer.point.steps},
               {"stopped_world", worldJson(answer.spec.world)},
               {"resumed_world", worldJson(answer.point.world)},
               {"stopped_batch_size", answer.spec.loader.batch_size},
               {"resumed_batch_size", answer.point.batch_size.value_or(answer.spec.loader.batch_size)}};
  json["ways"] = Json::array();
  for (const JudgedWay& judged : answer.ways) {
    const ResumeWay& way = judged.way;
    json["ways"].push_back({{"id", way.id},
                            {"title", way.title},
                            {"rule", way.rule},
                            {"notes", notesJson(way)},
                            {"verdict", resumeVerdictName(judged.verdict)},
                            {"summary", verdictText(judged)},
                            {"error", errorJson(way)},
                            {"outcome", outcomeJson(judged)}});
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shardlens::cli
