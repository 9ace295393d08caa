// SPDX-License-Identifier: Apache-2.0
#include "core/report/rank_table.h"

#include "core/base/html.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/timeline/chrome_trace.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string_view>
#include <vector>

namespace shardlens {
namespace {

constexpr std::size_t kMostRows = 1024;

std::string fixed(double number, int digits, const char* unit) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), "%.*f\u202f%s", digits, number, unit);
  return text.data();
}

std::string seconds(std::int64_t ns) {
  return fixed(static_cast<double>(ns) / 1e9, 2, "s");
}

std::string cell(const std::string& text, const char* mark = nullptr) {
  return (mark == nullptr ? std::string("<td>") : std::string("<td class=\"") + mark + "\">") + text + "</td>";
}

/// The measured time of a rank, as a bar of its parts.
std::string timeBar(const RankState& rank) {
  const std::array<std::pair<Phase, std::int64_t>, 4> parts = {{{Phase::Load, rank.load_ns},
                                                                {Phase::Compute, rank.compute_ns},
                                                                {Phase::Wait, rank.wait_ns},
                                                                {Phase::Transfer, rank.transfer_ns}}};
  std::int64_t all = 0;
  for (const auto& part : parts) all += part.second;
  if (all == 0) return "not measured";
  std::string bar = "<span class=\"bar\">";
  for (const auto& [phase, ns] : parts) {
    if (ns == 0) continue;
    std::array<char, 64> width{};
    (void)std::snprintf(width.data(), width.size(), "%.2f", 100.0 * static_cast<double>(ns) / static_cast<double>(all));
    bar += std::string("<i class=\"") + phaseName(phase) + "\" style=\"width:" + width.data() + "%\"></i>";
  }
  return bar + "</span>";
}

std::string arrivalCells(const RunState& state, std::int64_t rank) {
  const auto arrival = std::ranges::find(state.arrivals, rank, &Arrival::rank);
  if (arrival == state.arrivals.end() || arrival->collectives == 0) return cell("") + cell("");
  return cell(fixed(arrival->median_ms, 1, "ms")) +
         cell(grouped(arrival->last_in) + " of " + grouped(arrival->collectives));
}

std::string rowHtml(const RunState& state, const RankState& rank, bool is_named) {
  const bool is_measured = rank.load_ns + rank.compute_ns + rank.wait_ns + rank.transfer_ns > 0;
  const std::string least = rank.has_gaps ? "\u2265\u202f" : "";
  const auto time = [&](std::int64_t ns) { return cell(is_measured ? least + seconds(ns) : std::string()); };
  const bool has_steps = state.hasSteps();
  const auto count = [&](std::int64_t number) {
    return cell(rank.is_measured && has_steps ? least + grouped(number) : std::string());
  };
  const auto work = [&](std::int64_t ns) { return has_steps ? time(ns) : cell(std::string()); };
  const bool was_compared = rank.matched + rank.mismatched > 0;
  return std::string(is_named ? "<tr class=\"named\">" : "<tr>") + cell(std::to_string(rank.rank)) +
         cell(htmlText(printable(rank.host)), "text") + count(rank.steps_done) + count(rank.samples) +
         cell(timeBar(rank), "text") + work(rank.load_ns) + work(rank.compute_ns) + time(rank.wait_ns) +
         time(rank.transfer_ns) + arrivalCells(state, rank.rank) +
         cell(was_compared ? least + grouped(rank.matched) : "") +
         cell(was_compared ? grouped(rank.mismatched) : "", rank.mismatched > 0 ? "wrong" : nullptr) +
         cell(htmlText(statusText(state, rank)), "text") + "</tr>\n";
}

constexpr std::array<std::pair<std::string_view, bool>, 14> kHead = {{{"rank", false},
                                                                      {"host", true},
                                                                      {"steps", false},
                                                                      {"samples", false},
                                                                      {"time", true},
                                                                      {"data wait", false},
                                                                      {"compute", false},
                                                                      {"waiting", false},
                                                                      {"transfer", false},
                                                                      {"late, median", false},
                                                                      {"last in", false},
                                                                      {"as planned", false},
                                                                      {"other", false},
                                                                      {"state", true}}};

}  // namespace

std::string rankTableHtml(const RunState& state) {
  std::set<std::int64_t> named;
  for (const Verdict& verdict : state.verdicts) named.insert(verdict.ranks.begin(), verdict.ranks.end());
  std::vector<const RankState*> ranks;
  ranks.reserve(state.ranks.size());
  for (const RankState& rank : state.ranks) ranks.push_back(&rank);
  if (ranks.size() > kMostRows)
    (void)std::stable_partition(ranks.begin(), ranks.end(),
                                [&named](const RankState* rank) { return named.contains(rank->rank); });
  std::string out = "<div class=\"table\"><table><thead><tr>";
  for (const auto& [name, is_text] : kHead)
    out += std::string(is_text ? "<th class=\"text\">" : "<th>") + std::string(name) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(ranks.size(), kMostRows); ++i)
    out += rowHtml(state, *ranks[i], named.contains(ranks[i]->rank));
  out += "</tbody></table></div>\n";
  if (std::ranges::any_of(state.ranks, &RankState::has_gaps))
    out += "<p class=\"gaps\">\u2265: records are missing, so there was at least so much.</p>\n";
  if (ranks.size() > kMostRows)
    out += "<p class=\"muted\">" + counted(static_cast<std::int64_t>(ranks.size() - kMostRows), "more rank") +
           " of the job are not in this table.</p>\n";
  return out +
         "<p class=\"muted\">Lateness is measured from the first rank's arrival, over each rank's most recent "
         "collectives.</p>\n";
}

}  // namespace shardlens
