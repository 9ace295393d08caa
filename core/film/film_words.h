// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>

/// What a film says in words about its design and about what it leaves out, in one place. The page's own words are in
/// resources/film.
namespace shardlens::words {

/// "torch.DistributedSampler · 4 ranks on 1 node · batch size 2 per rank · 64 samples"
std::string designShown(const PipelineSpec& spec);

// --- what is left out
// -------------------------------------------------------------------------------------------------
/// Of this epoch, or of each.
std::string onlyFirstSteps(std::optional<std::int64_t> epoch, std::int64_t shown, std::int64_t steps);
std::string onlyTheseEpochs(std::int64_t first, std::int64_t last, std::int64_t epochs);

// --- what cannot be shown
// ---------------------------------------------------------------------------------------------
Error noSuchFirstEpoch(std::int64_t epoch, std::int64_t epochs);
Error tooManyRanksForFilm(std::int64_t ranks, std::int64_t most_batches);

}  // namespace shardlens::words
