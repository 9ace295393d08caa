// SPDX-License-Identifier: Apache-2.0
#include "core/resume/resume.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/lens/lens.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "core/spec/validate.h"

#include <algorithm>
#include <string_view>

namespace shardlens {
namespace {

/// Which rule resumes runs that a framework's samplers deal; a loop of the user's own where none is listed.
struct OfFramework {
  std::string_view framework;
  resumes::Rule rule;
};
constexpr OfFramework kOfFramework[] = {
    {"accelerate", resumes::accelerate},
    {"datasets", resumes::datasets},
    {"deepspeed", resumes::asBefore},
    {"detectron2", resumes::detectron2},
    {"fairseq", resumes::fairseq},
    {"ffcv", resumes::asBefore},
    {"grain", resumes::grain},
    {"litdata", resumes::asBefore},
    {"llmc", resumes::asBefore},
    {"megatron", resumes::megatron},
    {"megatron_bridge", resumes::asBefore},
    {"mmdet", resumes::asBefore},
    {"mmengine", resumes::mmengine},
    {"nanogpt", resumes::asBefore},
    {"olmo_core", resumes::asBefore},
    {"paddle", resumes::asBefore},
    {"recorded", resumes::recorded},
    {"streaming", resumes::streaming},
    {"timm", resumes::timm},
    {"torchdata", resumes::torchdata},
    {"webdataset", resumes::webDataset},
    {"yolov5", resumes::asBefore},
};

/// Which rule resumes the runs of a lens's column, in the order of the ways.
struct OfColumn {
  std::string_view id;
  resumes::Rule rule;
};
constexpr OfColumn kOfColumn[] = {
    {"lightning", resumes::lightning},       {"accelerate", resumes::accelerate},
    {"transformers", resumes::transformers}, {"streaming", resumes::streaming},
    {"deepspeed", resumes::deepSpeed},       {"megatron", resumes::megatron},
    {"mmengine", resumes::mmengine},         {"timm", resumes::timm},
    {"torchdata", resumes::torchdata},       {"detectron2", resumes::detectron2},
    {"fairseq", resumes::fairseq},           {"grain", resumes::grain},
    {"webdataset", resumes::webDataset},
};

resumes::Rule ruleOf(const PipelineSpec& spec) {
  const auto known = std::ranges::find(kOfFramework, sampling::frameworkOf(spec.sampler.type), &OfFramework::framework);
  return known == std::ranges::end(kOfFramework) ? resumes::script : known->rule;
}

/// The column of the framework that the spec says it is run by, beside its sampler's; empty: none.
std::string_view ownColumn(const PipelineSpec& spec) {
  return spec.framework.lightning == PipelineSpec::Framework::Lightning{} ? "" : "lightning";
}

bool hasWay(const std::vector<ResumeWay>& ways, const std::string& id) {
  return std::ranges::find(ways, id, &ResumeWay::id) != ways.end();
}

/// A framework may refuse the design, or deal the epoch in fewer steps than the spec's own sampler.
void checkStopped(ResumeWay& way, const ResumePoint& point, const Work& work) {
  if (!way.goes_on || point.steps == 0) return;
  PipelineSpec spec = way.stopped;
  spec.epochs = std::max(spec.epochs, point.epoch.value + 1);
  const auto plan = Plan::make(std::move(spec));
  const Result<std::int64_t> steps = plan ? plan->steps(point.epoch, work) : plan.error();
  if (steps && point.steps <= *steps) return;
  way.goes_on.reset();
  way.error =
      steps ? Error{ErrorCode::Unsupported,
                    filled(worded("resume", "Its epoch has %1: it ends before the stop."), wordedCount(*steps, "step")),
                    {},
                    worded("resume", "stop earlier")}
            : steps.error();
}

/// A column may deal one rank's data by another sampler than several ranks': what was dealt by the first is then no
/// design of the restart.
void checkSampler(ResumeWay& way, const LensColumn& column, const std::vector<LensColumn>& resumed,
                  const ResumePoint& point) {
  const auto after = std::ranges::find(resumed, column.id, &LensColumn::id);
  if (!way.goes_on || after == resumed.end() || !after->spec) return;
  if (after->spec->sampler.type == column.spec->sampler.type) return;
  way.goes_on.reset();
  way.error = Error{
      ErrorCode::Unsupported,
      filled(worded("resume", "It uses another sampler on %1 than on %2: ShardLens does not compute what follows."),
             wordedCount(point.world.size(), "rank"), wordedCount(column.spec->worldSize(), "rank")),
      {},
      worded("resume", "restart with as many ranks, or at the end of an epoch")};
}

void sortNotes(ResumeWay& way) {
  std::ranges::stable_sort(way.notes, {}, [](const Note& note) { return static_cast<int>(note.severity); });
}

/// The limits of a spec's own world and batch_size.
Result<void> checkRestart(const PipelineSpec& spec, const ResumePoint& point) {
  if (point.batch_size) {
    const Edit edit{"loader.batch_size", *point.batch_size};
    const auto edited = applyEdits(spec, {&edit, 1}, sampling::catalogue());
    if (!edited) return Error{ErrorCode::Usage, edited.error().message, {}, edited.error().hint};
  }
  const Issues issues = problemsOf(point.world);
  if (issues.empty()) return {};
  const std::string& field = issues[0].place.field;
  return Error{ErrorCode::Usage,
               filled(worded("resume", "the restart cannot use this world: %1"),
                      (field == "world" ? "" : field + ": ") + issues[0].message),
               {},
               issues[0].hint};
}

}  // namespace

std::vector<ResumeWay> resumeWays(const PipelineSpec& spec, const ResumePoint& point, const Work& work) {
  const Work quiet{work.stop, {}};  // counting is a small part of what follows
  const resumes::Rule rule = ruleOf(spec);
  const std::string_view framework = sampling::frameworkOf(spec.sampler.type);
  std::vector<ResumeWay> ways = rule(spec, point, quiet);
  for (ResumeWay& way : ways) way.of_design = true;
  const std::vector<LensColumn> columns = lensColumns(spec);
  const std::vector<LensColumn> resumed = lensColumns(resumes::resumedSpec(spec, point));
  for (const OfColumn& of : kOfColumn) {
    if (work.stopped()) return ways;
    const auto column = std::ranges::find(columns, of.id, &LensColumn::id);
    if (column == columns.end() || !column->spec) continue;
    // Its sampler keeps a state that the column of the framework's own distributed loader knows nothing of.
    if (of.id == framework && rule == resumes::asBefore) continue;
    for (ResumeWay& way : of.rule(*column->spec, point, quiet)) {
      if (hasWay(ways, way.id)) continue;
      checkStopped(way, point, quiet);
      checkSampler(way, *column, resumed, point);
      way.of_design = of.id == ownColumn(spec);
      ways.push_back(std::move(way));
    }
  }
  (void)std::stable_partition(ways.begin(), ways.end(), [](const ResumeWay& way) { return way.of_design; });
  std::ranges::for_each(ways, sortNotes);
  return ways;
}

Result<std::int64_t> checkResumePoint(const PipelineSpec& spec, const ResumePoint& point,
                                      std::optional<std::int64_t> counted) {
  const auto plan = Plan::make(spec);
  if (!plan) return plan.error();
  if (spec.world.groups.ranksOfModel() > 1)
    return Error{
        ErrorCode::Unsupported,
        worded("resume", "it is not known yet how ranks that divide one copy of the model continue after a stop."),
        Place{{}, 0, 0, "world.groups"},
        {}};
  if (point.epoch.value < 0 || point.epoch.value >= plan->epochs()) {
    return Error{ErrorCode::Usage,
                 filled(worded("resume", "there is no epoch %1"), std::to_string(point.epoch.value)),
                 {},
                 filled(worded("resume", "the spec has epochs 0 to %1"), std::to_string(plan->epochs() - 1))};
  }
  auto steps = counted ? Result<std::int64_t>(*counted) : plan->steps(point.epoch);
  if (!steps) return steps;
  if (point.steps < 0 || point.steps > *steps) {
    return Error{
        ErrorCode::Usage,
        filled(worded("resume", "epoch %1 has no step %2 to stop at"), std::to_string(point.epoch.value),
               std::to_string(point.steps)),
        {},
        filled(worded("resume", "it has %1: stop after 0 to %2"), wordedCount(*steps, "step"), std::to_string(*steps))};
  }
  if (auto possible = checkRestart(spec, point); !possible) return possible.error();
  return steps;
}

Result<ResumeStop> stopOf(const Plan& plan, const ResumeChoice& choice, const Work& work) {
  const Epoch epoch{std::clamp<std::int64_t>(choice.epoch.value_or(1), 0, plan.epochs() - 1)};
  const auto steps = plan.steps(epoch, {work.stop, {}});
  if (!steps) return steps.error();
  const std::int64_t taken = std::clamp<std::int64_t>(choice.steps.value_or(*steps / 2), 0, *steps);
  const PipelineSpec& spec = plan.spec();
  const bool other_batch = choice.batch_size && *choice.batch_size != spec.loader.batch_size;
  return ResumeStop{{epoch, taken, choice.world.value_or(spec.world), other_batch ? choice.batch_size : std::nullopt},
                    *steps};
}

PipelineSpec::World worldOf(const PipelineSpec& spec, std::int64_t world_size) {
  const auto per_node = spec.world.ranks_per_node.ofEveryNode();
  if (world_size == spec.worldSize()) return spec.world;
  if (per_node && world_size % *per_node == 0) return {world_size / *per_node, *per_node};
  return {1, world_size};
}

}  // namespace shardlens
