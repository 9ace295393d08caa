// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens {

/// Text as HTML and XML 1.0 show it, also within quotes: no character of it begins a tag or an entity. What is not
/// UTF-8 becomes U+FFFD; control characters other than line breaks and tabs, which XML cannot carry, become blanks.
std::string htmlText(std::string_view text);

/// What the head of a page says.
struct PageHead {
  std::string title;
  std::string description;  ///< one sentence
  bool has_scripts = false;
  bool is_shared = false;  ///< title and description also for those who preview a link to it
};

/// What stands in <head>, up to the style: the page asks no network for anything.
std::string pageHead(const PageHead& head);

/// A placeholder ("@name@") and what takes its place.
using Filling = std::pair<std::string_view, std::string>;

/// The page with its placeholders filled, in one pass: inserted text is not searched again.
std::string filledPage(std::string_view page, std::span<const Filling> fillings);

/// A text file of resources, as it was when this was built.
struct PageFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace shardlens
