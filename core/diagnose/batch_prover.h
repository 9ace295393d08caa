// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/diagnose/planned_epochs.h"
#include "core/diagnose/proof.h"
#include "core/record/event.h"

#include <memory>
#include <string>

namespace shardlens {

/// Walks through the events of a run with a finger on each rank's next planned batch. Who reads a recording for
/// something else, too, gives it what was read.
class BatchProver {
 public:
  /// `work`, when given, can stop the drawing of an order; it must outlive this.
  explicit BatchProver(std::shared_ptr<PlannedEpochs> epochs, const Work* work = nullptr);
  ~BatchProver();
  BatchProver(BatchProver&&) noexcept;
  BatchProver& operator=(BatchProver&&) noexcept;

  void use(const Event& event);
  /// Once, after the last event. `note` is what the reader says of the recording. The Error of an order that could not
  /// be drawn.
  Result<Proof> result(const std::string& note);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace shardlens
