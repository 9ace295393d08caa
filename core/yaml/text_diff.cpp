// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/text_diff.h"

#include <algorithm>
#include <optional>

namespace shardlens::yaml {
namespace {

using Kind = DiffLine::Kind;
using Texts = std::vector<std::string_view>;

/// Lines without their '\n'; a last line that has none is marked by its place: it ends where the text ends.
Texts linesOf(std::string_view text) {
  Texts lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end == std::string_view::npos ? text.size() : end + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

/// The furthest x on every diagonal after each number of edits: what is needed to walk back from the end.
using Trace = std::vector<std::vector<std::ptrdiff_t>>;

std::ptrdiff_t& on(std::vector<std::ptrdiff_t>& furthest, std::ptrdiff_t diagonal, std::ptrdiff_t edits) {
  return furthest[static_cast<std::size_t>(diagonal + edits + 1)];
}

/// Whether the path to `diagonal` comes from the one above it (a line added) rather than the one below (removed).
bool comesFromAbove(std::vector<std::ptrdiff_t>& last, std::ptrdiff_t diagonal, std::ptrdiff_t edits) {
  return diagonal == -edits ||
         (diagonal != edits && on(last, diagonal - 1, edits - 1) < on(last, diagonal + 1, edits - 1));
}

std::optional<Trace> search(const Texts& a, const Texts& b) {
  const auto rows = static_cast<std::ptrdiff_t>(a.size());
  const auto columns = static_cast<std::ptrdiff_t>(b.size());
  Trace trace;
  std::vector<std::ptrdiff_t> last(3, 0);
  for (std::ptrdiff_t edits = 0; edits <= static_cast<std::ptrdiff_t>(kMostDiffEdits); ++edits) {
    std::vector<std::ptrdiff_t> furthest(static_cast<std::size_t>(2 * edits + 3), -1);
    for (std::ptrdiff_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
      std::ptrdiff_t x = 0;
      if (edits > 0)
        x = comesFromAbove(last, diagonal, edits) ? on(last, diagonal + 1, edits - 1)
                                                  : on(last, diagonal - 1, edits - 1) + 1;
      while (x < rows && x - diagonal < columns &&
             a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - diagonal)])
        ++x;
      on(furthest, diagonal, edits) = x;
      if (x >= rows && x - diagonal >= columns) {
        trace.push_back(std::move(furthest));
        return trace;
      }
    }
    trace.push_back(furthest);
    last = std::move(furthest);
  }
  return std::nullopt;
}

/// Walks back from the end of both texts; the lines come out in reverse.
std::vector<DiffLine> walkBack(const Texts& a, const Texts& b, Trace& trace) {
  std::vector<DiffLine> lines;
  auto x = static_cast<std::ptrdiff_t>(a.size());
  auto y = static_cast<std::ptrdiff_t>(b.size());
  for (auto edits = static_cast<std::ptrdiff_t>(trace.size()) - 1; edits >= 0; --edits) {
    std::ptrdiff_t from_x = 0;
    std::ptrdiff_t from_y = 0;
    bool added = false;
    if (edits > 0) {
      std::vector<std::ptrdiff_t>& last = trace[static_cast<std::size_t>(edits - 1)];
      added = comesFromAbove(last, x - y, edits);
      const std::ptrdiff_t diagonal = x - y + (added ? 1 : -1);
      from_x = on(last, diagonal, edits - 1);
      from_y = from_x - diagonal;
    }
    const std::ptrdiff_t start_x = edits > 0 && !added ? from_x + 1 : from_x;
    for (; x > start_x; --x, --y) lines.push_back({Kind::Same, a[static_cast<std::size_t>(x - 1)]});
    if (edits > 0)
      lines.push_back(added ? DiffLine{Kind::Added, b[static_cast<std::size_t>(from_y)]}
                            : DiffLine{Kind::Removed, a[static_cast<std::size_t>(from_x)]});
    x = from_x;
    y = from_y;
  }
  return lines;
}

std::vector<DiffLine> differenceOf(const Texts& a, const Texts& b) {
  if (auto trace = search(a, b)) {
    std::vector<DiffLine> lines = walkBack(a, b, *trace);
    std::ranges::reverse(lines);
    return lines;
  }
  std::vector<DiffLine> lines;
  for (const std::string_view line : a) lines.push_back({Kind::Removed, line});
  for (const std::string_view line : b) lines.push_back({Kind::Added, line});
  return lines;
}

/// With line ends still on, so that a missing last one is a difference.
std::vector<DiffLine> rawDiff(std::string_view before, std::string_view after) {
  Texts a = linesOf(before);
  Texts b = linesOf(after);
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const auto middle = [&](const Texts& lines) {
    return Texts(lines.begin() + static_cast<std::ptrdiff_t>(head), lines.end() - static_cast<std::ptrdiff_t>(tail));
  };
  std::vector<DiffLine> out;
  for (std::size_t i = 0; i < head; ++i) out.push_back({Kind::Same, a[i]});
  for (const DiffLine& line : differenceOf(middle(a), middle(b))) out.push_back(line);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) out.push_back({Kind::Same, a[i]});
  return out;
}

/// A stretch of changes with the lines around them, as indices into the lines.
struct Hunk {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Hunk> hunksOf(const std::vector<DiffLine>& lines) {
  constexpr std::size_t kContext = 3;
  std::vector<Hunk> hunks;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == Kind::Same) continue;
    const std::size_t begin = i < kContext ? 0 : i - kContext;
    if (hunks.empty() || begin > hunks.back().end) hunks.push_back({begin, 0});
    hunks.back().end = std::min(lines.size(), i + 1 + kContext);
  }
  return hunks;
}

/// "12,3": first line and number of lines, as diff -u counts them.
std::string span(std::size_t before, std::size_t count) {
  const std::string first = std::to_string(count == 0 ? before : before + 1);
  return count == 1 ? first : first + "," + std::to_string(count);
}

std::size_t countWithout(const std::vector<DiffLine>& lines, std::size_t begin, std::size_t end, Kind left_out) {
  return static_cast<std::size_t>(std::count_if(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                                lines.begin() + static_cast<std::ptrdiff_t>(end),
                                                [&](const DiffLine& line) { return line.kind != left_out; }));
}

void appendLine(std::string& out, const DiffLine& line) {
  out += line.kind == Kind::Same ? ' ' : line.kind == Kind::Removed ? '-' : '+';
  out += line.text;
  if (!line.text.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

}  // namespace

std::vector<DiffLine> diffLines(std::string_view before, std::string_view after) {
  std::vector<DiffLine> lines = rawDiff(before, after);
  for (DiffLine& line : lines) {
    if (line.text.ends_with('\n')) line.text.remove_suffix(1);
  }
  return lines;
}

std::string unifiedDiff(std::string_view before, std::string_view after, const std::string& before_name,
                        const std::string& after_name) {
  const std::vector<DiffLine> lines = rawDiff(before, after);
  std::string out;
  for (const Hunk& hunk : hunksOf(lines)) {
    if (out.empty()) out.append("--- ").append(before_name).append("\n+++ ").append(after_name).append("\n");
    const std::size_t old_first = countWithout(lines, 0, hunk.begin, Kind::Added);
    const std::size_t new_first = countWithout(lines, 0, hunk.begin, Kind::Removed);
    const std::size_t old_count = countWithout(lines, hunk.begin, hunk.end, Kind::Added);
    const std::size_t new_count = countWithout(lines, hunk.begin, hunk.end, Kind::Removed);
    out.append("@@ -")
        .append(span(old_first, old_count))
        .append(" +")
        .append(span(new_first, new_count))
        .append(" @@\n");
    for (std::size_t i = hunk.begin; i < hunk.end; ++i) appendLine(out, lines[i]);
  }
  return out;
}

}  // namespace shardlens::yaml
