// SPDX-License-Identifier: Apache-2.0
// shardlens find SPEC SAMPLE_ID [--format text|json]: the whole life of one sample. Writes some epochs at a time.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/base/text.h"
#include "core/plan/find_sample.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

constexpr std::int64_t kEpochsAtOnce = 64;

struct FindArgs {
  std::string spec;
  std::string loader;
  SampleIndex sample = 0;
  std::string format = "text";
  bool quiet = false;
};

void writeText(Output& out, Epoch epoch, const Sighting& sighting) {
  out << "epoch " << epoch.value << "  rank " << sighting.rank.value;
  if (sighting.step) {
    out << "  step " << sighting.step->value << "  item " << sighting.item << " of the batch";
    if (sighting.worker >= 0) out << "  worker " << sighting.worker;
  } else if (sighting.worker >= 0) {
    out << "  in no batch: loader.drop_last drops worker " << sighting.worker << "'s own short one";
  } else {
    out << "  in no batch: loader.drop_last drops the short last one";
  }
  out << (sighting.padding ? "  (padding)\n" : "\n");
}

void writeText(Output& out, Epoch epoch, const std::vector<Sighting>& sightings) {
  if (sightings.empty()) out << "epoch " << epoch.value << "  never: no rank gets it\n";
  for (const Sighting& sighting : sightings) writeText(out, epoch, sighting);
}

void writeJson(Output& out, const Sighting& sighting) {
  out << "{\"rank\": " << sighting.rank.value;
  if (sighting.step) out << ", \"step\": " << sighting.step->value;
  out << ", \"item\": " << sighting.item;
  if (sighting.step || sighting.worker >= 0) out << ", \"worker\": " << sighting.worker;
  out << ", \"padding\": " << (sighting.padding ? "true}" : "false}");
}

/// Those that are in a batch, or those that are in none.
void writeJson(Output& out, const std::vector<Sighting>& sightings, bool in_batch) {
  bool first = true;
  for (const Sighting& sighting : sightings) {
    if (sighting.step.has_value() != in_batch) continue;
    if (!first) out << ", ";
    first = false;
    writeJson(out, sighting);
  }
}

void writeJson(Output& out, Epoch epoch, const std::vector<Sighting>& sightings) {
  out << (epoch.value == 0 ? "\n" : ",\n") << " {\"epoch\": " << epoch.value << ", \"seen\": [";
  writeJson(out, sightings, true);
  out << "], \"dropped\": [";
  writeJson(out, sightings, false);
  out << "]}";
}

Error outside(SampleIndex sample, std::int64_t size) {
  return Error{ErrorCode::Usage, "there is no sample " + std::to_string(sample) + ".", Place{{}, 0, 0, "SAMPLE_ID"},
               "the dataset has " + counted(size, "sample") + ", from 0"};
}

/// Writes one epoch after the other.
class Answer {
 public:
  Answer(Progress& progress, const FindArgs& options)
      : out_(std::make_unique<Output>(progress)), json_(options.format == "json") {
    if (json_) *out_ << "{\"sample\": " << options.sample << ", \"epochs\": [";
  }
  void add(Epoch epoch, const std::vector<Sighting>& sightings) {
    json_ ? writeJson(*out_, epoch, sightings) : writeText(*out_, epoch, sightings);
  }
  int finish() {
    if (json_) *out_ << "]}\n";
    return out_->finish();
  }

 private:
  std::unique_ptr<Output> out_;
  bool json_;
};

int findPlanned(const LoadedPlan& spec, Progress& progress, const FindArgs& options) {
  const Plan& plan = spec.plan;
  const std::int64_t size = plan.spec().dataset.size;
  if (options.sample < 0 || options.sample >= size) return fail(progress, outside(options.sample, size));
  Answer answer(progress, options);
  for (std::int64_t first = 0; first < plan.epochs(); first += kEpochsAtOnce) {
    const std::int64_t count = std::min(kEpochsAtOnce, plan.epochs() - first);
    const auto found =
        findSample(plan, Epoch{first}, count, options.sample, progress.part(first, count, plan.epochs()));
    if (!found) return fail(progress, spec.placed(found.error()));
    for (std::int64_t i = 0; i < count; ++i) answer.add(Epoch{first + i}, (*found)[static_cast<std::size_t>(i)]);
  }
  return answer.finish();
}

int run(const FindArgs& options) {
  Progress progress(options.quiet);
  const auto loaded = loadPlan({options.spec, options.loader}, progress.whole());
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  return findPlanned(std::get<LoadedPlan>(loaded), progress, options);
}

}  // namespace

void addFind(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<FindArgs>();
  Arguments verb(app, "find", "Finds one sample: which rank gets it, and when, in every epoch");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  verb.add("SAMPLE_ID", options->sample, "id of the sample in the dataset, counted from 0").required();
  addLoader(verb, options->loader);
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
