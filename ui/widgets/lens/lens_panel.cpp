// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_panel.h"

#include "ui/paint/legend_paint.h"
#include "ui/scene/theme.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace shardlens::ui {
namespace {

constexpr int kRoomForSliders = 760;  ///< lower panels need it for what the columns say
constexpr int kPatienceMs = 250;      ///< what is computed before that needs no word

constexpr int kLine = 24;
constexpr int kBetweenGroups = 24;

/// "Cells" and "Bar", above each other at one place.
int headWidth() {
  const QFontMetrics metrics(smallFont());
  return std::max(metrics.horizontalAdvance(LensLegend::tr("Cells")),
                  metrics.horizontalAdvance(LensLegend::tr("Bar"))) +
         px(12);
}

void paintGroup(QPainter& painter, const QRect& line, const QString& head, const std::vector<LegendEntry>& entries) {
  if (entries.empty()) return;
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, head);
  paintLegend(painter, line.adjusted(headWidth(), 0, 0, 0), entries, theme());
}

/// A menu that stays open while its checkable entries are switched on and off, one after the other.
class ChoiceMenu : public QMenu {
 public:
  using QMenu::QMenu;

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (!switchActive()) QMenu::mouseReleaseEvent(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    const int key = event->key();
    const bool chooses = key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter;
    if (!chooses || !switchActive()) QMenu::keyPressEvent(event);
  }

 private:
  /// Switches the entry under the cursor; false when it is not one to be switched.
  bool switchActive() {
    QAction* action = activeAction();
    if (action == nullptr || !action->isCheckable() || !action->isEnabled()) return false;
    action->trigger();
    return true;
  }
};

}  // namespace

LensPanel::LensPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] { compute(); }) {
  build();
  patience_.setSingleShot(true);
  patience_.setInterval(kPatienceMs);
  connect(&patience_, &QTimer::timeout, this, &LensPanel::showWaiting);
  connect(&workspace_.document, &Document::specChanged, this, &LensPanel::computeSoon);
  connect(&workspace_.playback, &Playback::epochChanged, this, &LensPanel::computeSoon);
  connect(&workspace_.playback, &Playback::moved, this, &LensPanel::showPlayhead);
  connect(&workspace_.selection, &Selection::changed, this, &LensPanel::showSelection);
  addPanelMenu(*this,
               {tr("Lens"), [this] { return lensText(shownLanes()); }, [this] { return lensCsv(shownLanes()); }});
  refresh_.want();
}

LensPanel::~LensPanel() = default;

/// The summary needs the room more than the title does.
void LensPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  title_->setVisible(width() >= px(820));
  transport_->setBrief(height() < px(kRoomForSliders));
}

/// The playhead may have gone on while the lens was out of sight.
void LensPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  reveals_playhead_ = true;
  showPlayhead();
  reveals_playhead_ = job_.isBusy();  // for columns that are still to come
}

void LensPanel::setShown(const std::string& id, bool shown) {
  if (shown == isShown(id)) return;
  if (chosen_.erase(id) == 0) chosen_.insert(id);
  const LensLane* lane = laneOf(id);
  const bool known = lane != nullptr && lane->state == LaneState::Done && lane->judged.verdict != LensVerdict::NotAsked;
  if (shown && !known) return computeToo({id});
  if (!shown && stops_) stops_->stop(id);
  showColumns();
}

QStringList LensPanel::shownIds() const {
  QStringList ids;
  for (const LensColumnView* view : columns()) {
    if (view->id() != "as-written") ids << QString::fromStdString(view->id());
  }
  return ids;
}

/// The lanes in hand are no longer of the design.
void LensPanel::computeSoon() {
  job_.cancel();
  enableUse();
  refresh_.want();
}

void LensPanel::compute() {
  const auto wanted = [chosen = chosen_](const std::string& id) { return isUsualColumn(id) != (chosen.count(id) > 0); };
  const Epoch epoch{workspace_.playback.epoch()};
  stops_ = std::make_shared<LaneStops>();
  if (!patience_.isActive()) patience_.start();
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  const auto known = snapshot->spec == workspace_.document.spec() ? snapshot->epoch : nullptr;
  job_.startParts(
      [this, spec = workspace_.document.spec(), epoch, generation = ++generation_, known, wanted, stops = stops_](
          const Work& work, const LatestJob::HandOver& hand_over) {
        const auto maker = std::make_shared<LensLanes>(spec, epoch, generation, known);
        hand_over([this, maker, lanes = maker->begin(wanted)] { begin(maker, lanes); });
        computeWith(*maker, wanted, *stops, work, hand_over);
      },
      {}, [this](const Error& error) { showError(error); });
}

/// On the working thread.
void LensPanel::computeWith(LensLanes& maker, const LensLanes::Wanted& wanted, LaneStops& stops, const Work& work,
                            const LatestJob::HandOver& hand_over) {
  const auto done = [&](std::size_t place, const LensLane& lane) {
    hand_over([this, place, lane] { take(place, lane); });
  };
  if (maker.compute(wanted, stops, done, work))
    hand_over([this] {
      patience_.stop();
      reveals_playhead_ = false;
      if (order_.by() == LensOrder::By::Similarity) showColumns();
    });
}

void LensPanel::showError(const Error& error) {
  patience_.stop();
  summary_->setFullText(QString::fromStdString(error.text()));
}

/// These columns and those that are still to come; what is known stays.
void LensPanel::computeToo(const std::set<std::string>& ids) {
  if (maker_ == nullptr || !areOfDesign() || lanes_epoch_ != workspace_.playback.epoch()) return computeSoon();
  bool is_more = false;
  for (LensLane& lane : lanes_) {
    if (ids.count(lane.id()) == 0 || lane.judged.column.error) continue;
    lane.state = LaneState::Waiting;
    pending_.insert(lane.id());
    is_more = true;
  }
  if (!is_more) return showColumns();  // what is being computed goes on
  stops_ = std::make_shared<LaneStops>();
  if (!patience_.isActive()) patience_.start();
  showColumns();
  job_.startParts(
      [this, maker = maker_, pending = pending_, stops = stops_](const Work& work,
                                                                 const LatestJob::HandOver& hand_over) {
        const auto wanted = [&pending](const std::string& id) { return pending.count(id) > 0; };
        computeWith(*maker, wanted, *stops, work, hand_over);
      },
      {}, [this](const Error& error) { showError(error); });
}

void LensPanel::begin(const std::shared_ptr<LensLanes>& maker, std::vector<LensLane> lanes) {
  maker_ = maker;
  lanes_epoch_ = workspace_.playback.epoch();
  lanes_ = std::move(lanes);
  pending_.clear();
  for (const LensLane& lane : lanes_) {
    if (lane.state == LaneState::Waiting) pending_.insert(lane.id());
  }
  showColumns();
  fillMenu();
}

void LensPanel::take(std::size_t place, LensLane lane) {
  lanes_[place] = std::move(lane);
  const LensLane& now = lanes_[place];
  pending_.erase(now.id());
  if (place > 0 && !isShown(now.id())) return;
  showLane(*viewOf(now.id()), now);
  enableUse();
  columns_->alignRows();
  showHead();
  showPlayhead();
  showSelection();
}

/// Columns that are still to come show no longer what was.
void LensPanel::showWaiting() {
  for (const LensLane& lane : lanes_) {
    const auto view = views_.find(lane.id());
    if (pending_.count(lane.id()) > 0 && view != views_.end()) view->second->setWaiting(lane);
  }
  columns_->alignRows();
  showHead();
}

std::vector<LensLane> LensPanel::shownLanes() const {
  std::vector<LensLane> shown;
  std::copy_if(lanes_.begin(), lanes_.end(), std::back_inserter(shown),
               [this](const LensLane& lane) { return &lane == &lanes_.front() || isShown(lane.id()); });
  return shown;
}

const LensLane* LensPanel::laneOf(const std::string& id) const {
  const auto lane = std::ranges::find_if(lanes_, [&](const LensLane& one) { return one.id() == id; });
  return lane == lanes_.end() ? nullptr : &*lane;
}

LensColumnView* LensPanel::viewOf(const std::string& id) {
  LensColumnView*& view = views_[id];
  if (view == nullptr) view = addColumn();
  return view;
}

/// The columns of the lanes in hand, in their order; those that are shown no more go.
void LensPanel::showColumns() {
  const std::vector<LensLane> shown = shownLanes();
  const std::size_t standing = shown.empty() ? 0 : order_.standing(shown);
  const bool can_pin = static_cast<int>(standing) + 1 < columns_->fitting();
  std::vector<LensColumnView*> columns;
  std::map<std::string, LensColumnView*> kept;
  std::set<std::string> added;
  for (const std::size_t place : order_.arranged(shown)) {
    const LensLane& lane = shown[place];
    const bool is_new = views_.count(lane.id()) == 0;
    LensColumnView* view = viewOf(lane.id());
    view->setPlace(place == 0, order_.isPinned(lane.id()), can_pin);
    columns.push_back(view);
    kept.emplace(lane.id(), view);
    if (is_new) added.insert(lane.id());
  }
  columns_->setColumns(columns, standing);
  for (const LensLane& lane : shown) {
    if (pending_.count(lane.id()) == 0) {
      showLane(*kept[lane.id()], lane);
    } else if (added.count(lane.id()) > 0) {
      kept[lane.id()]->setWaiting(lane);
    }
  }
  enableUse();
  columns_->alignRows();
  for (const auto& [id, view] : views_) {
    if (kept.count(id) > 0) continue;
    view->hide();
    view->deleteLater();
  }
  views_ = std::move(kept);
  showHead();
  showPlayhead();
  showSelection();
}

void LensPanel::showHead() {
  const std::vector<LensLane> shown = shownLanes();
  summary_->setFullText(lensSummary(shown));
  summary_->setToolTip(summary_->fullText());
  if (!lanes_.empty()) {
    choose_->setText(tr("%1 of %2 columns ▾").arg(shown.size()).arg(lanes_.size()));
  }
  showLegend();
}

void LensPanel::showLegend() {
  const std::vector<LensLane> shown = shownLanes();
  std::vector<const LensLane*> seen;
  seen.reserve(shown.size());
  for (const LensLane& lane : shown) seen.push_back(&lane);
  std::vector<LegendEntry> cells = lensCellLegend(seen, theme());
  const std::size_t before = cells.size();
  for (const LensColumnView* view : columns()) {
    const StageView* stage = view->stage();
    const MarkedCells marked{stage->selected(),
                             !stage->selectedRanks().empty(),
                             {},
                             stage->highlighted(),
                             workspace_.selection.current().sample};
    if (cells.size() == before) addMarkedCells(cells, marked, stage->steps(), stage->ranks(), theme());
  }
  legend_->setEntries(std::move(cells), lensBarLegend(seen, theme()));
}

void LensPanel::showLane(LensColumnView& view, const LensLane& lane) {
  aligning_ = true;  // a new picture has axes of its own; the others need not follow it
  view.setLane(lane);
  aligning_ = false;
  const LensLane* mend = mendOf(lane.id());
  view.setMend(mend == nullptr ? QString() : QString::fromStdString(mend->judged.column.title),
               mend == nullptr ? QString() : mend->change);
}

void LensPanel::alignTo(const LensColumnView& moved) {
  if (aligning_ || moved.stage()->input().isEmpty()) return;
  aligning_ = true;
  for (LensColumnView* view : columns()) {
    if (view != &moved && !view->stage()->input().isEmpty()) view->stage()->alignTo(*moved.stage());
  }
  aligning_ = false;
}

void LensPanel::showPlayhead() {
  const Playback& playback = workspace_.playback;
  for (LensColumnView* view : columns()) {
    const bool here = view->stage()->input().epochNumber() == playback.epoch();
    view->stage()->setPlayhead(here ? playback.position() : 0, playback.isPlaying());
    if (here && reveals_playhead_) view->stage()->revealPlayhead();
  }
}

/// Marked in every column: the batch, the ranks, and the cells that hold the sample.
void LensPanel::showSelection() {
  const Selected& selected = workspace_.selection.current();
  std::vector<Sought> sought;
  for (LensColumnView* view : columns()) {
    const StageInput& input = view->stage()->input();
    if (input.isEmpty()) continue;
    view->stage()->setSelected(selectedCell(selected, input));
    view->stage()->setSelectedRanks(selectedRanks(selected, input));
    auto ids = selectedSamples(selected, input.dataset_size);
    if (ids.empty()) view->stage()->setHighlighted({});
    if (!ids.empty()) sought.push_back({view->id(), input.epoch, std::move(ids), {}});
  }
  showLegend();
  if (sought.empty()) return marks_.cancel();
  marks_.start(
      [sought](const Work& work) {
        auto found = sought;
        for (Sought& one : found) one.cells = findCells(*one.epoch, one.samples, work);
        return work.stopped() ? std::nullopt : std::optional(std::move(found));
      },
      [this](std::vector<Sought> found) {
        for (Sought& one : found) {
          const auto view = views_.find(one.id);
          if (view == views_.end() || view->second->stage()->input().epoch != one.epoch) continue;
          view->second->stage()->setHighlighted(std::move(one.cells));
        }
      });
}

void LensPanel::enableUse() {
  for (LensColumnView* view : columns()) {
    const LensLane* lane = laneOf(view->id());
    view->useButton()->setEnabled(areOfDesign() && lane != nullptr && lane->state == LaneState::Done);
    view->mendButton()->setEnabled(areOfDesign());
  }
}

/// Not while lanes of an edited design are still computed: they would undo the edit.
bool LensPanel::areOfDesign() const {
  return !lanes_.empty() && lanes_.front().judged.column.spec == workspace_.document.spec();
}

void LensPanel::use(const std::string& id) {
  const LensLane* lane = laneOf(id);
  if (lane == nullptr || !lane->judged.column.spec || !areOfDesign()) return;
  const QString title = QString::fromStdString(lane->judged.column.title);
  if (!workspace_.document.replace(*lane->judged.column.spec, tr("use the order of %1").arg(title))) return;
  Toast::sayDone(*this, workspace_.document.undoStack(), tr("The design is now that of %1").arg(title));
}

/// The column that mends this one, if there is one that can be the design.
const LensLane* LensPanel::mendOf(const std::string& id) const {
  const auto lane = std::ranges::find_if(
      lanes_, [&id](const LensLane& one) { return one.judged.column.remedy_of == id && one.judged.column.spec; });
  return lane == lanes_.end() ? nullptr : &*lane;
}

// What the user chooses in the Lens: which columns, where they stand, what their Stages answer.

void LensPanel::build() {
  setSurface(this, "window");
  setAccessibleName(tr("Framework lens"));
  setFocusPolicy(Qt::StrongFocus);
  summary_ = new ElidedLabel;
  setLook(summary_, "tone", "muted");
  columns_ = new LensColumns;
  legend_ = new LensLegend;
  auto* foot = columnIn(nullptr, {px(kMargin), 0, px(kMargin), px(10)}, px(4));
  foot->addWidget(legend_);
  transport_ = new TransportBar(workspace_.playback);
  foot->addWidget(transport_);
  auto* column = columnIn(this, {0, px(10), 0, 0}, px(6));
  column->addWidget(headRow());
  column->addWidget(columns_, 1);
  column->addLayout(foot);
}

QToolButton* LensPanel::menuButton(const QString& name) {
  auto* button = new QToolButton;
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(name);
  setLook(button, "role", "field");
  button->setMenu(new ChoiceMenu(button));
  return button;
}

QWidget* LensPanel::headRow() {
  order_button_ = menuButton(tr("Order of the columns"));
  order_button_->setObjectName("lens:order");
  choose_ = menuButton(tr("Frameworks shown"));
  choose_->setObjectName("lens:frameworks");
  choose_->setText(tr("frameworks ▾"));
  makeOrderMenu();
  title_ = textLabel(tr("The same design in each framework"));
  setLook(title_, "role", "title");
  auto* holder = new QWidget;
  auto* row = rowIn(holder, {px(kMargin), 0, px(kMargin), 0}, px(kGap));
  row->addWidget(title_);
  row->addWidget(summary_, 1);
  addAll(row, {order_button_, choose_});
  return holder;
}

void LensPanel::makeOrderMenu() {
  QMenu* menu = order_button_->menu();
  for (const auto& [by, words] : {std::pair(LensOrder::By::List, tr("As listed")),
                                  {LensOrder::By::Similarity, tr("By similarity")},
                                  {LensOrder::By::Hand, tr("By hand")}}) {
    QAction* action = menu->addAction(words);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, by = by] { setOrder(by); });
    orders_.emplace(by, action);
  }
  setOrder(LensOrder::By::List);
}

void LensPanel::setOrder(LensOrder::By by) {
  order_.setBy(by);
  for (const auto& [one, action] : orders_) action->setChecked(one == by);
  orders_[LensOrder::By::Hand]->setEnabled(!order_.byHand().empty());
  order_button_->setText(tr("%1 ▾").arg(orders_[by]->text()));
  showColumns();
}

void LensPanel::setPinned(const std::string& id, bool pinned) {
  order_.setPinned(id, pinned);
  showColumns();
}

void LensPanel::moveColumn(const std::string& id, int by) {
  if (!order_.move(shownLanes(), id, by)) return;
  setOrder(LensOrder::By::Hand);
  columns_->reveal(*viewOf(id));
}

QVariantMap LensPanel::choice() const {
  const auto strings = [](const auto& ids) {
    QStringList out;
    for (const std::string& id : ids) out << QString::fromStdString(id);
    return out;
  };
  return {{"lens", strings(chosen_)},
          {"lens_pinned", strings(order_.pinned())},
          {"lens_places", strings(order_.byHand())},
          {"lens_order", static_cast<int>(order_.by())}};
}

void LensPanel::setChoice(const QVariantMap& choice) {
  chosen_.clear();
  for (const QString& id : choice["lens"].toStringList()) chosen_.insert(id.toStdString());
  for (const QString& id : choice["lens_pinned"].toStringList()) order_.setPinned(id.toStdString(), true);
  std::vector<std::string> places;
  for (const QString& id : choice["lens_places"].toStringList()) places.push_back(id.toStdString());
  order_.setByHand(std::move(places));
  const int by = choice["lens_order"].toInt();
  const bool known = by >= 0 && by <= static_cast<int>(LensOrder::By::Hand);
  setOrder(known ? static_cast<LensOrder::By>(by) : LensOrder::By::List);
  computeSoon();
}

LensColumnView* LensPanel::addColumn() {
  auto* view = new LensColumnView(this);
  connect(view, &LensColumnView::useWanted, this, [this, view] { use(view->id()); });
  connect(view, &LensColumnView::mendWanted, this, [this, view] {
    if (const LensLane* mend = mendOf(view->id())) use(mend->id());
  });
  connect(view, &LensColumnView::stopWanted, this, [this, view] { stop(*view); });
  connect(view, &LensColumnView::againWanted, this, [this, view] { computeToo({view->id()}); });
  connect(view, &LensColumnView::pinWanted, this, [this, view](bool on) { setPinned(view->id(), on); });
  connect(view, &LensColumnView::moveWanted, this, [this, view](int by) { moveColumn(view->id(), by); });
  connect(view, &LensColumnView::hideWanted, this, [this, view] { setShown(view->id(), false); });
  connect(view, &LensColumnView::unfolded, this, [this, view] { columns_->revealNotes(*view); });
  connect(view, &LensColumnView::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  // The column takes the place that the mouse is over.
  connect(view, &LensColumnView::dragged, this, [this, view](QPoint global) {
    const int to = columns_->placeAt(global);
    const auto at = std::find(columns().begin(), columns().end(), view) - columns().begin();
    if (to >= 0 && to != at) moveColumn(view->id(), to - static_cast<int>(at));
  });
  wireStage(view);
  return view;
}

/// Without the reference there is nothing to compare the others with.
void LensPanel::stop(const LensColumnView& view) {
  if (!stops_) return;
  for (const LensLane& lane : lanes_) {
    if (lane.id() == view.id() || view.id() == lanes_.front().id()) stops_->stop(lane.id());
  }
}

void LensPanel::wireStage(LensColumnView* view) {
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
}

/// The entries stay as they are while the same columns can be chosen: the menu may be open.
void LensPanel::fillMenu() {
  std::vector<std::pair<std::string, std::string>> offered;
  for (const LensLane& lane : lanes_) offered.emplace_back(lane.id(), lane.judged.column.family);
  if (offered != offered_) addChoices();
  offered_ = std::move(offered);
  for (const auto& [id, action] : choices_) action->setChecked(isShown(id));
}

void LensPanel::addChoices() {
  QMenu* menu = choose_->menu();
  menu->clear();
  choices_.clear();
  connect(menu->addAction(tr("All frameworks")), &QAction::triggered, this, [this] { showAll(true); });
  connect(menu->addAction(tr("The usual frameworks")), &QAction::triggered, this, [this] { showAll(false); });
  std::string family;
  for (const LensLane& lane : lanes_) {
    if (&lane == &lanes_.front()) continue;
    if (lane.judged.column.family != family) {
      family = lane.judged.column.family;
      menu->addSection(QString::fromStdString(family));
    }
    const QString title = QString::fromStdString(lane.judged.column.title);
    QAction* action = menu->addAction(lane.judged.column.remedy_of.empty() ? title : QStringLiteral("    ") + title);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, id = lane.id()](bool on) { setShown(id, on); });
    choices_.emplace(lane.id(), action);
  }
}

void LensPanel::showAll(bool all) {
  chosen_.clear();
  for (const LensLane& lane : lanes_) {
    if (all && !isUsualColumn(lane.id())) chosen_.insert(lane.id());
  }
  std::set<std::string> unknown;
  for (const LensLane& lane : lanes_) {
    const bool is_known = lane.state == LaneState::Done && lane.judged.verdict != LensVerdict::NotAsked;
    if (isShown(lane.id()) && !is_known) unknown.insert(lane.id());
  }
  computeToo(unknown);
}

LensLegend::LensLegend(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Legend"));
  setFixedHeight(px(kLine));
}

void LensLegend::setEntries(std::vector<LegendEntry> cells, std::vector<LegendEntry> bar) {
  if (cells == cells_ && bar == bar_) return;
  cells_ = std::move(cells);
  bar_ = std::move(bar);
  QStringList words;
  for (const auto* entries : {&cells_, &bar_}) {
    for (const LegendEntry& entry : *entries)
      words << (entry.text.isEmpty() ? entry.from + " – " + entry.to : entry.text);
  }
  setAccessibleDescription(words.join(QStringLiteral(", ")));
  arrange();
  update();
}

/// Both groups side by side, when none of their entries would be left out; else below each other, each on as many lines
/// as it takes.
void LensLegend::arrange() {
  groups_.clear();
  const double bar_width = legendWidth(bar_);
  const double cells_width = legendWidth(cells_);
  const bool spacious = 2 * headWidth() + cells_width + bar_width + px(kBetweenGroups) + 4 <= width();
  const int wide = headWidth() + static_cast<int>(std::ceil(spacious ? bar_width : leastLegendWidth(bar_))) + 2;
  const QRect left(0, 0, width() - wide - px(kBetweenGroups), px(kLine));
  const QRect right(width() - wide, 0, wide, px(kLine));
  if (!cells_.empty() && !bar_.empty() && fits(left, cells_) && fits(right, bar_)) {
    groups_ = {{left, true, cells_}, {right, false, bar_}};
  } else {
    addLines(true, cells_);
    placeBar();
  }
  const int lines = groups_.empty() ? 1 : groups_.back().place.top() / px(kLine) + 1;
  setFixedHeight(lines * px(kLine));
}

/// On a line of its own, or at the right of a line that the cells' entries began.
void LensLegend::placeBar() {
  if (groups_.size() < 2) return addLines(false, bar_);
  const QRect begun = groups_.back().place;
  const int used = headWidth() + static_cast<int>(std::ceil(legendWidth(groups_.back().entries))) + px(kBetweenGroups);
  const QRect rest = begun.adjusted(used, 0, 0, 0);
  fits(rest, bar_) ? groups_.push_back({rest, false, bar_}) : addLines(false, bar_);
}

bool LensLegend::fits(const QRect& line, const std::vector<LegendEntry>& entries) {
  return legendPlaces(line.adjusted(headWidth(), 0, 0, 0), entries).size() == entries.size();
}

void LensLegend::addLines(bool of_cells, const std::vector<LegendEntry>& entries) {
  std::vector<LegendEntry> line;
  const auto place = [this] { return QRect(0, static_cast<int>(groups_.size()) * px(kLine), width(), px(kLine)); };
  for (const LegendEntry& entry : entries) {
    line.push_back(entry);
    if (line.size() == 1 || fits(place(), line)) continue;
    line.pop_back();
    groups_.push_back({place(), of_cells, std::exchange(line, {entry})});
  }
  if (!line.empty()) groups_.push_back({place(), of_cells, std::move(line)});
}

std::size_t LensLegend::shownEntries() const {
  std::size_t shown = 0;
  for (const Group& group : groups_) {
    shown += legendPlaces(group.place.adjusted(headWidth(), 0, 0, 0), group.entries).size();
  }
  return shown;
}

void LensLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void LensLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  bool named = false;
  for (const Group& group : groups_) {
    const QString cells = std::exchange(named, true) ? QString() : tr("Cells");
    paintGroup(painter, group.place, group.of_cells ? cells : tr("Bar"), group.entries);
  }
}

LensPage::LensPage(Workspace& workspace, QWidget* parent) : Page(parent), workspace_(workspace) {
  columns_ = thinSplitter(Qt::Horizontal, this);
  form_ = new FormPanel(workspace, columns_);
  panel_ = new LensPanel(workspace, columns_);
  form_->setMinimumWidth(px(220));
  columns_->setStretchFactor(1, 1);
  rowIn(this, {})->addWidget(columns_);
  auto* panels = new Arrangement(this, "lens", [this] {
    constexpr int kFormWidth = 280;
    Arrangement::giveSizes(*columns_, {{form_, px(kFormWidth)}, {panel_, px(4 * kFormWidth)}});
  });
  panels->addSplitter(columns_);
  panels->addPanel("form", tr("Design form"), form_);
  panels->addPanel("lens", tr("Lens"), panel_, Arrangement::Hiding::Never);
  panels->settle();
}

QString LensPage::command() const {
  const QStringList shown = panel_->shownIds();
  return "shardlens lens " + workspace_.specArgument() + (shown.isEmpty() ? "" : " --only " + shown.join(','));
}

QVariantMap LensPage::layout() const {
  QVariantMap layout = panel_->choice();
  layout.insert(Page::layout());
  return layout;
}

void LensPage::restoreLayout(const QVariantMap& layout) {
  panel_->setChoice(layout);
  Page::restoreLayout(layout);
}

}  // namespace shardlens::ui

#include "moc_lens_panel.cpp"
