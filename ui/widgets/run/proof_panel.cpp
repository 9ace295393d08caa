// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/proof_panel.h"

#include "ui/paint/proof_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

constexpr int kAxis = 20;

const char* wordsOf(ProofCell cell) {
  switch (cell) {
    case ProofCell::Match:
      return "matches the plan";
    case ProofCell::Mismatch:
      return "does not match the plan";
    case ProofCell::Unchecked:
      return "consumed, but its record was lost: not compared";
    case ProofCell::Ahead:
      return "not consumed yet";
    case ProofCell::None:
      break;
  }
  return "no batch";
}

}  // namespace

ProofView::ProofView(QWidget* parent) : QWidget(parent) {
  setObjectName("proofView");
  setAccessibleName("Planned and consumed batches, rank by rank");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ProofView::setRun(const RunStatePtr& state, std::shared_ptr<const BatchProof> proof,
                       std::shared_ptr<const RunFacts> facts) {
  state_ = state;
  proof_ = std::move(proof);
  facts_ = std::move(facts);
  update();
}

QSize ProofView::minimumSizeHint() const {
  return {px(160), px(60)};
}

QSize ProofView::cells() const {
  return {width(), height() - px(kAxis)};
}

ProofScene ProofView::scene() const {
  return state_ != nullptr && proof_ != nullptr ? proofScene(*state_, *proof_, cells()) : ProofScene();
}

void ProofView::paintEvent(QPaintEvent*) {
  const ProofScene shown = scene();
  if (shown.columns == 0) return;
  QPainter painter(this);
  paintProof(painter, {0, 0}, shown, theme());
  paintSelected(painter, shown);
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  const QRectF axis(0, shown.rows * shown.row_pitch, shown.columns * shown.column_pitch, px(kAxis));
  painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, globalStepText(shown.first_step, facts_.get()));
  painter.drawText(axis, Qt::AlignRight | Qt::AlignVCenter,
                   globalStepText(shown.first_step + shown.columns - 1, facts_.get()));
}

std::optional<ProofView::Spot> ProofView::spotAt(QPoint place) const {
  const ProofScene shown = scene();
  if (shown.columns == 0 || !rect().contains(place)) return std::nullopt;
  Spot spot;
  spot.column = static_cast<int>(place.x() / shown.column_pitch);
  spot.row = static_cast<int>(place.y() / shown.row_pitch);
  if (spot.column >= shown.columns || spot.row >= shown.rows) return std::nullopt;
  const auto ranks = static_cast<qint64>(state_->ranks.size());
  spot.first = (spot.row * ranks + shown.rows - 1) / shown.rows;
  spot.last = ((spot.row + 1) * ranks + shown.rows - 1) / shown.rows - 1;
  return spot;
}

QString ProofView::tipAt(QPoint place) const {
  const auto spot = spotAt(place);
  if (!spot) return {};
  const ProofScene shown = scene();
  const QString who = spot->last > spot->first ? QString("ranks %1-%2, the worst").arg(spot->first).arg(spot->last)
                                               : QString("rank %1").arg(spot->first);
  return QString("%1 · %2\n%3")
      .arg(who, globalStepText(shown.first_step + spot->column, facts_.get()),
           wordsOf(shown.at(spot->row, spot->column)));
}

void ProofView::mousePressEvent(QMouseEvent* event) {
  const auto spot = event->button() == Qt::LeftButton ? spotAt(event->pos()) : std::nullopt;
  if (!spot) return event->ignore();
  Selected place = placeOfStep(scene().first_step + spot->column, facts_.get());
  place.ranks = {spot->first};
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
  for (const qint64 rank : selected_.ranks) {
    if (rank < 0 || rank >= ranks) continue;
    const int row = shown.rowOf(rank, ranks);
    const QRectF last = shown.rect(row, shown.columns - 1);
    painter.drawRect(shown.rect(row, 0).united(last).adjusted(0.5, -0.5, 0, 0.5));
    const qint64 column = step.value_or(-1) - shown.first_step;
    if (step && column >= 0 && column < shown.columns) {
      painter.drawRect(shown.rect(row, static_cast<int>(column)).adjusted(-1, -1, 1, 1));
    }
  }
}

bool ProofView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
  }
  return QWidget::event(event);
}

ProofPanel::ProofPanel(QWidget* parent) : QWidget(parent) {
  auto* head = textLabel("Proof of assignment", "", this);
  setLook(head, "role", "title");
  verdict_ = textLabel({}, "", this);
  verdict_->setWordWrap(true);
  verdict_->setObjectName("proofVerdict");
  view_ = new ProofView(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(px(4));
  column->addWidget(head);
  column->addWidget(verdict_);
  column->addSpacing(px(4));
  column->addWidget(view_, 1);
  addPanelMenu(*this, {"Proof", [this] { return verdictText() + '\n'; }, [this] { return view_->csv(); }});
}

void ProofPanel::setRun(const RunService& runs) {
  if (runs.state() == nullptr) return;
  const ProofVerdict said = proofVerdict(*runs.state(), runs.facts().get());
  verdict_->setText(said.text);
  setLook(verdict_, "tone", said.tone == Tone::Note ? "muted" : toneName(said.tone));
  view_->setRun(runs.state(), runs.proof(), runs.facts());
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
                 .arg(shown.first_step + column)
                 .arg(wordsOf(shown.at(row, column)));
    }
  }
  return out;
}

QString ProofPanel::verdictText() const {
  return verdict_->text();
}

}  // namespace shardlens::ui
