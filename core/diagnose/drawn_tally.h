// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>

namespace shardlens {

/// Holds what a rank's loaders drew against the plan, each loader by itself. A job may read several loaders of the
/// designed size, one after the other or in turns, and the design is about one of them: the one that does not differ,
/// as far as that is known by now.
class DrawnTally {
 public:
  /// A batch that a loader drew in this pass, for this epoch and step of the design.
  struct Batch {
    std::int64_t loader = 0, pass = 0, epoch = 0, step = 0;
    bool matches = false;
  };
  /// Of the loader that is taken for the designed one. An epoch that was read several times counts once, by the longest
  /// of those passes.
  struct Counts {
    std::int64_t loader = -1;  ///< none yet
    std::int64_t matched = 0;
    std::int64_t mismatched = 0;
    std::optional<std::pair<std::int64_t, std::int64_t>> first_difference = {};  ///< epoch and step
    bool operator==(const Counts&) const = default;
  };

  void add(const Batch& batch);
  [[nodiscard]] Counts counts() const;

 private:
  struct Pass {
    std::int64_t number = -1, matched = 0, mismatched = 0;
    [[nodiscard]] std::int64_t batches() const { return matched + mismatched; }
  };
  /// The passes of an epoch: the latest, and the longest.
  struct Passes {
    Pass latest, longest;
  };
  struct Loader {
    std::int64_t number = 0;
    std::int64_t began = 0, drew = 0;  ///< its first and its latest batch among those of the rank
    std::map<std::int64_t, Passes> epochs = {};
    Counts counts = {};
  };
  Loader& loaderOf(std::int64_t number);
  [[nodiscard]] const Loader& chosen() const;

  std::int64_t batches_ = 0;
  std::list<Loader> loaders_;  ///< the one that drew last in front; never empty after the first batch
};

}  // namespace shardlens
