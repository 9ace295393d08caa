// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace shardlens {

/// What a terminal shows of a line when `text` is written over it from its first column: what `shown` has behind that
/// stays, unless the text erases it (ESC [ K). Blanks at the end are left out. Counts columns as terminals do for wide
/// and combining characters; other control sequences than erasing take none.
std::string writtenOver(std::string_view shown, std::string_view text);

}  // namespace shardlens
