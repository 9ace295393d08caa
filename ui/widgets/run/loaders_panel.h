// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/capture.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace shardlens::ui {

/// What the loaders of a command's job really read: each with its sampler, whether a design reproduces all of it, and
/// what it shows; and the way to make a design of it.
class LoadersPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LoadersPanel(Workspace& workspace, QWidget* parent = nullptr);

 private:
  void showFound();
  void addLoader(const capture::CapturedLoader& loader);

  RunService& runs_;
  JobCapture& capture_;
  QLabel* note_;
  QVBoxLayout* loaders_;
  QString shown_ = "?";  ///< what the cards are of
};

class Column;
class FindingCard;

/// What `shardlens audit` finds in what a loader of the job read, as cards, the worst first; or why nothing can be
/// judged. It follows the loader whose batches the proof shows.
class LoaderFindings : public QWidget {
  Q_OBJECT

 public:
  LoaderFindings(const JobCapture& capture, Selection& selection, QWidget* parent = nullptr);
  /// Those that are there already: a few more come in each turn of the event loop.
  [[nodiscard]] const std::vector<FindingCard*>& cards() const { return cards_; }

 signals:
  /// A card, or what its texts name, was chosen: a place in the proof's grid.
  void placeWanted(const shardlens::ui::Selected& place);

 private:
  void showAudit();
  void addCards();
  void addCard(const Finding& finding);
  void addLine(const QString& line);
  void markChosen();
  [[nodiscard]] QString asText() const;

  const JobCapture& capture_;
  Selection& selection_;
  JobCapture::AuditPtr shown_;
  std::vector<FindingCard*> cards_;
  bool is_whole_ = false;  ///< all of it stands there
  QLabel* counts_;
  Column* column_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
