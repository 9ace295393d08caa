// SPDX-License-Identifier: Apache-2.0
#include "core/report/run_picture.h"

#include <algorithm>

namespace shardlens {
namespace {

constexpr std::array<Phase, 4> kMeasured = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer};

/// -1: not measured.
int placeOf(Phase phase) {
  const auto found = std::ranges::find(kMeasured, phase);
  return found == kMeasured.end() ? -1 : static_cast<int>(found - kMeasured.begin());
}

std::int64_t worked(const std::array<std::int64_t, kMeasured.size()>& column) {
  return column[0] + column[1];
}

}  // namespace

RunPicture::RunPicture(const Timeline& timeline, std::int64_t ranks) {
  for (const Lane& lane : timeline.lanes) {
    ranks = std::max(ranks, lane.rank + 1);
    for (const Span& span : lane.spans) end_ns_ = std::max(end_ns_, span.end_ns);
  }
  if (end_ns_ > 0) end_ns_ = std::max(end_ns_, timeline.end_ns);
  ranks_.resize(static_cast<std::size_t>(ranks));
  column_ns_ = std::max<std::int64_t>(1, (end_ns_ + kColumns - 1) / kColumns);
  for (const Lane& lane : timeline.lanes) {
    for (const Span& span : lane.spans) add(lane.rank, span);
  }
}

void RunPicture::add(std::int64_t rank, const Span& span) {
  const int phase = placeOf(span.phase);
  const std::int64_t begin = std::max<std::int64_t>(span.begin_ns, 0);
  if (phase < 0 || rank < 0 || span.end_ns <= begin) return;
  std::vector<Column>& columns = ranks_[static_cast<std::size_t>(rank)];
  if (columns.empty()) columns.resize(kColumns);
  for (std::int64_t at = begin; at < span.end_ns;) {
    const std::int64_t column = at / column_ns_;
    const std::int64_t until = std::min(span.end_ns, (column + 1) * column_ns_);
    columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(phase)] += until - at;
    at = until;
  }
}

std::int64_t RunPicture::columns() const {
  return (end_ns_ + column_ns_ - 1) / column_ns_;
}

Phase RunPicture::phaseOf(std::int64_t at, const Column& column) const {
  const std::int64_t lasts = std::min(column_ns_, end_ns_ - at * column_ns_);
  const auto most = std::ranges::max_element(column);
  std::int64_t measured = 0;
  for (const std::int64_t ns : column) measured += ns;
  if (*most <= lasts - measured) return Phase::Unmeasured;
  return kMeasured[static_cast<std::size_t>(most - column.begin())];
}

PictureRow RunPicture::row(std::int64_t first_rank, std::int64_t last_rank) const {
  PictureRow row{first_rank, last_rank, {}};
  for (std::int64_t at = 0; at < columns(); ++at) {
    const auto column = static_cast<std::size_t>(at);
    Column slowest = this->at(static_cast<std::size_t>(first_rank), column);
    for (std::int64_t rank = first_rank + 1; rank < last_rank; ++rank) {
      const Column other = this->at(static_cast<std::size_t>(rank), column);
      if (worked(other) > worked(slowest)) slowest = other;
    }
    const Phase phase = phaseOf(at, slowest);
    if (phase == Phase::Unmeasured) continue;
    if (!row.blocks.empty() && row.blocks.back().last == at && row.blocks.back().phase == phase) {
      row.blocks.back().last = at + 1;
    } else {
      row.blocks.push_back({at, at + 1, phase});
    }
  }
  return row;
}

std::vector<PictureRow> RunPicture::rows(std::int64_t most) const {
  const std::int64_t ranks = std::ssize(ranks_);
  const std::int64_t count = std::min(ranks, most);
  std::vector<PictureRow> rows;
  rows.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(row(i * ranks / count, (i + 1) * ranks / count));
  return rows;
}

}  // namespace shardlens
