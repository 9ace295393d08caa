// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "ui/widgets/common/card.h"

#include <QList>

class QAbstractButton;
class QHBoxLayout;
class QLabel;

namespace shardlens::ui {

class LinkButton;
class LinkLabel;
struct Selected;

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
  [[nodiscard]] QAbstractButton* fixButton() const;
  /// One for each fix, the best first.
  [[nodiscard]] QList<LinkButton*> fixButtons() const;
  /// What the fix costs, as it is shown below the button; empty when it costs nothing.
  [[nodiscard]] QString priceText(qsizetype fix) const;
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

}  // namespace shardlens::ui
