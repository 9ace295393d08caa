// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/compare_panel.h"

#include "core/plan/plan.h"
#include "ui/paint/lane_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/recording_library.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/compare_lanes.h"
#include "ui/widgets/run/minimap_view.h"
#include "ui/widgets/run/prediction.h"
#include "ui/widgets/run/time_view.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace shardlens::ui {
namespace {

constexpr int kLegend = 28;
constexpr int kSide = 16;
constexpr int kMinimap = 32;

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
  minimap_->setFixedHeight(px(kMinimap));
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

QString ComparePanel::title() const {
  return title_->text();
}

QString ComparePanel::waits() const {
  return waits_->text();
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
  file_.clear();
  other_.close();
  clear();
  const auto facts = workspace_.runs.facts();
  if (facts == nullptr || facts->planned_batches == 0 || workspace_.runs.overview() == nullptr) {
    return say(tr("The recording has no plan to compare it with"), facts == nullptr ? QString() : text(facts->problem));
  }
  predict(facts->spec, tr("its plan, predicted"));
}

void ComparePanel::compareWithDesign() {
  file_.clear();
  other_.close();
  clear();
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
