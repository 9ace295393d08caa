// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "ui/paint/stage_paint.h"
#include "ui/scene/number_text.h"
#include "ui/state/latest_job.h"

#include <QDialog>
#include <QString>
#include <QVariantAnimation>
#include <QWidget>

#include <optional>
#include <vector>

class QBoxLayout;
class QHBoxLayout;

namespace shardlens::ui {

/// A pipeline that comes with the program.
struct Example {
  QString path;
  QString name;      ///< of the file, without .yaml
  QString title;     ///< of the mistake, or what else it shows: "One seed for every rank"
  QString summary;   ///< the first line of its comment after the title
  QString look_for;  ///< what to see in it
};

/// All examples, mistakes first: of this build, or of the installation. Empty when there are none.
std::vector<Example> examples();

/// The one that the first start opens; empty when there are none.
QString firstExample();

/// What a card says of its example, all of it computed from the file.
struct ExampleFacts {
  PlanPicture picture;
  Tone tone = Tone::Fine;  ///< of the gravest finding; fine when there is nothing but remarks
  QString verdict;         ///< "Error", "Warning", "Fine"
  QString framework;       ///< "PyTorch"
};

/// Reads, plans, audits and draws an example; for any thread. Nothing when its file has problems or `work` stopped it.
std::optional<ExampleFacts> exampleFacts(const QString& path, QSize picture, bool dark, qreal ratio, const Work& work);

/// One example: the first steps of its plan, what is wrong with it, how grave that is and where it happens. Under the
/// mouse or with the focus it deals its batches.
class ExampleCard : public QWidget {
  Q_OBJECT

 public:
  explicit ExampleCard(Example example, QWidget* parent = nullptr);

  [[nodiscard]] const Example& example() const { return example_; }
  [[nodiscard]] const std::optional<ExampleFacts>& facts() const { return facts_; }
  void setFacts(std::optional<ExampleFacts> facts);
  [[nodiscard]] bool isPlaying() const { return deal_.state() == QAbstractAnimation::Running; }
  void setMoves(bool moves) { moves_ = moves; }
  /// A card may be wider: the cards of a row share its width.
  static QSize leastSize();
  /// Of the picture at the top of a card.
  static QSize pictureSize();
  [[nodiscard]] QSize sizeHint() const override { return leastSize(); }

 signals:
  void activated();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* /*event*/) override { playIfLive(); }
  void leaveEvent(QEvent* /*event*/) override { playIfLive(); }
  void focusInEvent(QFocusEvent* /*event*/) override { playIfLive(); }
  void focusOutEvent(QFocusEvent* /*event*/) override { playIfLive(); }
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] bool isLive() const { return underMouse() || hasFocus(); }
  void playIfLive();
  void paintPicture(QPainter& painter) const;
  void paintFoot(QPainter& painter, QRect foot) const;

  Example example_;
  std::optional<ExampleFacts> facts_;
  bool moves_ = true;
  QVariantAnimation deal_;
};

class SegmentedControl;

/// Mistakes from real training jobs as cards with pictures; choosing one opens a copy of it.
class Gallery : public QDialog {
  Q_OBJECT

 public:
  /// Without motion no card deals its batches.
  explicit Gallery(bool moves, QWidget* parent = nullptr);
  ~Gallery() override;

  [[nodiscard]] const std::vector<ExampleCard*>& cards() const { return cards_; }
  /// Puts a column beside the cards, at the left.
  void setAside(QWidget* column);

 signals:
  void chosen(const QString& path);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build(bool moves);
  void keepInside();
  void compute();
  /// The frameworks of all cards, once they are known.
  void showFrameworks();
  /// Cards of the chosen framework side by side, as many as fit; they share the width.
  void arrange();
  /// Puts the choice of frameworks where it has room.
  void placeHead();

  std::vector<ExampleCard*> cards_;
  QWidget* grid_;
  SegmentedControl* frameworks_;
  QBoxLayout* head_ = nullptr;  ///< the title, and the choice of frameworks beside or below it
  QHBoxLayout* row_ = nullptr;  ///< what is aside, and the cards
  LatestJob job_;
};

}  // namespace shardlens::ui
