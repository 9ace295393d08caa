// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/links.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/style.h"
#include "ui/window/perspectives.h"

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace shardlens::ui {

class Actions;
class ElidedLabel;
class LinkButton;

/// The top line of the window: name, file, undo and redo, perspectives, locator, Export, Launch, and a link to the job
/// while one runs.
class HeaderBar : public QWidget {
  Q_OBJECT

 public:
  HeaderBar(const Actions& actions, const std::vector<Perspective>& rows, QWidget* parent = nullptr);

  void setDocument(const QString& name, const QString& path, bool modified);
  /// By its place in the rows.
  void setPerspective(int index) { perspectives_->setCurrent(index); }
  /// While a job runs: what is said of it ("recording · 00:14:22"), as the way to it. Empty: no job.
  void setJob(const QString& text);
  /// Where the job is watched, the page has a bar that says so.
  void setWatching(bool watching);
  [[nodiscard]] SearchField* locatorField() const { return locator_; }
  [[nodiscard]] QToolButton* menuButton() const { return menu_; }

 signals:
  void perspectiveChosen(int index);

 protected:
  void paintEvent(QPaintEvent* /*event*/) override { paintBar(*this, theme().panel); }
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  void buildLeft(QHBoxLayout& line, const Actions& actions);
  void buildPerspectives(const Actions& actions, const std::vector<Perspective>& rows);
  void buildRight(QHBoxLayout& line, const Actions& actions);

  QToolButton* menu_;
  QLabel* name_;
  ElidedLabel* file_;
  QLabel* dot_;
  SegmentedControl* perspectives_;
  LinkButton* job_;
  SearchField* locator_;
  QPushButton* export_;
  QPushButton* launch_;
  bool watching_ = false;
};

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
  void go(int row);
  bool handleKey(int key);

  QLineEdit* field_;
  QListWidget* list_;
  Finder finder_;
  std::vector<LocatorHit> hits_;
};

}  // namespace shardlens::ui
