// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/selection.h"

#include <QLabel>

namespace shardlens::ui {

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
  void setWithoutLinks(const QString& text);
  /// The whole text as one link.
  void setLink(const QString& text, const Selected& place);
  /// A list of sample ids, each a link.
  void setSamples(const QString& ids);
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
  void render();

  QString plain_;
  Selected context_;
  std::optional<Selected> whole_;  ///< what the whole text selects
  bool has_names_ = true;          ///< false: what looks like a name is none
  bool are_samples_ = false;       ///< every number is a sample
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

}  // namespace shardlens::ui
