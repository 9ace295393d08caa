// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/finding_card.h"

#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

Card::Tone toneOf(const Finding& finding) {
  if (finding.severity == Severity::Error) return Card::Tone::Error;
  if (finding.severity == Severity::Warning) return Card::Tone::Warning;
  return finding.is_proof ? Card::Tone::Fine : Card::Tone::Plain;
}

const char* wordOf(const Finding& finding) {
  if (finding.severity == Severity::Error) return "error";
  if (finding.severity == Severity::Warning) return "warning";
  return finding.is_proof ? "fine" : "note";
}

QLabel* wrapped(const std::string& text, const char* tone, const char* role, QWidget* parent) {
  QLabel* label = textLabel(QString::fromStdString(text), tone, parent);
  setLook(label, "role", role);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::NoTextInteraction);
  return label;
}

}  // namespace

FindingCard::FindingCard(Finding finding, QWidget* parent)
    : Card(toneOf(finding), parent), finding_(std::move(finding)) {
  setClickable(true);
  setAccessibleName(QString("%1: %2").arg(wordOf(finding_), QString::fromStdString(finding_.title)));
  setAccessibleDescription(QString::fromStdString(finding_.message));
  setObjectName("finding:" + QString::fromStdString(finding_.code));
  auto* head = new QHBoxLayout;
  head->addWidget(wrapped(finding_.title, "", "title", this), 1);
  column()->addLayout(head);
  column()->addWidget(wrapped(finding_.message, "muted", "text", this));
  if (finding_.fix) {
    fix_ = new LinkButton("Fix: " + QString::fromStdString(finding_.fix->label), "", this);
    fix_->setObjectName("fix:" + QString::fromStdString(finding_.code));
    connect(fix_, &QAbstractButton::clicked, this, &FindingCard::fixWanted);
    auto* links = new QHBoxLayout;
    links->addWidget(fix_, 1, Qt::AlignLeft);
    column()->addLayout(links);
    head = links;
  }
  if (!finding_.why.empty()) addWhy(*head);
}

void FindingCard::addWhy(QHBoxLayout& line) {
  why_ = wrapped(finding_.why, "muted", "text", this);
  why_->hide();
  auto* why = new LinkButton("Why?", "muted", this);
  connect(why, &QAbstractButton::clicked, this, [this] { setExpanded(why_->isHidden()); });
  line.addWidget(why, 0, fix_ != nullptr ? Qt::AlignBottom : Qt::AlignTop);
  column()->addWidget(why_);
}

QAbstractButton* FindingCard::fixButton() const {
  return fix_;
}

void FindingCard::setExpanded(bool expanded) {
  if (why_ != nullptr) why_->setVisible(expanded);
}

}  // namespace shardlens::ui
