// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstddef>
#include <string>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace shardlens::ui {

/// A head and the rows under it; the head folds them away.
class FormBlock : public QWidget {
  Q_OBJECT

 public:
  FormBlock(const QString& head, bool collapsed, QWidget* parent = nullptr);

  [[nodiscard]] const QString& head() const { return head_; }
  /// The parent that rows are to be made with: a later one makes every choice build its popup at once.
  [[nodiscard]] QWidget* body() const { return body_; }
  /// These and no others, in this order; those that left are the caller's.
  void setRows(const std::vector<QWidget*>& rows);
  void setCollapsed(bool collapsed);

 private:
  QString head_;
  bool collapsed_;
  QToolButton* button_;
  QWidget* body_;
  QVBoxLayout* rows_;
};

/// The line above the items of one record in the form: its name, and a button that removes the record.
class RecordHead : public QWidget {
  Q_OBJECT

 public:
  RecordHead(const std::string& list, std::size_t index, QWidget* parent = nullptr);

 signals:
  void removed();
};

}  // namespace shardlens::ui
