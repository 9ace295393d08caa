// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "ui/widgets/common/card.h"

class QAbstractButton;
class QHBoxLayout;

namespace shardlens::ui {

class LinkButton;

/// One verdict: title, sentence, the fix as a link, and why on demand.
class FindingCard : public Card {
  Q_OBJECT

 public:
  explicit FindingCard(Finding finding, QWidget* parent = nullptr);
  [[nodiscard]] const Finding& finding() const { return finding_; }
  /// Null when nothing is to be mended.
  [[nodiscard]] QAbstractButton* fixButton() const;
  void setExpanded(bool expanded);

 signals:
  void fixWanted();

 private:
  void addWhy(QHBoxLayout& line);

  Finding finding_;
  LinkButton* fix_ = nullptr;
  QWidget* why_ = nullptr;
};

}  // namespace shardlens::ui
