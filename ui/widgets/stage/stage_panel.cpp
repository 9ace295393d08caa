// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/stage_panel.h"

#include "ui/scene/number_text.h"
#include "ui/scene/stage/stage_csv.h"
#include "ui/state/phrase.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/colour_button.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/flight_overlay.h"
#include "ui/widgets/stage/legend_row.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/step_glide.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <QVariantAnimation>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

/// Up to so many items a pass over the epoch takes less than a few ms and needs no other thread.
constexpr qint64 kItemsAtOnce = 50'000;
constexpr int kRoomForRuler = 340;

QLabel* headLabel(const QString& text) {
  auto* label = new QLabel(text);
  QFont font = headFont();
  font.setCapitalization(QFont::MixedCase);
  font.setLetterSpacing(QFont::AbsoluteSpacing, 0);
  label->setFont(font);
  setLook(label, "tone", "muted");
  return label;
}

/// What an epoch without a single batch says, and what to do.
QString emptyReason(const StageInput& input) {
  if (input.dataset_size == 0) return StagePanel::tr("It has 0 samples, so no rank gets a batch. Set dataset.size.");
  return StagePanel::tr(
             "%1 do not fill one batch of any rank, and drop_last drops batches that are not full. "
             "Lower batch_size or turn drop_last off.")
      .arg(countOf(input.dataset_size, "sample"));
}

}  // namespace

StagePanel::StagePanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      summary_(noteLabel({})),
      in_flight_(new ElidedLabel),
      ragged_(noteLabel({}, "warning")),
      strip_(new DatasetStrip),
      stage_(new StageView),
      legend_(new LegendRow),
      transport_(new TransportBar(workspace.playback)),
      overlay_(new FlightOverlay(this)),
      glide_(new StepGlide(this)),
      turn_(new QVariantAnimation(this)),
      refresh_(this, [this] { showSnapshot(); }) {
  build();
  connectWorkspace();
  connectStage();
  refresh_.want();
}

StagePanel::~StagePanel() = default;

void StagePanel::build() {
  setProperty("surface", "window");
  setAttribute(Qt::WA_StyledBackground);
  summary_->setWordWrap(false);
  summary_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  ragged_->setWordWrap(false);
  in_flight_->setObjectName("inFlight");
  in_flight_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  in_flight_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setLook(in_flight_, "role", "small");
  setLook(in_flight_, "tone", "muted");
  setColour(StageColour::SamplePosition);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(px(kMargin), px(10), px(kMargin), px(10));
  column->setSpacing(0);
  column->addWidget(headRow(tr("Dataset"), summary_, in_flight_));
  column->addSpacing(px(2));
  column->addWidget(strip_);
  stage_->setEdges(headRow(tr("Ranks × steps"), ragged_), legend_);
  column->addSpacing(px(6));
  column->addWidget(stage_, 1);
  column->addSpacing(px(8));
  column->addWidget(transport_);
  overlay_->raise();
  addPanelMenu(*this, {phrase("stage", "Stage"),
                       [this] { return strip_->summary() + '\n' + stage_->accessibleDescription() + '\n'; },
                       [this] { return stageCsv(stage_->input(), stage_->steps(), stage_->ranks()); }});
  setFocusProxy(stage_);
}

QWidget* StagePanel::headRow(const QString& title, QWidget* right, QWidget* middle) {
  auto* holder = new QWidget;
  auto* row = new QHBoxLayout(holder);
  row->setContentsMargins(0, 0, 0, 0);
  if (middle != nullptr) row->setSpacing(QFontMetrics(smallFont()).horizontalAdvance(QLatin1Char(' ')));
  row->addWidget(headLabel(title));
  middle == nullptr ? row->addStretch(1) : row->addWidget(middle, 1);
  row->addWidget(right);
  return holder;
}

void StagePanel::setColour(StageColour colour) {
  stage_->setColour(colour);
  strip_->setColour(colour);
  legend_->colour()->setColour(colour);
  showLegend();
}

void StagePanel::showLegend() {
  legend_entries_ = stageLegend(stage_->input(), facts_.get(), stage_->colour(), some_undealt_, theme(), legend_deal_);
  placeLegend();
}

void StagePanel::placeLegend() {
  std::vector<LegendEntry> shown = legend_entries_;
  const Selected& selected = workspace_.selection.current();
  MarkedCells marked{stage_->selected(), !stage_->selectedRanks().empty(), stage_->twins(), stage_->highlighted(), {}};
  if (selected.samples == 1) marked.sample = selected.sample;
  addMarkedCells(shown, marked, stage_->steps(), stage_->ranks(), theme());
  ui::placeLegend(shown, stage_->input(), facts_.get(), stage_->steps(), stage_->ranks());
  legend_->setEntries(std::move(shown));
}

void StagePanel::connectWorkspace() {
  connect(&workspace_.plans, &PlanService::snapshotChanged, this, [this] {
    holdWhileComputing();
    refresh_.want();
    if (isVisible()) refresh_.now();  // the new cells are what the user waits for
  });
  connect(&workspace_.plans, &PlanService::progressed, this, [this](double fraction, const QString& what) {
    progress_ = what == QStringLiteral("order") ? fraction : -1;
    showNotice(*workspace_.plans.snapshot());
  });
  connect(&workspace_.plans, &PlanService::busyChanged, this, [this](bool busy) {
    if (!busy) progress_ = -1;
    const PlanSnapshotPtr good = shownSnapshot();
    if (!busy && turn_to_ && good && good->epoch->epoch.value != *turn_to_) endTurn();  // it was stopped
    holdWhileComputing();
    showNotice(*workspace_.plans.snapshot());
  });
  connect(&workspace_.playback, &Playback::moved, this, &StagePanel::playheadMoved);
  connect(&workspace_.playback, &Playback::playingChanged, this, &StagePanel::playingChanged);
  connect(glide_, &QVariantAnimation::valueChanged, this, &StagePanel::showPlayhead);
  connect(glide_, &QVariantAnimation::finished, this, &StagePanel::showPlayhead);
  const auto follow = [this] {
    if (workspace_.playback.isPlaying()) stage_->follow(workspace_.playback.speed());
  };
  connect(&workspace_.playback, &Playback::playingChanged, this, follow);
  connect(&workspace_.playback, &Playback::settingsChanged, this, follow);
  turn_->setObjectName("turn");
  turn_->setStartValue(0.0);
  turn_->setEndValue(1.0);
  turn_->setDuration(kTurnMs);
  connect(turn_, &QVariantAnimation::valueChanged, this, &StagePanel::showTurn);
  connect(turn_, &QVariantAnimation::finished, this, &StagePanel::endTurn);
  connect(&workspace_.playback, &Playback::epochChanged, this, [this](qint64 epoch) {
    beginTurn(epoch);
    holdWhileComputing();
    showSelection();
  });
  connect(&workspace_.selection, &Selection::changed, this, [this] {
    const auto epoch = workspace_.selection.current().epoch;
    if (epoch && *epoch != workspace_.playback.epoch()) {
      const auto step = workspace_.selection.current().step;
      workspace_.playback.seek(*epoch, static_cast<double>(step.value_or(0)));
    }
    showSelection();
  });
}

void StagePanel::connectStage() {
  connect(legend_->colour(), &ColourButton::colourChosen, this, [this](StageColour colour) {
    colour_chosen_ = true;
    setColour(colour);
  });
  connect(strip_, &DatasetStrip::summaryChanged, summary_, &QLabel::setText);
  connect(strip_, &DatasetStrip::samplesChosen, this, [this](qint64 first, qint64 count) {
    Selected bin;
    bin.sample = first;
    bin.samples = count;
    workspace_.selection.select(bin);
  });
  connect(stage_, &StageView::cellChosen, this, [this](CellAddress cell) {
    workspace_.selection.select({{cell.rank}, stage_->input().epochNumber(), cell.step, std::nullopt});
  });
  connect(stage_, &StageView::rankChosen, this, [this](qint64 rank) {
    workspace_.selection.select({{rank}, stage_->input().epochNumber(), std::nullopt, std::nullopt});
  });
  connect(stage_, &StageView::choiceCleared, this, [this] { workspace_.selection.clear(); });
  connect(stage_, &StageView::seekRequested, this,
          [this](double position) { workspace_.playback.seek(workspace_.playback.epoch(), position); });
  connect(stage_, &StageView::viewChanged, this, &StagePanel::showPlayhead);
  connect(stage_, &StageView::viewChanged, this, &StagePanel::placeLegend);
  connect(legend_, &LegendRow::placeWanted, this, [this](CellAddress place) {
    workspace_.goTo({{place.rank}, stage_->input().epochNumber(), place.step, std::nullopt});
  });
}

PlanSnapshotPtr StagePanel::shownSnapshot() const {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  return snapshot->epoch ? snapshot : workspace_.plans.lastGood();
}

void StagePanel::showSnapshot() {
  const PlanSnapshotPtr good = shownSnapshot();
  if (!good) clear();
  if (good && good->epoch != stage_->input().epoch) showEpoch(*good);
  showNotice(*workspace_.plans.snapshot());
  transport_->setMarks(good && good->audit ? timeMarks(*good->audit) : std::vector<TimeMark>());
}

void StagePanel::clear() {
  if (stage_->input().isEmpty()) return;
  facts_job_.cancel();
  stage_->setInput({});
  strip_->setInput({});
  ragged_->clear();
  showFacts(nullptr);
}

void StagePanel::showEpoch(const PlanSnapshot& snapshot) {
  const StageInput input = stageInput(snapshot.generation, snapshot.spec, snapshot.epoch, snapshot.outline);
  const bool has_other_steps = stage_->input().steps != input.steps;
  stage_->setInput(input);
  strip_->setInput(input);
  // It may have begun to play before it was known how far.
  if (has_other_steps && workspace_.playback.isPlaying()) stage_->follow(workspace_.playback.speed());
  if (!colour_chosen_) setColour(usualColour(input.dataset_size));
  ragged_->setText(raggedNote(input));
  legend_->colour()->setLabelled(input.hasLabels());
  facts_.reset();
  showLegend();
  facts_progress_ = -1;
  if (input.outline->items <= kItemsAtOnce) {
    facts_job_.cancel();
    showFacts(EpochFacts::compute(*input.epoch, input.dataset_size));
  } else {
    facts_job_.start(
        [input](const Work& work) -> std::optional<std::shared_ptr<const EpochFacts>> {
          auto facts = EpochFacts::compute(*input.epoch, input.dataset_size, work);
          if (facts == nullptr) return std::nullopt;
          return facts;
        },
        [this](std::shared_ptr<const EpochFacts> facts) { showFacts(std::move(facts)); },
        [this](double fraction) {
          facts_progress_ = fraction;
          showNotice(*workspace_.plans.snapshot());
        });
  }
  showPlayhead();
  showSelection();
  runTurn();
}

void StagePanel::showFacts(std::shared_ptr<const EpochFacts> facts) {
  facts_ = std::move(facts);
  facts_progress_ = -1;
  stage_->setFacts(facts_);
  strip_->setFacts(facts_);
  showLegend();
  showSelection();
  showNotice(*workspace_.plans.snapshot());
}

void StagePanel::showNotice(const PlanSnapshot& snapshot) {
  StageNotice notice;
  const StageInput& input = stage_->input();
  if (!snapshot.issues.empty() && snapshot.epoch == nullptr) {
    const auto count = static_cast<qint64>(snapshot.issues.size());
    notice.title =
        count == 1 ? tr("This design cannot be planned") : tr("This design cannot be planned: %1 problems").arg(count);
    notice.text = QString::fromStdString(snapshot.issues.front().text());
    notice.dims = true;
  } else if (input.isEmpty()) {
    notice.title = tr("Planning");
    notice.text = tr("Computing the order of epoch %1").arg(workspace_.playback.epoch());
    notice.progress = std::max(progress_, 0.0);
  } else if (input.steps == 0) {
    notice.title = input.dataset_size == 0 ? tr("The dataset is empty") : tr("No rank has a batch");
    notice.text = emptyReason(input);
  } else {
    notice.progress = progress_ >= 0 ? progress_ : facts_progress_;
  }
  stage_->setNotice(notice);
}

void StagePanel::holdWhileComputing() {
  const PlanSnapshotPtr good = shownSnapshot();
  const qint64 shown = good ? good->epoch->epoch.value : 0;
  const bool other = shown != workspace_.playback.epoch();
  workspace_.playback.setHeld((other && workspace_.plans.isBusy()) || isTurning());
}

void StagePanel::keyPressEvent(QKeyEvent* event) {
  if (!handleTransportKey(workspace_.playback, *event)) QWidget::keyPressEvent(event);
}

void StagePanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) showLegend();
  QWidget::changeEvent(event);
}

void StagePanel::hideEvent(QHideEvent* event) {
  endTurn();
  QWidget::hideEvent(event);
}

void StagePanel::resizeEvent(QResizeEvent* /*event*/) {
  transport_->setRuled(height() >= px(kRoomForRuler));
  overlay_->setGeometry(rect());
}

}  // namespace shardlens::ui

#include "moc_stage_panel.cpp"
