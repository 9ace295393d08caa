// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// Every key that does not depend on the sampler's type, in the order of the file, `sampler.type` included.
std::span<const Field> fixedFields();

/// Every key of this spec in the order of the file: the fixed ones, and the chosen sampler's parameters after
/// `sampler.type`.
std::vector<const Field*> fieldsOf(const PipelineSpec& spec, SamplerCatalogue catalogue);

/// Whether the field at `path` can change who gets which sample. Names, schedules, launches and checks do
/// not.
bool shapesPlan(std::string_view path);
/// The spec with the defaults of all fields that do not shape the plan: specs that plan alike are equal then.
PipelineSpec shapeOnly(PipelineSpec spec);

/// The field at `path` in this spec, or null.
const Field* findField(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& path);

/// A copy of the field at `path` in this spec, which may lead into a record that the spec has: "run.delays[2].ms".
std::optional<Field> fieldAt(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& path);

/// The value at the field; a sampler parameter, or an item of a record, that the spec does not carry gives the field's
/// fallback.
Value getValue(const PipelineSpec& spec, const Field& field);

/// Puts `value` at the field; records have every key from then on. The value must have passed checkValue for this
/// field; of an item, the spec must have the record.
void setValue(PipelineSpec& spec, const Field& field, Value value);

/// A sampler's parameter, plain or as a number or a flag, with the catalogue's fallback. Asserts that the sampler takes
/// it.
Value parameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key);
std::int64_t intParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key);
bool boolParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key);
/// A choice or another name.
std::string textParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key);
/// Numbers; none where the parameter is a name.
NumberList numbersParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key);
/// A whole number; nothing, or `otherwise`, where the parameter is a name.
std::optional<std::int64_t> intIfGiven(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key);
std::int64_t intParameterOr(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key,
                            std::int64_t otherwise);

}  // namespace shardlens
