// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field_table.h"

#include "core/spec/fields/entry.h"

#include <cassert>
#include <cstdint>
#include <string_view>

namespace shardlens {
namespace {

std::string keyOf(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// The value at `path`, which leads into no record; nothing of a sampler's parameter that the spec does not carry.
std::optional<Value> plainValue(const PipelineSpec& spec, const std::string& path) {
  if (const fields::Entry* entry = fields::findEntry(path)) return entry->get(spec);
  const auto found = spec.sampler.parameters.find(keyOf(path));
  return found == spec.sampler.parameters.end() ? std::nullopt : std::optional(found->second);
}

void setPlainValue(PipelineSpec& spec, const std::string& path, Value value) {
  if (const fields::Entry* entry = fields::findEntry(path)) return entry->set(spec, value);
  spec.sampler.parameters[keyOf(path)] = std::move(value);
}

/// The records of the list at `path`; none where no such list is.
RecordList recordsAt(const PipelineSpec& spec, const std::string& path) {
  const std::optional<Value> value = plainValue(spec, path);
  const auto* records = value ? std::get_if<RecordList>(&*value) : nullptr;
  return records == nullptr ? RecordList() : *records;
}

void setItem(PipelineSpec& spec, const RecordPath& at, Value value) {
  std::vector<Record> records = recordsAt(spec, at.list);
  assert(at.index < records.size());
  records[at.index].set(at.key, std::move(value));
  setPlainValue(spec, at.list, RecordList(std::move(records)));
}

/// The records with every key, in the order of the items: equal lists are equal values.
RecordList complete(const Field& field, const RecordList& list) {
  std::vector<Record> records;
  for (const Record& given : list) {
    Record& record = records.emplace_back();
    for (const Field& item : field.items) {
      const Value* value = given.find(item.path);
      record.values.emplace_back(item.path, value == nullptr ? item.fallback : *value);
    }
  }
  return records;
}

std::string_view keyIn(const Field& field) {
  return std::string_view(field.path).substr(field.path.rfind('.') + 1);
}

/// What stands for the parameter while another one has the value that it has.
const Field& variantOf(const PipelineSpec& spec, const SamplerInfo& info, const Field& field) {
  for (const SamplerInfo::Variant& variant : info.variants) {
    if (variant.field.path != field.path) continue;
    const auto chosen = spec.sampler.parameters.find(variant.key);
    if (chosen != spec.sampler.parameters.end() && chosen->second == Value(variant.choice)) return variant.field;
  }
  return field;
}

/// Rules ask for every rank of every epoch: without a copy of any key.
const Field& parameterField(const PipelineSpec& spec, const SamplerInfo& info, std::string_view key) {
  for (const Field& field : info.parameters) {
    if (keyIn(field) == key) return variantOf(spec, info, field);
  }
  assert(false && "the sampler does not take this parameter");
  return info.parameters.front();
}

}  // namespace

bool shapesPlan(std::string_view path) {
  return path != "name" && path != "schedule" && !path.starts_with("run.") && !path.starts_with("check.");
}

PipelineSpec shapeOnly(PipelineSpec spec) {
  for (const fields::Entry& entry : fields::entries()) {
    if (!shapesPlan(entry.field.path)) entry.set(spec, entry.field.fallback);
  }
  return spec;
}

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
    for (const Field& parameter : sampler->parameters) fields.push_back(&variantOf(spec, *sampler, parameter));
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
  return plainValue(spec, field.path).value_or(field.fallback);
}

void setValue(PipelineSpec& spec, const Field& field, Value value) {
  assert(!checkValue(field, value));
  if (const auto at = recordPath(field.path)) {
    setItem(spec, *at, std::move(value));
  } else if (const auto* records = std::get_if<RecordList>(&value)) {
    setPlainValue(spec, field.path, complete(field, *records));
  } else {
    setPlainValue(spec, field.path, std::move(value));
  }
}

Value parameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  const Field& field = parameterField(spec, info, key);
  const auto given = spec.sampler.parameters.find(key);
  return given == spec.sampler.parameters.end() ? field.fallback : given->second;
}

std::int64_t intParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return std::get<std::int64_t>(parameter(spec, info, key));
}

bool boolParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return std::get<bool>(parameter(spec, info, key));
}

std::string textParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return std::get<std::string>(parameter(spec, info, key));
}

NumberList numbersParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  const Value value = parameter(spec, info, key);
  const auto* list = std::get_if<NumberList>(&value);
  return list == nullptr ? NumberList() : *list;
}

std::optional<std::int64_t> intIfGiven(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  const Value value = parameter(spec, info, key);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::int64_t intParameterOr(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key,
                            std::int64_t otherwise) {
  return intIfGiven(spec, info, key).value_or(otherwise);
}

}  // namespace shardlens
