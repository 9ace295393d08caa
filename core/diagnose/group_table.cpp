// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/group_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>

namespace shardlens {
namespace {

// Bounds against damage: no job has more, and what lies beyond is simply not known.
constexpr std::size_t kMostGroups = 65'536;
constexpr std::size_t kMostDrafts = 100'000;
constexpr std::size_t kMostMembers = 4'000'000;
constexpr std::uint64_t kLongestName = 256;

/// The ranks of a chunk; nothing when one of them is no rank of the world.
std::optional<std::vector<std::int64_t>> ranksOf(const sl_record& chunk, std::int64_t world_size) {
  const auto world = static_cast<std::uint64_t>(world_size);
  if (chunk.a == 0 || chunk.a > world || chunk.seq >= world) return std::nullopt;
  const auto stride = static_cast<std::int64_t>(chunk.b);
  if (stride <= -world_size || stride >= world_size) return std::nullopt;
  std::vector<std::int64_t> ranks;
  auto rank = static_cast<std::int64_t>(chunk.seq);
  for (std::uint64_t i = 0; i < chunk.a; ++i, rank += stride) {
    if (rank < 0 || rank >= world_size) return std::nullopt;
    ranks.push_back(rank);
  }
  return ranks;
}

}  // namespace

GroupTable::GroupTable(std::int64_t world_size) : world_size_(world_size) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(world_size));
  std::iota(all.begin(), all.end(), 0);
  world_ = std::make_shared<const std::vector<std::int64_t>>(std::move(all));
}

void GroupTable::mention(std::uint32_t group) {
  if (group != SL_WORLD && groups_.size() < kMostGroups) groups_.insert(group);
}

bool GroupTable::record(std::int64_t rank, const sl_record& record) {
  if (record.group == SL_WORLD) return false;
  mention(record.group);
  if (record.kind == SL_GROUP_NAME) return (addName(record), false);
  if (record.kind == SL_GROUP_MEMBERS) return addMembers(rank, record);
  if (const auto old = drafts_.find({rank, record.group}); old != drafts_.end()) drop(old);
  const bool has_room = drafts_.size() < kMostDrafts;
  if (has_room && record.a > 0 && record.a <= static_cast<std::uint64_t>(world_size_))
    drafts_[{rank, record.group}].size = record.a;
  return false;
}

bool GroupTable::addMembers(std::int64_t rank, const sl_record& record) {
  const auto found = drafts_.find({rank, record.group});
  if (found == drafts_.end()) return false;
  Draft& draft = found->second;
  const auto ranks = ranksOf(record, world_size_);
  const bool fits = ranks && ranks->size() <= draft.size - draft.members.size();
  if (!fits || draft_cells_ + ranks->size() > kMostMembers) return (drop(found), false);
  draft.members.insert(draft.members.end(), ranks->begin(), ranks->end());
  draft_cells_ += ranks->size();
  if (draft.members.size() < draft.size) return false;
  std::vector<std::int64_t> members = draft.members;
  drop(found);
  return finish(rank, record.group, std::move(members));
}

void GroupTable::drop(std::map<std::pair<std::int64_t, std::uint32_t>, Draft>::iterator draft) {
  draft_cells_ -= draft->second.members.size();
  drafts_.erase(draft);
}

bool GroupTable::finish(std::int64_t rank, std::uint32_t group, std::vector<std::int64_t> members) {
  std::ranges::sort(members);
  const bool is_set = std::adjacent_find(members.begin(), members.end()) == members.end();
  if (!is_set || !std::binary_search(members.begin(), members.end(), rank)) return false;
  const auto found = known_.find(group);
  if (found != known_.end()) {
    if (found->second == nullptr || *found->second == members) return false;
    found->second.reset();
    return true;
  }
  if (known_.size() >= kMostGroups || cells_ + members.size() > kMostMembers) return false;
  cells_ += members.size();
  known_[group] = std::make_shared<const std::vector<std::int64_t>>(std::move(members));
  return true;
}

void GroupTable::addName(const sl_record& record) {
  if (record.seq >= kLongestName || groups_.count(record.group) == 0) return;
  std::array<char, 16> part{};
  std::memcpy(part.data(), &record.a, 8);
  std::memcpy(part.data() + 8, &record.b, 8);
  const auto length = static_cast<std::size_t>(std::find(part.begin(), part.end(), '\0') - part.begin());
  std::string& name = names_[record.group];
  const auto first = static_cast<std::size_t>(record.seq);
  if (first == 0) name.clear();     // another name than before
  if (name.size() < first) return;  // a chunk before it was lost
  if (name.size() < first + length) name.resize(first + length);
  std::copy_n(part.begin(), length, name.begin() + static_cast<std::ptrdiff_t>(first));
}

Members GroupTable::members(std::uint32_t group) const {
  if (group == SL_WORLD) return world_;
  const auto found = known_.find(group);
  return found == known_.end() ? nullptr : found->second;
}

std::string GroupTable::name(std::uint32_t group) const {
  const auto found = names_.find(group);
  return found == names_.end() ? std::string() : found->second;
}

std::string GroupTable::text(std::uint32_t group) const {
  if (group == SL_WORLD) return {};
  const std::string known = name(group);
  return "group " + (known.empty() ? std::to_string(group) : known);
}

std::int64_t GroupTable::unknown() const {
  return std::ranges::count_if(groups_, [this](std::uint32_t group) { return members(group) == nullptr; });
}

}  // namespace shardlens
