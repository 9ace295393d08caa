// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/work.h"
#include "core/collect/batch_proof.h"
#include "core/collect/planned_batches.h"
#include "core/diagnose/reducer.h"
#include "core/record/recording_reader.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace shardlens {

/// What the run's own spec promises. Read from the recording: the document may have been edited since.
struct RunFacts {
  PipelineSpec spec;
  std::int64_t planned_batches = 0;        ///< over all ranks and epochs; 0 = there is no plan to check against
  std::vector<std::int64_t> epoch_starts;  ///< steps before each epoch, and at the end all of them
  std::string problem;                     ///< why there is no plan
};

/// A run file read through the reducer, up to any moment of it. For one thread.
class RunReplay {
 public:
  static Result<RunReplay> open(const std::filesystem::path& path);

  /// Applies the next few megabytes of what the file holds until `until_ns` of the run (negative: no such end). True
  /// when anything was applied: call again. Stops early when `work` says so.
  bool advance(std::int64_t until_ns, const Work& work);
  /// Nobody writes the file any more and it has no end: says so in the state.
  void markLost();

  [[nodiscard]] std::int64_t now() const { return now_ns_; }        ///< of the run, where the state stands
  [[nodiscard]] std::int64_t newest() const { return newest_ns_; }  ///< of the run, the last moment read so far
  [[nodiscard]] bool ended() const { return reader_.ended(); }
  [[nodiscard]] bool begun() const { return facts_ != nullptr; }
  [[nodiscard]] bool isBeingWritten() const { return reader_.isBeingWritten(); }
  /// The process that records the job, when it is one that this process could signal.
  [[nodiscard]] std::optional<ProcessId> recorder() const { return reader_.recorder(); }

  [[nodiscard]] RunState state() const { return reducer_->snapshot(); }
  [[nodiscard]] BatchProof proof() const { return shared_->proof.recent(); }
  /// Null before the file says which spec it is about.
  [[nodiscard]] std::shared_ptr<const RunFacts> facts() const { return facts_; }

 private:
  /// What the reducer's callbacks use; stays where it is when the replay is moved.
  struct Shared {
    PlannedBatches planned;
    ProofRecorder proof;
    Work work;
  };

  explicit RunReplay(RecordingReader reader);
  void makeReducer();
  void begin(const RunBegin& begin);
  void apply(const Event& event);
  bool applyLater(std::int64_t until_ns);
  [[nodiscard]] bool isAfter(const Event& event, std::int64_t ns) const;

  RecordingReader reader_;
  std::unique_ptr<Shared> shared_ = std::make_unique<Shared>();
  std::unique_ptr<Reducer> reducer_;
  std::shared_ptr<const RunFacts> facts_;
  std::deque<Event> later_;    ///< read and later than what was asked for so far, in file order
  std::vector<Event> events_;  ///< read and not looked at from next_ on
  std::size_t next_ = 0;
  std::int64_t first_ns_ = -1;
  std::int64_t now_ns_ = 0;
  std::int64_t newest_ns_ = 0;
};

}  // namespace shardlens
