// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/proof_panel.h"

#include "core/base/text.h"
#include "ui/paint/run_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/panel_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace shardlens::ui {
namespace {

constexpr int kAxis = 20;
constexpr int kLegendHeight = 22;
constexpr int kTitle = 16;        ///< for "rank", on its side
constexpr int kRankPitch = 14;    ///< px a rank's number takes
constexpr int kMarkSpacing = 54;  ///< px between steps that are written out

/// Of a batch that the job may still consume, or not any more.
QString aheadText(JobStatus status) {
  if (isUnderWay(status)) return phrase("run", "not consumed yet");
  return status == JobStatus::Unknown ? phrase("run", "planned, and not consumed as far as was recorded")
                                      : phrase("run", "planned, and not consumed");
}

QString wordsOf(ProofCell cell, JobStatus status) {
  switch (cell) {
    case ProofCell::Match:
      return phrase("run", "matches the plan");
    case ProofCell::Recorded:
      return phrase("run", "recorded; no rule plans it");
    case ProofCell::Mismatch:
      return phrase("run", "does not match the plan");
    case ProofCell::Unchecked:
      return phrase("run", "consumed, but its record was lost: not compared");
    case ProofCell::NotKept:
      return phrase("run", "consumed long ago: play the recording to that moment to see it compared");
    case ProofCell::Ahead:
      return aheadText(status);
    case ProofCell::None:
      break;
  }
  return phrase("run", "no batch");
}

}  // namespace

ProofView::ProofView(QWidget* parent) : QWidget(parent) {
  setObjectName("proofView");
  setAccessibleName(phrase("run", "Planned and consumed batches, rank by rank"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  setTips(this, [this](QPoint place) {
    const auto spot = spotAt(place);
    return spot ? wordsFor(scene(), *spot) : QString();
  });
}

void ProofView::setRun(const RunStatePtr& state, std::shared_ptr<const BatchProof> proof,
                       std::shared_ptr<const RunFacts> facts, bool is_recorded) {
  is_recorded_ = is_recorded;
  state_ = state;
  proof_ = std::move(proof);
  facts_ = std::move(facts);
  describe();
  update();
}

void ProofView::setSteps(std::optional<StepRange> steps) {
  if (steps == steps_) return;
  steps_ = steps;
  update();
}

void ProofView::reveal(const Selected& place) {
  const auto step = globalStepOf(place, facts_.get());
  const ProofScene shown = scene();
  if (!step || shown.columns == 0 || shown.columnOf(*step) >= 0) return;
  const qint64 span = shown.columns * shown.stride;
  const qint64 first = std::max<qint64>(0, *step - span / 2);
  setSteps(StepRange{first, first + span - 1});
}

QSize ProofView::cells() const {
  return {width() - gutter(), height() - px(kAxis) - px(kLegendHeight)};
}

int ProofView::gutter() const {
  const qint64 ranks = state_ == nullptr ? 0 : static_cast<qint64>(state_->ranks.size());
  return px(kTitle) + QFontMetrics(smallFont()).horizontalAdvance(QString::number(std::max<qint64>(9, ranks))) + px(8);
}

ProofScene ProofView::scene() const {
  if (state_ == nullptr || proof_ == nullptr) return {};
  ProofScene shown = proofScene(*state_, *proof_, cells(), steps_, px(100) / 100.0);
  if (is_recorded_) std::replace(shown.cells.begin(), shown.cells.end(), ProofCell::Match, ProofCell::Recorded);
  shown.left = gutter();
  return shown;
}

void ProofView::paintEvent(QPaintEvent*) {
  const ProofScene shown = scene();
  if (shown.columns == 0) return;
  QPainter painter(this);
  paintProof(painter, shown, theme());
  paintSelected(painter, shown);
  paintCursor(painter, shown);
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  paintRanks(painter, shown);
  const double below = shown.rows * shown.row_pitch;
  painter.drawText(QRectF(0, below, gutter() - px(6), px(kAxis)), Qt::AlignRight | Qt::AlignVCenter,
                   phrase("run", "step"));
  for (const ProofTick& tick : proofTicks(shown, facts_.get(), px(kMarkSpacing))) {
    const double wide = painter.fontMetrics().horizontalAdvance(tick.text);
    const double begin = std::max<double>(shown.left, std::min(tick.x - wide / 2, width() - wide));
    painter.drawText(QRectF(begin, below, wide, px(kAxis)), Qt::AlignCenter | Qt::TextDontClip, tick.text);
  }
  paintProofLegend(painter, {shown.left, below + px(kAxis) + px(kLegendHeight) / 2.0}, width() - shown.left, shown,
                   theme());
}

/// Some of their numbers, and on its side what they are.
void ProofView::paintRanks(QPainter& painter, const ProofScene& shown) const {
  const auto ranks = static_cast<qint64>(state_->ranks.size());
  const double below = shown.rows * shown.row_pitch;
  const qint64 every = tickDistance(below / static_cast<double>(std::max<qint64>(1, ranks)), px(kRankPitch));
  for (qint64 rank = 0; rank < ranks; rank += every) {
    const double y = (shown.rowOf(rank, ranks) + 0.5) * shown.row_pitch;
    const QRectF place(0, std::max(0.0, y - px(8)), gutter() - px(6), px(16));
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, QString::number(rank));
  }
  painter.save();
  painter.translate(0, below / 2);
  painter.rotate(-90);
  if (below >= px(28))
    painter.drawText(QRectF(-below / 2, 0, below, px(kTitle)), Qt::AlignCenter, phrase("run", "rank"));
  painter.restore();
}

std::optional<ProofView::Spot> ProofView::spotAt(QPoint place) const {
  const ProofScene shown = scene();
  if (shown.columns == 0 || !rect().contains(place)) return std::nullopt;
  if (place.x() < shown.left) return std::nullopt;
  const auto column = static_cast<int>((place.x() - shown.left) / shown.column_pitch);
  const auto row = static_cast<int>(place.y() / shown.row_pitch);
  if (column >= shown.columns || row >= shown.rows) return std::nullopt;
  return spotOf(shown, row, column);
}

ProofView::Spot ProofView::spotOf(const ProofScene& shown, int row, int column) const {
  const auto ranks = static_cast<qint64>(state_->ranks.size());
  return {row, column, (row * ranks + shown.rows - 1) / shown.rows,
          ((row + 1) * ranks + shown.rows - 1) / shown.rows - 1};
}

QString ProofView::wordsFor(const ProofScene& shown, const Spot& spot) const {
  std::vector<std::int64_t> ranks(static_cast<std::size_t>(spot.last - spot.first + 1));
  std::iota(ranks.begin(), ranks.end(), spot.first);
  const QString listed_ranks = text(listed(ranks));
  const QString who = ranks.size() > 1 ? phrase("run", "ranks %1, the worst").arg(listed_ranks)
                                       : phrase("run", "rank %1").arg(listed_ranks);
  return QString("%1 · %2\n%3")
      .arg(who, globalStepText(shown.stepOf(spot.column), facts_.get()),
           wordsOf(shown.at(spot.row, spot.column), state_->status));
}

void ProofView::mousePressEvent(QMouseEvent* event) {
  const auto spot = event->button() == Qt::LeftButton ? spotAt(event->pos()) : std::nullopt;
  if (!spot) return event->ignore();
  cursor_ = {spot->first, scene().stepOf(spot->column)};
  describe();
  choose(*spot);
}

void ProofView::choose(const Spot& spot) {
  Selected place = placeOfStep(scene().stepOf(spot.column), facts_.get());
  place.ranks = {spot.first};
  emit placeChosen(place);
}

void ProofView::setSelected(const Selected& place) {
  if (place == selected_) return;
  selected_ = place;
  update();
}

void ProofView::paintSelected(QPainter& painter, const ProofScene& shown) const {
  const auto ranks = static_cast<qint64>(state_->ranks.size());
  const auto step = globalStepOf(selected_, facts_.get());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().accent, 1.5));
  const int selected_column = step ? shown.columnOf(*step) : -1;
  if (selected_.ranks.empty() && selected_column >= 0) {
    const QRectF last = shown.rect(shown.rows - 1, selected_column);
    painter.drawRect(shown.rect(0, selected_column).united(last).adjusted(-1, -1, 1, 1));
  }
  for (const qint64 rank : selected_.ranks) {
    if (rank < 0 || rank >= ranks) continue;
    const int row = shown.rowOf(rank, ranks);
    const QRectF last = shown.rect(row, shown.columns - 1);
    painter.drawRect(shown.rect(row, 0).united(last).adjusted(0.5, -0.5, 0, 0.5));
    if (selected_column >= 0) painter.drawRect(shown.rect(row, selected_column).adjusted(-1, -1, 1, 1));
  }
}

ProofPanel::ProofPanel(QWidget* parent) : QWidget(parent) {
  auto* head = textLabel(phrase("run", "Proof of assignment"), "", this);
  setLook(head, "role", "title");
  auto* content = new QWidget;
  verdict_ = new LinkLabel("", "", content);
  verdict_->setObjectName("proofVerdict");
  connect(verdict_, &LinkLabel::followed, this, &ProofPanel::placeWanted);
  view_ = new ProofView(content);
  setMinimumWidth(view_->minimumSizeHint().width());
  auto* below = columnIn(content, {}, px(8));
  below->addWidget(verdict_);
  below->addWidget(view_, 1);
  auto* column = columnIn(this, {}, px(4));
  column->addWidget(head);
  column->addWidget(thinScroll(content, this), 1);  // of a low panel: no line of the verdict is cut
  addPanelMenu(*this,
               {phrase("run", "Proof"), [this] { return verdictText() + '\n'; }, [this] { return view_->csv(); }});
}

void ProofPanel::setRun(const RunService& runs) {
  if (runs.state() == nullptr) return;
  const ProofVerdict said = proofVerdict(*runs.state(), runs.facts().get());
  verdict_->setPlain(said.text);
  setLook(verdict_, "tone", said.tone == Tone::Note ? "muted" : toneName(said.tone));
  view_->setRun(runs.state(), runs.proof(), runs.facts());
}

void ProofPanel::setLoaders(const JobCapture& loaders) {
  const auto& proof = loaders.proof();
  if (proof == nullptr) {
    verdict_->setPlain(loaders.noProof());
    setLook(verdict_, "tone", "muted");
    return view_->setRun(nullptr, nullptr, nullptr);
  }
  // What was recorded is as it was recorded: that proves nothing.
  const bool is_recorded = loaders.isRecorded();
  const bool is_match = proof->proof.result == ProofResult::Match && !is_recorded;
  const bool is_mismatch = proof->proof.result == ProofResult::Mismatch && loaders.loader().isEmpty();
  verdict_->setPlain(loaders.compared());
  setLook(verdict_, "tone", is_match ? toneName(Tone::Fine) : is_mismatch ? toneName(Tone::Error) : "muted");
  const LoaderGrid grid = gridOf(*proof);
  view_->setRun(grid.state, grid.proof, grid.facts, is_recorded);
}

/// The batches in view, row by row.
QString ProofView::csv() const {
  QString out = "first_rank,last_rank,step,state\n";
  const ProofScene shown = scene();
  const auto ranks = state_ == nullptr ? 0 : static_cast<qint64>(state_->ranks.size());
  for (int row = 0; row < shown.rows; ++row) {
    const qint64 first = (row * ranks + shown.rows - 1) / shown.rows;
    const qint64 last = ((row + 1) * ranks + shown.rows - 1) / shown.rows - 1;
    for (int column = 0; column < shown.columns; ++column) {
      out += QString("%1,%2,%3,\"%4\"\n")
                 .arg(first)
                 .arg(last)
                 .arg(shown.stepOf(column))
                 .arg(wordsOf(shown.at(row, column), state_->status));
    }
  }
  return out;
}

/// Before anybody has moved it: the selected cell, else the first one.
std::optional<ProofView::Spot> ProofView::cursor(const ProofScene& shown) const {
  if (state_ == nullptr || shown.columns == 0) return std::nullopt;
  const auto ranks = static_cast<qint64>(state_->ranks.size());
  const qint64 selected_rank = selected_.ranks.empty() ? 0 : selected_.ranks.front();
  const qint64 selected_step = globalStepOf(selected_, facts_.get()).value_or(shown.first_step);
  const auto [rank, step] = cursor_.value_or(std::pair(selected_rank, selected_step));
  const qint64 last_step = shown.stepOf(shown.columns - 1);
  const int column = shown.columnOf(std::clamp(step, shown.first_step, last_step));
  return spotOf(shown, shown.rowOf(std::clamp<qint64>(rank, 0, ranks - 1), ranks), std::max(0, column));
}

void ProofView::moveCursor(int rows, int columns) {
  const ProofScene shown = scene();
  const auto from = cursor(shown);
  if (!from) return;
  const int row = std::clamp(from->row + rows, 0, shown.rows - 1);
  const int column = std::clamp(from->column + columns, 0, shown.columns - 1);
  cursor_ = {spotOf(shown, row, column).first, shown.stepOf(column)};
  focus_ring_ = true;
  describe();
  update();
}

void ProofView::describe() {
  if (!hasFocus() && !cursor_) return;
  const ProofScene shown = scene();
  const auto spot = cursor(shown);
  const QString words = spot ? wordsFor(shown, *spot) : QString();
  if (words != accessibleDescription()) setAccessibleDescription(words);
}

void ProofView::keyPressEvent(QKeyEvent* event) {
  const ProofScene shown = scene();
  const int all_rows = event->modifiers().testFlag(Qt::ControlModifier) ? shown.rows : 0;
  switch (event->key()) {
    case Qt::Key_Left:
      return moveCursor(0, -1);
    case Qt::Key_Right:
      return moveCursor(0, 1);
    case Qt::Key_Up:
      return moveCursor(-1, 0);
    case Qt::Key_Down:
      return moveCursor(1, 0);
    case Qt::Key_Home:
      return moveCursor(-all_rows, -shown.columns);
    case Qt::Key_End:
      return moveCursor(all_rows, shown.columns);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (const auto spot = cursor(shown)) return choose(*spot);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void ProofView::focusInEvent(QFocusEvent* event) {
  focus_ring_ = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
  describe();
  update();
}

void ProofView::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = false;
  update();
}

/// Around the cell; a cell of few pixels gets room for it.
void ProofView::paintCursor(QPainter& painter, const ProofScene& shown) const {
  const auto spot = focus_ring_ ? cursor(shown) : std::nullopt;
  if (!spot) return;
  QRectF ring = shown.rect(spot->row, spot->column).adjusted(-2, -2, 2, 2);
  constexpr double kLeast = 9;
  const double more_x = std::max(0.0, kLeast - ring.width()) / 2;
  const double more_y = std::max(0.0, kLeast - ring.height()) / 2;
  ring.adjust(-more_x, -more_y, more_x, more_y);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().accent, 2));
  painter.drawRoundedRect(ring, 2, 2);
}

}  // namespace shardlens::ui

#include "moc_proof_panel.cpp"
