// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::test {

/// A probe's file of one rank, written here as the probe writes it.
class ProbeText {
 public:
  /// Of process 100 + rank.
  ProbeText(std::int64_t rank, std::int64_t world_size, std::int64_t local_world_size);

  /// With more members of JSON for its environment: R"("MASTER_PORT":"1")".
  ProbeText(std::int64_t rank, std::int64_t world_size, const std::string& environment);

  /// Of a process whose environment says nothing of ranks.
  static ProbeText withoutRank();

  /// A DistributedSampler over `length` samples with batches of 2, or another sampler as JSON.
  void loader(std::int64_t number, std::int64_t sampler_rank, std::int64_t num_replicas, bool shuffle = true,
              const std::string& site = "train.py:7", std::int64_t length = 10);
  void loaderWith(std::int64_t number, const std::string& sampler, const std::string& site = "train.py:7",
                  std::int64_t length = 10);
  /// Over 10 samples, whose batches a batch sampler makes that says this of itself, with more members of JSON.
  void loaderOfBatches(std::int64_t number, const std::string& batch_sampler, const std::string& more = "");
  /// A SequentialSampler, and the dataset as JSON.
  void loaderOf(std::int64_t number, const std::string& dataset, const std::string& site = "train.py:7");
  void iterable(std::int64_t number, const std::string& site = "train.py:7");
  void pass(std::int64_t number, std::int64_t loader, std::int64_t epoch, std::int64_t calls);
  /// Likewise, with `members` of JSON for what it says of itself.
  void passAt(std::int64_t number, std::int64_t loader, std::int64_t time_ns);
  void passWith(std::int64_t number, std::int64_t loader, const std::string& members);
  void batches(std::int64_t pass, std::int64_t first, const std::vector<std::vector<SampleIndex>>& batches);
  /// The sampler had no more, and the loop got every batch.
  void news(std::int64_t pass, std::int64_t drawn, std::int64_t backwards);
  struct News {
    std::int64_t drawn = 0;
    std::int64_t handed = 0;
    std::int64_t backwards = 0;
    std::int64_t beside = 0;
    bool exhausted = true;
    bool ended = false;
  };
  void news(std::int64_t pass, const News& said);
  void newsWith(std::int64_t pass, const std::string& members);
  void end(std::int64_t time_ns = 0);
  /// The file is full.
  void limit();
  /// Batches whose items are no numbers.
  void opaque(std::int64_t pass, std::int64_t count);

  /// Optimizer steps: batches of the pass that the loop had got by then, and backward passes since the first of them.
  struct Step {
    std::uint32_t handed = 0;
    std::uint32_t backwards = 0;
  };
  void steps(std::int64_t pass, std::int64_t first, const std::vector<Step>& steps);
  /// Gradients that were cleared before a step took them, likewise.
  void discards(std::int64_t pass, std::int64_t first, const std::vector<Step>& discards);

  /// What the loop got of a stream: marks of its samples; `form` 1: of its batches; 2: none, since they take too long.
  void marks(std::int64_t pass, std::int64_t first, const std::vector<std::vector<std::int64_t>>& batches,
             std::uint32_t form = 0);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  ProbeText() = default;
  [[nodiscard]] static std::string packed(std::int64_t pass, std::int64_t first, const std::vector<Step>& steps);

  std::string bytes_;
  std::string rank_;
};

}  // namespace shardlens::test
