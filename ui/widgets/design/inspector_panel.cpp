// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/inspector_panel.h"

#include "ui/scene/links.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QFontMetrics>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kChipColumns = 4;
constexpr int kNameWidth = 108;  ///< of a fact
constexpr std::size_t kChipsAtFirst = 12;
constexpr std::size_t kChipsAtMost = 400;

void showChip(QPushButton& button, const SampleChip& chip, bool selected) {
  button.setText(QString::number(chip.id));
  setLook(&button, "state", chip.shared ? "error" : selected ? "on" : "");
  QString tip = phrase("design", "sample %1").arg(chip.id);
  if (chip.padding) tip = phrase("design", "%1, padding").arg(tip);
  if (chip.shared) tip = phrase("design", "%1, another rank gets it in this epoch too").arg(tip);
  button.setToolTip(tip);
  button.setAccessibleName(tip);
}

/// A part of the panel that can be hidden as a whole.
template <class Layout>
Layout* addPart(QVBoxLayout& column, QWidget* parent) {
  auto* holder = new QWidget(parent);
  column.addWidget(holder);
  return new Layout(holder);
}

void showFact(const Inspection::Fact& fact, const Selected& about, LinkLabel& name, LinkLabel& value) {
  name.setPlain(fact.name, about);
  fact.place ? value.setLink(fact.value, *fact.place) : value.setPlain(unbroken(fact.value), about);
}

QLabel* hintLabel(QWidget* parent) {
  auto* hint =
      noteLabel(phrase("design", "Click a batch on the Stage, a rank, or a cell of Overlap to see what is in it."),
                "muted", parent);
  hint->setContentsMargins(0, px(4), 0, 0);
  return hint;
}

constexpr int kLifeRow = 24;
constexpr int kLeastRows = 3;

}  // namespace

InspectorPanel::InspectorPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] { inspectAgain(); }) {
  setSurface(this, "panel");
  setAccessibleName(phrase("design", "Inspector"));
  build();
  connect(&workspace_.selection, &Selection::changed, this, [this] {
    all_chips_ = false;
    scroll_->verticalScrollBar()->setValue(0);
    refresh_.want();
  });
  // What it says of a document that is left is of no other one.
  connect(&workspace_.document, &Document::leaving, this, [this] {
    inspection_.cancel();
    shown_ = {};
    showInspection();
  });
  connect(&workspace_.plans, &PlanService::busyChanged, &refresh_, &Refresh::want);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  connect(&workspace_.audits, &EpochAudit::changed, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::playingChanged, &refresh_, &Refresh::want);
  addPanelMenu(*this, {phrase("design", "Inspector"), [this] { return asYaml(shown_); },
                       [this] { return life_->isVisible() ? life_->model().csv() : asCsv(shown_); }});
  showInspection();
  refresh_.want();
}

void InspectorPanel::build() {
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(px(kMargin), px(8), px(kMargin), px(12));  // above is the line of the progress
  column->setSpacing(px(6));
  buildHead(*column, body);
  title_ = textLabel({}, "", body);
  setLook(title_, "role", "title");
  column->addWidget(title_);
  facts_ = addPart<QGridLayout>(*column, body);
  facts_->setContentsMargins(0, px(2), 0, px(2));
  facts_->setVerticalSpacing(px(5));
  facts_->setHorizontalSpacing(px(kGap));
  facts_->setColumnStretch(1, 1);
  sentence_ = makeText("muted", body);
  column->addWidget(sentence_);
  chips_ = addPart<QGridLayout>(*column, body);
  chips_->setContentsMargins(0, px(4), 0, px(2));
  chips_->setSpacing(px(6));
  for (int i = 0; i < kChipColumns; ++i) chips_->setColumnStretch(i, 1);
  buildActions(*column, body);
  hint_ = hintLabel(body);
  column->addWidget(hint_);
  column->addStretch(1);
  auto* all = new QWidget;
  auto* parts = columnIn(all, {}, 0);
  scroll_ = thinScroll(body, all);
  parts->addWidget(scroll_, 100);  // as much as it needs, see fitFacts()
  life_ = new LifeView(all);
  life_->setContentsMargins(px(kMargin), 0, px(kMargin), px(12));
  connect(life_, &LifeView::placeChosen, this, [this](const Selected& place) { workspace_.goTo(place); });
  parts->addWidget(life_, 1);
  pane_ = new StatePane(all);
  pane_->showContent();
  columnIn(this, {})->addWidget(pane_);
}

void InspectorPanel::buildHead(QVBoxLayout& column, QWidget* parent) {
  Selection& selection = workspace_.selection;
  back_ = new LinkButton("‹", "", parent);
  back_->setAccessibleName(phrase("design", "Back"));
  back_->setToolTip(phrase("design", "What was selected before (Alt+Left)"));
  forward_ = new LinkButton("›", "", parent);
  forward_->setAccessibleName(phrase("design", "Forward"));
  forward_->setToolTip(phrase("design", "What was selected before going back (Alt+Right)"));
  connect(back_, &QAbstractButton::clicked, &selection, &Selection::goBack);
  connect(forward_, &QAbstractButton::clicked, &selection, &Selection::goForward);
  const auto follow = [this, &selection] {
    const bool had_focus = hasFocusInside();
    back_->setEnabled(selection.canGoBack());
    forward_->setEnabled(selection.canGoForward());
    if (had_focus) keepFocus();
  };
  connect(&selection, &Selection::changed, this, follow);
  follow();
  auto* line = rowIn(nullptr, {}, px(kGap));
  line->addWidget(sectionHead(phrase("design", "inspector"), parent));
  line->addStretch();
  for (QAbstractButton* button : {back_, forward_}) {
    button->setFixedWidth(px(20));
    line->addWidget(button);
  }
  column.addLayout(line);
}

LinkLabel* InspectorPanel::makeText(const char* tone, QWidget* parent) {
  auto* label = new LinkLabel(tone, "text", parent);
  connect(label, &LinkLabel::followed, this, [this](const Selected& place) { workspace_.goTo(place); });
  return label;
}

void InspectorPanel::buildActions(QVBoxLayout& column, QWidget* parent) {
  actions_ = addPart<QHBoxLayout>(column, parent);
  actions_->setContentsMargins(0, 0, 0, 0);
  actions_->setSpacing(px(4));
  copy_ = new LinkButton(phrase("design", "copy"), "", this);
  connect(copy_, &QAbstractButton::clicked, this, [this] { showCopyMenu(copy_); });
  find_ = new LinkButton(phrase("design", "find in all epochs"), "", this);
  connect(find_, &QAbstractButton::clicked, this, [this] {
    Selected sample;
    sample.sample = workspace_.selection.current().sample;
    workspace_.selection.select(sample);
  });
  batch_ = new LinkButton(phrase("design", "show its batch"), "", this);
  connect(batch_, &QAbstractButton::clicked, this, [this] {
    Selected batch = workspace_.selection.current();
    batch.follows_sample = false;
    workspace_.selection.select(batch);
  });
  more_ = new LinkButton({}, "", this);
  connect(more_, &QAbstractButton::clicked, this, [this] {
    all_chips_ = true;
    showInspection();
  });
  addAll(actions_, {more_, copy_, find_, batch_});
  actions_->addStretch();
}

bool InspectorPanel::hasFocusInside() const {
  return window()->focusWidget() != nullptr && isAncestorOf(window()->focusWidget());
}

/// The part that had the focus is gone or switched off, and Qt took the next one in the window.
void InspectorPanel::keepFocus() {
  if (hasFocusInside()) return;
  for (QAbstractButton* part : {back_, forward_, copy_}) {
    if (part->isEnabled() && part->isVisible()) return part->setFocus();
  }
}

void InspectorPanel::inspectAgain() {
  if (!workspace_.playback.isPlaying() && !workspace_.plans.isBusy()) workspace_.audits.want();
  const PlanSnapshotPtr answer = workspace_.answer();
  const bool had_focus = hasFocusInside();
  showLife();
  if (had_focus) keepFocus();
  const bool is_new = (answer->epoch || !answer->issues.empty()) && answer->spec == workspace_.document.spec();
  is_new ? pane_->showContent() : pane_->showProgress(0, phrase("design", "Planning"));
  if (!answer->epoch) return;  // the last good one stays until there is a plan again
  const auto take = [this](Inspection found) {
    shown_ = std::move(found);
    showInspection();
  };
  inspection_.startParts([answer, selected = workspace_.selection.current(), take](
                             const Work& work, const LatestJob::HandOver& hand_over) {
    Inspection first = inspect(*answer, selected);
    const bool complete = first.complete;
    hand_over([take, first = std::move(first)] { take(first); });
    if (complete) return;
    auto all = inspectFully(*answer, selected, work);
    if (all) hand_over([take, all = *std::move(all)] { take(all); });
  });
}

void InspectorPanel::showInspection() {
  const bool had_focus = hasFocusInside();
  const bool something = !shown_.title.isEmpty();
  title_->setText(shown_.title);
  title_->setVisible(something);
  showFacts();
  const QString sentence = shown_.complete ? shown_.sentence : phrase("design", "searching…");
  sentence_->setPlain(sentence, shown_.about);
  sentence_->setVisible(something && !sentence.isEmpty());
  showChips();
  showActions();
  hint_->setVisible(!something || shown_.is_overview);
  fitFacts();
  if (had_focus) keepFocus();
}

/// Beside the life of a sample, the facts take no more than they need and the table the rest, so that one of them
/// scrolls.
void InspectorPanel::fitFacts() {
  if (!life_->isVisibleTo(this)) return scroll_->setMaximumHeight(QWIDGETSIZE_MAX);
  QWidget& body = *scroll_->widget();
  const int wide = scroll_->viewport()->width();
  scroll_->setMaximumHeight(body.hasHeightForWidth() ? body.heightForWidth(wide) : body.sizeHint().height());
}

/// Labels are made once and used again: most selections differ in their numbers alone.
void InspectorPanel::showFacts() {
  facts_->parentWidget()->setVisible(!shown_.facts.empty());
  while (fact_labels_.size() < shown_.facts.size()) {
    const FactLabels labels{makeText("muted", this), makeText("", this), false};
    labels.value->setSelectable();
    const int row = 2 * static_cast<int>(fact_labels_.size());  // the next row is for a value that stands below
    for (LinkLabel* label : {labels.name, labels.value}) {
      facts_->addWidget(label, row, label == labels.value ? 1 : 0, Qt::AlignTop);
    }
    fact_labels_.push_back(labels);
  }
  for (std::size_t i = 0; i < fact_labels_.size(); ++i) {
    const bool used = i < shown_.facts.size();
    const FactLabels& labels = fact_labels_[i];
    if (used) showFact(shown_.facts[i], shown_.about, *labels.name, *labels.value);
    labels.name->setVisible(used);
    labels.value->setVisible(used);
  }
  placeFacts();
}

/// A value with a word that is too wide beside its name, a seed or a fingerprint, stands below it.
void InspectorPanel::placeFacts() {
  constexpr int kScrollBar = 8;
  const int name = std::clamp(width() * 37 / 100, px(86), px(kNameWidth));
  facts_->setColumnMinimumWidth(0, name);
  const int room = width() - px(kScrollBar) - 2 * px(kMargin) - name - facts_->horizontalSpacing();
  for (std::size_t i = 0; i < fact_labels_.size(); ++i) {
    FactLabels& labels = fact_labels_[i];
    int widest = 0;
    const QFontMetrics metrics = labels.value->fontMetrics();
    for (const QString& word : labels.value->plain().split(' ')) {
      widest = std::max(widest, metrics.horizontalAdvance(word));
    }
    const bool is_below = widest > room;
    if (std::exchange(labels.is_below, is_below) == is_below) continue;
    const int row = 2 * static_cast<int>(i);
    facts_->removeWidget(labels.value);
    is_below ? facts_->addWidget(labels.value, row + 1, 0, 1, 2)
             : facts_->addWidget(labels.value, row, 1, Qt::AlignTop);
  }
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeFacts();
  fitFacts();
}

std::size_t InspectorPanel::visibleChips() const {
  return std::min(all_chips_ ? kChipsAtMost : kChipsAtFirst, shown_.chips.size());
}

void InspectorPanel::showChips() {
  const std::size_t visible = visibleChips();
  const std::optional<qint64> selected = workspace_.selection.current().sample;
  while (chip_buttons_.size() < visible) {
    auto* button = pushButton({}, "chip", this);
    button->setMinimumWidth(1);
    const std::size_t place = chip_buttons_.size();
    connect(button, &QPushButton::clicked, this, [this, place] {
      Selected chosen = workspace_.selection.current();
      chosen.sample = shown_.chips[place].id;
      chosen.samples = 1;
      workspace_.selection.select(chosen);
    });
    chips_->addWidget(button, static_cast<int>(place) / kChipColumns, static_cast<int>(place) % kChipColumns);
    chip_buttons_.push_back(button);
  }
  for (std::size_t i = 0; i < chip_buttons_.size(); ++i) {
    chip_buttons_[i]->setVisible(i < visible);
    if (i < visible) showChip(*chip_buttons_[i], shown_.chips[i], shown_.chips[i].id == selected);
  }
  chips_->parentWidget()->setVisible(visible > 0);
}

/// A sample that is the subject is followed through all epochs; a stopped or failed plan leaves what is shown.
void InspectorPanel::showLife() {
  const Selected& selected = workspace_.selection.current();
  const bool is_subject =
      selected.sample && selected.samples == 1 && (selected.ranks.empty() || selected.follows_sample);
  const PlanSnapshotPtr answer = workspace_.plans.snapshot();
  const bool is_inside = is_subject && *selected.sample >= 0 && *selected.sample < answer->spec.dataset.size;
  life_->setVisible(is_inside && answer->plan);
  if (!is_inside) {
    fitFacts();
    return life_->follow(std::nullopt, std::nullopt);
  }
  if (!answer->plan) return;
  life_->follow(answer->plan, selected.sample);
  life_->mark(selected);
  fitFacts();
}

void InspectorPanel::showActions() {
  actions_->parentWidget()->setVisible(!shown_.title.isEmpty() && !shown_.is_overview);
  const qint64 more = shown_.samples - static_cast<qint64>(visibleChips());
  more_->setWords(phrase("design", "+ %1 more").arg(number(more)));
  more_->setVisible(more > 0 && !all_chips_);
  const Selected& selected = workspace_.selection.current();
  find_->setVisible(selected.sample && !selected.ranks.empty() && !selected.follows_sample);
  batch_->setVisible(selected.follows_sample && selected.ranks.size() == 1 && selected.step);
}

void InspectorPanel::showCopyMenu(QWidget* under) {
  QMenu menu(this);
  menu.addAction(phrase("design", "Copy as YAML"), this, [this] { copyText(*this, asYaml(shown_)); });
  auto* csv =
      menu.addAction(phrase("design", "Copy sample ids as CSV"), this, [this] { copyText(*this, asCsv(shown_)); });
  csv->setEnabled(!shown_.chips.empty());
  menu.addAction(phrase("design", "Copy command line"), this,
                 [this] { copyText(*this, twinOf(workspace_.selection.current(), workspace_.document.path())); });
  menu.exec(under->mapToGlobal(QPoint(0, under->height())));
}

LifeView::LifeView(QWidget* parent)
    : QWidget(parent),
      model_(new LifeModel(this)),
      caption_(noteLabel({}, "muted", this)),
      stop_(new LinkButton(phrase("design", "stop"), "", this)),
      progress_(new ProgressBar(this)),
      table_(new QTableView(this)) {
  setObjectName("life");
  build();
  connect(stop_, &QAbstractButton::clicked, this, &LifeView::stop);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
}

void LifeView::build() {
  stop_->setObjectName("stopLife");
  stop_->setAccessibleName(phrase("design", "Stop the search"));
  table_->setModel(model_);
  table_->setAccessibleName(phrase("design", "Places of the sample by epoch"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setCursor(Qt::PointingHandCursor);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(px(kLifeRow));
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);  // a million rows are never measured
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setFont(smallFont());
  table_->horizontalHeader()->setMinimumSectionSize(px(24));
  setLook(table_, "role", "dense");
  fitColumns();
  table_->setMinimumHeight(px(kLifeRow) * (kLeastRows + 1));
  auto* head = new QHBoxLayout;
  head->addWidget(caption_, 1);
  head->addWidget(stop_, 0, Qt::AlignTop);
  auto* column = columnIn(this, {}, px(4));
  column->addLayout(head);
  column->addWidget(progress_);
  column->addWidget(table_, 1);
}

/// The step, whose numbers are the longest, takes what the others leave.
void LifeView::fitColumns() {
  QHeaderView& header = *table_->horizontalHeader();
  const QFontMetrics metrics(font());
  for (int column = 0; column < LifeModel::Columns; ++column) {
    const QString name = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    header.resizeSection(column, metrics.horizontalAdvance(name) + px(10));
    header.setSectionResizeMode(column, column == LifeModel::StepColumn ? QHeaderView::Stretch : QHeaderView::Fixed);
  }
}

void LifeView::follow(const std::optional<Plan>& plan, std::optional<SampleIndex> sample) {
  const bool same_plan = plan.has_value() == plan_.has_value() && (!plan || &plan->spec() == &plan_->spec());
  if (same_plan && sample == sample_) return;
  plan_ = plan;
  sample_ = sample;
  if (!plan || !sample) {
    job_.cancel();
    return model_->begin(0, 0);
  }
  model_->begin(*sample, plan->epochs());
  progress_->setFraction(0);
  say(phrase("design", "Searching %1…").arg(countOf(plan->epochs(), "epoch")), true);
  job_.startParts(
      [this, followed = *plan, id = *sample](const Work& work, const LatestJob::HandOver& hand_over) {
        const auto done = followSample(followed, id, work, [this, &hand_over](std::vector<LifeRow> rows) {
          hand_over([this, rows = std::move(rows)] {
            model_->append(rows);
            mark(marked_);
          });
        });
        hand_over([this, error = done ? QString() : text(done.error().text())] {
          say(error.isEmpty() ? model_->summary() : error, false);
        });
      },
      [this](double fraction) { progress_->setFraction(fraction); },
      [this](const Error& error) { say(text(error.text()), false); });
}

void LifeView::stop() {
  if (!job_.isBusy()) return;
  job_.cancel();
  const qint64 reached = model_->lines().empty() ? 0 : model_->lines().back().epoch + 1;
  say(phrase("design", "Stopped after %1 of %2.").arg(number(reached), countOf(plan_->epochs(), "epoch")), false);
}

void LifeView::say(const QString& text, bool searching) {
  caption_->setText(text);
  stop_->setVisible(searching);
  progress_->setVisible(searching);
}

void LifeView::mark(const Selected& place) {
  marked_ = place;
  const int row = model_->rowOf(place);
  if (row == table_->currentIndex().row()) return;
  if (row < 0) return table_->setCurrentIndex({});
  table_->setCurrentIndex(model_->index(row, std::max(0, table_->currentIndex().column())));
}

void LifeView::choose(int row) {
  if (row >= 0 && row < model_->rowCount()) emit placeChosen(model_->placeOf(row));
}

void LifeView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return choose(table_->currentIndex().row());
  QWidget::keyPressEvent(event);
}

}  // namespace shardlens::ui

#include "moc_inspector_panel.cpp"
