// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shardlens {
namespace {

constexpr std::size_t kLongest = 8192;

constexpr std::size_t kLongestDrawn = 16'384;  ///< bytes; control sequences without end would pile up

constexpr std::string_view kSequence = "\x1b[";

struct CodePoints {
  std::uint32_t first;
  std::uint32_t last;
};

/// East Asian Wide and emoji, in blocks.
constexpr std::array kWide = {CodePoints{0x1100, 0x115F}, CodePoints{0x2E80, 0xA4CF},   CodePoints{0xAC00, 0xD7A3},
                              CodePoints{0xF900, 0xFAFF}, CodePoints{0xFE30, 0xFE6F},   CodePoints{0xFF00, 0xFF60},
                              CodePoints{0xFFE0, 0xFFE6}, CodePoints{0x1F300, 0x1FAFF}, CodePoints{0x20000, 0x3FFFD}};
/// Combining marks, joiners and variation selectors.
constexpr std::array kCombining = {CodePoints{0x300, 0x36F}, CodePoints{0x200B, 0x200F}, CodePoints{0xFE00, 0xFE0F}};

template <std::size_t kBlocks>
bool isIn(const std::array<CodePoints, kBlocks>& blocks, std::uint32_t point) {
  return std::ranges::any_of(blocks,
                             [point](const CodePoints& block) { return point >= block.first && point <= block.last; });
}

/// What stands together at the front of a text: a character, or a control sequence.
struct Cell {
  std::size_t bytes = 0;
  std::size_t columns = 0;
};

/// ESC [ parameters, up to the letter that says what it does.
std::size_t sequenceAt(std::string_view text) {
  std::size_t end = 2;
  while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
  return std::min(end + 1, text.size());
}

Cell cellAt(std::string_view text) {
  if (text.starts_with(kSequence)) return {sequenceAt(text), 0};
  const auto lead = static_cast<unsigned char>(text[0]);
  std::uint32_t point = lead < 0x80 ? lead : lead & (lead >= 0xF0 ? 0x07U : lead >= 0xE0 ? 0x0FU : 0x1FU);
  std::size_t bytes = 1;
  while (lead >= 0xC0 && bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80)
    point = point << 6U | (static_cast<unsigned char>(text[bytes++]) & 0x3FU);
  return {bytes, isIn(kCombining, point) ? 0U : isIn(kWide, point) ? 2U : 1U};
}

bool erasesRest(std::string_view sequence) {
  return sequence == "\x1b[K" || sequence == "\x1b[0K" || sequence == "\x1b[2K";
}

/// The columns of the text, and whether it erases what it does not write over.
struct Extent {
  std::size_t columns = 0;
  bool erases = false;
};

Extent extentOf(std::string_view text) {
  Extent extent;
  while (!text.empty()) {
    const Cell cell = cellAt(text);
    extent.columns += cell.columns;
    extent.erases = extent.erases || erasesRest(text.substr(0, cell.bytes));
    text.remove_prefix(cell.bytes);
  }
  return extent;
}

/// The text from this column on; a blank for half of a wide character.
std::string behind(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (!text.empty()) {
    const Cell cell = cellAt(text);
    const bool is_mark = cell.columns == 0 && !text.starts_with(kSequence);  // of the character before it
    if (at >= columns && !(is_mark && columns > 0)) break;
    at += cell.columns;
    text.remove_prefix(cell.bytes);
  }
  return std::string(at > columns ? at - columns : 0, ' ').append(text);
}

OutputLines::UseLine asLineOf(std::int64_t rank, bool is_error, const PrintedOutput::UseLine& use) {
  return [rank, is_error, &use](std::string_view text) { use({rank, is_error, std::string(text)}); };
}

}  // namespace

void OutputLines::append(std::string_view text) {
  const std::string_view kept = text.substr(0, kLongest - std::min(kLongest, partial_.size()));
  partial_ += kept;
  cut_ += static_cast<std::int64_t>(text.size() - kept.size());
}

/// What stands on the line now, with what was left out of it.
void OutputLines::beginAgain() {
  if (const std::int64_t cut = std::exchange(cut_, 0); cut > 0) partial_ += " ... (" + counted(cut, "more byte") + ")";
  if (partial_.empty()) return;
  drawn_ = is_drawn_ ? writtenOver(drawn_, partial_) : partial_;
  partial_.clear();
}

void OutputLines::end(const UseLine& use) {
  beginAgain();
  if (!is_drawn_ || drawn_ != told_) use(drawn_);
  drawn_.clear();
  told_.clear();
  is_drawn_ = false;
}

void OutputLines::add(std::string_view bytes, const UseLine& use) {
  while (!bytes.empty()) {
    const std::size_t stop = std::min(bytes.find_first_of("\n\r"), bytes.size());
    append(bytes.substr(0, stop));
    if (stop == bytes.size()) return;
    if (bytes[stop] == '\n') {
      end(use);
    } else {
      beginAgain();
      is_drawn_ = true;
    }
    bytes.remove_prefix(stop + 1);
  }
}

void OutputLines::showProgress(const UseLine& use) {
  if (!is_drawn_) return;
  std::string now = partial_.empty() ? drawn_ : writtenOver(drawn_, partial_);
  if (now.empty() || now == told_) return;
  told_ = std::move(now);
  use(told_);
}

void OutputLines::finish(const UseLine& use) {
  if (!partial_.empty() || !drawn_.empty()) end(use);
}

std::string writtenOver(std::string_view shown, std::string_view text) {
  const Extent written = extentOf(text);
  std::string line(text);
  if (!written.erases) line += behind(shown, written.columns);
  if (line.size() > kLongestDrawn) line = text;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

void PrintedOutput::give(const Source& source, std::string_view bytes, const UseLine& use) {
  if (!bytes.empty()) lines_[source].add(bytes, asLineOf(source.first, source.second, use));
}

/// A tag says whose the bytes are until the next one; after the end of a line without a tag the launcher speaks. Right
/// behind a tag there is none: that is what the rank printed.
void PrintedOutput::untag(std::string_view bytes, const UseLine& use) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const PlaceInOutput place{begins_line_, own_.second};
    const OutputTag tag = is_after_tag_ ? OutputTag{} : launcher_->tag(bytes.substr(at), place);
    is_after_tag_ = false;
    if (tag.length == 0 && !tag.is_cut) {
      begins_line_ = bytes[at] == '\n';
      if (!begins_line_) continue;
      give(current_, bytes.substr(begin, at + 1 - begin), use);
      begin = at + 1;
      current_ = own_;
      continue;
    }
    give(current_, bytes.substr(begin, at - begin), use);
    begin = at + tag.length;
    if (tag.is_cut) {
      held_ = bytes.substr(at);
      return;
    }
    current_ = {tag.rank, tag.is_error};
    begins_line_ = false;
    is_after_tag_ = true;
    at = begin - 1;
  }
  give(current_, bytes.substr(begin), use);
}

void PrintedOutput::add(std::string_view bytes, const UseLine& use) {
  if (own_.first >= 0) return give(own_, bytes, use);
  const std::string all = std::exchange(held_, {}).append(bytes);
  untag(all, use);
}

void PrintedOutput::showProgress(const UseLine& use) {
  for (auto& [source, lines] : lines_) lines.showProgress(asLineOf(source.first, source.second, use));
}

void PrintedOutput::finish(const UseLine& use) {
  give(current_, std::exchange(held_, {}), use);
  for (auto& [source, lines] : lines_) lines.finish(asLineOf(source.first, source.second, use));
}

}  // namespace shardlens
