// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ids.h"

#include <QWidget>

#include <optional>
#include <vector>

class QPlainTextEdit;
class QPushButton;
class QTextCursor;

namespace shardlens::ui {

class ElidedLabel;

/// Sample ids under a caption, to read, select and copy.
class IdList : public QWidget {
  Q_OBJECT

 public:
  explicit IdList(QWidget* parent = nullptr);

  /// `total` may be more than the ids at hand; the caption then says so.
  void setIds(const QString& caption, const std::vector<SampleIndex>& ids, qint64 total);
  [[nodiscard]] QString text() const;
  [[nodiscard]] QString caption() const;

  /// Marks this id where it is listed.
  void setMarked(std::optional<SampleIndex> id);

 signals:
  /// An id was clicked, or Enter was pressed on it.
  void idChosen(qint64 id);

 public slots:
  /// Puts the ids on the clipboard, separated by commas.
  void copy();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void mark();
  void chooseAt(const QTextCursor& place);

  ElidedLabel* caption_;
  QPushButton* copy_;
  QPlainTextEdit* ids_;
  std::optional<SampleIndex> marked_;
};

}  // namespace shardlens::ui
