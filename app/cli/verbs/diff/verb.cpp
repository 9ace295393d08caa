// SPDX-License-Identifier: Apache-2.0
// shardlens diff A B [--format text|json]: what changes in the data order between two specs; exit 1 when it does.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "core/base/text.h"
#include "core/plan/diff.h"
#include "core/sampling/registry.h"
#include "core/spec/field.h"
#include "core/spec/field_table.h"
#include "core/yaml/scalar.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

struct DiffArgs {
  std::string before;
  std::string after;
  std::string loader;
  std::string format = "text";
  bool quiet = false;
};

std::string batchText(const std::optional<std::vector<SampleIndex>>& batch) {
  return batch ? valueText(IndexList(*batch)) : "no batch";
}

std::string batchesText(const EpochDiff& epoch) {
  return grouped(epoch.batches) + (epoch.batches == 1 ? " batch" : " batches");
}

void writeDifference(Output& out, const EpochDiff& epoch) {
  out << "epoch " << epoch.epoch.value << ": " << grouped(epoch.differing) << " of " << batchesText(epoch)
      << " differ, first at step " << epoch.first->step.value << " of rank " << epoch.first->rank.value << ": "
      << batchText(epoch.first->before) << " -> " << batchText(epoch.first->after) << "\n";
}

/// One line for epochs in a row that are the same in both and have equally many batches.
void writeText(Output& out, const std::vector<EpochDiff>& epochs) {
  for (auto at = epochs.begin(); at != epochs.end();) {
    if (at->first) {
      writeDifference(out, *at++);
      continue;
    }
    const auto next = std::find_if(at, epochs.end(),
                                   [&](const EpochDiff& epoch) { return epoch.first || epoch.batches != at->batches; });
    if (next - at == 1) {
      out << "epoch " << at->epoch.value << ": the same " << batchesText(*at) << "\n";
    } else {
      out << "epochs " << at->epoch.value << (next - at == 2 ? " and " : " to ") << std::prev(next)->epoch.value
          << ": the same " << batchesText(*at) << " in each\n";
    }
    at = next;
  }
}

void writeText(Output& out, const std::vector<FieldChange>& fields) {
  out << (fields.empty() ? "the specs are equal\n" : "changed\n");
  std::size_t width = 0;
  for (const FieldChange& change : fields) width = std::max(width, change.path.size());
  for (const FieldChange& change : fields)
    out << "  " << change.path << std::string(width - change.path.size() + 2, ' ')
        << (change.before.empty() ? "-" : change.before) << " -> " << (change.after.empty() ? "-" : change.after)
        << "\n";
}

/// The changed fields, with lists of records as a spec says them.
std::vector<FieldChange> changesOf(const PipelineSpec& before, const PipelineSpec& after) {
  const auto write = [](const PipelineSpec& spec, const std::string& path, std::string& text) {
    const Field* field = findField(spec, sampling::catalogue(), path);
    if (field != nullptr && field->kind == FieldKind::Records) text = yaml::writeValue(*field, getValue(spec, *field));
  };
  std::vector<FieldChange> changes = changedFields(before, after);
  for (FieldChange& change : changes) {
    write(before, change.path, change.before);
    write(after, change.path, change.after);
  }
  return changes;
}

Json batchJson(const std::optional<std::vector<SampleIndex>>& batch) {
  return orNull(batch);
}

void writeJson(Output& out, const EpochDiff& epoch) {
  out << "{\"epoch\": " << epoch.epoch.value << ", \"batches\": " << epoch.batches
      << ", \"differing\": " << epoch.differing << ", \"first_difference\": ";
  if (!epoch.first) {
    out << "null}";
    return;
  }
  out << dumped({{"rank", epoch.first->rank.value},
                 {"step", epoch.first->step.value},
                 {"before", batchJson(epoch.first->before)},
                 {"after", batchJson(epoch.first->after)}})
      << "}";
}

void writeJson(Output& out, const std::vector<FieldChange>& fields, const std::vector<EpochDiff>& epochs,
               bool same_order) {
  Json changes = Json::array();
  for (const FieldChange& change : fields)
    changes.push_back({{"path", change.path}, {"before", change.before}, {"after", change.after}});
  out << "{\"same_order\": " << (same_order ? "true" : "false") << ",\n\"fields\": " << dumped(changes)
      << ",\n\"epochs\": [";
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    out << (i == 0 ? "\n" : ",\n");
    writeJson(out, epochs[i]);
  }
  out << "\n]}\n";
}

Result<std::vector<EpochDiff>> epochsOf(const Plan& before, const Plan& after, Progress& progress) {
  std::vector<EpochDiff> out;
  const PlanDiff diff(before, after);
  const std::int64_t epochs = std::max(before.epochs(), after.epochs());
  for (Epoch epoch{0}; epoch.value < epochs; ++epoch) {
    auto one = diff.epoch(epoch, progress.part(epoch.value, 1, epochs));
    if (!one) return one.error();
    out.push_back(std::move(*one));
  }
  return out;
}

/// --loader is for the recording of the two; with two specs it is a usage error.
Source sourceOf(const std::string& path, const std::string& other, const std::string& loader) {
  return {path, isRecording(path) || !isRecording(other) ? loader : std::string()};
}

int run(const DiffArgs& options) {
  Progress progress(options.quiet);
  const auto before = loadPlan(sourceOf(options.before, options.after, options.loader), progress.whole());
  if (const auto* issues = std::get_if<Issues>(&before)) return fail(progress, *issues);
  const auto after = loadPlan(sourceOf(options.after, options.before, options.loader), progress.whole());
  if (const auto* issues = std::get_if<Issues>(&after)) return fail(progress, *issues);
  const Plan& old_plan = std::get<LoadedPlan>(before).plan;
  const Plan& new_plan = std::get<LoadedPlan>(after).plan;
  const auto fields = changesOf(old_plan.spec(), new_plan.spec());
  const auto epochs = epochsOf(old_plan, new_plan, progress);
  if (!epochs) return fail(progress, epochs.error());
  const bool same = std::ranges::all_of(*epochs, [](const EpochDiff& epoch) { return epoch.differing == 0; });
  const auto out = std::make_unique<Output>(progress);
  if (options.format == "json") {
    writeJson(*out, fields, *epochs, same);
  } else {
    writeText(*out, fields);
    writeText(*out, *epochs);
  }
  const int written = out->finish();
  if (written != kFine) return written;
  return same ? kFine : kFindings;
}

}  // namespace

void addDiff(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<DiffArgs>();
  Arguments verb(app, "diff", "Shows what changes in the data order between two specs");
  verb.add("A", options->before, "spec file, or a recording").required();
  verb.add("B", options->after, "another spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
