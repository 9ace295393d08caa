// SPDX-License-Identifier: Apache-2.0
#include "core/spec/edit.h"

#include "core/base/text.h"
#include "core/spec/field_table.h"

#include <vector>

namespace shardlens {
namespace {

Error noSuchField(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& path) {
  std::vector<std::string> paths;
  for (const Field* field : fieldsOf(spec, catalogue)) paths.push_back(field->path);
  const std::string near = nearest(path, paths);
  return Error{ErrorCode::BadInput, "there is no field '" + path + "'.", Place{{}, 0, 0, path},
               near.empty() ? std::string() : "did you mean " + near + "?"};
}

/// Leaves only the parameters that the spec's sampler takes, with a value it takes.
void dropForeignParameters(PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::erase_if(spec.sampler.parameters, [&](const auto& parameter) {
    const Field* field = findField(spec, catalogue, "sampler." + parameter.first);
    return field == nullptr || checkValue(*field, parameter.second);
  });
}

}  // namespace

Result<PipelineSpec> applyEdits(PipelineSpec spec, std::span<const Edit> edits, SamplerCatalogue catalogue) {
  for (const Edit& edit : edits) {
    const Field* field = findField(spec, catalogue, edit.path);
    if (field == nullptr) return noSuchField(spec, catalogue, edit.path);
    if (auto error = checkValue(*field, edit.value)) return *error;
    setValue(spec, *field, edit.value);
    if (edit.path == "sampler.type") dropForeignParameters(spec, catalogue);
  }
  return spec;
}

}  // namespace shardlens
