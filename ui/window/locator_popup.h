// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/locator.h"

#include <QWidget>

#include <functional>

class QLineEdit;
class QListWidget;

namespace shardlens::ui {

/// The list under the locator's field. The keyboard stays in the field: Up and Down choose, Enter goes, Esc leaves.
class LocatorPopup : public QWidget {
  Q_OBJECT

 public:
  using Finder = std::function<std::vector<LocatorHit>(const QString& query)>;

  /// `window` is the area to lie over; it is the popup's parent.
  LocatorPopup(QLineEdit* field, Finder finder, QWidget* window);
  [[nodiscard]] const std::vector<LocatorHit>& hits() const { return hits_; }

 signals:
  void chosen(const shardlens::ui::LocatorHit& hit);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void search(const QString& query);
  void place();
  void go(int row);
  bool handleKey(int key);

  QLineEdit* field_;
  QListWidget* list_;
  Finder finder_;
  std::vector<LocatorHit> hits_;
};

}  // namespace shardlens::ui
