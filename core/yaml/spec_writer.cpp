// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_writer.h"

#include "core/base/text.h"
#include "core/yaml/scalar.h"

#include <vector>

namespace shardlens::yaml {
namespace {

/// Keys that a reader of the file wants to see even where they hold their defaults.
bool isMainKey(const LayoutItem& item) {
  const std::string section = item.field->section();
  return !item.field->optional && section != "run" && section != "sampler" && item.path != "loader.prefetch_factor" &&
         item.path != "loader.persistent_workers" && item.path != "loader.gradient_accumulation_steps";
}

bool isWritten(const PipelineSpec& spec, const LayoutItem& item, bool main_keys) {
  if (item.path == "sampler.type" && main_keys) return true;
  if (item.field != nullptr) return (main_keys && isMainKey(item)) || saysSomething(spec, item);
  for (const LayoutItem& child : item.children) {
    if (isWritten(spec, child, main_keys)) return true;
  }
  return false;
}

}  // namespace

std::string writeItem(const PipelineSpec& spec, const LayoutItem& item, bool main_keys) {
  if (item.field != nullptr) return item.key + ": " + writeValue(*item.field, getValue(spec, *item.field));
  std::vector<std::string> entries;
  for (const LayoutItem& child : item.children) {
    if (isWritten(spec, child, main_keys)) entries.push_back(writeItem(spec, child, main_keys));
  }
  return item.key + ": {" + join(entries, ", ") + "}";
}

std::string writeSpec(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::string out = std::string(kVersionKey) + ": " + std::to_string(kVersion) + "\n";
  for (const LayoutItem& item : layoutOf(spec, catalogue).children) {
    if (isWritten(spec, item, true)) out += writeItem(spec, item, true) + "\n";
  }
  return out;
}

}  // namespace shardlens::yaml
