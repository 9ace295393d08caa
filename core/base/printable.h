// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace shardlens {

/// Whether a terminal shows every byte of `text` as what it is: well-formed UTF-8 without control characters (except
/// line breaks and tabs) and without characters that change the direction of writing.
bool isPrintable(std::string_view text);

/// `text` made safe for a terminal: what is not printable becomes JSON's escape for it ("\u001b"), what
/// is not UTF-8 becomes U+FFFD. Text that comes from outside (names, paths, what a job prints) must never move a
/// cursor, set a title, or hide what follows.
std::string printable(std::string_view text);

/// `text` without the sequences that colour it and move the cursor in it (ESC [ ... letter): they say nothing.
std::string withoutStyles(std::string_view text);

/// The text with its line breaks and tabs escaped, for a heading of one line.
std::string oneLine(std::string_view text);

}  // namespace shardlens
