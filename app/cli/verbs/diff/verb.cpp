// SPDX-License-Identifier: Apache-2.0
// shardlens diff A B [--format text|json]: what changes in the data order between two specs; exit 1 when it does.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/base/text.h"
#include "core/plan/diff.h"
#include "core/spec/field.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace shardlens::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string before;
  std::string after;
  std::string format = "text";
};

struct Difference {
  std::vector<FieldChange> fields;
  std::vector<EpochDiff> epochs;

  [[nodiscard]] bool changesOrder() const {
    return std::any_of(epochs.begin(), epochs.end(), [](const EpochDiff& epoch) { return epoch.differing > 0; });
  }
};

std::string batchText(const std::optional<std::vector<SampleIndex>>& batch) {
  return batch ? valueText(IndexList(*batch)) : "no batch";
}

std::string epochText(const EpochDiff& epoch) {
  const std::string name = "epoch " + std::to_string(epoch.epoch.value) + ": ";
  const std::string all = grouped(epoch.batches) + (epoch.batches == 1 ? " batch" : " batches");
  if (!epoch.first) return name + "the same " + all + "\n";
  return name + grouped(epoch.differing) + " of " + all + " differ, first at step " +
         std::to_string(epoch.first->step.value) + " of rank " + std::to_string(epoch.first->rank.value) + ": " +
         batchText(epoch.first->before) + " -> " + batchText(epoch.first->after) + "\n";
}

std::string textOf(const Difference& difference) {
  std::string out = difference.fields.empty() ? "both specs say the same\n" : "changed\n";
  std::size_t width = 0;
  for (const FieldChange& change : difference.fields) width = std::max(width, change.path.size());
  for (const FieldChange& change : difference.fields) {
    out += "  " + change.path + std::string(width - change.path.size() + 2, ' ') +
           (change.before.empty() ? "-" : change.before) + " -> " + (change.after.empty() ? "-" : change.after) + "\n";
  }
  for (const EpochDiff& epoch : difference.epochs) out += epochText(epoch);
  return out;
}

Json batchJson(const std::optional<std::vector<SampleIndex>>& batch) {
  return batch ? Json(*batch) : Json(nullptr);
}

Json epochJson(const EpochDiff& epoch) {
  Json json = {{"epoch", epoch.epoch.value}, {"batches", epoch.batches}, {"differing", epoch.differing}};
  json["first_difference"] = nullptr;
  if (epoch.first) {
    json["first_difference"] = {{"rank", epoch.first->rank.value},
                                {"step", epoch.first->step.value},
                                {"before", batchJson(epoch.first->before)},
                                {"after", batchJson(epoch.first->after)}};
  }
  return json;
}

std::string jsonOf(const Difference& difference) {
  Json json = {{"same_order", !difference.changesOrder()}, {"fields", Json::array()}, {"epochs", Json::array()}};
  for (const FieldChange& change : difference.fields) {
    json["fields"].push_back({{"path", change.path}, {"before", change.before}, {"after", change.after}});
  }
  for (const EpochDiff& epoch : difference.epochs) json["epochs"].push_back(epochJson(epoch));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Difference> differenceOf(const Plan& before, const Plan& after) {
  Difference difference{changedFields(before.spec(), after.spec()), {}};
  const std::int64_t epochs = std::max(before.epochs(), after.epochs());
  Progress progress;
  for (Epoch epoch{0}; epoch.value < epochs; ++epoch) {
    auto one = diffEpoch(before, after, epoch, progress.part(epoch.value, 1, epochs));
    if (!one) return one.error();
    difference.epochs.push_back(std::move(*one));
  }
  return difference;
}

int run(const Options& options) {
  const auto before = loadPlan(options.before);
  if (const auto* issues = std::get_if<Issues>(&before)) return fail(*issues);
  const auto after = loadPlan(options.after);
  if (const auto* issues = std::get_if<Issues>(&after)) return fail(*issues);
  const auto difference = differenceOf(std::get<Plan>(before), std::get<Plan>(after));
  if (!difference) return fail(difference.error());
  const auto out = std::make_unique<Output>();
  *out << (options.format == "json" ? jsonOf(*difference) : textOf(*difference));
  const int written = out->finish();
  if (written != kFine) return written;
  return difference->changesOrder() ? kFindings : kFine;
}

}  // namespace

void addDiff(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  Arguments verb(app, "diff", "What changes in the data order between two specs");
  verb.add("A", options->before, "a spec file").required();
  verb.add("B", options->after, "another one").required();
  verb.addFormat(options->format);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
