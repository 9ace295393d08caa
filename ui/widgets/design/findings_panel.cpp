// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/findings_panel.h"

#include "ui/scene/design/form.h"
#include "ui/scene/design/inspection.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QApplication>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kStaleAfterMs = 150;  // an audit that is back sooner does not flicker

Finding findingOf(const Error& issue) {
  Finding finding;
  finding.code = "spec";
  finding.severity = Severity::Error;
  finding.title = issue.place.field.empty() ? phrase("design", "There is no plan").toStdString() : issue.place.field;
  finding.message = problemText(issue).toStdString();
  if (!issue.message.empty()) finding.why = issue.hint;
  finding.where.field = issue.place.field;
  return finding;
}

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

FindingsPanel::FindingsPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] {
        showFindings();
        addCards();
        if (!workspace_.plans.isBusy()) setStale(false);
      }) {
  setSurface(this, "panel");
  setAccessibleName(phrase("design", "Findings"));
  counts_ = noteLabel({}, "muted", this);
  counts_->setWordWrap(false);
  auto* head = rowIn(nullptr, {px(kMargin), px(12), px(kMargin), 0});
  head->addWidget(sectionHead(phrase("design", "findings"), this));
  head->addStretch();
  head->addWidget(counts_);
  progress_ = new ProgressBar(this);
  QSizePolicy keep = progress_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  progress_->setSizePolicy(keep);
  progress_->hide();
  list_ = new Column({px(kMargin), px(4), px(kMargin), px(kMargin)}, px(kGap));
  auto* outer = columnIn(this, {}, px(4));
  outer->addLayout(head);
  outer->addWidget(progress_);
  QWidget* const scroll = thinScroll(list_, this);
  outer->addWidget(scroll);
  veil_ = new Veil(scroll);
  stale_soon_.setSingleShot(true);
  connect(&stale_soon_, &QTimer::timeout, this, [this] { setStale(true); });
  connect(&workspace_.selection, &Selection::changed, this, &FindingsPanel::markChosen);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  connect(&workspace_.plans, &PlanService::progressed, this,
          [this](double fraction, const QString&) { progress_->setFraction(fraction); });
  connect(&workspace_.plans, &PlanService::busyChanged, this, [this](bool busy) {
    if (busy) {
      stale_soon_.start(kStaleAfterMs);
    } else {
      stale_soon_.stop();
      refresh_.want();
    }
  });
  addPanelMenu(*this, {phrase("design", "Findings"), [this] { return findingsText(findings_); },
                       [this] { return findingsCsv(findings_); }});
  refresh_.want();
}

void FindingsPanel::showFindings() {
  const PlanSnapshot& answer = *workspace_.plans.snapshot();
  if (!answer.issues.empty()) return showIssues();
  if (answer.generation == 0) {  // nothing is known of this document yet
    shown_.reset();
    rebuild({});
    return counts_->clear();
  }
  if (answer.audit == nullptr || answer.audit == shown_) return;
  shown_ = answer.audit;
  rebuild(shown_->findings);
}

void FindingsPanel::showIssues() {
  const PlanSnapshot& answer = *workspace_.plans.snapshot();
  shown_.reset();
  std::vector<Finding> findings;
  for (const Error& issue : answer.issues) findings.push_back(findingOf(issue));
  rebuild(std::move(findings));
}

void FindingsPanel::rebuild(std::vector<Finding> findings) {
  wants_focus_ = list_->isAncestorOf(QApplication::focusWidget());
  // Of the cards that are there the first ones stay, as many as fit: often only numbers have changed.
  std::size_t kept = 0;
  while (kept < std::min(cards_.size(), findings.size()) && cards_[kept]->fits(findings[kept])) {
    cards_[kept]->setFinding(findings[kept]);
    ++kept;
  }
  cards_.resize(kept);
  findings_ = std::move(findings);
  list_->set({cards_.begin(), cards_.end()});
  counts_->setText(findingCounts(findings_));
  markChosen();
}

/// A few of the cards that are still missing; the next ones come in another turn of the event loop.
void FindingsPanel::addCards() {
  const std::size_t until = std::min(findings_.size(), cards_.size() + FindingCard::kAtOnce);
  if (cards_.size() < until) {
    while (cards_.size() < until) cards_.push_back(makeCard(findings_[cards_.size()]));
    list_->set({cards_.begin(), cards_.end()});
    markChosen();
  }
  if (wants_focus_ && !cards_.empty()) cards_.front()->setFocus(Qt::OtherFocusReason);
  wants_focus_ = false;
  if (cards_.size() < findings_.size()) refresh_.want();
}

/// The card that led to what is selected.
void FindingsPanel::markChosen() {
  const auto& chosen = workspace_.selection.current().finding;
  for (FindingCard* card : cards_) card->setChosen(chosen && text(card->finding().code) == *chosen);
}

FindingCard* FindingsPanel::makeCard(const Finding& finding) {
  auto* card = new FindingCard(finding);
  connect(card, &Card::activated, this, [this, card] { selectWhere(card->finding()); });
  connect(card, &FindingCard::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  connect(card, &FindingCard::fixWanted, this, [this, card](const Fix& fix) {
    // The button is disabled while the fix is planned, and a disabled widget gives the focus to whoever comes next.
    if (card->isAncestorOf(QApplication::focusWidget())) card->setFocus(Qt::OtherFocusReason);
    applyFix(fix);
  });
  return card;
}

void FindingsPanel::setStale(bool stale) {
  veil_->setVisible(stale);
  progress_->setVisible(stale);
  if (stale) progress_->setFraction(0);
  for (FindingCard* card : cards_) card->setFixesEnabled(!stale);
  counts_->setText(stale ? phrase("design", "checking…") : findingCounts(findings_));
}

void FindingsPanel::applyFix(const Fix& fix) {
  const Fix applied = fix;  // the card goes away with the new plan
  const QString label = QString::fromStdString(applied.label);
  if (auto done = workspace_.document.edit(applied.edits, label); !done) {
    counts_->setText(QString::fromStdString(done.error().message));
  } else if (*done) {
    Toast::sayDone(*this, workspace_.document.undoStack(), tr("Fix applied: %1").arg(label));
  }
}

void FindingsPanel::selectWhere(const Finding& finding) {
  workspace_.goTo(placeOf(finding));
  if (!finding.where.field.empty()) emit fieldWanted(QString::fromStdString(finding.where.field));
}

void FindingsPanel::pointAt(const QString& code) {
  const auto is_it = [&code](const FindingCard* card) { return text(card->finding().code) == code; };
  const auto found = std::ranges::find_if(cards_, is_it);
  if (found == cards_.end()) return;
  selectWhere((*found)->finding());
  for (QWidget* above = (*found)->parentWidget(); above != nullptr; above = above->parentWidget()) {
    if (auto* area = qobject_cast<QScrollArea*>(above)) return area->ensureWidgetVisible(*found);
  }
}

void FindingsPanel::pointAtWorst() {
  if (findings_.empty() || findings_.front().severity == Severity::Info) return;
  pointAt(text(findings_.front().code));
}

FindingCard::FindingCard(const Finding& finding, QWidget* parent)
    : Card(toneOf(finding), parent), title_(makeText("", "title")), message_(makeText("muted", "text")) {
  setClickable(true);
  addAll(column(), {title_, message_});
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
  auto* row = columnIn(nullptr, {}, 0);
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

void FindingCard::setFixesEnabled(bool enabled) {
  for (const FixRow& row : fixes_) row.button->setEnabled(enabled);
}

void FindingCard::setExpanded(bool expanded) {
  if (why_ != nullptr) why_->setVisible(expanded);
}

}  // namespace shardlens::ui

#include "moc_findings_panel.cpp"
