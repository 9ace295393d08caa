// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shardlens::capture {

/// What the recorded batches or seeds of a loader show, computed from what was recorded alone.
struct RunFinding {
  std::string code;            ///< stable, kebab-case: "run-unequal-batches"
  std::string title;           ///< a short verdict
  std::string text;            ///< the sentence with the numbers
  bool is_seed = false;        ///< about random numbers, not about batches
  bool is_of_waiting = false;  ///< wrong only where ranks wait for each other
  bool may_be_meant = false;   ///< as in validation, and the text says so
};

}  // namespace shardlens::capture
