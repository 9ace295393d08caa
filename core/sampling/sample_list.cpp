// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/sample_list.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace shardlens::sampling {

Field sampleListField(std::string help) {
  constexpr std::int64_t kMostSamples = 4'000'000'000;
  return {"sampler.indices", FieldKind::Indices, IndexList{}, 0, kMostSamples, {}, "samples", std::move(help)};
}

const IndexList& sampleList(const PipelineSpec& spec) {
  static const IndexList kNone;
  const auto found = spec.sampler.parameters.find("indices");
  return found == spec.sampler.parameters.end() ? kNone : std::get<IndexList>(found->second);
}

Result<void> checkSamples(const PipelineSpec& spec, const IndexList& list, const std::string& field) {
  if (list.empty() || list.facts().greatest < spec.dataset.size) return {};
  const auto outside = std::ranges::find_if(list, [&](SampleIndex index) { return index >= spec.dataset.size; });
  return Error{ErrorCode::BadInput,
               filled(worded("spec", "the list holds sample %1, but the dataset has only %2."),
                      std::to_string(*outside), wordedCount(spec.dataset.size, "sample")),
               Place{{}, 0, 0, field}, worded("spec", "raise dataset.size, or leave the sample out")};
}

Result<void> checkSampleList(const PipelineSpec& spec) {
  return checkSamples(spec, sampleList(spec), "sampler.indices");
}

}  // namespace shardlens::sampling
