// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/compare_panel.h"

#include "core/plan/plan.h"
#include "ui/paint/run_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/recording_library.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/picture.h"
#include "ui/widgets/run/minimap_view.h"
#include "ui/widgets/run/prediction.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kAxisHeight = 24;
constexpr int kHeadHeight = 24;
constexpr int kStepsHeight = 16;  ///< the row that names steps, below the head of a run
constexpr int kNameWidth = 84;
constexpr int kBetween = 10;
constexpr double kLaneHeight = 15;
constexpr double kLanePitch = 23;
constexpr double kLeastPitch = 7;     ///< thinner lanes are drawn as one map
constexpr double kPitchOfNames = 12;  ///< thinner lanes have no names, and nodes do not stand apart
constexpr int kNodeGap = 8;
constexpr double kApart = 110;
constexpr double kStepsAtFirst = 8;  ///< in view at first

double lanesIn(const ComparedRun& run) {
  return run.lanes == nullptr ? 0 : static_cast<double>(run.lanes->lanes.size());
}

constexpr int kLegend = 28;
constexpr int kSide = 16;

constexpr std::int64_t kStepsOfNone = 6;  ///< predicted where the run has none

using Both = std::pair<ComparedRun, ComparedRun>;

/// A run beside as many steps of its plan.
Result<Both> withPlan(const QString& name, const Overview& run, const QString& planned, const PipelineSpec& spec,
                      const Work& work) {
  const auto plan = Plan::make(spec);
  if (!plan) return plan.error();
  std::int64_t steps = 0;
  for (const StepTime& step : run.steps) steps += step.steps;
  const StepTime from = run.steps.empty() ? StepTime{} : run.steps.front();
  const auto lanes = predictedRun(*plan, Epoch{from.epoch}, Step{from.step}, std::max(steps, kStepsOfNone), work);
  if (!lanes) return lanes.error();
  const auto nodes = nodeStarts(static_cast<qint64>(lanes->lanes.size()), equalNodeSize(spec.world));
  return Both(comparedRun(name, run, nodes), comparedPlan(planned, *lanes, nodes));
}

std::vector<qint64> nodesOf(const RunService& runs) {
  if (runs.state() == nullptr) return {};
  return nodeStarts(*runs.state(), emulatedNodeSize(*runs.state(), runs.facts().get()));
}

}  // namespace

CompareLanes::CompareLanes(TimeView& view, QWidget* parent) : QWidget(parent), view_(view), input_(view) {
  connect(&view_, &TimeView::changed, this, qOverload<>(&QWidget::update));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Lanes of both runs on one axis"));
  setTips(this, [this](QPoint place) { return tipAt(place); });
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CompareLanes::setRuns(ComparedRun first, ComparedRun second) {
  runs_ = {std::move(first), std::move(second)};
  showRuns();
  std::int64_t end = 1;
  std::int64_t step = 0;
  for (const ComparedRun& run : runs_) {
    if (run.lanes != nullptr) end = std::max(end, run.lanes->end_ns);
    step = std::max(step, run.step_ns);
  }
  input_.drop();
  view_.change([&](TimeWindow& window) {
    window = {};
    window.setExtent(0, end, std::nullopt);
    window.fit();
    if (step > 0) window.show(0, std::llround(kStepsAtFirst * static_cast<double>(step)));
  });
  update();
}

void CompareLanes::showRuns() {
  for (std::size_t i = 0; i < runs_.size(); ++i) shown_.at(i) = onlyRanks(runs_.at(i), only_);
  findStep();
  picture_ = {};
  update();
}

void CompareLanes::findStep() {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    step_times_.at(i) = place_.step ? timeOfStep(runs_.at(i), place_.epoch.value_or(0), *place_.step) : std::nullopt;
  }
}

void CompareLanes::setSelected(const Selected& place) {
  if (place == place_) return;
  place_ = place;
  findStep();
  update();
}

void CompareLanes::setOnly(std::vector<qint64> ranks) {
  if (ranks == only_) return;
  only_ = std::move(ranks);
  showRuns();
}

int CompareLanes::lanesLeft() const {
  return px(kNameWidth);
}

QRectF CompareLanes::axis() const {
  return {static_cast<double>(px(kNameWidth)), 0.0, std::max(1.0, static_cast<double>(width() - px(kNameWidth))),
          static_cast<double>(px(kAxisHeight))};
}

/// Lanes are equally high in both, so that they can be compared; the height is shared by how many each has.
std::array<CompareLanes::Place, 2> CompareLanes::places() const {
  const int head = px(kHeadHeight) + px(kStepsHeight);
  const double fixed = px(kAxisHeight) + 2 * head + px(kBetween);
  const double rows = std::max(1.0, lanesIn(shown_[0]) + lanesIn(shown_[1]));
  const auto nodes = static_cast<double>(shown_[0].node_starts.size() + shown_[1].node_starts.size());
  const double apart = (height() - fixed - nodes * px(kNodeGap)) / rows;
  const bool has_gaps = apart >= kPitchOfNames;
  const double pitch = std::min(kLanePitch * px(100) / 100.0, has_gaps ? apart : (height() - fixed) / rows);
  std::array<Place, 2> places;
  double top = px(kAxisHeight);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].head = {0.0, top, static_cast<double>(width()), static_cast<double>(px(kHeadHeight))};
    places[i].steps = {axis().left(), places[i].head.bottom(), axis().width(), static_cast<double>(px(kStepsHeight))};
    places[i].pitch = pitch;
    places[i].gap = has_gaps ? px(kNodeGap) : 0;
    const double gaps = places[i].gap * static_cast<double>(shown_[i].node_starts.size());
    places[i].lanes = {axis().left(), top + head, axis().width(), pitch * lanesIn(shown_[i]) + gaps};
    top = places[i].lanes.bottom() + px(kBetween);
  }
  return places;
}

double CompareLanes::topOf(const ComparedRun& run, const Place& place, std::size_t row) {
  const auto above = std::ranges::upper_bound(run.node_starts, static_cast<qint64>(row)) - run.node_starts.begin();
  return place.lanes.top() + static_cast<double>(row) * place.pitch + static_cast<double>(above) * place.gap;
}

QRectF CompareLanes::laneAt(std::size_t run, std::size_t row) const {
  const Place place = places().at(run);
  const double high = std::min(kLaneHeight, place.pitch - 2);
  const double top = topOf(shown_.at(run), place, row) + (place.pitch - high) / 2;
  return {place.lanes.left(), top, place.lanes.width(), high};
}

std::vector<StepMark> CompareLanes::stepsAt(std::size_t run) const {
  const ComparedRun& shown = shown_.at(run);
  if (!shown.knowsSteps() || shown.lanes == nullptr || shown.lanes->lanes.empty()) return {};
  const QFontMetricsF metrics(smallFont());
  return stepMarks(shown.steps.get(), shown.steps == nullptr ? &shown.lanes->lanes.front() : nullptr, window(),
                   axis().width(), [&metrics](const QString& words) { return metrics.horizontalAdvance(words); });
}

void CompareLanes::paintSteps(QPainter& painter, std::size_t run, const Place& place) const {
  const std::vector<StepMark> steps = stepsAt(run);
  painter.setFont(smallFont());
  paintTimeGrid(painter, place.steps.united(place.lanes), {}, steps, theme());
  paintStepMarks(painter, place.steps, steps, theme());
}

void CompareLanes::paintRun(QPainter& painter, const ComparedRun& run, const Place& place) const {
  const QFont bold = demiBold(uiFont());
  painter.setFont(bold);
  painter.setPen(theme().text);
  const QRectF head = place.head.adjusted(px(6), 0, -px(6), 0);
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(bold).elidedText(run.name, Qt::ElideMiddle, head.width()));
  if (run.lanes == nullptr || run.lanes->lanes.empty()) return;
  const double pitch = place.pitch;
  if (pitch < kLeastPitch) {
    RunLanes lanes;
    lanes.recent = run.lanes;
    const auto map = phaseMap(lanes, window().begin(), window().end(), static_cast<int>(place.lanes.width()),
                              std::max(1, static_cast<int>(place.lanes.height())));
    return paintPhaseMap(painter, place.lanes, map, theme());
  }
  painter.setFont(smallFont());
  for (std::size_t i = 0; i < run.lanes->lanes.size(); ++i) {
    const Lane& lane = run.lanes->lanes[i];
    const double top = topOf(run, place, i);
    const double high = std::min(kLaneHeight, pitch - 2);
    painter.setPen(theme().muted);
    if (pitch >= kPitchOfNames) {
      painter.drawText(QRectF(0, top, place.lanes.left() - px(8), pitch), Qt::AlignRight | Qt::AlignVCenter,
                       tr("rank %1").arg(lane.rank));
    }
    const QRectF area(place.lanes.left(), top + (pitch - high) / 2, place.lanes.width(), high);
    LaneSource source;
    source.recent = &lane;
    source.over_ns = run.lanes->end_ns;  // it has ended there; the other one may go on
    paintLane(painter, area,
              laneBlocks(source, window().begin(), window().end(), static_cast<int>(std::max(1.0, area.width()))),
              theme(), false);
  }
}

void CompareLanes::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (isForPrint(painter, *this)) {
    paintRuns(painter);
  } else {
    const QSize pixels = size() * devicePixelRatioF();
    if (picture_.size() != pixels || !(pictured_ == window())) {
      picture_ = QPixmap(pixels);
      picture_.setDevicePixelRatio(devicePixelRatioF());
      pictured_ = window();
      QPainter picture(&picture_);
      paintRuns(picture);
    }
    painter.drawPixmap(0, 0, picture_);
  }
  paintSelected(painter);
  input_.paint(painter, lanesArea());
  if (!hasFocus()) return;
  painter.setPen(QPen(theme().accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

/// All but what follows the mouse and the focus.
void CompareLanes::paintRuns(QPainter& painter) const {
  painter.fillRect(rect(), theme().panel);
  painter.setFont(smallFont());
  const std::vector<TimeTick> ticks = timeTicks(window(), axis().width(), kApart);
  const std::array<Place, 2> shown = places();
  QRectF grid = shown[0].lanes.united(shown[1].lanes);
  grid.setTop(axis().bottom());
  paintTimeGrid(painter, grid, ticks, {}, theme());
  paintTimeTicks(painter, axis(), ticks, {}, theme());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    paintSteps(painter, i, shown[i]);
    paintRun(painter, shown_[i], shown[i]);
  }
}

QRectF CompareLanes::lanesArea() const {
  QRectF area = places()[0].lanes.united(places()[1].lanes);
  area.setTop(axis().bottom());
  area.setLeft(axis().left());
  area.setRight(axis().right());
  return area;
}

void CompareLanes::mousePressEvent(QMouseEvent* event) {
  input_.press(*event);
  update();
}

void CompareLanes::mouseMoveEvent(QMouseEvent* event) {
  if (input_.move(*event, lanesArea())) update();
}

void CompareLanes::mouseReleaseEvent(QMouseEvent* event) {
  const TimeInput::Released released = input_.release(*event, lanesArea());
  update();
  const Found found = foundAt(event->position());
  if (released != TimeInput::Released::Click || found.lane == nullptr) return;
  Selected place;
  place.ranks = {found.lane->rank};
  if (shown_.at(found.run).knowsSteps() && found.span != nullptr && found.span->phase != Phase::Unmeasured) {
    place.epoch = found.span->epoch;
    place.step = found.span->step;
  }
  emit placeClicked(place);
}

void CompareLanes::mouseDoubleClickEvent(QMouseEvent* /*event*/) {
  view_.change([](TimeWindow& window) { window.fit(); });
}

void CompareLanes::keyPressEvent(QKeyEvent* event) {
  if (input_.key(*event)) return update();
  if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
    return selectByKey(event->key() == Qt::Key_Up ? -1 : 1);
  }
  QWidget::keyPressEvent(event);
}

/// The ranks of the first run one after the other, at the step that is selected.
void CompareLanes::selectByKey(int direction) {
  if (shown_[0].lanes == nullptr || shown_[0].lanes->lanes.empty()) return;
  const auto& lanes = shown_[0].lanes->lanes;
  const auto count = static_cast<qint64>(lanes.size());
  const auto now = std::ranges::find(lanes, place_.ranks.empty() ? -1 : place_.ranks.front(), &Lane::rank);
  const qint64 next = now == lanes.end() ? (direction > 0 ? 0 : count - 1) : now - lanes.begin() + direction;
  Selected place = place_;
  place.ranks = {lanes[static_cast<std::size_t>(std::clamp<qint64>(next, 0, count - 1))].rank};
  emit placeClicked(place);
}

/// A bar at the names of the selected ranks, and a band over the selected step.
void CompareLanes::paintSelected(QPainter& painter) const {
  const std::array<Place, 2> places = this->places();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ComparedRun& run = shown_.at(i);
    if (run.lanes == nullptr) continue;
    for (std::size_t row = 0; row < run.lanes->lanes.size(); ++row) {
      if (std::ranges::find(place_.ranks, run.lanes->lanes[row].rank) == place_.ranks.end()) continue;
      painter.fillRect(QRectF(0, topOf(run, places.at(i), row), px(3), std::max(2.0, places.at(i).pitch)),
                       theme().accent);
    }
    paintSelectedTime(painter, places.at(i).lanes, window(), step_times_.at(i), theme());
  }
}

CompareLanes::Found CompareLanes::foundAt(QPointF at) const {
  const std::array<Place, 2> places = this->places();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QRectF area = places.at(i).lanes.adjusted(-places.at(i).lanes.left(), 0, 0, 0);
    const ComparedRun& run = shown_.at(i);
    if (!area.contains(at) || run.lanes == nullptr || run.lanes->lanes.empty()) continue;
    const auto& lanes = run.lanes->lanes;
    std::size_t row = lanes.size() - 1;
    while (row > 0 && topOf(run, places.at(i), row) > at.y()) --row;
    const QRectF& times = places.at(i).lanes;
    const bool is_in_lane = at.x() >= times.left();
    return {i, &lanes[row],
            is_in_lane ? spanAt(lanes[row], window().momentAt(at.x() - times.left(), times.width())) : nullptr};
  }
  return {};
}

QString CompareLanes::tipAt(QPointF at) const {
  const Found found = foundAt(at);
  if (found.lane == nullptr) return {};
  const QString& name = shown_.at(found.run).name;
  const QString rank = QString::number(found.lane->rank);
  QString who = tr("%1, rank %2").arg(name, rank);
  if (found.span == nullptr) return who;
  if (!shown_.at(found.run).knowsSteps()) {
    return who + '\n' + phaseLabel(found.span->phase) + ": " + durationText(found.span->end_ns - found.span->begin_ns);
  }
  return tr("%1, rank %2, epoch %3, step %4\n%5: %6")
      .arg(name, rank, QString::number(found.span->epoch), QString::number(found.span->step),
           phaseLabel(found.span->phase), durationText(found.span->end_ns - found.span->begin_ns));
}

/// Another theme or another font.
void CompareLanes::changeEvent(QEvent* event) {
  picture_ = {};
  QWidget::changeEvent(event);
}

ComparePanel::ComparePanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      title_(textLabel({}, "", this)),
      waits_(textLabel({}, "muted", this)),
      only_(new LinkButton({}, "", this)),
      view_(new TimeView(this)),
      minimap_(new MinimapView(*view_, this)),
      lanes_(new CompareLanes(*view_, this)) {
  setObjectName("comparePanel");
  setSurface(this, "panel");
  setAccessibleName(tr("Comparison of two runs"));
  title_->setFont(verdictFont());
  for (QLabel* label : {title_, waits_}) label->setWordWrap(true);
  auto* close = new LinkButton(tr("Close the comparison"), "", this);
  close->setObjectName("compare:close");
  connect(close, &QAbstractButton::clicked, this, &ComparePanel::closeWanted);
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(only_, 0, Qt::AlignTop);
  head->addWidget(close, 0, Qt::AlignTop);
  auto* column = columnIn(this, {px(kSide), px(14), px(kSide), px(kLegend) + px(6)}, px(6));
  column->addLayout(head);
  column->addWidget(waits_);
  auto* map = rowIn(nullptr, {lanes_->lanesLeft(), 0, 0, 0});
  map->addWidget(minimap_);
  minimap_->setFixedHeight(px(32));
  column->addLayout(map);
  column->addWidget(lanes_, 1);
  setFocusProxy(lanes_);
  only_->setObjectName("compare:only");
  connect(only_, &QAbstractButton::clicked, this, [this] {
    const bool all = !lanes_->only().empty();
    lanes_->setOnly(all ? std::vector<qint64>() : workspace_.selection.current().ranks);
    followSelection();
  });
  connect(lanes_, &CompareLanes::placeClicked, &workspace_.selection, &Selection::select);
  connect(&workspace_.selection, &Selection::changed, this, &ComparePanel::followSelection);
  followSelection();
  for (const RunService* runs : {&workspace_.runs, &other_}) {
    connect(runs, &RunService::stateChanged, this, &ComparePanel::take);
  }
  connect(&other_, &RunService::failed, this, [this](const QString& what) { say(what, {}); });
  addPanelMenu(*this, {tr("Comparison"), [this] { return title() + '\n' + waits() + '\n'; },
                       [this] { return comparisonCsv(lanes_->runs()[0], lanes_->runs()[1]); }});
}

qint64 ComparePanel::worldSize() const {
  std::size_t most = 0;
  for (const ComparedRun& run : lanes_->runs())
    most = std::max(most, run.lanes == nullptr ? 0 : run.lanes->lanes.size());
  return static_cast<qint64>(most);
}

/// Marks what is selected, and offers to show its ranks alone.
void ComparePanel::followSelection() {
  const Selected& selected = workspace_.selection.current();
  lanes_->setSelected(selected);
  only_->offer(onlyRanksOffer(lanes_->only(), selected.ranks, worldSize()));
}

void ComparePanel::say(const QString& title, const QString& waits) {
  title_->setText(title);
  waits_->setText(waits);
  lanes_->setAccessibleDescription(title + ' ' + waits);
}

/// Recordings of one design have one name: the file tells them apart.
QString ComparePanel::nameOf(const RunService& runs) const {
  const QString name = runs.state() == nullptr ? QString() : text(runs.state()->name);
  const QString place = recordingName(runs.runFile());
  return name.isEmpty() || name == place ? place : tr("%1 (%2)").arg(name, place);
}

/// Nothing of the comparison before stays in view.
void ComparePanel::clear() {
  job_.cancel();
  comparing_ = false;
  compared_ = {};
  lanes_->setRuns({}, {});
  lanes_->setOnly({});
  followSelection();
  minimap_->setRun(nullptr, {});
  at_first_ = view_->window();
}

void ComparePanel::end() {
  file_.clear();
  other_.close();
  clear();
  say({}, {});
}

void ComparePanel::compareWith(const QString& run_file) {
  file_ = run_file;
  clear();
  say(tr("Reading %1…").arg(QFileInfo(run_file).fileName()), {});
  if (const auto opened = other_.open(run_file); !opened) say(text(opened.error().text()), {});
}

/// Either run may be the later one to be read, and may still grow. A comparison that has begun is finished first.
void ComparePanel::take() {
  if (file_.isEmpty() || comparing_) return;
  const Overviews now{workspace_.runs.overview(), other_.overview()};
  if (now.first == nullptr || now.second == nullptr || now == compared_) return;
  compared_ = now;
  comparing_ = true;
  job_.start(
      [now, name = nameOf(workspace_.runs), other = nameOf(other_), nodes = nodesOf(workspace_.runs),
       other_nodes = nodesOf(other_)](const Work&) {
        return std::optional(Both(comparedRun(name, *now.first, nodes), comparedRun(other, *now.second, other_nodes)));
      },
      [this](const Both& both) {
        comparing_ = false;
        show(both.first, both.second);
        take();
      },
      {},
      [this](const Error& error) {
        comparing_ = false;
        say(text(error.text()), {});
      });
}

void ComparePanel::compareWithPlan() {
  end();
  const auto facts = workspace_.runs.facts();
  if (facts == nullptr || facts->planned_batches == 0 || workspace_.runs.overview() == nullptr) {
    return say(tr("The recording has no plan to compare it with"), facts == nullptr ? QString() : text(facts->problem));
  }
  predict(facts->spec, tr("its plan, predicted"));
}

void ComparePanel::compareWithDesign() {
  end();
  if (workspace_.runs.overview() == nullptr) return say(tr("The run has not begun"), {});
  const QString file = QFileInfo(workspace_.document.path()).fileName();
  predict(workspace_.document.spec(),
          file.isEmpty() ? tr("the open design, predicted") : tr("%1, predicted").arg(file));
}

void ComparePanel::predict(const PipelineSpec& spec, const QString& name) {
  say(tr("Predicting…"), {});
  job_.start([first = workspace_.runs.overview(), spec, name = nameOf(workspace_.runs),
              other = name](const Work& work) { return std::optional(withPlan(name, *first, other, spec, work)); },
             [this](const Result<Both>& both) {
               if (both) return show(both->first, both->second);
               say(text(both.error().text()), {});
             },
             {}, [this](const Error& error) { say(text(error.text()), {}); });
}

void ComparePanel::show(const ComparedRun& first, const ComparedRun& second) {
  const ComparisonText words = comparisonText(first, second);
  say(words.title, words.waits);
  const auto part = chosenPart() ? chosenPart() : part_;
  const bool is_whole = chosenPart() && view_->window().isWhole();
  lanes_->setRuns(first, second);
  at_first_ = view_->window();
  start_ns_ = first.start_ns;
  std::vector<Stall> stalls;
  if (workspace_.runs.state() != nullptr) {
    stalls = stallsOf(*workspace_.runs.state(), workspace_.runs.overview().get());
    for (Stall& stall : stalls) stall = {stall.from_ns - start_ns_, stall.to_ns - start_ns_};
  }
  minimap_->setRun(first.steps, std::move(stalls));
  if (!part) return;
  view_->change([&](TimeWindow& window) {
    is_whole ? window.fit() : window.show(part->first - start_ns_, part->second - start_ns_);
  });
}

std::optional<std::pair<std::int64_t, std::int64_t>> ComparePanel::chosenPart() const {
  const TimeWindow& window = view_->window();
  if (window == at_first_) return std::nullopt;
  return std::pair(window.begin() + start_ns_, window.end() + start_ns_);
}

void ComparePanel::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(smallFont());
  paintLegend(painter, QPointF(px(kSide), height() - px(kLegend) / 2.0), width() - 2 * px(kSide), theme());
}

}  // namespace shardlens::ui

#include "moc_compare_panel.cpp"
