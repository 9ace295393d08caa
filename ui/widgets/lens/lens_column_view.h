// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lens/head.h"
#include "ui/scene/lens/lanes.h"
#include "ui/state/selection.h"
#include "ui/widgets/common/labels.h"

#include <QPoint>
#include <QPushButton>

#include <cstddef>
#include <vector>

class QAction;
class QProgressBar;
class QScrollArea;
class QScrollBar;
class QToolButton;

namespace shardlens::ui {

class ShareBarView;
class StageView;

/// One framework of the lens: its name and verdict, what becomes of the samples as a bar and in figures, its Stage,
/// what it makes of the design, and what using it changes and costs.
class LensColumnView : public QWidget {
  Q_OBJECT

 public:
  explicit LensColumnView(QWidget* parent = nullptr);

  void setLane(const LensLane& lane);
  /// It is being computed: a moving bar and "Stop"; an older picture stays.
  void setWaiting(const LensLane& lane);
  /// What the user may do with it: the first column is the reference, and stays where it is.
  void setPlace(bool is_reference, bool pinned, bool can_pin);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] bool isWaiting() const { return waiting_; }
  [[nodiscard]] StageView* stage() const { return stage_; }
  [[nodiscard]] QAbstractButton* useButton() const { return use_; }
  [[nodiscard]] QAbstractButton* stopButton() const { return stop_; }
  [[nodiscard]] QAbstractButton* mendButton() const { return mend_; }
  /// The column that mends this one and what taking it changes; empty: there is none.
  void setMend(const QString& title, const QString& change);
  [[nodiscard]] QToolButton* menuButton() const { return menu_; }
  [[nodiscard]] const QWidget* notes() const { return notes_; }
  [[nodiscard]] QString title() const { return text(shown_.title); }
  [[nodiscard]] QString headline() const { return headline_->plain(); }
  [[nodiscard]] QString shares() const { return shares_->plain(); }
  /// The verdict in one line, as the command line has it.
  [[nodiscard]] QString verdict() const { return verdict_text_; }
  /// What using it changes and costs.
  [[nodiscard]] QString price() const { return price_->plain(); }

  /// The heights of the parts that wrap: as high in all columns, so that everything stands in rows.
  struct Heights {
    int title = 0;
    int headline = 0;
    int shares = 0;
    int mend = 0;
    int price = 0;
    int notes = 0;
    void include(const Heights& other);
  };
  [[nodiscard]] Heights wanted(int width) const;
  void setHeights(const Heights& heights);

 signals:
  /// The user wants this column's spec as the design.
  void useWanted();
  /// The user wants what mends this column as the design.
  void mendWanted();
  void stopWanted();
  void againWanted();
  void pinWanted(bool pinned);
  void moveWanted(int by);
  void hideWanted();
  /// The notes were unfolded.
  void unfolded();
  /// A link of its words.
  void placeWanted(const shardlens::ui::Selected& place);
  /// The title is dragged; the mouse is there.
  void dragged(QPoint global);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void makeMenu();
  QWidget* headRow();
  QWidget* sharesRow();
  QWidget* useBox();
  void showHead(const LensLane& lane);
  void showProgress(bool waiting);
  void showNotes();
  void addNote(const QString& text, const char* tone, bool bold = false);

  Selected context_;  ///< what its words are about
  std::string id_;
  QString verdict_text_;
  bool waiting_ = false;
  bool stopped_ = false;
  bool is_reference_ = false;
  bool unfolded_ = false;
  LensColumn shown_;  ///< whose notes are shown
  QString fixes_;     ///< the title of the column that it mends
  QString detail_;    ///< the verdict in full
  QLabel* title_;
  QToolButton* menu_;
  QAction* pin_ = nullptr;
  std::vector<QAction*> moves_;
  QAction* hide_ = nullptr;
  ElidedLabel* sampler_;
  LinkLabel* headline_;
  ShareBarView* bar_;
  QProgressBar* progress_;
  LinkLabel* shares_;
  LinkButton* stop_;
  StageView* stage_;
  QWidget* notes_area_;  ///< as high as the highest notes of all columns
  Column* notes_;
  QPushButton* use_;
  LinkButton* fold_;
  LinkButton* mend_;
  LinkLabel* price_;
};

/// The columns side by side: the first ones stand still on a ground of their own, the others scroll past them with the
/// wheel over a picture, one column a notch; elsewhere, and at the end of the columns, the wheel scrolls columns that
/// are higher than the room up and down together. No column in sight is cut at its sides.
class LensColumns : public QWidget {
  Q_OBJECT

 public:
  explicit LensColumns(QWidget* parent = nullptr);

  /// Shows these in this order, the first `standing` of them standing still; takes them over.
  void setColumns(const std::vector<LensColumnView*>& columns, std::size_t standing);
  [[nodiscard]] const std::vector<LensColumnView*>& columns() const { return columns_; }
  /// How many columns are in sight beside each other.
  [[nodiscard]] int fitting() const;
  /// Heads, prices and notes as high in every column as the highest needs.
  void alignRows();
  void reveal(LensColumnView& column);
  /// Scrolls down to the notes of the column as far as needed; to their top if they are higher than the room.
  void revealNotes(LensColumnView& column);
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
  [[nodiscard]] bool scrolls() const { return static_cast<int>(columns_.size()) > fitting(); }
  bool scrollBy(QWheelEvent& event);

  std::vector<LensColumnView*> columns_;
  std::size_t standing_ = 0;
  QWidget* content_;   ///< all columns, as high as they need
  QScrollArea* rows_;  ///< scrolls it up and down
  QWidget* ground_;    ///< of the columns that stand still
  QScrollArea* scroll_;
  QWidget* strip_;   ///< the others
  QScrollBar* bar_;  ///< of `scroll_`
  QWidget* edge_;    ///< the soft edge of the ground, over what scrolls
};

}  // namespace shardlens::ui
