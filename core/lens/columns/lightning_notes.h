// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lens/lens.h"
#include "core/sampling/lightning/injection.h"

#include <string>
#include <vector>

namespace shardlens::lenses {

/// One sentence: what becomes of the loader.
std::string lightningMakes(const PipelineSpec& written, const sampling::LightningSettings& settings,
                           const sampling::PreparedLoader& prepared);

/// What else a user should know about the loader that Lightning prepared from the spec's, with the issues that people
/// reported.
std::vector<Note> lightningNotes(const PipelineSpec& written, const sampling::LightningSettings& settings,
                                 const sampling::PreparedLoader& prepared);

}  // namespace shardlens::lenses
