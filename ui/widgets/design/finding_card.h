// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "ui/widgets/common/card.h"

class QAbstractButton;
class QHBoxLayout;
class QLabel;

namespace shardlens::ui {

class LinkButton;

/// One finding: title, sentence, the fix as a link, and why on demand.
class FindingCard : public Card {
  Q_OBJECT

 public:
  explicit FindingCard(const Finding& finding, QWidget* parent = nullptr);
  /// Whether setFinding() can show it: with a fix or without, with a reason or without.
  [[nodiscard]] bool fits(const Finding& finding) const;
  /// Another finding on the same card. Why it matters stays open when it is of the same kind.
  void setFinding(const Finding& finding);
  [[nodiscard]] const Finding& finding() const { return finding_; }
  /// Null when nothing is to be mended.
  [[nodiscard]] QAbstractButton* fixButton() const;
  void setExpanded(bool expanded);

 signals:
  void fixWanted();

 private:
  void addWhy(QHBoxLayout& line);

  Finding finding_;
  QLabel* title_;
  QLabel* message_;
  LinkButton* fix_ = nullptr;
  QLabel* why_ = nullptr;
};

}  // namespace shardlens::ui
