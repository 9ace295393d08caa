// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/torch_generator.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace shardlens {

/// Which of torch.multinomial's two algorithms a call takes.
enum class TorchMultinomialPath {
  Cumulative,   ///< per sample one float64 of the generator, searched in the cumulative shares of the weights
  Exponential,  ///< per category one exponential variate; the samples with the largest weight / variate, in their order
};

/// Without replacement it is the exponential one, and in torch 2.x also for a single sample.
TorchMultinomialPath torchMultinomialPath(std::string_view release, std::int64_t num_samples, bool replacement);

/// How many outputs of the generator one call consumes.
std::uint64_t torchMultinomialOutputs(TorchMultinomialPath path, std::uint64_t categories, std::uint64_t num_samples);

/// What torch.multinomial(weights, num_samples, replacement) raises, word for word, or success.
Result<void> checkTorchMultinomial(std::span<const double> weights, std::int64_t num_samples, bool replacement,
                                   TorchMultinomialPath path);
Result<void> checkTorchMultinomial(std::span<const float> weights, std::int64_t num_samples, bool replacement,
                                   TorchMultinomialPath path);

/// The part of it that needs no weights.
Result<void> checkTorchMultinomialSizes(std::size_t categories, std::int64_t num_samples, bool replacement);

/// torch.multinomial of weights that passed the check, out.size() samples drawn from `generator`. Source: ATen
/// Distributions.cpp, MultinomialKernel.cpp, DistributionKernels.cpp (2.0 to 2.6: built without MKL). Where several
/// weights of zero end up among the samples, their order is that of libstdc++'s sorting, which such a torch uses too.
Result<void> torchMultinomial(TorchGenerator& generator, std::span<const double> weights, TorchMultinomialPath path,
                              std::span<std::uint32_t> out, const Work& work = {});
Result<void> torchMultinomial(TorchGenerator& generator, std::span<const float> weights, TorchMultinomialPath path,
                              std::span<std::uint32_t> out, const Work& work = {});

}  // namespace shardlens
