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

}  // namespace shardlens::lenses
