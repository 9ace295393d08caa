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

/// Where a run is stopped, and how many ranks it goes on with.
struct ResumePoint {
  Epoch epoch;                ///< that the checkpoint interrupts
  std::int64_t steps = 0;     ///< of it that every rank has taken
  PipelineSpec::World world;  ///< of the resumed run

  bool operator==(const ResumePoint&) const = default;
};

/// The steps that a resumed run takes of the interrupted epoch, in terms of a plan.
struct Continuation {
  PipelineSpec spec;      ///< of the resumed run
  Epoch epoch;            ///< of its plan
  std::int64_t skip = 0;  ///< steps of each rank that are passed over, from the epoch's beginning
  /// The loop goes on counting where the stopped run was: the epoch ends that many steps earlier.
  bool counts_on = false;
  /// For a sampler that begins elsewhere by itself: the same epoch from its beginning.
  std::optional<PipelineSpec> whole;
};

/// One rule by which training goes on in the middle of an epoch.
struct ResumeWay {
  std::string id;     ///< stable: "skip-batches", "lightning", "megatron"
  std::string title;  ///< "Script that skips k batches"
  std::string rule;   ///< what it does after the stop; one plain sentence
  std::vector<Note> notes;
  PipelineSpec stopped;  ///< the interrupted run, as the framework deals it
  std::optional<Continuation> goes_on;
  std::optional<Error> error;  ///< why it does not go on, or why nobody can say; set when goes_on is not
  bool refuses = false;        ///< the error is the framework's own answer: it never goes on after such a stop
};

/// Every rule that applies to the spec: first those of its own sampler, then those of the frameworks that the lens
/// shows it through. Needs no order, but where only drawing counts a framework's steps. Expects a spec that can be
/// planned, and a point inside it. Worth nothing when `work` was stopped meanwhile.
std::vector<ResumeWay> resumeWays(const PipelineSpec& spec, const ResumePoint& point, const Work& work = {});

/// Usage when the plan has no such epoch, or the epoch not so many steps.
Result<void> checkResumePoint(const PipelineSpec& spec, const ResumePoint& point);

/// What somebody chose of a stop.
struct ResumeChoice {
  std::optional<std::int64_t> epoch;
  std::optional<std::int64_t> steps;
  std::optional<PipelineSpec::World> world;
};

/// A stop inside of a plan.
struct ResumeStop {
  ResumePoint point;
  std::int64_t steps = 0;  ///< of the interrupted epoch
};

/// The choice, brought inside of the plan. What was left open follows from the plan: the epoch behind the first, where
/// something was seen before, its middle, and the world as it was.
Result<ResumeStop> stopOf(const Plan& plan, const ResumeChoice& choice, const Work& work = {});

/// A world of this many ranks on nodes like the spec's, where they divide it; else on one node.
PipelineSpec::World worldOf(const PipelineSpec& spec, std::int64_t world_size);

}  // namespace shardlens
