// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/selection.h"

#include <QAbstractButton>
#include <QLabel>
#include <QWidget>

#include <optional>
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

/// A label whose text names ranks, epochs, steps and samples as links; a command in it is copied by a click. A text
/// without such names is a plain label's. Tab goes through the links, Enter follows one.
class LinkLabel : public QLabel {
  Q_OBJECT

 public:
  explicit LinkLabel(QWidget* parent = nullptr);
  /// Wraps; in a tone and a role of the style.
  LinkLabel(const char* tone, const char* role, QWidget* parent);
  /// `context` as in linked().
  void setPlain(const QString& text, const Selected& context = {});
  /// A text whose numbers are not of this run.
  void setWithoutLinks(const QString& text) { take(text, Links::None); }
  /// The whole text as one link.
  void setLink(const QString& text, const Selected& place);
  /// A list of sample ids, each a link.
  void setSamples(const QString& ids) { take(ids, Links::Samples); }
  /// Text can be marked and copied with the mouse.
  void setSelectable();
  /// The text without links.
  [[nodiscard]] const QString& plain() const { return plain_; }

 signals:
  void followed(const shardlens::ui::Selected& place);

 protected:
  void changeEvent(QEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  /// What of the text is a link: what it names, every number as a sample, or nothing.
  enum class Links { Names, Samples, None };
  void take(const QString& text, Links links, const std::optional<Selected>& whole = {});
  void render();

  QString plain_;
  Selected context_;
  std::optional<Selected> whole_;  ///< what the whole text selects
  Links links_ = Links::Names;
  bool selectable_ = false;
  bool went_ = false;  ///< the mouse's release that is being handled followed a link
};

/// One line that gives way: cut at its end when there is no room. What is named in it is a link while all of it is
/// seen; a name that is cut through must not lead to another place.
class ElidedLinks : public LinkLabel {
  Q_OBJECT

 public:
  explicit ElidedLinks(QWidget* parent = nullptr);
  /// `context` as in linked().
  void setFull(const QString& text, const Selected& context = {});
  [[nodiscard]] const QString& fullText() const { return full_; }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void showWhatFits();

  QString full_;
  Selected full_context_;
};

/// A button that looks like a link; its text wraps when there is no room in one line.
class LinkButton : public QAbstractButton {
  Q_OBJECT

 public:
  explicit LinkButton(const QString& text, const char* tone = "", QWidget* parent = nullptr);
  /// Other words, also for screen readers.
  void setWords(const QString& text);
  /// What it offers now; with no words there is nothing to offer, and it is hidden.
  void offer(const QString& text);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QFont shownFont() const;
  bool muted_;
};

}  // namespace shardlens::ui
