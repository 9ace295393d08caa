// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// Where a run is stopped, and with how many ranks and which batch_size it continues.
struct ResumePoint {
  Epoch epoch;                                  ///< that the checkpoint interrupts
  std::int64_t steps = 0;                       ///< that every rank has taken in it
  PipelineSpec::World world;                    ///< of the resumed run
  std::optional<std::int64_t> batch_size = {};  ///< that the resumed run is given, per rank; none: it is not changed

  bool operator==(const ResumePoint&) const = default;
};

/// The steps that a resumed run takes of the interrupted epoch, in terms of a plan.
struct Continuation {
  PipelineSpec spec;      ///< of the resumed run
  Epoch epoch;            ///< of its plan
  std::int64_t skip = 0;  ///< steps of each rank that are passed over, from the epoch's beginning
  /// The loop continues to count where the stopped run was, so the epoch ends that many steps earlier.
  bool counts_on = false;
  /// For a sampler that by itself begins elsewhere: the same epoch from its beginning.
  std::optional<PipelineSpec> whole;
};

/// One rule by which training continues in the middle of an epoch.
struct ResumeWay {
  std::string id;     ///< stable: "skip-batches", "lightning", "megatron"
  std::string title;  ///< "Script that skips k batches"
  std::string rule;   ///< what it does after the stop; one plain sentence
  std::vector<Note> notes;
  PipelineSpec stopped;  ///< the interrupted run, as the framework deals it
  std::optional<Continuation> goes_on;
  std::optional<Error> error;  ///< why it does not continue, or why that is unknown; set when goes_on is not
  bool refuses = false;        ///< the error is the framework's own: it never continues after such a stop
  bool of_design = false;      ///< of the design's own sampler or framework, not of another that could deal it
};

/// Every rule that applies to the spec: first those of its own sampler and framework (`of_design`), then those of the
/// other frameworks that the lens shows it through. Needs no order, except where only drawing counts a framework's
/// steps. Expects a spec that can be planned, and a point inside it. Meaningless if `work` was stopped.
std::vector<ResumeWay> resumeWays(const PipelineSpec& spec, const ResumePoint& point, const Work& work = {});

/// The steps of the interrupted epoch: `counted`, where they are known. Usage when the plan has no such epoch, when the
/// epoch has fewer steps, or when no spec may have such a restart; Unsupported where ranks divide one copy of the
/// model.
Result<std::int64_t> checkResumePoint(const PipelineSpec& spec, const ResumePoint& point,
                                      std::optional<std::int64_t> counted = {});

/// What the user chose for a stop.
struct ResumeChoice {
  std::optional<std::int64_t> epoch;
  std::optional<std::int64_t> steps;
  std::optional<PipelineSpec::World> world;
  std::optional<std::int64_t> batch_size = {};
};

/// A stop inside a plan.
struct ResumeStop {
  ResumePoint point;
  std::int64_t steps = 0;  ///< of the interrupted epoch
};

/// The choice, limited to what the plan has. What was left open follows from the plan: the epoch after the first, so
/// that something was seen before, the middle of it, and the same world.
Result<ResumeStop> stopOf(const Plan& plan, const ResumeChoice& choice, const Work& work = {});

/// A world of this many ranks on nodes like the spec's, if these are equal and divide it; otherwise on one node.
PipelineSpec::World worldOf(const PipelineSpec& spec, std::int64_t world_size);

}  // namespace shardlens
