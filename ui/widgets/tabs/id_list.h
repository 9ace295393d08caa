// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ids.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace shardlens::ui {

/// Sample ids under a caption, to read, select and copy.
class IdList : public QWidget {
  Q_OBJECT

 public:
  explicit IdList(QWidget* parent = nullptr);

  /// `total` may be more than the ids at hand; the caption then says so.
  void setIds(const QString& caption, const std::vector<SampleIndex>& ids, qint64 total);
  [[nodiscard]] QString text() const;
  [[nodiscard]] QString caption() const;

 public slots:
  /// Puts the ids on the clipboard, separated by commas.
  void copy();

 private:
  QLabel* caption_;
  QPushButton* copy_;
  QPlainTextEdit* ids_;
};

}  // namespace shardlens::ui
