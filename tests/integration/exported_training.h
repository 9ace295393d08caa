// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace shardlens::test {

/// The headless program.
inline const std::string kProgram = test::binDir() + "/shardlens";
/// The line that starts one process of a Training.
inline const std::string kPythonTrain = std::string(kPython) + " train.py";

/// A spec for `ranks` ranks on `nodes` nodes, whose order every rank knows by itself.
std::string distributed(int ranks, int nodes = 1);
/// Likewise on one node, with an order from torch's global generator, which the training uses too.
std::string global(int ranks);

/// A folder with a spec, the loader.py that is exported from it, and train.py, a training with dropout; and what the
/// ranks read when `line` starts them there. With the argument "join", train.py joins a process group first.
struct Training {
  TempFolder folder;
  Finished finished;                               ///< the line; its standard error is in `out`, too
  nlohmann::json planned;                          ///< by "rank0", "rank1", ...: a list of epoch, step and samples
  nlohmann::json read = nlohmann::json::object();  ///< likewise, of the ranks that read to the end
  std::size_t files = 0;                           ///< processes that read to the end

  Training(const std::string& spec, const std::string& line);

  /// Checks that every rank read its planned batches, each in one process, and that the line succeeded.
  void checkPlanned() const;
  /// Checks that every process refused to read with this message, and that the line failed.
  void checkRefused(const std::string& message) const;
};

}  // namespace shardlens::test
