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
  if (!finding.fixes.empty()) {
    auto* links = new QHBoxLayout;
    auto* fixes = new QVBoxLayout;
    for (std::size_t i = 0; i < finding.fixes.size(); ++i) addFix(*fixes);
    links->addLayout(fixes, 1);
    column()->addLayout(links);
    head = links;
  }
  if (!finding.why.empty()) addWhy(*head);
  setFinding(finding);
}

void FindingCard::addFix(QVBoxLayout& fixes) {
  const qsizetype index = fixes_.size();
  auto* button = new LinkButton({}, "", this);
  connect(button, &QAbstractButton::clicked, this,
          [this, index] { emit fixWanted(finding_.fixes[static_cast<std::size_t>(index)]); });
  fixes.addWidget(button, 0, Qt::AlignLeft);
  fixes_ << button;
}

void FindingCard::addWhy(QHBoxLayout& line) {
  why_ = wrapped("muted", "text", this);
  why_->hide();
  auto* why = new LinkButton("Why?", "muted", this);
  connect(why, &QAbstractButton::clicked, this, [this] { setExpanded(why_->isHidden()); });
  line.addWidget(why, 0, !fixes_.isEmpty() ? Qt::AlignBottom : Qt::AlignTop);
  column()->addWidget(why_);
}

bool FindingCard::fits(const Finding& finding) const {
  return finding.fixes.size() == static_cast<std::size_t>(fixes_.size()) && finding.why.empty() == (why_ == nullptr);
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
  for (qsizetype i = 0; i < fixes_.size(); ++i) {
    const QString label = QString::fromStdString(finding.fixes[static_cast<std::size_t>(i)].label);
    fixes_[i]->setObjectName(i == 0 ? "fix:" + code : QString("fix:%1:%2").arg(code).arg(i));
    fixes_[i]->setText((i == 0 ? "Fix: " : "Or: ") + label);
    fixes_[i]->setAccessibleName(fixes_[i]->text());
    fixes_[i]->updateGeometry();
  }
}

void FindingCard::setFixesEnabled(bool enabled) {
  for (LinkButton* button : fixes_) button->setEnabled(enabled);
}

QAbstractButton* FindingCard::fixButton() const {
  return fixes_.isEmpty() ? nullptr : fixes_.front();
}

void FindingCard::setExpanded(bool expanded) {
  if (why_ != nullptr) why_->setVisible(expanded);
}

}  // namespace shardlens::ui
