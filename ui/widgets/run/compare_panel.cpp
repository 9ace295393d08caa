// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/compare_panel.h"

#include "core/plan/plan.h"
#include "ui/paint/lane_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/compare_lanes.h"
#include "ui/widgets/run/minimap_view.h"
#include "ui/widgets/run/prediction.h"
#include "ui/widgets/run/time_view.h"

#include <QDir>
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

}  // namespace

ComparePanel::ComparePanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      title_(textLabel({}, "", this)),
      waits_(textLabel({}, "muted", this)),
      view_(new TimeView(this)),
      minimap_(new MinimapView(*view_, this)),
      lanes_(new CompareLanes(*view_, this)) {
  setObjectName("comparePanel");
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Comparison of two runs"));
  title_->setFont(verdictFont());
  for (QLabel* label : {title_, waits_}) label->setWordWrap(true);
  auto* close = new LinkButton(tr("Close the comparison"), "", this);
  close->setObjectName("compare:close");
  connect(close, &QAbstractButton::clicked, this, &ComparePanel::closeWanted);
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(close, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(px(kSide), px(14), px(kSide), px(kLegend) + px(6));
  column->setSpacing(px(6));
  column->addLayout(head);
  column->addWidget(waits_);
  auto* map = new QHBoxLayout;
  map->setContentsMargins(lanes_->lanesLeft(), 0, 0, 0);
  map->addWidget(minimap_);
  minimap_->setFixedHeight(px(kMinimap));
  column->addLayout(map);
  column->addWidget(lanes_, 1);
  setFocusProxy(lanes_);
  connect(&other_, &RunService::stateChanged, this, &ComparePanel::take);
  connect(&other_, &RunService::failed, this, [this](const QString& what) { say(what, {}); });
}

QString ComparePanel::title() const {
  return title_->text();
}

QString ComparePanel::waits() const {
  return waits_->text();
}

void ComparePanel::say(const QString& title, const QString& waits) {
  title_->setText(title);
  waits_->setText(waits);
  lanes_->setAccessibleDescription(title + ' ' + waits);
}

/// Recordings of one design have one name: the file tells them apart.
QString ComparePanel::nameOf(const RunService& runs) const {
  const QString name = runs.state() == nullptr ? QString() : text(runs.state()->name);
  const QFileInfo file(runs.runFile());
  const QString place = file.fileName() == "run.slrun" ? file.dir().dirName() : file.completeBaseName();
  return name.isEmpty() || name == place ? place : tr("%1 (%2)").arg(name, place);
}

void ComparePanel::compareWith(const QString& run_file) {
  file_ = run_file;
  job_.cancel();
  lanes_->setRuns({}, {});
  at_first_ = view_->window();
  say(tr("Reading %1 …").arg(QFileInfo(run_file).fileName()), {});
  if (const auto opened = other_.open(run_file); !opened) say(text(opened.error().text()), {});
}

void ComparePanel::take() {
  if (file_.isEmpty() || other_.overview() == nullptr || workspace_.runs.overview() == nullptr) return;
  job_.start([first = workspace_.runs.overview(), second = other_.overview(), name = nameOf(workspace_.runs),
              other = nameOf(other_)](
                 const Work&) { return std::optional(Both(comparedRun(name, *first), comparedRun(other, *second))); },
             [this](const Both& both) { show(both.first, both.second); });
}

void ComparePanel::compareWithPlan() {
  file_.clear();
  other_.close();
  const auto facts = workspace_.runs.facts();
  if (facts == nullptr || workspace_.runs.overview() == nullptr)
    return say(tr("The recording has no plan to compare it with"), {});
  say(tr("Predicting …"), {});
  job_.start(
      [first = workspace_.runs.overview(), spec = facts->spec, name = nameOf(workspace_.runs),
       other = tr("its plan, predicted")](const Work& work) -> std::optional<Both> {
        const auto plan = Plan::make(spec);
        if (!plan) return std::nullopt;
        std::int64_t steps = 0;
        for (const StepTime& step : first->steps) steps += step.steps;
        const StepTime from = first->steps.empty() ? StepTime{} : first->steps.front();
        const auto lanes = predictedRun(*plan, Epoch{from.epoch}, Step{from.step}, std::max(steps, kStepsOfNone), work);
        if (!lanes) return std::nullopt;
        return Both(comparedRun(name, *first), comparedPlan(other, *lanes));
      },
      [this](const Both& both) { show(both.first, both.second); });
}

void ComparePanel::show(const ComparedRun& first, const ComparedRun& second) {
  const ComparisonText words = comparisonText(first, second);
  say(words.title, words.waits);
  const auto part = chosenPart() ? chosenPart() : part_;
  lanes_->setRuns(first, second);
  at_first_ = view_->window();
  start_ns_ = first.start_ns;
  std::vector<Stall> stalls;
  if (workspace_.runs.state() != nullptr) {
    stalls = stallsOf(*workspace_.runs.state(), workspace_.runs.overview().get());
    for (Stall& stall : stalls) stall = {stall.first - start_ns_, stall.second - start_ns_};
  }
  minimap_->setRun(first.steps, std::move(stalls));
  if (!part) return;
  view_->change([&](TimeWindow& window) { window.show(part->first - start_ns_, part->second - start_ns_); });
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
