// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/stage_panel.h"

#include "ui/paint/stage_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/scene.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/state/phrase.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/legend_row.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

/// Up to so many items a pass over the epoch takes less than a few ms and needs no other thread.
constexpr qint64 kItemsAtOnce = 50'000;

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

/// With one on either side, as pixels are rounded.
RanksInView inView(const StageAxis& ranks) {
  const StageAxis::Items seen = ranks.inView();
  return {seen.first - 1, seen.last + 1};
}

/// The cells that hold a sample of this one which is handed out more than once; for a worker.
std::vector<CellAddress> twinsOf(const EpochPlan& epoch, const EpochFacts& facts, CellAddress cell, const Work& work) {
  std::vector<SampleIndex> shared;
  for (const SampleIndex sample : epoch.ranks[cell.rank].batchSamples(Step{cell.step})) {
    if (facts.isDuplicate(sample)) shared.push_back(sample);
  }
  return shared.empty() ? std::vector<CellAddress>() : findCells(epoch, shared, work);
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
      refresh_(this, [this] {
        const PlanSnapshotPtr good = shownSnapshot();
        if (!good) clear();
        if (good && good->epoch != stage_->input().epoch) showEpoch(*good);
        showNotice(*workspace_.plans.snapshot());
        transport_->setMarks(good && good->audit ? timeMarks(*good->audit) : std::vector<TimeMark>());
      }) {
  build();
  connectWorkspace();
  connectStage();
  refresh_.want();
}

StagePanel::~StagePanel() = default;

void StagePanel::build() {
  setSurface(this, "window");
  summary_->setWordWrap(false);
  summary_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  ragged_->setWordWrap(false);
  in_flight_->setObjectName("inFlight");
  in_flight_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  in_flight_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setLook(in_flight_, "role", "small");
  setLook(in_flight_, "tone", "muted");
  setColour(StageColour::SamplePosition);
  auto* column = columnIn(this, {px(kMargin), px(10), px(kMargin), px(10)}, 0);
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
  auto* row = rowIn(holder, {});
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
  transport_->setRuled(height() >= px(340));
  overlay_->setGeometry(rect());
}

// What moves over the dataset strip and the Stage while it plays.

/// One step at a time is dealt as fast as it glides, however fast the design plays.
double StagePanel::dealSpeed() const {
  return isGliding() ? StepGlide::kStepsPerSecond : workspace_.playback.speed();
}

void StagePanel::playheadMoved() {
  const Playback& playback = workspace_.playback;
  const bool in_same_epoch = std::exchange(last_epoch_, playback.epoch()) == playback.epoch();
  const double from = std::exchange(last_position_, playback.position());
  const bool by_hand = in_same_epoch && !playback.isPlaying();
  was_stepped_ = by_hand && playback.position() == std::floor(from) + 1;
  const bool glides = by_hand && !reduced_motion_;
  glides ? glide_->follow(from, playback.position()) : glide_->stop();
  showPlayhead();
}

/// Nothing hangs in the air while it is paused: what has left its place arrives, what has not goes back.
void StagePanel::playingChanged() {
  Playback& playback = workspace_.playback;
  const double paused = playback.position();
  const double end = StepGlide::settled(paused);
  if (playback.isPlaying() || end == paused) return showPlayhead();
  const bool flew = playback.speed() <= kFastestFlight && !reduced_motion_;
  playback.seek(playback.epoch(), end);
  if (flew) glide_->settle(paused);
  showPlayhead();
}

void StagePanel::showPlayhead() {
  const Playback& playback = workspace_.playback;
  const bool here = stage_->input().epochNumber() == playback.epoch();
  double position = isGliding() ? glide_->currentValue().toDouble() : playback.position();
  if (!here) position = 0;
  if (reduced_motion_) position = withoutMotion(position);
  const bool moves = here && !reduced_motion_ && !isTurning() && (isGliding() || playback.isPlaying());
  const bool begun = position > 0 || playback.isPlaying() || isGliding();
  // Where the user scrolled to is left alone while it plays; a step by hand is brought into view.
  const bool leads = playback.isPlaying() || (isGliding() && position == 0);
  stage_->setPlayhead(position, leads, moves ? ranksLanded(stage_->input(), position, dealSpeed()) : 0);
  strip_->setPlayhead(position);
  const bool some_undealt = begun && stepsLanded(position) < playback.steps();
  const LegendDeal deal = dealInLegend();
  const bool was_undealt = std::exchange(some_undealt_, some_undealt);
  const bool other_deal = std::exchange(legend_deal_, deal) != deal;
  if (was_undealt != some_undealt || other_deal) showLegend();
  moves ? overlay_->setDeal(dealAtNow(position), ribbonsAtNow(position)) : overlay_->setDeal({});
  overlay_->setMarks(here ? marksAtNow(position) : std::vector<DealMark>());
  showInFlight(moves ? samplesInFlight(stage_->input(), position, dealSpeed()) : 0);
}

LegendDeal StagePanel::dealInLegend() const {
  const Playback& playback = workspace_.playback;
  const StageInput& input = stage_->input();
  const bool moves = playback.isPlaying() || isGliding();
  if (!moves && !(reduced_motion_ && was_stepped_)) return LegendDeal::None;  // nothing is on its way
  const double speed = playback.isPlaying() ? playback.speed() : StepGlide::kStepsPerSecond;
  if (reduced_motion_) return speed <= kFastestFlight ? LegendDeal::Marks : LegendDeal::None;
  if (flightsMakeSense(input, speed)) return LegendDeal::Flights;
  return ribbonsMakeSense(input, speed) || ribbonsStand(input, speed) ? LegendDeal::Ribbons : LegendDeal::None;
}

void StagePanel::setReducedMotion(bool reduced) {
  reduced_motion_ = reduced;
  if (reduced) {
    endTurn();
    glide_->stop();
  }
  showPlayhead();
}

std::vector<Ribbon> StagePanel::ribbonsAtNow(double position) const {
  const QPointF strip_at = strip_->mapTo(this, QPoint());
  const QPointF stage_at = stage_->mapTo(this, QPoint());
  const QRect cells = stage_->cellsOnScreen();
  RibbonPlaces places;
  places.tick = [&](SampleIndex sample) { return strip_at.x() + QRectF(strip_->sampleOnScreen(sample)).center().x(); };
  places.ticks_top = strip_at.y() + strip_->height() - 4;
  places.knots = stage_at.y() + cells.top() - 4;
  places.cell = [&](CellAddress cell) {
    const QRectF place = stage_->cellFrame(cell);
    return place.isEmpty() ? place : place.translated(stage_at);
  };
  places.right = stage_at.x() + cells.right();
  places.ranks = inView(stage_->ranks());
  return ribbonsAt(stage_->input(), theme(), position, dealSpeed(), places);
}

FlightPlaces StagePanel::places() const {
  const QPointF strip_at = strip_->mapTo(this, QPoint());
  const QPointF stage_at = stage_->mapTo(this, QPoint());
  return {[this, strip_at](SampleIndex sample) { return QRectF(strip_->sampleOnScreen(sample)).translated(strip_at); },
          [this, stage_at](CellAddress cell) {
            const QRectF place = stage_->cellFrame(cell);
            return place.isEmpty() ? place : place.translated(stage_at);
          },
          CellRoom(stage_->steps().pitch, stage_->ranks().pitch), inView(stage_->ranks())};
}

DealFrame StagePanel::dealAtNow(double position) const {
  return dealAt(stage_->input(), facts_.get(), stage_->colour(), theme(), position, dealSpeed(), places());
}

/// While it plays, the step under way; after one step by hand, that step. Nothing where the eye cannot follow.
std::vector<DealMark> StagePanel::marksAtNow(double position) const {
  const Playback& playback = workspace_.playback;
  if (!reduced_motion_) return {};
  const double whole = std::floor(position);
  const auto step = static_cast<qint64>(whole);
  if (playback.isPlaying()) {
    if (playback.speed() > kFastestFlight) return {};
    return dealMarks(stage_->input(), theme(), step, position > whole, places());
  }
  return was_stepped_ ? dealMarks(stage_->input(), theme(), step - 1, true, places()) : std::vector<DealMark>();
}

/// Beside what was handed out, where there is room for it: the words there never move because of it.
void StagePanel::showInFlight(qint64 samples) {
  const QString words = samples > 0 ? tr("%1 in flight ·").arg(number(samples)) : QString();
  const bool fits = in_flight_->fontMetrics().horizontalAdvance(words) + 2 <= in_flight_->width();
  in_flight_->setFullText(fits ? words : QString());
}

// Over the end of an epoch: the strip empties, and the order of the next epoch is seen once.

/// The strip stays full until the next epoch is there; then it empties, and nothing is dealt meanwhile.
void StagePanel::beginTurn(qint64 epoch) {
  const Playback& playback = workspace_.playback;
  const bool is_next = epoch == stage_->input().epochNumber() + 1 || epoch == 0;
  const bool is_followed =
      isVisible() && playback.isPlaying() && playback.speed() <= kFastestFlight && !reduced_motion_;
  if (!is_next || !is_followed || stage_->input().isEmpty() || facts_ == nullptr) return endTurn();
  turn_->stop();
  strip_->keepFull();
  turn_to_ = epoch;
}

void StagePanel::runTurn() {
  if (!turn_to_) return;
  if (*turn_to_ != stage_->input().epochNumber()) return;
  turn_to_.reset();
  turn_->start();
  holdWhileComputing();
}

void StagePanel::showTurn() {
  const double progress = turn_->currentValue().toDouble();
  strip_->setEmptied(progress);
  const QPointF strip_at = strip_->mapTo(this, QPoint());
  const QPointF stage_at = stage_->mapTo(this, QPoint());
  TurnPlaces places;
  places.tick = [&](SampleIndex sample) { return strip_at.x() + QRectF(strip_->sampleOnScreen(sample)).center().x(); };
  places.top = strip_at.y() + strip_->height() - 4;
  places.bottom = stage_at.y() + stage_->cellsOnScreen().top() - 4;
  places.left = strip_at.x();
  places.width = strip_->width();
  overlay_->setTurn(turnAt(stage_->input(), theme(), progress, places));
}

void StagePanel::endTurn() {
  turn_to_.reset();
  turn_->stop();
  strip_->setEmptied(1);
  overlay_->setTurn({});
  holdWhileComputing();
}

// What is selected, marked on the Stage and in the dataset strip.

void StagePanel::showSelection() {
  const StageInput& input = stage_->input();
  if (input.isEmpty()) return;
  const Selected& selected = workspace_.selection.current();
  const auto cell = selectedCell(selected, input);
  stage_->setSelected(cell);
  stage_->setSelectedRanks(selectedRanks(selected, input));
  cell ? findTwins(*cell) : findShared(selected.ranks);
  strip_->setHighlighted(selected.sample, selected.samples);
  placeLegend();
  const std::vector<SampleIndex> ids = selectedSamples(selected, input.dataset_size);
  if (ids.empty()) {
    sample_job_.cancel();
    stage_->setHighlighted({});
    return placeLegend();
  }
  sample_job_.start(
      [epoch = input.epoch, ids](const Work& work) { return std::optional(findCells(*epoch, ids, work)); },
      [this](std::vector<CellAddress> cells) {
        stage_->setHighlighted(std::move(cells));
        placeLegend();
      });
}

void StagePanel::takeTwins(std::vector<CellAddress> cells) {
  stage_->setTwins(std::move(cells));
  placeLegend();
}

void StagePanel::findShared(const std::vector<qint64>& ranks) {
  const StageInput& input = stage_->input();
  if (ranks.size() != 2) {
    twins_job_.cancel();
    return takeTwins({});
  }
  twins_job_.start([epoch = input.epoch, size = input.dataset_size, ranks](
                       const Work& work) { return std::optional(sharedCells(*epoch, size, ranks[0], ranks[1], work)); },
                   [this](std::vector<CellAddress> cells) { takeTwins(std::move(cells)); });
}

void StagePanel::findTwins(CellAddress cell) {
  const std::shared_ptr<const EpochPlan> epoch = stage_->input().epoch;
  if (facts_ == nullptr || cell.step >= epoch->ranks[cell.rank].batches()) {
    twins_job_.cancel();
    return takeTwins({});
  }
  twins_job_.start(
      [epoch, facts = facts_, cell](const Work& work) { return std::optional(twinsOf(*epoch, *facts, cell, work)); },
      [this](std::vector<CellAddress> cells) { takeTwins(std::move(cells)); });
}

void StepGlide::follow(double from, double to) {
  stop();
  if (to - from == 1 && std::floor(to) == to) glide(from, to, kStepMs);
}

double StepGlide::settled(double position) {
  const double whole = std::floor(position);
  const double fraction = position - whole;
  if (fraction <= 0 || fraction >= kLandsAt) return position;
  return fraction < kLiftsUntil ? whole : whole + kLandsAt;
}

void StepGlide::settle(double position) {
  constexpr int kSettleMs = 120;
  glide(position, settled(position), kSettleMs);
}

void StepGlide::glide(double from, double to, int milliseconds) {
  setStartValue(from);
  setEndValue(to);
  setDuration(milliseconds);
  start();
}

FlightOverlay::FlightOverlay(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
}

void FlightOverlay::setDeal(DealFrame deal, std::vector<Ribbon> ribbons) {
  if (deal.isEmpty() && deal_.isEmpty() && ribbons.empty() && ribbons_.empty()) return;
  const QRegion before = regionOf(deal_) + regionOf(ribbons_);
  deal_ = std::move(deal);
  ribbons_ = std::move(ribbons);
  update(before + regionOf(deal_) + regionOf(ribbons_));
}

void FlightOverlay::setMarks(std::vector<DealMark> marks) {
  if (marks == marks_) return;
  const QRegion before = regionOf(marks_);
  marks_ = std::move(marks);
  update(before + regionOf(marks_));
}

void FlightOverlay::setTurn(EpochTurn turn) {
  if (turn.isEmpty() && turn_.isEmpty()) return;
  const QRegion before = regionOf(turn_);
  turn_ = std::move(turn);
  update(before + regionOf(turn_));
}

void FlightOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  paintMarks(painter, marks_, theme());
  paintRibbons(painter, ribbons_, theme());
  paintDeal(painter, deal_, theme());
  paintTurn(painter, turn_);
}

}  // namespace shardlens::ui

#include "moc_stage_panel.cpp"
