// SPDX-License-Identifier: Apache-2.0
// shardlens resume SPEC --at STEP --world W [--batch-size B] [--epoch E] [--format text|json]: what a restart repeats,
// skips and loses.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/verbs/resume/output.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "core/spec/field_table.h"

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace shardlens::cli {
namespace {

constexpr std::int64_t kMostRanks = 1'000'000;

struct ResumeArgs {
  std::string spec;
  std::string loader;
  std::int64_t at = 0;
  std::string world;
  std::int64_t epoch = 0;
  std::optional<std::int64_t> batch_size;
  std::string format = "text";
  bool quiet = false;
};

/// A whole number from 1 on, or nothing.
std::optional<std::int64_t> numberIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = code == std::errc() && end == text.data() + text.size();
  return whole && number > 0 && number <= kMostRanks ? std::optional(number) : std::nullopt;
}

/// "2,1": one number for each node.
Result<PipelineSpec::World> listedWorld(const std::string& text, PipelineSpec spec) {
  const Field& field = *findField(spec, sampling::catalogue(), "world.ranks_per_node");
  auto list = parseValue(field, text);
  if (!list) return list.error();
  const Edit edit{field.path, *std::move(list)};
  auto edited = applyEdits(std::move(spec), {&edit, 1}, sampling::catalogue());
  return edited ? Result<PipelineSpec::World>(edited->world) : edited.error();
}

/// "8", "2x4" for nodes and ranks per node, or "2,1" for those of each node; the spec's own world when nothing is asked
/// for.
Result<PipelineSpec::World> worldIn(const std::string& text, const PipelineSpec& spec) {
  if (text.empty()) return spec.world;
  if (text.find(',') != std::string::npos) return listedWorld(text, spec);
  const std::size_t cross = text.find('x');
  const auto first = numberIn(std::string_view(text).substr(0, cross));
  const auto second = cross == std::string::npos ? 1 : numberIn(std::string_view(text).substr(cross + 1));
  if (first && second) return cross == std::string::npos ? worldOf(spec, *first) : PipelineSpec::World{*first, *second};
  return Error{ErrorCode::Usage,
               "'" + text + "' is not a world size.",
               {},
               "give at most " + grouped(kMostRanks) +
                   " ranks: a number, 8, nodes and ranks per node, 2x4, or the ranks of each node, 2,1"};
}

int run(const ResumeArgs& options) {
  Progress progress(options.quiet);
  const auto loaded = loadPlan({options.spec, options.loader}, progress.whole());
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  const PipelineSpec& spec = std::get<LoadedPlan>(loaded).plan.spec();
  const auto world = worldIn(options.world, spec);
  if (!world) return fail(progress, world.error());
  ResumeAnswer answer{spec, {Epoch{options.epoch}, options.at, *world}, {}};
  if (options.batch_size != spec.loader.batch_size) answer.point.batch_size = options.batch_size;
  auto ways = resumeReport(spec, answer.point, {.first_batches = options.format == "json"}, progress.whole());
  progress.clear();
  if (!ways) return fail(progress, std::get<LoadedPlan>(loaded).placed(ways.error()));
  answer.ways = *std::move(ways);
  const auto out = std::make_unique<Output>();
  if (options.format == "json") {
    *out << resumeJson(answer);
  } else {
    writeResumeText(*out, answer);
  }
  return out->finish();
}

}  // namespace

void addResume(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ResumeArgs>();
  Arguments verb(app, "resume", "Shows what a restart in the middle of an epoch repeats, skips and loses");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.add("--at", options->at, "steps that each rank has finished in the epoch").required();
  verb.add("--world", options->world,
           "ranks of the resumed run: 8, 2x4 for nodes and ranks per node, or 2,1 for those of each node; default: "
           "the spec's");
  verb.add("--batch-size", options->batch_size, "batch_size of the resumed run; default: the spec's");
  verb.add("--epoch", options->epoch, "epoch that was interrupted");
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
