// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field_table.h"

#include "core/spec/fields/entry.h"

#include <cassert>
#include <cstdint>

namespace shardlens {
namespace {

/// The records of the list at `path`; none where no such list is.
RecordList recordsAt(const PipelineSpec& spec, const std::string& path) {
  const fields::Entry* entry = fields::findEntry(path);
  if (entry == nullptr || entry->field.kind != FieldKind::Records) return {};
  return std::get<RecordList>(entry->get(spec));
}

void setItem(PipelineSpec& spec, const RecordPath& at, Value value) {
  std::vector<Record> records = recordsAt(spec, at.list);
  assert(at.index < records.size());
  records[at.index].set(at.key, std::move(value));
  fields::findEntry(at.list)->set(spec, RecordList(std::move(records)));
}

const Field& parameterField(const SamplerInfo& info, const std::string& key) {
  for (const Field& field : info.parameters) {
    if (field.key() == key) return field;
  }
  assert(false && "the sampler does not take this parameter");
  return info.parameters.front();
}

}  // namespace

std::span<const Field> fixedFields() {
  static const std::vector<Field> kFields = [] {
    std::vector<Field> fields;
    for (const fields::Entry& entry : fields::entries()) fields.push_back(entry.field);
    return fields;
  }();
  return kFields;
}

std::vector<const Field*> fieldsOf(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::vector<const Field*> fields;
  const SamplerInfo* sampler = findSampler(catalogue, spec.sampler.type);
  for (const Field& field : fixedFields()) {
    fields.push_back(&field);
    if (field.path != "sampler.type" || sampler == nullptr) continue;
    for (const Field& parameter : sampler->parameters) fields.push_back(&parameter);
  }
  return fields;
}

const Field* findField(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& path) {
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->path == path) return field;
  }
  return nullptr;
}

std::optional<Field> fieldAt(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& path) {
  const auto at = recordPath(path);
  const Field* field = findField(spec, catalogue, at ? at->list : path);
  if (field == nullptr || !at) return field == nullptr ? std::nullopt : std::optional(*field);
  if (field->kind != FieldKind::Records || at->index >= recordsAt(spec, at->list).size()) return std::nullopt;
  for (const Field& item : field->items) {
    if (item.path == at->key) return itemField(*field, at->index, item);
  }
  return std::nullopt;
}

Value getValue(const PipelineSpec& spec, const Field& field) {
  if (const auto at = recordPath(field.path)) {
    const RecordList records = recordsAt(spec, at->list);
    const Value* value = at->index < records.size() ? records[at->index].find(at->key) : nullptr;
    return value == nullptr ? field.fallback : *value;
  }
  if (const fields::Entry* entry = fields::findEntry(field.path)) return entry->get(spec);
  const auto found = spec.sampler.parameters.find(field.key());
  return found == spec.sampler.parameters.end() ? field.fallback : found->second;
}

void setValue(PipelineSpec& spec, const Field& field, Value value) {
  assert(!checkValue(field, value));
  if (const auto at = recordPath(field.path)) {
    setItem(spec, *at, std::move(value));
  } else if (const fields::Entry* entry = fields::findEntry(field.path)) {
    entry->set(spec, value);
  } else {
    spec.sampler.parameters[field.key()] = std::move(value);
  }
}

Value parameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return getValue(spec, parameterField(info, key));
}

std::int64_t intParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return std::get<std::int64_t>(parameter(spec, info, key));
}

bool boolParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return std::get<bool>(parameter(spec, info, key));
}

}  // namespace shardlens
