// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/diagnose/instead.h"
#include "core/diagnose/planned_epochs.h"
#include "core/diagnose/reducer.h"
#include "core/plan/plan.h"
#include "core/record/event.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// How much one rank's batches differ from the plan.
struct RankProof {
  std::int64_t rank = 0;
  std::int64_t matched = 0;
  std::int64_t different = 0;     ///< planned for this place, but with other samples
  std::int64_t missing = 0;       ///< planned, and never reported
  std::int64_t extra = 0;         ///< reported, and not in the plan
  std::int64_t out_of_order = 0;  ///< reported again, or after a later one
};

enum class ProofResult : std::uint8_t { Match, Mismatch, Incomplete };

/// Whether a run consumed what the plan says.
struct Proof {
  ProofResult result = ProofResult::Match;
  std::optional<FirstDifference> first_difference;  ///< the earliest by epoch, step, rank
  std::string what;                                 ///< the difference, or what is missing, in one sentence
  std::vector<Instead> instead;                     ///< what came in place of planned batches, where the plan has it
  std::string explanation;                          ///< sentences about what that means; empty when nothing was found
  std::int64_t planned_batches = 0;
  std::int64_t checked_batches = 0;  ///< reported ones, compared with the plan
  std::vector<RankProof> ranks;      ///< of the plan and of the run
  std::vector<std::string> notes;
  std::string spec_yaml;  ///< that the run was made from
};

/// Compares every batch that the run file reports with the plan. Batches missing from a run that ended before its plan
/// did, or whose records were lost, or of a rank that reported none at all, make it Incomplete; anything else that
/// differs is a Mismatch.
Result<Proof> prove(const Plan& plan, const std::filesystem::path& run_file, const Work& work = {});

/// Walks through the events of a run and keeps each rank's next planned batch. A caller that reads the recording for
/// another purpose, too, passes the events on to it.
class BatchProver {
 public:
  /// `work`, when given, can stop the drawing of an order; it must outlive this.
  explicit BatchProver(std::shared_ptr<PlannedEpochs> epochs, const Work* work = nullptr);
  ~BatchProver();
  BatchProver(BatchProver&&) noexcept;
  BatchProver& operator=(BatchProver&&) noexcept;

  void use(const Event& event);
  /// The same for a batch that no ring reported. Epoch and step are not negative and fit into a record.
  void useBatch(std::int64_t rank, Spot spot, std::uint64_t fingerprint, std::size_t samples);
  /// What this rank consumed may not be known to the end. `why` is a clause that says so.
  void lose(std::int64_t rank, const std::string& why);
  /// This rank was observed, and did not read what is compared.
  void standApart(std::int64_t rank);
  /// The sampler of this rank was told an epoch that is not 0.
  void tellEpoch(std::int64_t rank);
  /// The run began at this epoch of the rank: those before it are missing, and not skipped.
  void beginAt(std::int64_t rank, std::int64_t epoch);
  /// Once, after the last event. `note` is what the reader says of the recording. The Error of an order that could not
  /// be drawn.
  Result<Proof> result(const std::string& note);

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Sentences that several places say.
namespace words {

/// The verdict of a proof in a few words.
std::string proofTitle(ProofResult result);
std::string runContinues();
std::string otherWorldThanPlanned(std::int64_t of_run, std::int64_t of_plan);

/// The first difference; `how` is a predicate, such as skipped().
std::string differs(std::int64_t rank, std::int64_t epoch, std::int64_t step, const std::string& how);
std::string skipped();

}  // namespace words
}  // namespace shardlens
