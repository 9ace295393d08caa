// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/overlap_view.h"

#include "ui/plot/matrix_plot.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"

#include <QLinearGradient>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr double kMostMatrixWhereNarrow = 0.34;  ///< of the width

HeatTone heatTone(Tone tone) {
  return tone == Tone::Error ? HeatTone::Error : tone == Tone::Warning ? HeatTone::Warning : HeatTone::Note;
}

HeatTone rankHeatTone(const AuditReport& report) {
  const bool padding = !report.coverage.empty() && onlyPaddingRepeats(report.coverage.front());
  return padding ? HeatTone::Padding : heatTone(rankTone(report));
}

constexpr int kBarWidth = 10;

}  // namespace

OverlapView::OverlapView(QWidget* parent)
    : QWidget(parent),
      matrix_(new MatrixPlot),
      scale_(new HeatScale),
      switch_(new SegmentedControl({tr("ranks"), tr("epochs")})),
      title_(new LinkLabel("", "title", this)),
      reason_(new LinkLabel("muted", "", this)),
      fix_(new FixOffer),
      ids_link_(pushButton(tr("Show the shared ids"), "link")),
      ids_(new IdList) {
  for (LinkLabel* label : {title_, reason_}) connect(label, &LinkLabel::followed, this, &OverlapView::placeWanted);
  connect(ids_, &IdList::idChosen, this, [this](qint64 id) { emit placeWanted({{}, {}, {}, id}); });
  switch_->setAccessibleName(tr("Compare ranks or epochs"));

  head_ = new QBoxLayout(QBoxLayout::LeftToRight);
  head_->setSpacing(px(kGap));
  head_->addWidget(title_, 1);
  head_->addWidget(switch_, 0, Qt::AlignTop | Qt::AlignLeft);
  auto* texts = new QWidget;
  auto* column = columnIn(texts, {}, px(kGap));
  column->addLayout(head_);
  addAll(column, {reason_, fix_});
  column->addWidget(ids_link_, 0, Qt::AlignLeft);
  column->addWidget(ids_, 1);
  column->addStretch();
  auto* row = rowIn(this, {px(kMargin), px(kGap), px(kMargin), px(kGap)}, px(kMargin + kGap));
  auto* picture = rowIn(nullptr, {}, px(kGap));
  picture->addWidget(matrix_, 1);  // as wide as high where there is room, see fitMatrix()
  picture->addWidget(scale_);
  row->addLayout(picture, 3);
  QScrollArea* beside = thinScroll(texts, this);
  beside->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);  // what they say moves no cell of the picture
  row->addWidget(beside, 2);
  setTabOrder(matrix_, switch_);

  connect(matrix_, &MatrixPlot::chosen, this, &OverlapView::choose);
  connect(switch_, &SegmentedControl::currentChanged, this, [this](int index) {
    mode_chosen_ = true;
    setMode(static_cast<Mode>(index));
  });
  connect(fix_, &FixOffer::wanted, this, &OverlapView::fixWanted);
  connect(ids_link_, &QPushButton::clicked, this, [this] {
    ids_wanted_ = true;
    say();
    if (pair_ && !known_ids_) emit sharedIdsWanted(pair_->first, pair_->second);
  });
}

void OverlapView::setReport(std::shared_ptr<const AuditReport> report, qint64 world, qint64 ranks_per_node) {
  report_ = std::move(report);
  world_ = world;
  ranks_per_node_ = ranks_per_node;
  known_ids_.reset();
  if (!mode_chosen_ && usualMode() != mode_) {
    mode_ = usualMode();
    pair_.reset();
    switch_->setCurrent(mode_);
  }
  const qint64 size = mode_ == Ranks ? report_->ranks.size : static_cast<qint64>(report_->repeats.same_as.size());
  if (pair_ && std::max(pair_->first, pair_->second) >= size) pair_.reset();
  showMode();
  if (pair_ && ids_wanted_ && mode_ == Ranks) emit sharedIdsWanted(pair_->first, pair_->second);
}

void OverlapView::setMode(Mode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  pair_.reset();
  known_ids_.reset();
  ids_wanted_ = false;
  switch_->setCurrent(mode);
  if (report_) showMode();
}

/// Epochs, where these are what is wrong: a green sentence about ranks would hide it.
OverlapView::Mode OverlapView::usualMode() const {
  const Tone epochs = epochTone(*report_);
  const bool epochs_are_wrong = epochs == Tone::Error || epochs == Tone::Warning;
  return epochs_are_wrong && rankOverview(*report_, world_).tone == Tone::Fine ? Epochs : Ranks;
}

void OverlapView::setPair(std::optional<Pair> pair) {
  if (mode_ == Epochs || pair == pair_ || !report_) return;
  if (pair && std::max(pair->first, pair->second) >= report_->ranks.size) pair.reset();
  rank_.reset();
  pair_ = pair;
  known_ids_.reset();
  markSelected();
  say();
}

void OverlapView::setRank(qint64 rank) {
  if (mode_ == Epochs || !report_ || rank < 0 || rank >= report_->ranks.size) return;
  pair_.reset();
  known_ids_.reset();
  rank_ = rank;
  markSelected();
  say();
}

void OverlapView::markSelected() {
  std::optional<HeatCell> cell;
  if (rank_ && mode_ == Ranks) cell = HeatCell{*rank_, *rank_};
  if (pair_) cell = HeatCell{pair_->first, pair_->second};
  matrix_->setSelected(cell);
}

void OverlapView::setSharedIds(Pair pair, const std::vector<SampleIndex>& ids) {
  if (pair_ != pair) return;
  known_ids_ = {pair, ids};
  say();
}

qint64 OverlapView::epoch() const {
  return report_ == nullptr || report_->coverage.empty() ? -1 : report_->coverage.front().epoch;
}

void OverlapView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitMatrix();
}

void OverlapView::fitMatrix() {
  // Padding is hatched or not, epochs are equal or not: there is nothing to scale.
  const bool is_graded =
      mode_ == Ranks && report_ && matrix_->rows() > 1 && rankHeatTone(*report_) != HeatTone::Padding;
  scale_->setVisible(is_graded && width() >= px(455));
  const bool is_narrow = width() < px(640);
  head_->setDirection(is_narrow ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight);
  const int most = is_narrow ? static_cast<int>(kMostMatrixWhereNarrow * width()) : width();
  matrix_->setMaximumWidth(std::clamp(matrix_->widthFor(height() - 2 * px(kGap)), 0, std::max(0, most)));
}

void OverlapView::choose(qint64 row, qint64 column) {
  rank_.reset();
  pair_ = {row, column};
  known_ids_.reset();
  say();
  if (mode_ == Epochs) return emit epochChosen(row, column);
  emit pairChosen(row, column);
  // Few ids cost little, and they tell padding from a real overlap.
  const bool few = row != column && sharedOfPair() > 0 && sharedOfPair() <= static_cast<qint64>(kShownIds);
  if (ids_wanted_ || few) emit sharedIdsWanted(row, column);
}

void OverlapView::showMode() {
  if (mode_ == Ranks) {
    matrix_->setTitles(tr("rank"));
    matrix_->setAccessibleName(tr("Shared samples, rank by rank"));
    matrix_->setSentence(
        [report = report_](HeatCell cell) { return pairSentence(report->ranks, cell.row, cell.column); });
    const HeatTone tone = rankHeatTone(*report_);
    matrix_->setHeat(rankHeat(report_->ranks), tone, ranks_per_node_ < world_ ? ranks_per_node_ : 0);
    scale_->setScale(tone, percent(1));
  } else {
    matrix_->setTitles(tr("epoch"));
    matrix_->setAccessibleName(tr("Equal orders, epoch by epoch"));
    matrix_->setSentence(
        [report = report_](HeatCell cell) { return epochSentence(report->repeats, cell.row, cell.column); });
    matrix_->setHeat(epochHeat(report_->repeats), heatTone(epochTone(*report_)), 0);
  }
  markSelected();
  matrix_->setVisible(matrix_->rows() > 1);
  fitMatrix();
  say();
}

qint64 OverlapView::sharedOfPair() const {
  if (!pair_ || mode_ == Epochs || pair_->first == pair_->second) return 0;
  return report_->ranks.at(pair_->first, pair_->second);
}

bool OverlapView::pairIsPadding() const {
  if (report_->coverage.empty()) return false;
  const Ledger& coverage = report_->coverage.front();
  if (onlyPaddingRepeats(coverage)) return true;
  if (!known_ids_ || static_cast<qint64>(known_ids_->second.size()) < sharedOfPair()) return false;
  return std::ranges::all_of(known_ids_->second, [&coverage](SampleIndex id) {
    return std::binary_search(coverage.padding_ids.begin(), coverage.padding_ids.end(), id);
  });
}

void OverlapView::say() {
  if (mode_ == Epochs) {
    present(pair_ ? epochVerdict(*report_, pair_->first, pair_->second) : epochOverview(*report_));
  } else {
    present(pair_ ? rankVerdict(*report_, pair_->first, pair_->second, pairIsPadding())
                  : rankOverview(*report_, world_));
  }
}

void OverlapView::present(const OverlapVerdict& verdict) {
  title_->setPlain(verdict.title);
  setLook(title_, "tone", verdict.tone == Tone::Fine ? "fine" : "");
  reason_->setPlain(verdict.reasons.join('\n'));
  reason_->setVisible(!verdict.reasons.isEmpty());
  fix_->setFix(verdict.fix);
  const qint64 shared = sharedOfPair();
  ids_link_->setVisible(shared > 0 && !ids_wanted_);
  ids_->setVisible(shared > 0 && ids_wanted_);
  if (!ids_->isVisibleTo(this)) return;
  const QString caption = tr("%1 shared").arg(countOf(shared, "id"));
  if (known_ids_) {
    ids_->setIds(caption, known_ids_->second, shared);
  } else {
    ids_->setIds(tr("Looking up %1").arg(caption), {}, 0);
  }
}

HeatScale::HeatScale(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void HeatScale::setScale(HeatTone tone, const QString& most) {
  tone_ = tone;
  most_ = most;
  setAccessibleName(tr("Scale of the colours: none to %1").arg(most));
  setToolTip(tr("Shares below a thousandth have the colour of zero."));
  updateGeometry();
  update();
}

QSize HeatScale::sizeHint() const {
  const QFontMetrics metrics(smallFont());
  return {px(kBarWidth) + px(5) + std::max(metrics.horizontalAdvance(most_), metrics.horizontalAdvance("0")),
          3 * metrics.height()};
}

void HeatScale::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(smallFont());
  const int line = painter.fontMetrics().height();
  const QRect bar(0, 2, px(kBarWidth), std::min(height() - 4, px(140)));
  const HeatColours colours = HeatColours::forTone(tone_);
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  gradient.setColorAt(0, colours.empty);
  gradient.setColorAt(1, colours.hot);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 2, 2);
  painter.setPen(theme().muted);
  const int left = bar.right() + px(5);
  painter.drawText(QRect(left, bar.top() - 1, width() - left, line), Qt::AlignLeft | Qt::AlignTop, most_);
  painter.drawText(QRect(left, bar.bottom() - line + 1, width() - left, line), Qt::AlignLeft | Qt::AlignBottom,
                   QStringLiteral("0"));
}

OverlapTab::OverlapTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), view_(new OverlapView), pane_(new StatePane(view_)) {
  columnIn(this, {})->addWidget(pane_);
  connect(view_, &OverlapView::pairChosen, this, [this](qint64 a, qint64 b) {
    Selected selected = workspace_.selection.current();
    selected.ranks = a == b ? std::vector<qint64>{a} : std::vector<qint64>{a, b};
    workspace_.selection.select(std::move(selected));
  });
  connect(view_, &OverlapView::epochChosen, this,
          [this](qint64 a, qint64 b) { workspace_.playback.seek(std::max(a, b), 0); });
  connect(view_, &OverlapView::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  connect(view_, &OverlapView::sharedIdsWanted, this, &OverlapTab::findSharedIds);
  connect(view_, &OverlapView::fixWanted, this, [this](const Fix& fix) { applyFix(workspace_.document, *pane_, fix); });
  connect(&workspace_.selection, &Selection::changed, this, &OverlapTab::followSelection);
  connect(&workspace_.document, &Document::leaving, view_, &OverlapView::forgetMode);
  addPanelMenu(*this, {phrase("tabs", "Overlap"), [this] { return view_->title() + '\n' + view_->reason() + '\n'; },
                       [this] { return view_->csv(); }, view_});
  watchAudit(workspace_, *pane_, [this](const PlanSnapshotPtr& snapshot, const auto& report) {
    lookup_.cancel();
    snapshot_ = snapshot;
    report_ = report;
    view_->setReport(report, snapshot->spec.worldSize(),
                     snapshot->spec.world.ranks_per_node.ofEveryNode().value_or(snapshot->spec.worldSize()));
    followSelection();
  });
}

void OverlapTab::followSelection() {
  const auto& ranks = workspace_.selection.current().ranks;
  view_->setMarkedSample(workspace_.selection.current().sample);
  if (ranks.size() == 2) {
    view_->setPair(OverlapView::Pair{ranks[0], ranks[1]});
  } else if (ranks.size() == 1) {
    view_->setRank(ranks[0]);
  } else if (ranks.empty()) {
    view_->setPair(std::nullopt);
  }
  ranks.size() <= 1 ? findSharingRanks() : sharing_.cancel();
}

/// A selected sample that several ranks get marks their cell: its rank with the first of the others.
void OverlapTab::findSharingRanks() {
  const Selected& selected = workspace_.selection.current();
  const bool is_one = selected.sample && selected.samples == 1;
  if (!is_one || !snapshot_ || !snapshot_->epoch || snapshot_->epoch->epoch.value != view_->epoch()) {
    return sharing_.cancel();
  }
  sharing_.start([epoch = snapshot_->epoch, sample = *selected.sample](
                     const Work& work) { return std::optional(findCells(*epoch, {sample}, work)); },
                 [this](const std::vector<CellAddress>& cells) {
                   const Selected& now = workspace_.selection.current();
                   const qint64 rank = !now.ranks.empty() ? now.ranks.front() : cells.empty() ? 0 : cells.front().rank;
                   const auto other =
                       std::ranges::find_if(cells, [rank](const CellAddress& cell) { return cell.rank != rank; });
                   if (other != cells.end()) view_->setPair(std::minmax(rank, other->rank));
                 });
}

void OverlapTab::findSharedIds(qint64 a, qint64 b) {
  if (!snapshot_ || !snapshot_->plan) return;
  const auto& coverage = report_->coverage;
  const Epoch epoch{coverage.empty() ? 0 : coverage.front().epoch};
  lookup_.start(
      [plan = *snapshot_->plan, epoch, a, b](const Work& work) -> std::optional<std::vector<SampleIndex>> {
        auto ids = sharedSamples(plan, epoch, Rank{a}, Rank{b}, kShownIds, work);
        if (!ids) return std::nullopt;
        return std::move(*ids);
      },
      [this, a, b](const std::vector<SampleIndex>& ids) {
        view_->setSharedIds({a, b}, ids);
      });
}

}  // namespace shardlens::ui

#include "moc_overlap_view.cpp"
