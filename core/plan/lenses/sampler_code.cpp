// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/plan/lenses/lenses.h"
#include "core/spec/field.h"

#include <utility>

namespace shardlens::lenses {
namespace {

std::string pythonText(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  return valueText(value);
}

}  // namespace

std::string samplerCode(const PipelineSpec& spec) {
  std::vector<std::string> arguments;
  for (const auto& [key, value] : spec.sampler.parameters) arguments.push_back(key + "=" + pythonText(value));
  const std::string& type = spec.sampler.type;
  return type.substr(type.rfind('.') + 1) + "(" + join(arguments, ", ") + ")";
}

PipelineSpec withSampler(PipelineSpec spec, std::string type, std::map<std::string, Value> parameters) {
  spec.sampler = {std::move(type), std::move(parameters)};
  return spec;
}

bool isShuffled(const PipelineSpec& spec) {
  if (spec.sampler.type == "torch.SequentialSampler" || spec.sampler.type == "python.list") return false;
  const auto shuffle = spec.sampler.parameters.find("shuffle");
  return shuffle == spec.sampler.parameters.end() || shuffle->second != Value(false);
}

LensColumn ownSampler(const PipelineSpec& spec, std::string id, std::string title, std::string type,
                      std::map<std::string, Value> parameters) {
  LensColumn column;
  column.id = std::move(id);
  column.title = std::move(title);
  column.spec = withSampler(spec, std::move(type), std::move(parameters));
  column.sampler = samplerCode(*column.spec);
  const std::string& written = spec.sampler.type;
  const bool whole = written == "torch.DistributedSampler" || written == "torch.RandomSampler" ||
                     written == "torch.SequentialSampler" || written == column.spec->sampler.type;
  if (!whole) {
    column.notes.push_back({Severity::Warning, "It takes the dataset, not the sampler: what was written is lost."});
  }
  return column;
}

}  // namespace shardlens::lenses
