// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"

#include "core/collect/collect_words.h"

#include <algorithm>
#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kLongest = 8192;

}  // namespace

void OutputLines::append(std::string_view text) {
  const std::string_view kept = text.substr(0, kLongest - std::min(kLongest, partial_.size()));
  partial_ += kept;
  cut_ += static_cast<std::int64_t>(text.size() - kept.size());
}

/// What stands on the line now, with what was left out of it.
void OutputLines::beginAgain() {
  if (const std::int64_t cut = std::exchange(cut_, 0); cut > 0) partial_ += words::bytesMore(cut);
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

}  // namespace shardlens
