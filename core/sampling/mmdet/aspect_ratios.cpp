// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/mmdet/aspect_ratios.h"

#include "core/base/phrase.h"
#include "core/spec/field_table.h"

#include <string>

namespace shardlens::sampling {

Field mmdetAspectRatiosField() {
  return {.path = "sampler.aspect_ratios",
          .kind = FieldKind::Numbers,
          .fallback = std::string("alternating"),
          .min = 0,
          .max = INT64_MAX,
          .choices = {"alternating"},
          .help = marked("fields",
                         "Width divided by height of each image; those below 1 are tall. alternating makes every "
                         "second image tall.")};
}

NumberList mmdetAspectRatios(const PipelineSpec& spec, const SamplerInfo& info) {
  const Value given = parameter(spec, info, "aspect_ratios");
  const auto* list = std::get_if<NumberList>(&given);
  return list == nullptr ? NumberList() : *list;
}

Result<void> checkMmdetAspectRatios(const PipelineSpec& spec, const SamplerInfo& info) {
  const NumberList ratios = mmdetAspectRatios(spec, info);
  if (ratios.empty() || static_cast<std::int64_t>(ratios.size()) == spec.dataset.size) return {};
  return Error{ErrorCode::BadInput,
               worded("checks", "aspect_ratios needs one number for each sample."),
               {{}, 0, 0, "sampler.aspect_ratios"},
               worded("checks", "give as many as dataset.size, or alternating")};
}

bool mmdetIsWide(const NumberList& ratios, SampleIndex image) {
  return ratios.empty() ? image % 2 != 0 : ratios[static_cast<std::size_t>(image)] >= 1;
}

}  // namespace shardlens::sampling
