// SPDX-License-Identifier: Apache-2.0
// shardlens find SPEC SAMPLE_ID [--format text|json]: the whole life of one sample. Writes some epochs at a time.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "core/audit/ledger.h"
#include "core/audit/sample_counts.h"
#include "core/base/text.h"
#include "core/plan/find_sample.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  return Error::inField(ErrorCode::Usage, "SAMPLE_ID", "there is no sample " + std::to_string(sample) + ".",
                        "the dataset has " + counted(size, "sample") + ", from 0");
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
    if (json_) *out_ << "], \"unknown_order\": null}\n";
    return out_->finish();
  }

 private:
  std::unique_ptr<Output> out_;
  bool json_;
};

/// How often the sampler of a rank yields the sample.
struct Yield {
  std::int64_t times = 0;
  std::int64_t dropped = 0;  ///< samples that the loader throws away on this rank
};

/// What is known of the sample in an epoch whose order is not.
struct Known {
  Epoch epoch;
  std::optional<std::int64_t> times;                   ///< in batches, over all ranks
  std::optional<std::map<std::int64_t, Yield>> ranks;  ///< those that get it
};

/// Of samples that are all read equally often, how often that is.
std::optional<std::int64_t> timesOfAll(const Ledger& ledger) {
  for (std::size_t times = 0; times + 1 < Tally::kMost && times < ledger.times_seen.size(); ++times) {
    if (ledger.times_seen[times] == ledger.dataset_size) return static_cast<std::int64_t>(times);
  }
  return std::nullopt;
}

Result<Known> knownOf(const CountedPlan& counted, Epoch epoch, SampleIndex sample, const Work& work) {
  Known known{epoch, {}, {}};
  const auto shape = counted.stand_in.epochShape(epoch, work);
  if (!shape) return shape.error();
  if (counted.known != sampling::SeedFree::Samples) {
    if (!counted.knowsReadings(*shape)) return known;
    const auto ledger = ledgerOf(counted.stand_in, epoch, work);
    if (!ledger) return ledger.error();
    known.times = timesOfAll(*ledger);
    return known;
  }
  const auto sightings = findSample(counted.stand_in, epoch, sample, work);
  if (!sightings) return sightings.error();
  known.ranks.emplace();
  for (const Sighting& one : *sightings) {
    Yield& yield = (*known.ranks)[one.rank.value];
    ++yield.times;
    yield.dropped = shape->ranks[static_cast<std::size_t>(one.rank.value)].dropped;
  }
  const bool may_drop = std::ranges::any_of(*known.ranks, [](const auto& rank) { return rank.second.dropped > 0; });
  if (!may_drop) known.times = static_cast<std::int64_t>(sightings->size());
  return known;
}

void writeText(Output& out, const Known& known) {
  out << "epoch " << known.epoch.value << "  ";
  if (!known.ranks) {
    if (known.times) out << "in " << counted(*known.times, "batch") << ", as every sample is; whose is not known\n";
    if (!known.times) out << "not known which rank gets it, and how often\n";
    return;
  }
  if (known.ranks->empty()) out << "never: no rank gets it\n";
  std::string_view indent;
  for (const auto& [rank, yield] : *known.ranks) {
    out << indent << "rank " << rank << "  " << (yield.times == 1 ? "once" : counted(yield.times, "time"));
    if (yield.dropped > 0)
      out << ", or dropped: loader.drop_last drops " << counted(yield.dropped, "sample") << " of this rank";
    out << "\n";
    indent = "         ";
  }
}

void writeJson(Output& out, const Known& known) {
  out << "{\"epoch\": " << known.epoch.value << ", \"times\": ";
  known.times ? out << *known.times : out << "null";
  out << ", \"ranks\": ";
  if (!known.ranks) {
    out << "null}";
    return;
  }
  std::string_view before = "[";
  for (const auto& [rank, yield] : *known.ranks) {
    out << before << "{\"rank\": " << rank << ", \"times\": " << yield.times << ", \"dropped\": " << yield.dropped
        << "}";
    before = ", ";
  }
  out << (known.ranks->empty() ? "[]}" : "]}");
}

void writeText(Output& out, const Error& why, const std::vector<Known>& epochs) {
  for (const Known& known : epochs) writeText(out, known);
  out << "In which step is not known: the order is " << why.message << "\n";
}

void writeJson(Output& out, const Error& why, SampleIndex sample, const std::vector<Known>& epochs) {
  const auto quoted = [](const std::string& text) { return nlohmann::json(text).dump(-1, ' ', false); };
  out << "{\"sample\": " << sample << ", \"epochs\": [], \"unknown_order\": {\"why\": " << quoted(why.message)
      << ", \"field\": " << quoted(why.place.field) << ", \"hint\": " << quoted(why.hint) << ", \"epochs\": [";
  for (const Known& known : epochs) {
    out << (&known == epochs.data() ? "\n " : ",\n ");
    writeJson(out, known);
  }
  out << "]}}\n";
}

/// Exits as an error does: what was asked for is not known.
int findCounted(const LoadedPlan& spec, Progress& progress, const FindArgs& options) {
  const CountedPlan& plan = *spec.counted;
  std::vector<Known> epochs;
  bool is_known = false;
  for (Epoch epoch{0}; epoch.value < plan.stand_in.epochs(); ++epoch) {
    auto known = knownOf(plan, epoch, options.sample, progress.part(epoch.value, 1, plan.stand_in.epochs()));
    if (!known) return fail(progress, spec.placed(known.error()));
    is_known = is_known || known->times || known->ranks;
    epochs.push_back(*std::move(known));
  }
  if (!is_known) return fail(progress, spec.placed(plan.why));
  progress.clear();
  Output out;
  options.format == "json" ? writeJson(out, plan.why, options.sample, epochs) : writeText(out, plan.why, epochs);
  const int code = out.finish();
  return code == kFine ? static_cast<int>(exitCode(plan.why.code)) : code;
}

int findPlanned(const LoadedPlan& spec, Progress& progress, const FindArgs& options) {
  const Plan& plan = spec.plan;
  const std::int64_t size = plan.spec().dataset.size;
  if (options.sample < 0 || options.sample >= size) return fail(progress, outside(options.sample, size));
  if (spec.counted) return findCounted(spec, progress, options);
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
  const auto loaded = loadPlan({options.spec, options.loader, false, true, true}, progress.whole());
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
