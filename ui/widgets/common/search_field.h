// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QString>

namespace shardlens::ui {

/// A field to search with: a magnifier at its left, where wanted, and at its right the shortcut that leads to it. Both
/// keep their place free of text; the shortcut goes when something is typed, or where there is no room for it.
class SearchField : public QLineEdit {
 public:
  explicit SearchField(QWidget* parent = nullptr);

  /// What the empty field says: `brief` where there is no room for the words and the hint.
  void setWords(const QString& words, const QString& brief);
  void setMagnifier(bool shown);
  /// "Ctrl+K"
  void setHint(const QString& hint);
  [[nodiscard]] QString hint() const { return hint_; }
  /// Where the hint is drawn; empty when it is not.
  [[nodiscard]] QRect hintPlace() const;
  /// Where the magnifier is drawn; empty when there is none.
  [[nodiscard]] QRect magnifierPlace() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void arrange();

  [[nodiscard]] bool fits(const QString& words) const;

  QString words_;
  QString brief_;
  QString hint_;
  bool magnifier_ = false;
};

}  // namespace shardlens::ui
