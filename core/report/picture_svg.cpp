// SPDX-License-Identifier: Apache-2.0
#include "core/report/picture_svg.h"

#include "core/base/html.h"
#include "core/base/text.h"
#include "core/timeline/chrome_trace.h"
#include "core/timeline/tick_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace shardlens {
namespace {

constexpr int kLeft = 64;     ///< for the numbers of the ranks
constexpr int kTop = 22;      ///< for the axis
constexpr int kWidth = 1024;  ///< of the rows
constexpr int kRight = 12;
constexpr int kTickWidth = 90;  ///< at least, from one tick to the next
constexpr std::array<Phase, 4> kStacked = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer};

struct Frame {
  std::int64_t columns = 1;
  double column_ns = 1;
  int pitch = 20;
  std::vector<PictureRow> rows;

  [[nodiscard]] int bar() const { return pitch * 3 / 4; }
  [[nodiscard]] int bottom() const { return kTop + pitch * static_cast<int>(rows.size()); }
  [[nodiscard]] double x(std::int64_t ns) const {
    return std::clamp(static_cast<double>(ns) / column_ns / static_cast<double>(columns), 0.0, 1.0) * kWidth;
  }
  [[nodiscard]] int y(std::size_t row) const { return kTop + pitch * static_cast<int>(row); }
};

Frame frameOf(const RunPicture& picture) {
  Frame frame;
  frame.rows = picture.rows(kMostPictureRows);
  frame.columns = std::max<std::int64_t>(picture.columns(), 1);
  frame.column_ns = static_cast<double>(picture.columnNs());
  frame.pitch = frame.rows.size() <= 16 ? 22 : frame.rows.size() <= 32 ? 16 : 10;
  return frame;
}

std::string decimals(double number) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + decimals(value) + "\"";
}

std::string line(const char* mark, double x0, double y0, double x1, double y1) {
  return std::string("<line class=\"") + mark + "\"" + attribute("x1", x0) + attribute("y1", y0) + attribute("x2", x1) +
         attribute("y2", y1) + "/>";
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + "\">" + htmlText(text) +
         "</text>";
}

std::string secondsText(double seconds, double tick) {
  const bool is_ms = tick < 0.1;
  std::array<char, 64> text{};
  const double shown = is_ms ? seconds * 1e3 : seconds;
  const double step = is_ms ? tick * 1e3 : tick;
  (void)std::snprintf(text.data(), text.size(), "%.*f %s",
                      step >= 1     ? 0
                      : step >= 0.1 ? 1
                                    : 3,
                      shown, is_ms ? "ms" : "s");
  return text.data();
}

std::string axis(const Frame& frame) {
  const double seconds = static_cast<double>(frame.columns) * frame.column_ns / 1e9;
  const double tick = static_cast<double>(tickStep(seconds * 1e9 * kTickWidth / kWidth)) / 1e9;
  std::string out;
  for (int i = 0; i * tick <= seconds; ++i) {
    const double x = kLeft + i * tick / seconds * kWidth;
    out += line("tick", x, kTop - 6, x, frame.bottom());
    if (x + 20 <= kLeft + kWidth) out += label(x, kTop - 9, "middle", secondsText(i * tick, tick));
  }
  return out;
}

std::string rowName(const PictureRow& row) {
  if (row.last_rank - row.first_rank == 1) return std::to_string(row.first_rank);
  return std::to_string(row.first_rank) + "\u2013" + std::to_string(row.last_rank - 1);
}

std::string share(std::int64_t part, std::int64_t whole) {
  return std::to_string(
             std::llround(100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(whole, 1)))) +
         "\u202f%";
}

/// What a pointer over the row is told.
std::string rowTitle(const PictureRow& row, const RunState& state) {
  if (row.last_rank - row.first_rank > 1) return "ranks " + rowName(row);
  std::string text = "rank " + rowName(row);
  if (row.first_rank >= std::ssize(state.ranks)) return text;
  const RankState& rank = state.ranks[static_cast<std::size_t>(row.first_rank)];
  const std::int64_t all = rank.load_ns + rank.compute_ns + rank.wait_ns + rank.transfer_ns;
  if (all == 0) return text + ": not measured";
  if (rank.has_gaps) text += ", of what was recorded";
  return text + ": data wait " + share(rank.load_ns, all) + ", compute " + share(rank.compute_ns, all) +
         ", waiting for others " + share(rank.wait_ns, all) + ", transfer " + share(rank.transfer_ns, all);
}

std::string rowSvg(const Frame& frame, std::size_t index, const RunState& state) {
  const PictureRow& row = frame.rows[index];
  const int y = frame.y(index);
  std::string out = "<g><title>" + htmlText(rowTitle(row, state)) + "</title><rect class=\"rowless\"" +
                    attribute("x", kLeft) + attribute("y", y) + attribute("width", kWidth) +
                    attribute("height", frame.bar()) + "/>";
  for (const Phase phase : kStacked) {
    std::string path;
    for (const PictureBlock& block : row.blocks) {
      if (block.phase != phase) continue;
      path += "M" + std::to_string(block.first) + " 0h" + std::to_string(block.last - block.first) + "v1H" +
              std::to_string(block.first) + "z";
    }
    if (path.empty()) continue;
    out += std::string("<path class=\"") + phaseName(phase) + "\" transform=\"translate(" + std::to_string(kLeft) +
           " " + std::to_string(y) + ") scale(" + decimals(kWidth / static_cast<double>(frame.columns)) + " " +
           std::to_string(frame.bar()) + ")\" d=\"" + path + "\"/>";
  }
  // Ten rows of 64 have room for a number each eighth.
  if (frame.pitch > 10 || index % 4 == 0) out += label(kLeft - 8, y + frame.bar() - 3, "end", rowName(row));
  return out + "</g>";
}

std::size_t rowOf(const Frame& frame, std::int64_t rank) {
  const auto row = std::ranges::find_if(frame.rows, [rank](const PictureRow& one) { return rank < one.last_rank; });
  return static_cast<std::size_t>(row - frame.rows.begin());
}

/// The ranks and the time that the first verdict is about.
std::string bands(const Frame& frame, const RunState& state) {
  if (state.verdicts.empty() || !state.verdicts[0].from_ns || !state.verdicts[0].to_ns) return {};
  const Verdict& verdict = state.verdicts[0];
  const double begin = frame.x(*verdict.from_ns);
  const double end = frame.x(*verdict.to_ns);
  std::string out;
  std::size_t last = frame.rows.size();
  for (const std::int64_t rank : verdict.ranks) {
    const std::size_t row = rowOf(frame, rank);
    if (row == last || row >= frame.rows.size()) continue;
    last = row;
    out += "<rect class=\"band\"" + attribute("x", kLeft + begin) +
           attribute("y", frame.y(row) - (frame.pitch - frame.bar()) / 2.0) + attribute("width", end - begin) +
           attribute("height", frame.pitch) + "/>";
  }
  return out;
}

std::string deaths(const Frame& frame, const RunState& state) {
  std::string out;
  for (const RankState& rank : state.ranks) {
    const std::size_t row = rowOf(frame, rank.rank);
    if (rank.status != RankStatus::Dead || row >= frame.rows.size()) continue;
    const double x = kLeft + frame.x(rank.since_ns);
    const double y = frame.y(row) + frame.bar() / 2.0;
    out += "<g><title>rank " + std::to_string(rank.rank) + " died</title>" + line("cross", x - 4, y - 4, x + 4, y + 4) +
           line("cross", x - 4, y + 4, x + 4, y - 4) + "</g>";
  }
  return out;
}

}  // namespace

std::string pictureSvg(const RunPicture& picture, const RunState& state) {
  const Frame frame = frameOf(picture);
  std::string out = "<svg role=\"img\" aria-label=\"Ranks over time\" viewBox=\"0 0 " +
                    std::to_string(kLeft + kWidth + kRight) + " " + std::to_string(frame.bottom() + 4) + "\">";
  out += bands(frame, state) + axis(frame);
  for (std::size_t row = 0; row < frame.rows.size(); ++row) out += rowSvg(frame, row, state);
  return out + deaths(frame, state) + "</svg>";
}

}  // namespace shardlens
