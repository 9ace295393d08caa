// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/finding_card.h"

#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

Tone toneOf(const Finding& finding) {
  const Tone tone = ui::toneOf(finding.severity);
  return tone == Tone::Note && finding.is_proof ? Tone::Fine : tone;
}

const char* wordOf(const Finding& finding) {
  if (finding.severity == Severity::Error) return "error";
  if (finding.severity == Severity::Warning) return "warning";
  return finding.is_proof ? "fine" : "note";
}

QLabel* wrapped(const char* tone, const char* role, QWidget* parent) {
  QLabel* label = textLabel({}, tone, parent);
  setLook(label, "role", role);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::NoTextInteraction);
  return label;
}

}  // namespace

FindingCard::FindingCard(const Finding& finding, QWidget* parent)
    : Card(toneOf(finding), parent), title_(wrapped("", "title", this)), message_(wrapped("muted", "text", this)) {
  setClickable(true);
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  column()->addLayout(head);
  column()->addWidget(message_);
  if (finding.fix) {
    fix_ = new LinkButton({}, "", this);
    connect(fix_, &QAbstractButton::clicked, this, &FindingCard::fixWanted);
    auto* links = new QHBoxLayout;
    links->addWidget(fix_, 1, Qt::AlignLeft);
    column()->addLayout(links);
    head = links;
  }
  if (!finding.why.empty()) addWhy(*head);
  setFinding(finding);
}

void FindingCard::addWhy(QHBoxLayout& line) {
  why_ = wrapped("muted", "text", this);
  why_->hide();
  auto* why = new LinkButton("Why?", "muted", this);
  connect(why, &QAbstractButton::clicked, this, [this] { setExpanded(why_->isHidden()); });
  line.addWidget(why, 0, fix_ != nullptr ? Qt::AlignBottom : Qt::AlignTop);
  column()->addWidget(why_);
}

bool FindingCard::fits(const Finding& finding) const {
  return finding.fix.has_value() == (fix_ != nullptr) && finding.why.empty() == (why_ == nullptr);
}

void FindingCard::setFinding(const Finding& finding) {
  if (finding.code != finding_.code) setExpanded(false);
  finding_ = finding;
  const QString code = QString::fromStdString(finding.code);
  const QString title = QString::fromStdString(finding.title);
  const QString message = QString::fromStdString(finding.message);
  setTone(toneOf(finding));
  setObjectName("finding:" + code);
  setAccessibleName(QString("%1: %2").arg(wordOf(finding), title));
  setAccessibleDescription(message);
  title_->setText(title);
  message_->setText(message);
  if (why_ != nullptr) why_->setText(QString::fromStdString(finding.why));
  if (fix_ == nullptr) return;
  fix_->setObjectName("fix:" + code);
  fix_->setText("Fix: " + QString::fromStdString(finding.fix->label));
  fix_->setAccessibleName(fix_->text());
}

QAbstractButton* FindingCard::fixButton() const {
  return fix_;
}

void FindingCard::setExpanded(bool expanded) {
  if (why_ != nullptr) why_->setVisible(expanded);
}

}  // namespace shardlens::ui
