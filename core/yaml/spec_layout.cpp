// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_layout.h"

#include <algorithm>

namespace shardlens::yaml {
namespace {

LayoutItem& childOf(LayoutItem& section, const std::string& key) {
  const auto found = std::find_if(section.children.begin(), section.children.end(),
                                  [&](const LayoutItem& item) { return item.key == key; });
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

const LayoutItem* LayoutItem::find(std::string_view child) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const LayoutItem& item) { return item.key == child; });
  return found == children.end() ? nullptr : &*found;
}

LayoutItem layoutOf(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  LayoutItem root;
  for (const Field* field : fieldsOf(spec, catalogue)) addField(root, *field);
  return root;
}

bool saysSomething(const PipelineSpec& spec, const LayoutItem& item) {
  if (item.field == nullptr) {
    return std::any_of(item.children.begin(), item.children.end(),
                       [&](const LayoutItem& child) { return saysSomething(spec, child); });
  }
  if (item.field->section() == "sampler" && item.key != "type") return spec.sampler.parameters.contains(item.key);
  return getValue(spec, *item.field) != item.field->fallback;
}

}  // namespace shardlens::yaml
