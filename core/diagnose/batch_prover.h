// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/diagnose/planned_epochs.h"
#include "core/diagnose/proof.h"
#include "core/record/event.h"

#include <cstdint>
#include <memory>
#include <string>

namespace shardlens {

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

}  // namespace shardlens
