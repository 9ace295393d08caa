// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/loaders_panel.h"

#include "core/capture/capture_words.h"
#include "ui/scene/design/inspection.h"
#include "ui/scene/links.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kLeastWidth = 214;  ///< names of samplers are whole

/// One long word makes no card wider than the panel.
void letWrap(QLabel& label) {
  label.setWordWrap(true);
  QSizePolicy policy = label.sizePolicy();
  policy.setHorizontalPolicy(QSizePolicy::Ignored);
  label.setSizePolicy(policy);
}

QLabel* boldLine(const QString& text, QWidget* parent) {
  QLabel* label = textLabel(breakable(text), "", parent);
  label->setFont(demiBold(label->font()));
  letWrap(*label);
  return label;
}

QLabel* sentence(const std::string& said, const char* tone, QWidget* parent) {
  QLabel* label = textLabel(text(said), tone, parent);
  letWrap(*label);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

/// Equal for captures of which the panel says the same.
QString keyOf(const capture::Capture& found) {
  std::string key;
  for (const capture::CapturedLoader& loader : found.loaders) {
    key += words::loaderText(loader.job) + loader.yaml.value_or("") + std::to_string(loader.agreement.batches) + "/" +
           std::to_string(loader.agreement.as_planned);
    for (const capture::RunFinding& finding : loader.findings) key += finding.text;
  }
  for (const std::string& note : found.notes) key += note;
  return QString::fromStdString(key);
}

Tone toneOf(const capture::CapturedLoader& loader) {
  if (!loader.findings.empty()) return Tone::Warning;
  return loader.isProven() && loader.reasons.empty() ? Tone::Fine : Tone::Note;
}

}  // namespace

LoadersPanel::LoadersPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), runs_(workspace.runs), capture_(workspace.capture) {
  setObjectName("loadersPanel");
  setMinimumWidth(px(kLeastWidth));
  QLabel* head = boldLine(phrase("run", "What its loaders read"), this);
  note_ = textLabel({}, "muted", this);
  note_->setObjectName("loadersNote");
  note_->setWordWrap(true);
  auto* content = new QWidget;
  loaders_ = columnIn(content, {0, 0, px(4), 0}, px(8));
  auto* column = columnIn(this, {}, px(4));
  addAll(column, {head, note_});
  column->addWidget(thinScroll(content, this), 1);
  connect(&capture_, &JobCapture::changed, this, &LoadersPanel::showFound);
  addPanelMenu(*this, {phrase("run", "What its loaders read")});
  showFound();
}

void LoadersPanel::showFound() {
  QString key = capture_.problem() + (runs_.isActive() ? "+" : "-") + capture_.loader();
  if (const auto& found = capture_.found()) key += keyOf(*found);
  if (const auto& audit = capture_.audit()) key += '|' + QString::fromStdString(audit->loader);
  if (std::exchange(shown_, key) == key) return;  // cards that say the same stay, with focus and selected text
  removeAll(*loaders_);
  const auto& found = capture_.found();
  QString note = capture_.problem();
  if (found == nullptr && (note.isEmpty() || runs_.isActive()))
    note = phrase("run", "No PyTorch loader has been seen yet.");
  if (found != nullptr && runs_.isActive()) note = phrase("run", "As recorded so far.");
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  if (found != nullptr) {
    for (const capture::CapturedLoader& loader : found->loaders) addLoader(loader);
    for (const std::string& about : found->notes) loaders_->addWidget(sentence(about, "muted", this));
  }
  loaders_->addStretch(1);
}

void LoadersPanel::addLoader(const capture::CapturedLoader& loader) {
  auto* card = new Card(toneOf(loader), this);
  card->setObjectName("loaderCard");
  const capture::LoaderAccount account = capture::accountOf(loader);
  card->column()->addWidget(boldLine(QString::fromStdString(account.title), card));
  if (loader.yaml) {  // above what is read of it, so that it needs no scrolling
    auto* link = new LinkButton(phrase("run", "Make this a design"), "", card);
    link->setObjectName("makeDesign");
    connect(link, &QAbstractButton::clicked, this, [this, name = loader.job.name] { capture_.makeDesign(name); });
    card->column()->addWidget(link, 0, Qt::AlignLeft);
  }
  if (!account.sampler.empty()) card->column()->addWidget(sentence(account.sampler, "muted", card));
  card->column()->addWidget(sentence(account.checked, "", card));
  if (const auto& audit = capture_.audit(); audit != nullptr && audit->loader == loader.job.name) {
    for (const std::string& line : words::readingText(audit->reading))
      card->column()->addWidget(sentence(line, "muted", card));
  }
  for (const std::string& remark : account.remarks) card->column()->addWidget(sentence(remark, "muted", card));
  for (const std::string& finding : account.findings) card->column()->addWidget(sentence(finding, "warning", card));
  const bool is_shown = capture_.loader().isEmpty() || capture_.loader().toStdString() == loader.job.name;
  if (!is_shown && loader.spec.problems.empty()) {
    auto* link = new LinkButton(phrase("run", "Show its batches"), "", card);
    link->setObjectName("showBatches");
    connect(link, &QAbstractButton::clicked, this, [this, name = loader.job.name] { capture_.compareWith(name); });
    card->column()->addWidget(link, 0, Qt::AlignLeft);
  }
  loaders_->addWidget(card);
}

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

#include "moc_loaders_panel.cpp"
