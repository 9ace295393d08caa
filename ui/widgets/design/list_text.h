// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/design/list_edit.h"

#include <QPlainTextEdit>

#include <vector>

namespace shardlens::ui {

/// The text of a list. One that is too long to edit without delay is not put into it when it is pasted or dropped, but
/// handed over whole.
class ListText : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ListText(QWidget* parent = nullptr);
  /// Underlines these places.
  void mark(const std::vector<ListSpan>& spans);

 signals:
  void pastedLong(const QString& text);

 protected:
  void insertFromMimeData(const QMimeData* source) override;
};

}  // namespace shardlens::ui
