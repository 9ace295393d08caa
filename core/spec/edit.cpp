// SPDX-License-Identifier: Apache-2.0
#include "core/spec/edit.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field_table.h"

#include <vector>

namespace shardlens {
namespace {

/// Why there is no such place in the list of records `list`.
Error noSuchItem(const PipelineSpec& spec, const Field& list, const RecordPath& at, const std::string& path) {
  const std::size_t count = std::get<RecordList>(getValue(spec, list)).size();
  if (at.index < count) return unknownKey(list, at.index, at.key);
  return Error{ErrorCode::BadInput,
               filled(worded("spec", "there is no entry %1 in %2."), std::to_string(at.index), at.list),
               Place{{}, 0, 0, path},
               count == 0 ? worded("spec", "it has no entries")
                          : filled(worded("spec", "its entries go from 0 to %1"), std::to_string(count - 1))};
}

Error noSuchField(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& path) {
  const auto at = recordPath(path);
  const Field* list = at ? findField(spec, catalogue, at->list) : nullptr;
  if (list != nullptr && list->kind == FieldKind::Records) return noSuchItem(spec, *list, *at, path);
  std::vector<std::string> paths;
  for (const Field* field : fieldsOf(spec, catalogue)) paths.push_back(field->path);
  const std::string near = nearest(path, paths);
  return Error{ErrorCode::BadInput, filled(worded("spec", "there is no field '%1'."), path), Place{{}, 0, 0, path},
               near.empty() ? std::string() : filled(worded("spec", "did you mean %1?"), near)};
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
    const auto field = fieldAt(spec, catalogue, edit.path);
    if (!field) return noSuchField(spec, catalogue, edit.path);
    if (auto error = checkValue(*field, edit.value)) return *error;
    setValue(spec, *field, edit.value);
    if (edit.path == "sampler.type") dropForeignParameters(spec, catalogue);
    if (edit.path == "world.ranks_per_node") spec.world.countListedNodes();
  }
  return spec;
}

}  // namespace shardlens
