// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/capture/agreement.h"
#include "core/capture/job_loaders.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Parts of the sentences about captured loaders.
namespace shardlens::words {

Error badInput(std::string message, const std::string& path, std::string hint);
std::vector<std::int64_t> ranksOf(const capture::JobLoader& job);
/// "a, b, c"
std::string inRow(std::span<const std::string> parts);
/// "103 samples", or that the dataset does not say how many.
std::string samplesOf(const std::optional<std::int64_t>& length);
/// What follows a sentence when batches were drawn that are not in the files.
std::string lostText(std::int64_t count);
/// " 16 more batches were queued and never handed to the loop."; empty for none.
std::string queuedText(const capture::JobLoader& job, const capture::Agreement& agreement);
/// " Loading 2 batches raised an error; they are not among these."; empty for none.
std::string raisedText(std::int64_t count);
/// " Rank 1 may have read more than was recorded."; empty for none.
std::string unfinishedText(const capture::Agreement& agreement);
/// "loader train", and "loader-2" where that is the name.
std::string namedLoader(const capture::JobLoader& job);

}  // namespace shardlens::words
