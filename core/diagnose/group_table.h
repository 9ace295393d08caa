// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wire/record.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

/// Ranks of the world, ascending, each once.
using Members = std::shared_ptr<const std::vector<std::int64_t>>;

/// Which ranks belong to which group, as the ranks say. The world is known from the beginning; another group is known
/// as soon as one of its members has described it completely. When two members describe it differently, it is not
/// known.
class GroupTable {
 public:
  explicit GroupTable(std::int64_t world_size);

  /// An SL_GROUP, SL_GROUP_MEMBERS or SL_GROUP_NAME of this rank. True when what is known of the group's members
  /// changed.
  bool record(std::int64_t rank, const sl_record& record);
  /// A rank takes part in this group, which may not be described yet.
  void mention(std::uint32_t group);

  /// Null: not known.
  [[nodiscard]] Members members(std::uint32_t group) const;
  /// "group data", "group 7" without a name; empty for the world.
  [[nodiscard]] std::string text(std::uint32_t group) const;
  /// As its members call it; empty when it has no name.
  [[nodiscard]] std::string name(std::uint32_t group) const;
  /// Every group except the world that was described or mentioned, ascending.
  [[nodiscard]] const std::set<std::uint32_t>& groups() const { return groups_; }
  /// How many of these have no known members.
  [[nodiscard]] std::int64_t unknown() const;

 private:
  /// A description that is not complete yet.
  struct Draft {
    std::uint64_t size = 0;
    std::vector<std::int64_t> members;
  };
  bool addMembers(std::int64_t rank, const sl_record& record);
  void drop(std::map<std::pair<std::int64_t, std::uint32_t>, Draft>::iterator draft);
  bool finish(std::int64_t rank, std::uint32_t group, std::vector<std::int64_t> members);
  void addName(const sl_record& record);

  std::int64_t world_size_;
  Members world_;
  std::map<std::uint32_t, Members> known_;  ///< null: described in two ways
  std::map<std::uint32_t, std::string> names_;
  std::map<std::pair<std::int64_t, std::uint32_t>, Draft> drafts_;
  std::set<std::uint32_t> groups_;
  std::size_t cells_ = 0;        ///< members over all groups
  std::size_t draft_cells_ = 0;  ///< over all drafts
};

}  // namespace shardlens
