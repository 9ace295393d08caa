// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/thread_annotations.h"
#include "core/base/work.h"
#include "core/lens/head.h"
#include "core/lens/report.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/stage/scene.h"
#include "ui/scene/theme.h"

#include <QColor>
#include <QString>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace shardlens::ui {

/// How far a column is.
enum class LaneState { Waiting, Done, Stopped };

/// One column of the lens report with its picture. What it says is what core/lens says.
struct LensLane {
  JudgedColumn judged;
  LaneState state = LaneState::Done;
  StageInput stage;                         ///< empty when the column has no order, or was not asked for
  std::shared_ptr<const EpochFacts> facts;  ///< its duplicates; null for epochs too long to look through
  QString fixes;                            ///< title of the column that this one would mend; else empty
  QString change;                           ///< what taking it for the design changes; empty for the first one
  QString cost;                             ///< and costs

  /// "26 of 250 samples lost".
  [[nodiscard]] QString headline() const;
  /// "same 90 % · lost 10 %"; of the first column what it reads.
  [[nodiscard]] QString shares() const;
  /// "The same samples in another order; 312 of 400 batches differ".
  [[nodiscard]] QString verdict() const;
  /// "First at rank 0, step 0"; empty where there is none.
  [[nodiscard]] QString detail() const;
  [[nodiscard]] Tone tone() const;
  [[nodiscard]] const std::string& id() const { return judged.column.id; }
};

/// Stops single columns while the others go on; for any thread.
class LaneStops {
 public:
  void stop(const std::string& id) SHARDLENS_EXCLUDES(mutex_);
  [[nodiscard]] std::stop_source sourceOf(const std::string& id) SHARDLENS_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<std::string, std::stop_source> sources_ SHARDLENS_GUARDED_BY(mutex_);
};

/// The columns of one spec in one epoch, computed as they are asked for: what is known is not computed again. For any
/// thread, one after the other.
class LensLanes {
 public:
  using Wanted = std::function<bool(const std::string& id)>;
  /// A lane is judged, with its picture; or stopped. Called on the working thread.
  using LaneDone = std::function<void(std::size_t place, LensLane lane)>;

  /// `generation` tells this picture from every other one. `known`: as in LensJudge.
  LensLanes(PipelineSpec spec, Epoch epoch, quint64 generation, std::shared_ptr<const EpochPlan> known = {});
  ~LensLanes();

  /// All of them, with what is known at once. The wanted ones, and the first, are waiting to be computed.
  [[nodiscard]] std::vector<LensLane> begin(const Wanted& wanted) SHARDLENS_EXCLUDES(mutex_);
  /// Computes the wanted columns, before them the first one unless it is known. False when stopped as a whole.
  bool compute(const Wanted& wanted, LaneStops& stops, const LaneDone& done, const Work& work = {})
      SHARDLENS_EXCLUDES(mutex_);

 private:
  class Maker;
  Mutex mutex_;
  const std::unique_ptr<Maker> maker_ SHARDLENS_GUARDED_BY(mutex_);
};

/// "2 cannot run · 3 with different batches, 1 of them loses samples · 1 with the same batches", of the columns that
/// were computed.
QString lensSummary(const std::vector<LensLane>& lanes);

/// What the columns of the lens say, a paragraph for each: title, sampler, verdict, shares.
QString lensText(const std::vector<LensLane>& lanes);
/// The same as CSV: a row for each column, readings by what becomes of them.
QString lensCsv(const std::vector<LensLane>& lanes);

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

/// A piece of the bar at the head of a column, in pixels from its left.
struct SharePiece {
  ShareKind kind = ShareKind::Same;
  double from = 0;
  double to = 0;
  bool operator==(const SharePiece&) const = default;
};

/// The shares side by side with gaps of 2 px over `width`; what there is at all can be seen, however little it is.
std::vector<SharePiece> shareBar(const std::vector<LensShare>& shares, double width);

/// same, moved, lost and repeated as in the drawings; colour-blind safe beside each other (Okabe and Ito).
QColor shareColor(const Theme& theme, ShareKind kind);

/// What is drawn in the cells of these lanes: each mark once.
std::vector<LegendEntry> lensCellLegend(const std::vector<const LensLane*>& lanes, const Theme& theme);
/// What the colours of their bars mean; those that none of them has are left out.
std::vector<LegendEntry> lensBarLegend(const std::vector<const LensLane*>& lanes, const Theme& theme);

}  // namespace shardlens::ui
