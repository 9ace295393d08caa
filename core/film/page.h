// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/html.h"
#include "core/film/film.h"

#include <span>
#include <string>

namespace shardlens {

/// Which colours a page begins with; it has a switch.
enum class PageTheme { Auto, Light, Dark };

/// The film as one HTML page that plays in any browser and uses no network. What the design says about itself
/// (names, findings) is data in the page, never markup or script.
std::string filmPage(const Film& film, PageTheme theme = PageTheme::Auto);

/// The files of resources/film, scripts in the order in which the page needs them.
std::span<const PageFile> filmFiles();

}  // namespace shardlens
