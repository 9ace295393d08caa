// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/capture.h"

#include <string>

namespace shardlens::capture {

/// The spec as a file, with comments that say where it comes from, whether it reproduces what was read, and what is
/// not known, in the language of this thread.
std::string specText(const CapturedLoader& loader);

}  // namespace shardlens::capture
