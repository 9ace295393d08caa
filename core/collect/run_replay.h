// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/work.h"
#include "core/collect/planned_batches.h"
#include "core/collect/recording_source.h"
#include "core/diagnose/phase_times.h"
#include "core/diagnose/proof.h"
#include "core/diagnose/reducer.h"
#include "core/timeline/overview.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// What the run's own spec promises. Read from the recording: the document may have been edited since.
struct RunFacts {
  PipelineSpec spec;
  std::int64_t planned_batches = 0;        ///< over all ranks and epochs; 0 = there is no plan to check against
  std::vector<std::int64_t> epoch_starts;  ///< steps before each epoch, and at the end all of them
  std::string problem;                     ///< why there is no plan
  bool is_design = false;                  ///< a command of the user's is held against the spec
  bool is_typed = false;                   ///< and no launcher of ours started its ranks
  std::int64_t started_unix_ns = 0;        ///< when the job began; 0: the recording does not say
};

/// A recording read through the reducer, up to any moment of it. For one thread.
class RunReplay : private EventSink {
 public:
  /// As RecordingSource::open(). `on_span` gets every span of every rank.
  static Result<RunReplay> open(const std::filesystem::path& path, SpanSink on_span = {});

  /// Applies the next few megabytes of what the recording holds until `until_ns` of the run (negative: no such end).
  /// True when anything was applied: call again. Stops early when `work` says so.
  bool advance(std::int64_t until_ns, const Work& work);
  /// Applies everything that was read; marks the recording as lost if it has no end and is no longer written.
  void toEnd();
  /// Says in the state that the recording has no end and is no longer written.
  void markLost();

  [[nodiscard]] std::int64_t now() const { return now_ns_; }        ///< the moment of the run that the state shows
  [[nodiscard]] std::int64_t newest() const { return newest_ns_; }  ///< of the run, the last moment read so far
  [[nodiscard]] bool ended() const { return source_.ended(); }
  [[nodiscard]] bool begun() const { return facts_ != nullptr; }
  [[nodiscard]] bool isEmpty() const { return first_ns_ < 0; }  ///< no event was applied
  [[nodiscard]] bool isBeingWritten() const { return source_.isBeingWritten(); }
  /// The process that records the job, when it is one that this process could signal.
  [[nodiscard]] std::optional<ProcessId> recorder() const { return source_.recorder(); }
  /// Sentences about what was not read and what is uncertain; empty when there is nothing to say.
  [[nodiscard]] std::string note() const { return source_.note(); }
  /// Whether bytes were damaged, so that the recording says less than it once did.
  [[nodiscard]] bool isDamaged() const { return source_.isDamaged(); }

  /// Collects the spans of all that is read from here on. To be called before anything is read.
  void keepOverview();
  /// What was read so far, as a whole; nothing without keepOverview().
  [[nodiscard]] std::optional<Overview> overview() const;

  /// Compares all that is read from here on with the plan of the recording's own spec, as prove() does. To be called
  /// before anything is read.
  void keepProof() { wants_proof_ = true; }
  /// The proof, once, after toEnd(); nothing without keepProof() or without a plan.
  [[nodiscard]] std::optional<Result<Proof>> takeProof(const Work& work);

  /// Measures the phases of the recording's own schedule in all that is read from here on. To be called before anything
  /// is read.
  void keepPhases() { wants_phases_ = true; }
  /// As measuredPhases() of the recording's own spec, of what was read; nothing without keepPhases(), without a plan or
  /// without a schedule.
  [[nodiscard]] std::optional<Result<std::vector<PhaseTime>>> phases() const;

  /// Of a job in which no rank has spoken, with the ranks that its probes saw.
  [[nodiscard]] RunState state() const;
  /// What probes saw is read once for all replays of a recording.
  void shareObserved(const RunReplay& other) { observed_ = other.observed_; }
  [[nodiscard]] BatchProof proof() const { return shared_->proof.recent(); }
  /// Null before the recording says which spec it is about.
  [[nodiscard]] std::shared_ptr<const RunFacts> facts() const { return facts_; }

 private:
  /// What the reducer's callbacks use; keeps its address when the replay is moved.
  struct Shared {
    PlannedBatches planned;
    std::optional<BatchProver> prover;
    ProofRecorder proof;
    std::optional<OverviewBuilder> overview;
    std::unique_ptr<PhaseTimer> phases;
    Work work;
  };

  RunReplay(std::filesystem::path path, RecordingSource source, SpanSink on_span);
  void event(const Event& event) override;
  void makeReducer();
  void begin(const RunBegin& begin);
  void learnWorld(const Event& event);
  void observe(const Work& work);

  std::filesystem::path path_;
  RecordingSource source_;
  SpanSink on_span_;
  std::unique_ptr<Shared> shared_ = std::make_unique<Shared>();
  std::unique_ptr<Reducer> reducer_;
  bool wants_proof_ = false;
  bool wants_phases_ = false;
  std::shared_ptr<const RunFacts> facts_;
  std::shared_ptr<const std::vector<RankState>> observed_;  ///< null: not looked for
  std::int64_t world_size_ = 0;                             ///< 0: not known yet
  std::int64_t first_ns_ = -1;
  std::int64_t now_ns_ = 0;
  std::int64_t newest_ns_ = 0;
};

}  // namespace shardlens
