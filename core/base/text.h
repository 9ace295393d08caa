// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// 1281167 -> "1 281 167" with U+202F, a thin space that no line breaks at: how every number is shown to a person.
std::string grouped(std::int64_t number);

/// 2 048 000 000 -> "2.0 GB"; powers of 1000.
std::string byteSize(double bytes);

/// "1 sample", "2 samples": the grouped number with the noun, an s added unless it is one.
std::string counted(std::int64_t number, std::string_view noun);

/// The candidate with the smallest edit distance to `word`, or empty when none is near enough to be a typing error.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// Ranks as a person writes them: {0,1,2,3,7} -> "0-3, 7". Sorts and removes repeats; shows at most `most` runs, then
/// "...".
std::string ranges(std::vector<std::int64_t> numbers, std::size_t most = 8);

/// The same as in a sentence: {0,1,2,3,7} -> "0 to 3 and 7". Shows at most `most` runs, then "and 5 more".
std::string listed(std::vector<std::int64_t> numbers, std::size_t most = 8);

/// "rank 3", "ranks 0 to 3 and 7".
std::string listedRanks(const std::vector<std::int64_t>& ranks);

/// "Rank 3", "Ranks 0 to 3 and 7": where a sentence begins.
std::string capitalRanks(const std::vector<std::int64_t>& ranks);

/// "epoch 3", "epochs 0 to 3 and 7".
std::string listedEpochs(const std::vector<std::int64_t>& epochs);

/// The parts between separators: one more than there are of them.
std::vector<std::string> split(std::string_view text, char separator);

std::string join(std::span<const std::string> parts, std::string_view separator);

/// How many bytes from the front are well-formed UTF-8: all of `text` when it is UTF-8.
std::size_t utf8Prefix(std::string_view text);

/// A length of time in its largest unit, with U+202F: "320 ns", "18 ms", "1.4 s", "7.9 min", "3.2 h". So many figures,
/// and as many more as a whole number needs; "0 s" for nothing and for less.
std::string durationText(std::int64_t ns, int figures = 2);

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
