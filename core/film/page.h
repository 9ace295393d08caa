// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/film/film.h"

#include <string>

namespace shardlens {

/// Which colours a page begins with; it has a switch.
enum class PageTheme { Auto, Light, Dark };

/// The film as one HTML page that plays in any browser and asks no network for anything. What the design says of itself
/// (names, findings) is data in it, and can be no markup and no script.
std::string filmPage(const Film& film, PageTheme theme = PageTheme::Auto);

}  // namespace shardlens
