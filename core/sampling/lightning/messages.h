// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/sampling/lightning/injection.h"

#include <span>
#include <string>

/// Lightning's own exceptions about loaders that it cannot make again (2.6.2), word for word.
namespace shardlens::sampling::lightning {

Error samplerWithoutLength(UserSampler::Length length);
Error noSamplerArgument(const std::string& batch_sampler_class);
/// `inside_hook`: the Trainer's longer advice, for a class that looks like a BatchSampler and takes other arguments.
Error cannotInject(LightningApi api, bool inside_hook);
Error missingAttributes(const std::string& loader_class, std::span<const std::string> sorted);
Error missingArguments(LightningApi api, const std::string& loader_class, std::span<const std::string> sorted);
Error doubleArgument(const std::string& loader_class, const std::string& argument);

}  // namespace shardlens::sampling::lightning
