// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/facts.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace shardlens::capture {

/// The class of the sampler that decides the order; empty when none is known.
std::string samplerType(const LoaderFacts& loader);

/// What loaders that are alike have in common in whichever loop: class and length of the dataset, batch size, and class
/// of the sampler.
using LoaderKind = std::tuple<std::string, std::optional<std::int64_t>, std::optional<std::int64_t>, std::string>;
LoaderKind kindOf(const LoaderFacts& loader);

/// What makes loaders of one process alike: a script often makes a new DataLoader in every epoch.
bool areAlike(const LoaderFacts& a, const LoaderFacts& b);

/// Tells which of the DataLoaders of a process are one loader: those that are alike, and that a script made one after
/// the other. They are several where it comes back to an earlier one, as in a loop over two of them in turns, and where
/// the epochs begin again with other parameters of the sampler, as in the next fold of a cross-validation.
class SameLoaders {
 public:
  /// `alone` are loaders that are known to be no part of another.
  explicit SameLoaders(std::set<std::int64_t> alone = {}) : alone_(std::move(alone)) {}

  /// The loader, counted from 0, that this pass reads. Passes come in their order, `loader` is the pass's own. Where a
  /// pass comes back to an earlier loader, both get new numbers, and what was said of their passes before was wrong.
  std::size_t of(const PassFacts& pass, const LoaderFacts& loader);
  /// Those of the process's loaders that are known to be no part of another.
  [[nodiscard]] const std::set<std::int64_t>& alone() const { return alone_; }

 private:
  struct Same {
    LoaderFacts latest;
    std::optional<std::int64_t> told;  ///< the last epoch that its sampler was told
  };
  std::size_t add(const LoaderFacts& loader);
  [[nodiscard]] std::size_t find(const PassFacts& pass, const LoaderFacts& loader);

  std::set<std::int64_t> alone_;
  std::vector<Same> loaders_;
  std::map<std::int64_t, std::size_t> known_;  ///< by the loader's number in the process
};

/// For each pass of the process, in its order: which loader it reads, counted from 0; nothing when its loader is not
/// known. Loaders that are read at the same time are several, too.
std::vector<std::optional<std::size_t>> loadersOfPasses(const ProcessFacts& process);

}  // namespace shardlens::capture
