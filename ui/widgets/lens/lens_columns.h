// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstddef>
#include <vector>

class QScrollArea;

namespace shardlens::ui {

class LensColumnView;

/// The columns side by side: the first ones stand still on a ground of their own, the others scroll past them with the
/// wheel, one column a notch. No column in sight is cut.
class LensColumns : public QWidget {
  Q_OBJECT

 public:
  explicit LensColumns(QWidget* parent = nullptr);

  /// Shows these in this order, the first `standing` of them standing still; takes them over.
  void setColumns(const std::vector<LensColumnView*>& columns, std::size_t standing);
  [[nodiscard]] const std::vector<LensColumnView*>& columns() const { return columns_; }
  /// How many columns are in sight beside each other.
  [[nodiscard]] int fitting() const;
  /// Heads and prices as high in every column as the highest needs.
  void alignRows();
  void reveal(LensColumnView& column);
  /// The place among the columns that is under the mouse; -1: none.
  [[nodiscard]] int placeAt(QPoint global) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();
  void orderTabs();
  [[nodiscard]] int roomForColumns() const;
  [[nodiscard]] double pitch() const;
  [[nodiscard]] int columnWidth() const;
  [[nodiscard]] bool scrolls() const;
  bool scrollBy(const QWheelEvent& event);

  std::vector<LensColumnView*> columns_;
  std::size_t standing_ = 0;
  QWidget* ground_;  ///< of the columns that stand still
  QScrollArea* scroll_;
  QWidget* strip_;  ///< the others
  QWidget* edge_;   ///< the soft edge of the ground, over what scrolls
};

}  // namespace shardlens::ui
