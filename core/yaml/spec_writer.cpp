// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_writer.h"

#include "core/base/text.h"
#include "core/yaml/scalar.h"

#include <algorithm>

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

LayoutItem& childOf(LayoutItem& section, const std::string& key) {
  const auto found = std::ranges::find(section.children, key, &LayoutItem::key);
  if (found != section.children.end()) return *found;
  LayoutItem& child = section.children.emplace_back();
  child.key = key;
  child.path = section.path.empty() ? key : section.path + "." + key;
  return child;
}

void addField(LayoutItem& root, const Field& field) {
  LayoutItem* section = &root;
  std::size_t begin = 0;
  for (std::size_t dot = field.path.find('.'); dot != std::string::npos; dot = field.path.find('.', begin)) {
    section = &childOf(*section, field.path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  childOf(*section, field.path.substr(begin)).field = &field;
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

const LayoutItem* LayoutItem::find(std::string_view child) const {
  const auto found = std::ranges::find(children, child, &LayoutItem::key);
  return found == children.end() ? nullptr : &*found;
}

LayoutItem layoutOf(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  LayoutItem root;
  for (const Field* field : fieldsOf(spec, catalogue)) addField(root, *field);
  return root;
}

bool saysSomething(const PipelineSpec& spec, const LayoutItem& item) {
  if (item.field == nullptr)
    return std::ranges::any_of(item.children, [&](const LayoutItem& child) { return saysSomething(spec, child); });
  if (item.field->section() == "sampler" && item.key != "type") return spec.sampler.parameters.contains(item.key);
  return getValue(spec, *item.field) != item.field->fallback;
}

}  // namespace shardlens::yaml
