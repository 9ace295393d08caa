// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace shardlens::ui {

class Column;
class FindingCard;
class ProgressBar;
class Veil;

/// What the audit found, errors first, as cards. While a newer audit is in work the old cards stay, dimmed, and offer
/// no fix. A card selects where its finding is seen; its fix is one undoable command.
class FindingsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FindingsPanel(Workspace& workspace, QWidget* parent = nullptr);
  /// While a refresh is due, those that are there already.
  [[nodiscard]] const std::vector<FindingCard*>& cards() const { return cards_; }
  [[nodiscard]] QString countsText() const;
  /// Does as a click on the card of this finding does, and brings it into sight.
  void pointAt(const QString& code);
  /// The first card is of the worst finding; nothing where all is well.
  void pointAtWorst();

 signals:
  /// A card was chosen whose cause is this field.
  void fieldWanted(const QString& path);

 private:
  void showFindings();
  void rebuild(std::vector<Finding> findings);
  void addCards();
  void showIssues();
  FindingCard* makeCard(const Finding& finding);
  void setStale(bool stale);
  void applyFix(const Fix& fix);
  void selectWhere(const Finding& finding);
  void markChosen();

  Workspace& workspace_;
  std::shared_ptr<const AuditReport> shown_;
  std::vector<Finding> findings_;
  std::vector<FindingCard*> cards_;  ///< of the first findings; all of them a few turns later
  bool wants_focus_ = false;
  QLabel* counts_;
  ProgressBar* progress_;
  Column* list_;
  Veil* veil_;
  QTimer stale_soon_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
