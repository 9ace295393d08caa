// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProgressBar>
#include <QStackedLayout>
#include <QTimer>
#include <QWidget>

class QLabel;

namespace shardlens::ui {

class LinkButton;

/// A thin bar without text. Shows a new share with the window's next picture: QProgressBar::setValue() paints at once
/// everything in the window that waits to be painted.
class ProgressBar : public QProgressBar {
 public:
  explicit ProgressBar(QWidget* parent = nullptr);

  /// 0..1.
  void setFraction(double fraction);
};

/// Dims a widget whose content is out of date; hidden at first. Lies over it as its sibling, and takes no mouse. Costs
/// a rectangle: a graphics effect renders the widget by itself, for which Qt lays out all hidden pages of the window.
class Veil : public QWidget {
  Q_OBJECT

 public:
  explicit Veil(QWidget* over);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void cover();

  QWidget* over_;
};

/// Wraps content in the states it can be in: nothing yet, being computed, out of date because the spec has
/// errors. Old content stays in place, dimmed, until new content arrives, so that typing does not flicker.
class StatePane : public QWidget {
  Q_OBJECT

 public:
  explicit StatePane(QWidget* content, QWidget* parent = nullptr);

  /// The content is what it should be.
  void showContent();
  /// The content is of something else that is gone: hidden at once, until there is new content.
  void clear();
  /// There is nothing to show, and why.
  void showMessage(const QString& title, const QString& text);
  /// The content is from before; why nothing newer is there.
  void showStale(const QString& why);
  /// Computing: 0..1. Shown when it takes long enough to be noticed. Over content, dimmed then, or alone when there is
  /// none.
  void showProgress(double fraction, const QString& what);

  /// A link above the content to what it could show instead; empty: there is none.
  void setOffer(const QString& text);

  [[nodiscard]] bool showsContent() const { return stack_->currentIndex() == 1; }
  /// What is shown is out of date.
  [[nodiscard]] bool isDimmed() const { return veil_->isVisibleTo(this); }
  [[nodiscard]] QString message() const;

 signals:
  void offerTaken();

 private:
  void setBanner(const QString& text);

  QWidget* content_;
  QStackedLayout* stack_;
  QLabel* title_;
  QLabel* text_;
  QLabel* banner_;
  LinkButton* offer_;
  Veil* veil_;  ///< over content that is out of date
  ProgressBar* progress_;
  QTimer patience_;
  bool has_content_ = false;
};

}  // namespace shardlens::ui
