// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/traces/trace_tree.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace shardlens::traces {

/// The places in the user's program from which operations were called: of each stack of frames the innermost frame that
/// is not of PyTorch.
class CodePlaces {
 public:
  explicit CodePlaces(const TraceTree& tree) : tree_(tree) {}

  /// The number of the text for this list of frames; 0 when there is none.
  std::uint32_t of(NodeId frames);
  /// "step (/home/me/train.py:31)", ...; the first is empty.
  std::vector<std::string> takeTexts() { return std::move(texts_); }

 private:
  [[nodiscard]] std::string textOf(NodeId frame) const;
  [[nodiscard]] bool isOfLibrary(NodeId frame);
  std::uint32_t numberOf(NodeId frame);

  const TraceTree& tree_;
  std::vector<std::string> texts_{std::string()};
  std::unordered_map<std::string, std::uint32_t> number_of_text_;
  std::unordered_map<NodeId, std::uint32_t> number_of_;
  std::unordered_map<NodeId, bool> is_of_library_;
};

}  // namespace shardlens::traces
