// SPDX-License-Identifier: Apache-2.0
#include "core/plan/lenses/lenses.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace shardlens::lenses {
namespace {

bool isOneOf(const std::string& type, std::initializer_list<const char*> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

void keep(LensColumn& column, const PipelineSpec& spec, std::string why) {
  column.sampler = samplerCode(spec);
  column.spec = spec;
  column.notes.push_back({Severity::Info, std::move(why)});
}

void replace(LensColumn& column, const PipelineSpec& spec) {
  column.spec = withSampler(spec, "torch.DistributedSampler", {{"shuffle", true}, {"seed", std::int64_t{0}}});
  column.sampler = samplerCode(*column.spec);
  column.notes.push_back({Severity::Warning, "The Trainer replaces the sampler by a DistributedSampler."});
  if (spec.sampler.type == "torch.SequentialSampler") {
    column.notes.push_back({Severity::Warning, "In training it always shuffles, also what was written in order."});
  }
  if (!spec.sampler.parameters.empty()) {
    column.notes.push_back({Severity::Warning, "replacement, num_samples and the generator are silently lost."});
  }
}

void refuse(LensColumn& column, const PipelineSpec& spec) {
  column.sampler = samplerCode(spec);
  column.error = Error{ErrorCode::Unsupported, "not predictable, because this sampler has no lens yet", {}, {}};
}

}  // namespace

std::vector<LensColumn> lightning(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "lightning";
  column.title = "Lightning 2.6 Trainer";
  if (spec.worldSize() == 1) {
    keep(column, spec, "One rank: the Trainer leaves the loader as it is.");
  } else if (spec.sampler.type == "torch.DistributedSampler") {
    keep(column, spec, "The sampler is distributed already: the Trainer keeps it and calls set_epoch itself.");
    column.spec->sampler.parameters["set_epoch"] = true;
  } else if (isOneOf(spec.sampler.type, {"torch.RandomSampler", "torch.SequentialSampler"})) {
    replace(column, spec);
  } else {
    refuse(column, spec);
  }
  return {column};
}

}  // namespace shardlens::lenses
