// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/lens/lanes.h"

#include <set>
#include <string>
#include <vector>

namespace shardlens::ui {

/// In which order the columns stand: the reference, those that are pinned beside it, the others.
class LensOrder {
 public:
  enum class By {
    List,        ///< by framework, a remedy after the column that it fixes
    Similarity,  ///< the most similar first, those that lose samples later, those without an order last
    Hand         ///< as the user put them
  };

  [[nodiscard]] By by() const { return by_; }
  void setBy(By by) { by_ = by; }
  [[nodiscard]] bool isPinned(const std::string& id) const { return pinned_.contains(id); }
  void setPinned(const std::string& id, bool pinned);
  [[nodiscard]] const std::set<std::string>& pinned() const { return pinned_; }
  /// The order that was made by hand; empty while there is none.
  [[nodiscard]] const std::vector<std::string>& byHand() const { return hand_; }
  void setByHand(std::vector<std::string> ids);

  /// The lanes in their order, as places in `lanes`; the first lane is the reference.
  [[nodiscard]] std::vector<std::size_t> arranged(const std::vector<LensLane>& lanes) const;
  /// How many columns of `lanes` stand still: the reference and what is pinned.
  [[nodiscard]] std::size_t standing(const std::vector<LensLane>& lanes) const;
  /// Puts the column `by` places further, within its own group. The order is one by hand from then on. False when it
  /// has nowhere to go.
  bool move(const std::vector<LensLane>& lanes, const std::string& id, int by);

 private:
  By by_ = By::List;
  std::set<std::string> pinned_;
  std::vector<std::string> hand_;
};

}  // namespace shardlens::ui
