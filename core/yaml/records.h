// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/field.h"
#include "core/yaml/tree.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::yaml {

/// A list of records as a text says it. Each record says every key: what is missing or wrong in the text has its
/// fallback, so that the records keep their places and the rest can still be judged.
struct ReadRecords {
  RecordList list;
  std::vector<std::pair<std::size_t, Error>> issues;         ///< with the byte that each is about
  std::vector<std::pair<std::size_t, std::string>> offsets;  ///< where each record and key of the list is
};

/// What the node says for `field`, a list of records.
ReadRecords readRecords(const Field& field, const TreeNode& node);

}  // namespace shardlens::yaml
