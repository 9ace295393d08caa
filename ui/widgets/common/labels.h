// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

#include <vector>

namespace shardlens::ui {

/// "DATASET": the small capitals above a section.
QLabel* sectionHead(const QString& text, QWidget* parent = nullptr);
/// A plain line of text in a tone of the style ("", "muted", "faint", "error", ...).
QLabel* textLabel(const QString& text, const char* tone = "", QWidget* parent = nullptr);
/// The 11 px line under a field; wraps.
QLabel* noteLabel(const QString& text, const char* tone = "muted", QWidget* parent = nullptr);

/// A line that gives way: cut when there is no room, at its end or where it is told to be.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
  void setFullText(const QString& text);
  void setCut(Qt::TextElideMode cut);
  [[nodiscard]] const QString& fullText() const { return full_; }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString full_;
  Qt::TextElideMode cut_ = Qt::ElideRight;
};

/// Widgets under each other, each with exactly the height that its words need at this width, without gaps for hidden
/// ones; for the content of a scroll area. (A box layout in a scroll area squeezes wrapped text to one line.)
class Column : public QWidget {
  Q_OBJECT

 public:
  Column(QMargins margins, int gap, QWidget* parent = nullptr);

  /// Takes the widget over, at the end.
  void add(QWidget* widget);
  /// Shows these and no others, in this order; takes them over, and hides and deletes those that it had beside them.
  void set(const std::vector<QWidget*>& widgets);
  /// Hides and deletes all widgets.
  void clear() { set({}); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void arrange();

  QMargins margins_;
  int gap_;
  std::vector<QWidget*> widgets_;
};

}  // namespace shardlens::ui
