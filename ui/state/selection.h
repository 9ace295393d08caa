// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace shardlens::ui {

/// What the user has pointed at, shared by every view of the window. Absent parts mean "any".
struct Selected {
  std::vector<qint64> ranks;  ///< empty: no rank; two are a pair
  std::optional<qint64> epoch;
  std::optional<qint64> step;           ///< with one rank: a batch
  std::optional<qint64> sample;         ///< a sample id, highlighted wherever it occurs
  std::optional<qint64> worker = {};    ///< of the one rank; -1 is its main process
  std::optional<quint64> seed = {};     ///< every process that has this seed
  qint64 samples = 1;                   ///< how many ids from `sample` on: a bin of the dataset
  bool follows_sample = false;          ///< the sample is the subject; rank, epoch and step say where it is
  std::optional<QString> finding = {};  ///< the code of the finding that led here

  bool operator==(const Selected&) const = default;
};

/// The selection as a link: "select:rank=3&epoch=1&step=7".
QString linkTo(const Selected& place);
/// What a link selects; nothing for any other text.
std::optional<Selected> selectedBy(const QString& link);

/// The selection of a window, and those before it.
class Selection : public QObject {
  Q_OBJECT

 public:
  /// So many selections can be gone back to.
  static constexpr std::size_t kMostVisited = 200;

  using QObject::QObject;

  [[nodiscard]] const Selected& current() const { return visited_[at_]; }
  /// A step to the next cell of the Stage takes the place of the one before: going back does not stop at each.
  void select(Selected selected);
  /// This rank, at the place that is selected; nothing for a rank below 0.
  void selectRank(qint64 rank);
  void clear() { select({}); }
  /// Nothing is selected, and there is nothing to go back to.
  void forget();

  [[nodiscard]] bool canGoBack() const { return at_ > 0; }
  [[nodiscard]] bool canGoForward() const { return at_ + 1 < visited_.size(); }
  void goBack();
  void goForward();

 signals:
  void changed();

 private:
  void goTo(std::size_t place);

  std::vector<Selected> visited_{1};  ///< never empty
  std::size_t at_ = 0;
};

}  // namespace shardlens::ui
