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

}  // namespace shardlens
