// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"
#include "core/report/run_picture.h"

#include <cstdint>
#include <string>

namespace shardlens {

/// With more ranks, several share a row.
constexpr std::int64_t kMostPictureRows = 64;

/// Rows of ranks over the whole run, with an axis of seconds, a cross where a rank died, and a band over the ranks and
/// the time that the first verdict names. An SVG element whose colours come from the page's style.
std::string pictureSvg(const RunPicture& picture, const RunState& state);

}  // namespace shardlens
