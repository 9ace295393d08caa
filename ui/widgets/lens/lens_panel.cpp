// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_panel.h"

#include "ui/state/workspace.h"
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
      row_(new QHBoxLayout),
      job_(this) {
  build();
  connect(&workspace_.document, &Document::specChanged, this, &LensPanel::compute);
  connect(&workspace_.playback, &Playback::epochChanged, this, &LensPanel::compute);
  connect(&workspace_.playback, &Playback::moved, this, &LensPanel::showPlayhead);
  connect(&workspace_.selection, &Selection::changed, this, &LensPanel::showSelection);
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
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(px(kMargin), px(10), px(kMargin), px(10));
  column->setSpacing(px(kGap));
  column->addWidget(headRow());
  column->addWidget(progress_);
  column->addWidget(sidewaysScroll(strip), 1);
  column->addWidget(new TransportBar(workspace_.playback));
  setFocusPolicy(Qt::StrongFocus);
}

QWidget* LensPanel::headRow() {
  choose_->setText(tr("frameworks ▾"));
  choose_->setPopupMode(QToolButton::InstantPopup);
  choose_->setFocusPolicy(Qt::TabFocus);
  choose_->setAccessibleName(tr("Frameworks shown"));
  choose_->setMenu(new QMenu(choose_));
  QLabel* title = textLabel(tr("The same design through each framework"));
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
  return isShownAtFirst(id) != (chosen_.count(id) > 0);
}

void LensPanel::setShown(const std::string& id, bool shown) {
  if (shown == isShown(id)) return;
  if (chosen_.erase(id) == 0) chosen_.insert(id);
  compute();
}

void LensPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) compute();
}

void LensPanel::compute() {
  stale_ = !isVisible();
  if (stale_) return job_.cancel();
  const auto wanted = [chosen = chosen_](const std::string& id) {
    return isShownAtFirst(id) != (chosen.count(id) > 0);
  };
  const Epoch epoch{workspace_.playback.epoch()};
  job_.start([spec = workspace_.document.spec(), epoch, generation = ++generation_,
              wanted](const Work& work) { return lensLanes(spec, epoch, generation, wanted, work); },
             [this](std::vector<LensLane> lanes) { take(std::move(lanes)); },
             [this](double fraction) {
               progress_->setVisible(true);
               progress_->setValue(static_cast<int>(fraction * 1000));
             });
}

void LensPanel::take(std::vector<LensLane> lanes) {
  progress_->hide();
  lanes_ = std::move(lanes);
  std::size_t used = 0;
  for (const LensLane& lane : lanes_) {
    if (!isShown(lane.column.id)) continue;
    if (used == columns_.size()) columns_.push_back(addColumn());
    showLane(*columns_[used++], lane);
  }
  while (columns_.size() > used) {
    columns_.back()->hide();
    columns_.back()->deleteLater();
    columns_.pop_back();
  }
  std::vector<LensLane> shown;
  std::copy_if(lanes_.begin(), lanes_.end(), std::back_inserter(shown),
               [this](const LensLane& lane) { return isShown(lane.column.id); });
  summary_->setText(lensSummary(shown));
  fillMenu();
  showPlayhead();
  showSelection();
}

LensColumnView* LensPanel::addColumn() {
  auto* view = new LensColumnView;
  view->setMinimumWidth(px(kColumnWidth));
  row_->addWidget(view, 1);
  connect(view, &LensColumnView::useWanted, this, [this, view] { use(*view); });
  connect(view->stage(), &StageView::viewChanged, this, [this, view] { alignTo(*view); });
  connect(view->stage(), &StageView::cellChosen, this, [this, view](CellAddress cell) {
    workspace_.selection.select({{cell.rank}, view->stage()->input().epochNumber(), cell.step, std::nullopt});
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

void LensPanel::fillMenu() {
  QMenu* menu = choose_->menu();
  menu->clear();
  for (const LensLane& lane : lanes_) {
    if (&lane == &lanes_.front()) continue;
    QAction* action = menu->addAction(QString::fromStdString(lane.column.title));
    action->setCheckable(true);
    action->setChecked(isShown(lane.column.id));
    connect(action, &QAction::toggled, this, [this, id = lane.column.id](bool on) { setShown(id, on); });
  }
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

void LensPanel::use(const LensColumnView& view) {
  const auto lane =
      std::find_if(lanes_.begin(), lanes_.end(), [&](const LensLane& one) { return one.column.id == view.id(); });
  if (lane == lanes_.end() || !lane->column.spec) return;
  workspace_.document.replace(*lane->column.spec,
                              tr("use the order of %1").arg(QString::fromStdString(lane->column.title)));
}

}  // namespace shardlens::ui
