// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/loader_findings.h"

#include "ui/scene/design/inspection.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {

LoaderFindings::LoaderFindings(const JobCapture& capture, Selection& selection, QWidget* parent)
    : QWidget(parent), capture_(capture), selection_(selection), refresh_(this, [this] {
        showAudit();
        addCards();
      }) {
  setObjectName("loaderFindings");
  setSurface(this, "panel");
  setMinimumWidth(px(200));
  setMinimumHeight(px(120));
  setAccessibleName(phrase("design", "Findings"));
  counts_ = noteLabel({}, "muted", this);
  counts_->setAlignment(Qt::AlignRight);
  auto* head = rowIn(nullptr, {px(kMargin), px(12), px(kMargin), 0});
  head->addWidget(sectionHead(phrase("design", "findings"), this));
  head->addWidget(counts_, 1);  // in a narrow column it wraps
  column_ = new Column({px(kMargin), px(4), px(kMargin), px(kMargin)}, px(kGap));
  auto* outer = columnIn(this, {}, px(4));
  outer->addLayout(head);
  outer->addWidget(thinScroll(column_, this), 1);
  connect(&capture_, &JobCapture::changed, &refresh_, &Refresh::want);
  connect(&selection_, &Selection::changed, this, &LoaderFindings::markChosen);
  addPanelMenu(*this, {phrase("design", "Findings"), [this] { return asText(); },
                       [this] { return shown_ == nullptr ? QString() : findingsCsv(shown_->findings); }});
  refresh_.want();
}

void LoaderFindings::showAudit() {
  if (capture_.audit() == shown_) return;
  shown_ = capture_.audit();
  is_whole_ = false;
  cards_.clear();
  column_->clear();
  counts_->clear();
  if (shown_ == nullptr) return;
  if (shown_->not_judged.empty() || !shown_->findings.empty()) counts_->setText(findingCounts(shown_->findings));
  if (capture_.found() != nullptr && capture_.found()->loaders.size() > 1)
    addLine(phrase("run", "What the loader %1 read").arg(text(shown_->loader)));
  if (!shown_->not_judged.empty()) addLine(text(shown_->not_judged));
}

/// Below the last card stands what was judged.
void LoaderFindings::addCards() {
  if (is_whole_ || shown_ == nullptr) return;
  const std::size_t until = std::min(shown_->findings.size(), cards_.size() + FindingCard::kAtOnce);
  while (cards_.size() < until) addCard(shown_->findings[cards_.size()]);
  markChosen();
  if (until < shown_->findings.size()) return refresh_.want();
  for (const std::string& line : shown_->said) addLine(text(line));
  is_whole_ = true;
}

void LoaderFindings::addCard(const Finding& finding) {
  auto* card = new FindingCard(finding);
  cards_.push_back(card);
  column_->add(card);
  connect(card, &Card::activated, this, [this, card] { emit placeWanted(shown_->inGrid(placeOf(card->finding()))); });
  connect(card, &FindingCard::placeWanted, this,
          [this](const Selected& place) { emit placeWanted(shown_->inGrid(place)); });
}

void LoaderFindings::addLine(const QString& line) {
  QLabel* label = noteLabel(line);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  column_->add(label);
}

/// The card that led to what is selected.
void LoaderFindings::markChosen() {
  const auto& chosen = selection_.current().finding;
  for (FindingCard* card : cards_) card->setChosen(chosen && text(card->finding().code) == *chosen);
}

QString LoaderFindings::asText() const {
  if (shown_ == nullptr) return {};
  QStringList lines;
  if (!shown_->not_judged.empty()) lines += text(shown_->not_judged);
  if (!shown_->findings.empty()) lines += findingsText(shown_->findings);
  for (const std::string& line : shown_->said) lines += text(line);
  return lines.join('\n') + '\n';
}

}  // namespace shardlens::ui

#include "moc_loader_findings.cpp"
