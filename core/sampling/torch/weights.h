// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_array.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/torch_generator.h"
#include "core/sampling/claims.h"
#include "core/sampling/order.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"
#include "core/spec/value.h"

#include <cstdint>
#include <span>
#include <vector>

namespace shardlens::sampling {

using Weights = LargeArray<double>;

/// The parameter `weights`: a list, or a pattern that has a name: uniform 1; ramp i+1; inverse 1/(i+1); long_tail
/// 1/((i mod 10)+1)^2; zeros_mixed 0 where i mod 3 = 0, else ((i mod 5)+1)/7.
Field weightsField();
/// The parameters of a WeightedRandomSampler: `weights`, `num_samples` and `replacement`.
std::vector<Field> weightedFields();

/// The items of a list, or `size` items of the pattern that `value` names.
Result<Weights> weightsOf(const Value& value, std::int64_t size);

/// The parameter `weights` without a copy: it may be a list of millions. It is the first one of that sampler.
const Value& givenWeights(const PipelineSpec& spec, const SamplerInfo& info);
/// How many there are: as many as samples, unless a list says otherwise.
std::int64_t categoriesOf(const PipelineSpec& spec, const SamplerInfo& info);

/// Why a sample is not drawn by these weights: it has none, one of 0, or chance left it out.
LeftOutCause notDrawnBy(const Value& given, std::int64_t size);
/// The same for the weights of a spec.
template <const SamplerInfo& (*info)()>
LeftOutCause notDrawnByWeight(const PipelineSpec& spec, Epoch /*epoch*/) {
  return notDrawnBy(givenWeights(spec, info()), spec.dataset.size);
}

/// Says when there are more weights than the dataset has samples.
Result<void> checkWeightCount(const PipelineSpec& spec, std::int64_t weights);

/// torch.multinomial(weights, num_samples, replacement) as a sampler of the spec calls it in every epoch, with weights
/// of float64.
struct WeightedDraw {
  std::int64_t num_samples = 0;
  bool replacement = true;

  /// What the call raises; Unsupported when the spec's PyTorch draws it from a stream that cannot be followed.
  [[nodiscard]] Result<void> check(const PipelineSpec& spec, std::span<const double> weights) const;
  /// The refusal of such a call, at the field that is wrong and with a remedy if the number of samples is wrong.
  [[nodiscard]] Error placed(Error error, std::int64_t categories) const;
  /// Outputs of the generator that the call consumes.
  [[nodiscard]] std::uint64_t outputs(const PipelineSpec& spec, std::int64_t categories) const;
  /// The drawn categories, for weights that passed the check.
  Result<LargeArray<std::uint32_t>> draw(const PipelineSpec& spec, std::span<const double> weights,
                                         TorchGenerator& generator, const Work& work) const;
};

}  // namespace shardlens::sampling
