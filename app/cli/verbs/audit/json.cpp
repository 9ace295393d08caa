// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/audit/report.h"
#include "core/capture/word_parts.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace shardlens::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

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
  return {{"label", fix.label},
          {"price", fix.price.empty() ? Json(nullptr) : Json(fix.price)},
          {"edits", std::move(edits)},
          {"effect", jsonOf(fix.effect)}};
}

Json jsonOf(const Where& where) {
  return {{"ranks", where.ranks},         {"compared_ranks", orNull(where.compared_ranks)},
          {"epoch", orNull(where.epoch)}, {"step", orNull(where.step)},
          {"samples", where.samples},     {"field", where.field.empty() ? Json(nullptr) : Json(where.field)},
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
  for (const Ledger& ledger : report.coverage) {
    epochs.push_back({{"epoch", ledger.epoch},
                      {"handed_out", ledger.handed_out},
                      {"first_readings", ledger.seen},
                      {"repeats", jsonOf(ledger.repeats)},
                      {"dataset_size", ledger.dataset_size},
                      {"seen", ledger.seen},
                      {"missing", jsonOf(ledger.missing_by)}});
  }
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
  for (const SeedRow& row : seeds.rows) {
    rows.push_back({{"epoch", row.epoch},
                    {"rank", row.rank},
                    {"worker", row.worker},
                    {"seed", std::to_string(row.seed)},
                    {"stream", row.stream},
                    {"first_ids", firstIds(seeds, row)},
                    {"equal_to", row.equal_to}});
  }
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

std::string compactText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One element a line: a list of findings is read by people and by grep, too.
template <class Items, class Make>
void writeList(Output& out, std::string_view key, const Items& items, Make make) {
  out << "\"" << key << "\": [";
  std::string_view before = "\n  ";
  for (const auto& item : items) {
    out << before << compactText(make(item));
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
    for (const RankEpochShape& rank : shape.ranks) {
      ranks.push_back(
          {{"samples", rank.samples}, {"added", rank.added}, {"batches", rank.batches}, {"dropped", rank.dropped}});
    }
    epochs.push_back({{"epoch", shape.epoch.value}, {"ranks", std::move(ranks)}});
  }
  const Error& why = report.unknown_order->why;
  return {{"why", why.message}, {"field", why.place.field}, {"hint", why.hint}, {"epochs", std::move(epochs)}};
}

}  // namespace

void writeAuditJson(Output& out, const LoadedPlan& loaded, const AuditReport& report) {
  const bool is_known = !report.unknown_order;
  out << "{";
  writeList(out, "findings", report.findings, [](const Finding& finding) { return jsonOf(finding); });
  writeList(out, "coverage", report.coverage, [&](const Ledger& coverage) {
    return known(report, jsonOf(coverage), {"missing_ids", "duplicated_ids"});
  });
  writeList(out, "padding", report.coverage,
            [&](const Ledger& coverage) { return known(report, paddingOf(coverage), {"ids"}); });
  out << "\"ledger\": " << compactText(known(report, ledgerOf(report), {"run"})) << ",\n";
  out << "\"overlap\": " << compactText(overlapAsKnown(report)) << ",\n";
  out << "\"seeds\": " << compactText(is_known ? jsonOf(report.seeds) : Json(nullptr)) << ",\n";
  out << "\"lockstep\": " << compactText(jsonOf(report.lockstep)) << ",\n";
  out << "\"memory\": " << compactText(is_known ? jsonOf(report.memory) : Json(nullptr)) << ",\n";
  out << "\"unknown_order\": " << compactText(unknownOf(report)) << ",\n";
  out << "\"recorded\": " << compactText(recordedOf(loaded)) << "}\n";
}

}  // namespace shardlens::cli
