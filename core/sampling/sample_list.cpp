// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/sample_list.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/python.h"
#include "core/sampling/usual_fields.h"

#include <algorithm>
#include <utility>

namespace shardlens::sampling {

Field sampleListField(std::string help, const char* path) {
  return {path, FieldKind::Indices, IndexList{}, 0, kMostToDraw, {}, "samples", std::move(help)};
}

const IndexList& sampleList(const PipelineSpec& spec, const char* key) {
  static const IndexList kNone;
  const auto* list = spec.sampler.said<IndexList>(key);
  return list == nullptr ? kNone : *list;
}

std::int64_t sampleCount(const PipelineSpec& spec) {
  return static_cast<std::int64_t>(sampleList(spec).size());
}

LeftOutCause notInSampleList(const PipelineSpec& spec, Epoch /*epoch*/) {
  return notListed(sampleList(spec), spec.dataset.size, MissingCause::NotExplained);
}

Result<void> checkSamples(const PipelineSpec& spec, const IndexList& list, const std::string& field) {
  if (list.empty() || list.facts().greatest < spec.dataset.size) return {};
  const auto outside = std::ranges::find_if(list, [&](SampleIndex index) { return index >= spec.dataset.size; });
  return refused(filled(worded("spec", "the list holds sample %1, but the dataset has only %2."),
                        std::to_string(*outside), wordedCount(spec.dataset.size, "sample")),
                 field, worded("spec", "raise dataset.size, or leave the sample out"));
}

Result<void> checkSampleList(const PipelineSpec& spec) {
  return checkSamples(spec, sampleList(spec), "sampler.indices");
}

}  // namespace shardlens::sampling
