// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml {

constexpr std::string_view kVersionKey = "shardlens";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  ///< may begin a file
constexpr int kVersion = 2;  ///< of the file format this build writes; it reads this one and every older one

/// One key of the file: a field, or a section with its own keys. Built out of the field table, in the order of the
/// file.
struct LayoutItem {
  std::string key;
  std::string path;
  const Field* field = nullptr;  ///< null for a section
  std::vector<LayoutItem> children;

  /// The child called `key`, or null.
  [[nodiscard]] const LayoutItem* find(std::string_view child) const;
};

/// The whole file of this spec as a section without a name; the schema version is not part of it.
LayoutItem layoutOf(const PipelineSpec& spec, SamplerCatalogue catalogue);

/// Whether the spec says something else here than a file without the key would.
bool saysSomething(const PipelineSpec& spec, const LayoutItem& item);

/// The spec as a short canonical file: one line per section, the main keys always, others only where they differ from
/// their defaults. readSpec gives the same spec back when it was valid under the same catalogue.
std::string writeSpec(const PipelineSpec& spec, SamplerCatalogue catalogue);

/// One key of that file without a line end: "world: {nodes: 1, ranks_per_node: 2}". Keys that say nothing are left out
/// of a section unless `main_keys`.
std::string writeItem(const PipelineSpec& spec, const LayoutItem& item, bool main_keys);

}  // namespace shardlens::yaml
