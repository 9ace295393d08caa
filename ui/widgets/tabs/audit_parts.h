// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "core/base/ids.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/toast.h"

#include <QPlainTextEdit>

#include <functional>
#include <optional>
#include <vector>

class QPushButton;
class QTextCursor;

namespace shardlens::ui {

class StatePane;

/// Takes a snapshot and the report to show of it.
using TakeAudit =
    std::function<void(const PlanSnapshotPtr& snapshot, const std::shared_ptr<const AuditReport>& report)>;

/// Keeps a tab on the newest audit of the epoch under the playhead: calls `take` with each new one, and puts the pane
/// into the state that fits meanwhile (computing, spec with errors). A paused playhead brings its epoch's audit along.
/// Connections end with `pane`.
void watchAudit(Workspace& workspace, StatePane& pane, TakeAudit take);

/// Applies a fix as one undoable edit. It was made for the spec that was audited: where the document refuses it by now,
/// the pane says why.
void applyFix(Document& document, StatePane& pane, const Fix& fix);

/// The best fix of a verdict: a button with the fix's label, and its price below. Hidden when there is no fix.
class FixOffer : public QWidget {
  Q_OBJECT

 public:
  explicit FixOffer(QWidget* parent = nullptr);
  void setFix(std::optional<Fix> fix);

 signals:
  void wanted(const shardlens::Fix& fix);

 private:
  std::optional<Fix> fix_;
  QPushButton* button_;
  QLabel* price_;
};

/// Sample ids under a caption, to read, select and copy.
class IdList : public QWidget {
  Q_OBJECT

 public:
  explicit IdList(QWidget* parent = nullptr);

  /// `total` may be more than the ids at hand; the caption then says so.
  void setIds(const QString& caption, const std::vector<SampleIndex>& ids, qint64 total);
  [[nodiscard]] QString text() const { return ids_->toPlainText(); }
  [[nodiscard]] QString caption() const { return caption_->fullText(); }

  /// Marks this id where it is listed.
  void setMarked(std::optional<SampleIndex> id);

 signals:
  /// An id was clicked, or Enter was pressed on it.
  void idChosen(qint64 id);

 public slots:
  /// Puts the ids on the clipboard, separated by commas.
  void copy() { copyText(*this, text()); }

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
