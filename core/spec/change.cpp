// SPDX-License-Identifier: Apache-2.0
#include "core/spec/change.h"

#include "core/spec/fields/entry.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace shardlens {
namespace {

constexpr std::string_view kParameters = "sampler.";

using Parameters = std::map<std::string, Value>;

std::optional<Value> given(const Parameters& parameters, const std::string& key) {
  const auto found = parameters.find(key);
  return found == parameters.end() ? std::nullopt : std::optional(found->second);
}

void addList(HeldLists& lists, const Value& value) {
  const auto add = [&](const auto* list) {
    if (list != nullptr && !list->empty()) lists.emplace(list->identity(), list->bytes());
  };
  add(std::get_if<IndexList>(&value));
  add(std::get_if<NumberList>(&value));
}

void put(PipelineSpec& spec, const std::string& path, const std::optional<Value>& value) {
  if (const fields::Entry* entry = fields::findEntry(path)) {
    assert(value.has_value());
    return entry->set(spec, *value);
  }
  const std::string key = path.substr(kParameters.size());
  if (value) {
    spec.sampler.parameters[key] = *value;
  } else {
    spec.sampler.parameters.erase(key);
  }
}

}  // namespace

HeldLists listsOf(const PipelineSpec& spec) {
  HeldLists lists;
  for (const fields::Entry& entry : fields::entries()) addList(lists, entry.get(spec));
  for (const auto& [key, value] : spec.sampler.parameters) addList(lists, value);
  return lists;
}

SpecChange SpecChange::between(const PipelineSpec& before, const PipelineSpec& after) {
  SpecChange change;
  const auto add = [&](std::string path, std::optional<Value> old_value, std::optional<Value> new_value) {
    if (old_value == new_value) return;
    change.parts_.push_back({std::move(path), std::move(old_value), std::move(new_value)});
  };
  for (const fields::Entry& entry : fields::entries()) add(entry.field.path, entry.get(before), entry.get(after));
  const Parameters& old_ones = before.sampler.parameters;
  const Parameters& new_ones = after.sampler.parameters;
  for (const auto& [key, value] : old_ones) add(std::string(kParameters) + key, value, given(new_ones, key));
  for (const auto& [key, value] : new_ones) {
    if (!old_ones.contains(key)) add(std::string(kParameters) + key, std::nullopt, value);
  }
  return change;
}

void SpecChange::apply(PipelineSpec& spec) const {
  for (const Part& part : parts_) put(spec, part.path, part.after);
}

void SpecChange::revert(PipelineSpec& spec) const {
  for (const Part& part : parts_) put(spec, part.path, part.before);
}

HeldLists SpecChange::lists() const {
  HeldLists lists;
  for (const Part& part : parts_) {
    if (part.before) addList(lists, *part.before);
    if (part.after) addList(lists, *part.after);
  }
  return lists;
}

void SpecChange::append(const SpecChange& next) {
  for (const Part& part : next.parts_) {
    const auto same = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.path == part.path; });
    if (same == parts_.end()) {
      parts_.push_back(part);
    } else {
      same->after = part.after;
    }
  }
  std::erase_if(parts_, [](const Part& part) { return part.before == part.after; });
}

}  // namespace shardlens
