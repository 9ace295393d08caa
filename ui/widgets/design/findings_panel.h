// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/refresh.h"

#include <QList>
#include <QTimer>

class QHBoxLayout;

namespace shardlens::ui {

class ProgressBar;
class Veil;

/// One finding: title, sentence, each fix as a link with its price below, and why on demand.
class FindingCard : public Card {
  Q_OBJECT

 public:
  /// So many are laid out in one turn of the event loop: each takes about a millisecond.
  static constexpr std::size_t kAtOnce = 3;

  explicit FindingCard(const Finding& finding, QWidget* parent = nullptr);
  /// Whether setFinding() can show it: with as many fixes, with a reason or without.
  [[nodiscard]] bool fits(const Finding& finding) const;
  /// Another finding on the same card. Why it matters stays open when it is of the same kind.
  void setFinding(const Finding& finding);
  [[nodiscard]] const Finding& finding() const { return finding_; }
  /// Of the best fix; null when none is offered.
  [[nodiscard]] QAbstractButton* fixButton() const { return fixes_.isEmpty() ? nullptr : fixes_.front().button; }
  /// One for each fix, the best first.
  [[nodiscard]] QList<LinkButton*> fixButtons() const;
  /// What the fix costs, as it is shown below the button; empty when it costs nothing.
  [[nodiscard]] QString priceText(qsizetype fix) const { return fixes_[fix].price->text(); }
  void setFixesEnabled(bool enabled);
  void setExpanded(bool expanded);

 signals:
  void fixWanted(const shardlens::Fix& fix);
  /// A rank, step, sample ... that the texts name.
  void placeWanted(const shardlens::ui::Selected& place);

 private:
  struct FixRow {
    LinkButton* button;
    QLabel* price;
  };

  LinkLabel* makeText(const char* tone, const char* role);
  void addFix();
  void setFix(qsizetype index, const Fix& fix);
  void addWhy(QHBoxLayout& line);

  Finding finding_;
  LinkLabel* title_;
  LinkLabel* message_;
  QList<FixRow> fixes_;
  QLabel* severity_ = nullptr;
  LinkLabel* why_ = nullptr;
};

/// What the audit found, errors first, as cards. While a newer audit is in work the old cards stay, dimmed, and offer
/// no fix. A card selects where its finding is seen; its fix is one undoable command.
class FindingsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FindingsPanel(Workspace& workspace, QWidget* parent = nullptr);
  /// While a refresh is due, those that are there already.
  [[nodiscard]] const std::vector<FindingCard*>& cards() const { return cards_; }
  [[nodiscard]] QString countsText() const { return counts_->text(); }
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
