// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/finding_card.h"

#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/link_label.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

constexpr int kPriceIndent = 2;  // as far as the text of the button above

Tone toneOf(const Finding& finding) {
  const Tone tone = ui::toneOf(finding.severity);
  return tone == Tone::Note && finding.is_proof ? Tone::Fine : tone;
}

QString wordOf(const Finding& finding) {
  if (finding.severity == Severity::Error) return phrase("design", "error");
  if (finding.severity == Severity::Warning) return phrase("design", "warning");
  return finding.is_proof ? phrase("design", "fine") : phrase("design", "note");
}

QLabel* wrapped(const char* tone, const char* role, QWidget* parent) {
  QLabel* label = textLabel({}, tone, parent);
  setLook(label, "role", role);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::NoTextInteraction);
  return label;
}

/// What a step that the texts name alone belongs to.
Selected contextOf(const Where& where) {
  Selected context;
  if (where.epoch) context.epoch = *where.epoch;
  if (where.ranks.size() == 1) context.ranks = {where.ranks.front()};
  return context;
}

}  // namespace

FindingCard::FindingCard(const Finding& finding, QWidget* parent)
    : Card(toneOf(finding), parent), title_(makeText("", "title")), message_(makeText("muted", "text")) {
  setClickable(true);
  column()->addWidget(title_);
  column()->addWidget(message_);
  for (std::size_t i = 0; i < finding.fixes.size(); ++i) addFix();
  severity_ = textLabel({}, "muted", this);
  setLook(severity_, "role", "small");
  auto* foot = new QHBoxLayout;
  foot->addWidget(severity_);
  foot->addStretch(1);
  column()->addLayout(foot);
  if (!finding.why.empty()) addWhy(*foot);
  setFinding(finding);
}

LinkLabel* FindingCard::makeText(const char* tone, const char* role) {
  auto* label = new LinkLabel(tone, role, this);
  connect(label, &LinkLabel::followed, this, &FindingCard::placeWanted);
  return label;
}

void FindingCard::addFix() {
  const qsizetype index = fixes_.size();
  auto* button = new LinkButton({}, "", this);
  connect(button, &QAbstractButton::clicked, this,
          [this, index] { emit fixWanted(finding_.fixes[static_cast<std::size_t>(index)]); });
  QLabel* price = wrapped("muted", "small", this);
  price->setIndent(px(kPriceIndent));
  auto* row = new QVBoxLayout;
  row->setSpacing(0);
  row->addWidget(button, 0, Qt::AlignLeft);
  row->addWidget(price);
  column()->addLayout(row);
  fixes_ << FixRow{button, price};
}

void FindingCard::addWhy(QHBoxLayout& line) {
  why_ = makeText("muted", "text");
  why_->hide();
  auto* why = new LinkButton(phrase("design", "Details"), "muted", this);
  connect(why, &QAbstractButton::clicked, this, [this] { setExpanded(why_->isHidden()); });
  line.addWidget(why);
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
  const QString message = text(finding.message);
  setTone(toneOf(finding));
  setObjectName("finding:" + code);
  const QString word = wordOf(finding);
  severity_->setText(word.left(1).toUpper() + word.mid(1));
  setAccessibleName(QString("%1: %2").arg(wordOf(finding), title));
  setAccessibleDescription(message);
  const auto show = [&finding, context = contextOf(finding.where)](LinkLabel& label, const QString& words) {
    // What is said of other runs names their seeds and epochs, not those of this design.
    finding.topic == FindingTopic::Runs ? label.setWithoutLinks(words) : label.setPlain(words, context);
  };
  show(*title_, title);
  show(*message_, message);
  if (why_ != nullptr) show(*why_, text(finding.why));
  for (qsizetype i = 0; i < fixes_.size(); ++i) setFix(i, finding.fixes[static_cast<std::size_t>(i)]);
}

void FindingCard::setFix(qsizetype index, const Fix& fix) {
  const auto& [button, price] = fixes_[index];
  const QString code = QString::fromStdString(finding_.code);
  button->setObjectName(index == 0 ? "fix:" + code : QString("fix:%1:%2").arg(code).arg(index));
  button->setText(
      (index == 0 ? phrase("design", "Fix: %1") : phrase("design", "Or: %1")).arg(QString::fromStdString(fix.label)));
  button->updateGeometry();
  price->setText(fix.price.empty() ? QString() : phrase("design", "Effect: %1").arg(QString::fromStdString(fix.price)));
  price->setVisible(!fix.price.empty());
  button->setAccessibleName(button->text());
  button->setAccessibleDescription(price->text());
}

QList<LinkButton*> FindingCard::fixButtons() const {
  QList<LinkButton*> buttons;
  for (const FixRow& row : fixes_) buttons << row.button;
  return buttons;
}

QString FindingCard::priceText(qsizetype fix) const {
  return fixes_[fix].price->text();
}

void FindingCard::setFixesEnabled(bool enabled) {
  for (const FixRow& row : fixes_) row.button->setEnabled(enabled);
}

QAbstractButton* FindingCard::fixButton() const {
  return fixes_.isEmpty() ? nullptr : fixes_.front().button;
}

void FindingCard::setExpanded(bool expanded) {
  if (why_ != nullptr) why_->setVisible(expanded);
}

}  // namespace shardlens::ui

#include "moc_finding_card.cpp"
