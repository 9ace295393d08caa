// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace shardlens::cli {

/// Writes words in lines of at most 92 columns, each after `indent` blanks.
void writeWrapped(Output& out, std::string_view text, std::size_t indent);

/// "  label   text": the text wrapped in a column of its own. A label has at most seven characters.
void writeLabelled(Output& out, std::string_view label, std::string_view text);

/// The text with blanks behind it up to `width` columns.
std::string paddedText(std::string text, std::size_t width);

/// Characters of UTF-8 text: what it takes in a terminal.
std::size_t columnsOf(std::string_view text);

}  // namespace shardlens::cli
