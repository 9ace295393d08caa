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
  ProbeText(std::int64_t rank, std::int64_t world_size, std::int64_t local_world_size);

  /// Of a process whose environment says nothing of ranks.
  static ProbeText withoutRank();

  /// A DistributedSampler over 10 samples with batches of 2, or another sampler as JSON.
  void loader(std::int64_t number, std::int64_t sampler_rank, std::int64_t num_replicas, bool shuffle = true,
              const std::string& site = "train.py:7");
  void loaderWith(std::int64_t number, const std::string& sampler, const std::string& site = "train.py:7");
  void iterable(std::int64_t number, const std::string& site = "train.py:7");
  void pass(std::int64_t number, std::int64_t loader, std::int64_t epoch, std::int64_t calls);
  void batches(std::int64_t pass, std::int64_t first, const std::vector<std::vector<SampleIndex>>& batches);
  void news(std::int64_t pass, std::int64_t drawn, std::int64_t backwards);
  void end();

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  ProbeText() = default;

  std::string bytes_;
  std::string rank_;
};

}  // namespace shardlens::test
