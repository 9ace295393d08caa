// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/capture.h"
#include "core/collect/job_proof.h"
#include "ui/scene/run/text.h"

#include <vector>

namespace shardlens::ui {

/// What the first lines say once it is also known what is wrong with what the loaders read: a job that finished well
/// is no green one then.
std::vector<RunHeadline> withLoaders(RunHeadline first, std::vector<RunHeadline> further,
                                     const capture::Capture& loaders);

/// That the job's loaders did not read what its design plans, or another one that is open.
RunHeadline mismatchHeadline(const JobProof& proof, bool is_of_open_design = false);

}  // namespace shardlens::ui
