// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/facts.h"
#include "core/capture/probe_reader.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace shardlens::capture {

/// Follows the file of one probe while the job writes it.
class ProbeTail {
 public:
  explicit ProbeTail(std::filesystem::path file) : file_(std::move(file)) {}

  /// Reads up to 16 MiB that were appended since the last call; each new batch goes to `use`. True when there may be
  /// more already. A file that cannot be read, or is none of a probe, gives nothing.
  bool more(const UseBatch& use);
  /// What the file says so far.
  [[nodiscard]] const ProcessFacts& facts() const { return facts_; }

 private:
  std::filesystem::path file_;
  std::string pending_;    ///< the header, and what follows the last whole frame
  std::int64_t read_ = 0;  ///< bytes of the file
  ProcessFacts facts_;
};

}  // namespace shardlens::capture
