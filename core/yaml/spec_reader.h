// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"
#include "core/yaml/tree.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::yaml {

/// A spec as a text says it, and everything that is wrong with the text, in its order. With issues the spec holds what
/// could be read and defaults elsewhere: good for a preview, not for a plan.
struct ReadSpec {
  PipelineSpec spec;
  Issues issues;
  int version = 0;  ///< of the file format; 0 = unknown. Older than kVersion: it was migrated while reading.
  std::map<std::string, Place, std::less<>> places = {};  ///< of every field that the text has, by its path

  /// An error about a field of this spec, with the place where the text has the field, or the section around it.
  [[nodiscard]] Error placed(Error error) const;
};

/// Reads the text of a spec file. Every problem has file:line:column and, where one is meant, the field path. Never
/// throws and never follows anything outside the text; `file` only names it in messages.
ReadSpec readSpec(std::string_view text, SamplerCatalogue catalogue, const std::string& file = {});

/// A list of records as a text says it. Each record says every key: what is missing or wrong in the text has its
/// fallback, so that the records keep their places and the rest can still be judged.
struct ReadRecords {
  RecordList list;
  std::vector<std::pair<std::size_t, Error>> issues;         ///< with the byte that each is about
  std::vector<std::pair<std::size_t, std::string>> offsets;  ///< where each record and key of the list is
};

/// What the node says for `field`, a list of records.
ReadRecords readRecords(const Field& field, const TreeNode& node);

/// Turns the tree of a file of format `version` into one of the format that this build reads and writes. What an older
/// format said in other words is marked (`TreeNode::migrated`) and keeps its bytes in the text. Trees that make no
/// sense are left to the reader, which says why.
void migrate(TreeNode& root, int version);

}  // namespace shardlens::yaml
