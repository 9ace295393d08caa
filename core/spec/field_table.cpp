// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field_table.h"

#include "core/spec/fields/entry.h"

#include <cassert>
#include <cstdint>

namespace shardlens {
namespace {

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

Value getValue(const PipelineSpec& spec, const Field& field) {
  if (const fields::Entry* entry = fields::findEntry(field.path)) return entry->get(spec);
  const auto found = spec.sampler.parameters.find(field.key());
  return found == spec.sampler.parameters.end() ? field.fallback : found->second;
}

void setValue(PipelineSpec& spec, const Field& field, Value value) {
  assert(!checkValue(field, value));
  if (const fields::Entry* entry = fields::findEntry(field.path)) {
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
