// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/job_proof.h"

#include <string>
#include <vector>

namespace shardlens::cli {

/// "match", "mismatch" or "incomplete".
const char* resultName(ProofResult result);

/// The proof for a terminal; `differing` says in what the run's own spec or loader is another one.
std::string proofText(const JobProof& proved, const std::vector<std::string>& differing);

}  // namespace shardlens::cli
