// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/recording_row.h"
#include "ui/state/recording_library.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/style.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace shardlens::ui {

/// One run: its sign, name and time, and below them what is known of it. A click or Enter opens it.
class RecordingButton : public QAbstractButton {
  Q_OBJECT

 public:
  /// `offer` stands at the right in place of the time: "Return to it", "Watch"; empty: the time.
  RecordingButton(const QString& offer, QWidget* parent);
  void setRow(const RecordingRow& row);
  [[nodiscard]] const RecordingRow& row() const { return row_; }
  [[nodiscard]] const QString& offer() const { return offer_; }
  [[nodiscard]] QSize sizeHint() const override { return {px(320), px(44)}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void paintMark(QPainter& painter, QPointF centre) const;

  QString offer_;
  RecordingRow row_;
};

/// The runs of this machine: those that still run on top, then the recorded ones, newest first. What is known of each
/// is read on a worker and comes as it is found.
class RecordingList : public QWidget {
  Q_OBJECT

 public:
  explicit RecordingList(Workspace& workspace, QWidget* parent = nullptr);
  /// Looks again at what there is.
  void refresh();
  [[nodiscard]] const std::vector<RecordingButton*>& buttons() const { return buttons_; }
  /// The runs as CSV.
  [[nodiscard]] QString csv() const;

 signals:
  void chosen(const QString& run_file);

 private:
  void add(const KnownRun& run);
  void showKnown(const QString& recording);

  Workspace& workspace_;
  RecordingLibrary library_;
  QVBoxLayout* column_;
  std::vector<KnownRun> runs_;
  std::vector<RecordingButton*> buttons_;  ///< one for each of them
};

}  // namespace shardlens::ui
