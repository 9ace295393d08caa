// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/collective_table.h"

#include <algorithm>
#include <cstddef>

namespace shardlens {
namespace {

constexpr std::size_t kMostCalls = 512;
constexpr std::size_t kLeastOften = 2;

}  // namespace

void CallHistory::add(const Call& call) {
  calls_.push_back(call);
  if (calls_.size() > kMostCalls) calls_.pop_front();
}

std::optional<Call> CallHistory::usual(const std::vector<Call>& since, const Call& one, const Call& other) const {
  std::vector<Call> calls(calls_.begin(), calls_.end());
  calls.insert(calls.end(), since.begin(), since.end());
  // How many calls before each one are those that were made last.
  std::vector<std::size_t> alike(calls.size());
  for (std::size_t next = 1; next < calls.size(); ++next) {
    while (alike[next] < next && calls[next - 1 - alike[next]] == calls[calls.size() - 1 - alike[next]]) ++alike[next];
  }
  std::vector<std::size_t> longest = alike;
  std::sort(longest.rbegin(), longest.rend());
  if (longest.size() < kLeastOften || longest[kLeastOften - 1] == 0) return std::nullopt;
  bool is_one = true;
  bool is_other = true;
  for (std::size_t next = 1; next < calls.size(); ++next) {
    if (alike[next] < longest[kLeastOften - 1]) continue;
    is_one = is_one && calls[next] == one;
    is_other = is_other && calls[next] == other;
  }
  if (is_one == is_other) return std::nullopt;
  return is_one ? one : other;
}

}  // namespace shardlens
