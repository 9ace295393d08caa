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
  ExponentialMkl,  ///< the same with variates of a stream of MKL, which one output of the generator seeds
};

/// Without replacement it is an exponential one, and in torch 2.x also for a single sample. `mkl`: torch was built with
/// MKL, which 2.0 to 2.6 ask for exponential variates (pytorch PR 69967 and, against it, PR 146174).
TorchMultinomialPath torchMultinomialPath(std::string_view release, std::int64_t num_samples, bool replacement,
                                          bool mkl = false);

/// How many outputs of the generator one call with float64 weights consumes.
std::uint64_t torchMultinomialOutputs(TorchMultinomialPath path, std::uint64_t categories, std::uint64_t num_samples);

/// What torch.multinomial(weights, num_samples, replacement) raises, word for word, or success.
Result<void> checkTorchMultinomial(std::span<const double> weights, std::int64_t num_samples, bool replacement,
                                   TorchMultinomialPath path);
Result<void> checkTorchMultinomial(std::span<const float> weights, std::int64_t num_samples, bool replacement,
                                   TorchMultinomialPath path);

/// The part of it that needs no weights.
Result<void> checkTorchMultinomialSizes(std::size_t categories, std::int64_t num_samples, bool replacement);

/// torch.multinomial of weights that passed the check, out.size() samples drawn from `generator`. Source: ATen
/// Distributions.cpp, MultinomialKernel.cpp, DistributionKernels.cpp. Where several weights of zero end up among the
/// samples, their order is that of libstdc++'s sorting, which such a torch uses too. With MKL (VSL_BRNG_MCG31 and
/// VSL_RNG_METHOD_EXPONENTIAL_ICDF), outputs for float32 weights are public (pytorch#148247, #150538) and are
/// reproduced; float64 weights take the same stream with a seed of 64 bits, whose low half is what MKL's LP64 interface
/// takes.
Result<void> torchMultinomial(TorchGenerator& generator, std::span<const double> weights, TorchMultinomialPath path,
                              std::span<std::uint32_t> out, const Work& work = {});
Result<void> torchMultinomial(TorchGenerator& generator, std::span<const float> weights, TorchMultinomialPath path,
                              std::span<std::uint32_t> out, const Work& work = {});

}  // namespace shardlens
