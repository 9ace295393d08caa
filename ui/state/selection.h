// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <optional>
#include <vector>

namespace shardlens::ui {

/// What the user has pointed at, shared by Stage, Inspector, Overlap and tables.
struct Selected {
  std::vector<qint64> ranks;  ///< empty: no rank; two after a click in the overlap plot
  std::optional<qint64> epoch;
  std::optional<qint64> step;    ///< with one rank: a batch
  std::optional<qint64> sample;  ///< a sample id, highlighted wherever it occurs

  bool operator==(const Selected&) const = default;
};

class Selection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const Selected& current() const { return current_; }
  void select(Selected selected) {
    if (selected == current_) return;
    current_ = std::move(selected);
    emit changed();
  }
  void clear() { select({}); }

 signals:
  void changed();

 private:
  Selected current_;
};

}  // namespace shardlens::ui
