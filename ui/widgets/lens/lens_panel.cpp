// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_panel.h"

#include "ui/state/workspace.h"
#include "ui/widgets/common/choice_menu.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kColumnWidth = 250;
constexpr int kColumnGap = 12;

QScrollArea* sidewaysScroll(QWidget* content) {
  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  return scroll;
}

}  // namespace

LensPanel::LensPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      summary_(textLabel({}, "muted")),
      progress_(new QProgressBar),
      choose_(new QToolButton),
      first_(new QHBoxLayout),
      row_(new QHBoxLayout),
      beside_(new QHBoxLayout),
      refresh_(this, [this] { compute(); }) {
  build();
  connect(&workspace_.document, &Document::specChanged, this, &LensPanel::computeSoon);
  connect(&workspace_.playback, &Playback::epochChanged, this, &LensPanel::computeSoon);
  connect(&workspace_.playback, &Playback::moved, this, &LensPanel::showPlayhead);
  connect(&workspace_.selection, &Selection::changed, this, &LensPanel::showSelection);
  refresh_.want();
}

LensPanel::~LensPanel() = default;

void LensPanel::build() {
  setLook(this, "surface", "window");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Framework lens"));
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  QSizePolicy keep = progress_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  progress_->setSizePolicy(keep);
  progress_->hide();
  auto* strip = new QWidget;
  strip->setLayout(row_);
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(px(kColumnGap));
  scroll_ = sidewaysScroll(strip);
  scroll_->setObjectName("lens:others");
  beside_->setSpacing(px(kColumnGap));
  beside_->addLayout(first_, 1);
  beside_->addWidget(scroll_, 1);
  // The scroll bar takes its height from the others alone; all Stages stand at one height.
  connect(scroll_->horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int last) {
    first_->setContentsMargins(0, 0, 0, last > 0 ? scroll_->horizontalScrollBar()->sizeHint().height() : 0);
  });
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(px(kMargin), px(10), px(kMargin), px(10));
  column->setSpacing(px(kGap));
  column->addWidget(headRow());
  column->addWidget(progress_);
  column->addLayout(beside_, 1);
  column->addWidget(new TransportBar(workspace_.playback));
  setFocusPolicy(Qt::StrongFocus);
}

QWidget* LensPanel::headRow() {
  choose_->setText(tr("frameworks ▾"));
  choose_->setPopupMode(QToolButton::InstantPopup);
  choose_->setFocusPolicy(Qt::TabFocus);
  choose_->setAccessibleName(tr("Frameworks shown"));
  choose_->setMenu(new ChoiceMenu(choose_));
  QLabel* title = textLabel(tr("The same design in each framework"));
  setLook(title, "role", "title");
  auto* holder = new QWidget;
  auto* row = new QHBoxLayout(holder);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(px(kGap));
  row->addWidget(title);
  row->addWidget(summary_);
  row->addStretch(1);
  row->addWidget(choose_);
  return holder;
}

QString LensPanel::summary() const {
  return summary_->text();
}

bool LensPanel::isShown(const std::string& id) const {
  return isUsualColumn(id) != (chosen_.count(id) > 0);
}

void LensPanel::setShown(const std::string& id, bool shown) {
  if (shown == isShown(id)) return;
  if (chosen_.erase(id) == 0) chosen_.insert(id);
  computeSoon();
}

QStringList LensPanel::shownIds() const {
  QStringList ids;
  for (const LensColumnView* view : columns_) {
    if (view->id() != "as-written") ids << QString::fromStdString(view->id());
  }
  return ids;
}

QStringList LensPanel::switched() const {
  QStringList ids;
  for (const std::string& id : chosen_) ids << QString::fromStdString(id);
  return ids;
}

void LensPanel::setSwitched(const QStringList& ids) {
  chosen_.clear();
  for (const QString& id : ids) chosen_.insert(id.toStdString());
  computeSoon();
}

/// The lanes in hand are no longer of the design.
void LensPanel::computeSoon() {
  job_.cancel();
  for (const LensColumnView* view : columns_) view->useButton()->setEnabled(areOfDesign());
  refresh_.want();
}

void LensPanel::compute() {
  const auto wanted = [chosen = chosen_](const std::string& id) { return isUsualColumn(id) != (chosen.count(id) > 0); };
  const Epoch epoch{workspace_.playback.epoch()};
  job_.start([spec = workspace_.document.spec(), epoch, generation = ++generation_,
              wanted](const Work& work) { return lensLanes(spec, epoch, generation, wanted, work); },
             [this](std::vector<LensLane> lanes) { take(std::move(lanes)); },
             [this](double fraction) {
               progress_->setVisible(true);
               progress_->setValue(static_cast<int>(fraction * 1000));
             },
             [this](const Error& error) {
               progress_->hide();
               summary_->setText(QString::fromStdString(error.text()));
             });
}

void LensPanel::take(std::vector<LensLane> lanes) {
  progress_->hide();
  lanes_ = std::move(lanes);
  std::size_t used = 0;
  for (const LensLane& lane : lanes_) {
    if (!isShown(lane.judged.column.id)) continue;
    if (used == columns_.size()) columns_.push_back(addColumn());
    showLane(*columns_[used], lane);
    columns_[used++]->useButton()->setEnabled(areOfDesign());
  }
  while (columns_.size() > used) {
    columns_.back()->hide();
    columns_.back()->deleteLater();
    columns_.pop_back();
  }
  pinFirst(static_cast<int>(used));
  std::vector<LensLane> shown;
  std::copy_if(lanes_.begin(), lanes_.end(), std::back_inserter(shown),
               [this](const LensLane& lane) { return isShown(lane.judged.column.id); });
  summary_->setText(lensSummary(shown));
  fillMenu();
  showPlayhead();
  showSelection();
}

LensColumnView* LensPanel::addColumn() {
  auto* view = new LensColumnView;
  (columns_.empty() ? first_ : row_)->addWidget(view, 1);
  connect(view, &LensColumnView::useWanted, this, [this, view] { use(*view); });
  connect(view->stage(), &StageView::viewChanged, this, [this, view] { alignTo(*view); });
  connect(view->stage(), &StageView::cellChosen, this, [this, view](CellAddress cell) {
    workspace_.selection.select({{cell.rank}, view->stage()->input().epochNumber(), cell.step, std::nullopt});
  });
  connect(view->stage(), &StageView::rankChosen, this, [this, view](qint64 rank) {
    workspace_.selection.select({{rank}, view->stage()->input().epochNumber(), std::nullopt, std::nullopt});
  });
  connect(view->stage(), &StageView::choiceCleared, this, [this] { workspace_.selection.clear(); });
  connect(view->stage(), &StageView::seekRequested, this,
          [this](double position) { workspace_.playback.seek(workspace_.playback.epoch(), position); });
  return view;
}

void LensPanel::showLane(LensColumnView& view, const LensLane& lane) {
  aligning_ = true;  // a new picture has axes of its own; the others need not follow it
  view.setLane(lane);
  aligning_ = false;
}

/// The others share what is left of the width, as wide as the first one where there is room.
void LensPanel::pinFirst(int shown) {
  scroll_->setVisible(shown > 1);
  beside_->setStretch(1, std::max(1, shown - 1));
  fitColumns();
}

/// Columns that do not all fit get the width at which none of those in sight is cut.
void LensPanel::fitColumns() {
  const int gap = px(kColumnGap);
  const int room = width() - 2 * px(kMargin) + gap;
  const int fitting = std::max(2, room / (px(kColumnWidth) + gap));
  const bool scrolls = static_cast<int>(columns_.size()) > fitting;
  const int least = scrolls ? room / fitting - gap : px(kColumnWidth);
  for (LensColumnView* view : columns_) view->setMinimumWidth(least);
}

void LensPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitColumns();
}

/// The entries stay as they are while the same columns can be chosen: the menu may be open.
void LensPanel::fillMenu() {
  const bool same = choices_.size() + 1 == lanes_.size() &&
                    std::all_of(lanes_.begin() + 1, lanes_.end(),
                                [this](const LensLane& lane) { return choices_.count(lane.judged.column.id) > 0; });
  if (!same) addChoices();
  for (const auto& [id, action] : choices_) action->setChecked(isShown(id));
}

void LensPanel::addChoices() {
  QMenu* menu = choose_->menu();
  menu->clear();
  choices_.clear();
  connect(menu->addAction(tr("All frameworks")), &QAction::triggered, this, [this] { showAll(true); });
  connect(menu->addAction(tr("The usual frameworks")), &QAction::triggered, this, [this] { showAll(false); });
  menu->addSeparator();
  for (const LensLane& lane : lanes_) {
    if (&lane == &lanes_.front()) continue;
    const QString title = QString::fromStdString(lane.judged.column.title);
    QAction* action = menu->addAction(lane.judged.column.remedy_of.empty() ? title : QStringLiteral("    ") + title);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, id = lane.judged.column.id](bool on) { setShown(id, on); });
    choices_.emplace(lane.judged.column.id, action);
  }
}

void LensPanel::showAll(bool all) {
  chosen_.clear();
  for (const LensLane& lane : lanes_) {
    if (all && !isUsualColumn(lane.judged.column.id)) chosen_.insert(lane.judged.column.id);
  }
  computeSoon();
}

void LensPanel::alignTo(const LensColumnView& moved) {
  if (aligning_ || moved.stage()->input().isEmpty()) return;
  aligning_ = true;
  for (LensColumnView* view : columns_) {
    if (view != &moved && !view->stage()->input().isEmpty()) view->stage()->alignTo(*moved.stage());
  }
  aligning_ = false;
}

void LensPanel::showPlayhead() {
  const Playback& playback = workspace_.playback;
  for (LensColumnView* view : columns_) {
    const bool here = view->stage()->input().epochNumber() == playback.epoch();
    view->stage()->setPlayhead(here ? playback.position() : 0, playback.isPlaying());
  }
}

void LensPanel::showSelection() {
  const Selected& selected = workspace_.selection.current();
  for (LensColumnView* view : columns_) {
    const StageInput& input = view->stage()->input();
    std::optional<CellAddress> cell;
    if (selected.ranks.size() == 1 && selected.step) cell = CellAddress{selected.ranks.front(), *selected.step};
    if (cell && (cell->rank >= input.ranks() || cell->step >= input.steps)) cell.reset();
    view->stage()->setSelected(cell);
  }
}

/// Not while lanes of an edited design are still computed: they would undo the edit.
bool LensPanel::areOfDesign() const {
  return !lanes_.empty() && lanes_.front().judged.column.spec == workspace_.document.spec();
}

void LensPanel::use(const LensColumnView& view) {
  const auto lane = std::find_if(lanes_.begin(), lanes_.end(),
                                 [&](const LensLane& one) { return one.judged.column.id == view.id(); });
  if (lane == lanes_.end() || !lane->judged.column.spec || !areOfDesign()) return;
  workspace_.document.replace(*lane->judged.column.spec,
                              tr("use the order of %1").arg(QString::fromStdString(lane->judged.column.title)));
}

}  // namespace shardlens::ui
