// SPDX-License-Identifier: Apache-2.0
#include "core/collect/printed_output.h"

#include <algorithm>

namespace shardlens {
namespace {

OutputLines::UseLine asLineOf(std::int64_t rank, bool is_error, const PrintedOutput::UseLine& use) {
  return [rank, is_error, &use](std::string_view text) { use({rank, is_error, std::string(text)}); };
}

}  // namespace

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
