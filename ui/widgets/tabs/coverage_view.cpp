// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/coverage_view.h"

#include "ui/plot/coverage_plot.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/flight.h"
#include "ui/scene/tabs/overlap_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/tabs/audit_parts.h"

#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr std::array kShares = {4, 6, 4};           ///< bars, curve and ids
constexpr std::array kSharesOfNarrow = {6, 9, 11};  ///< ids need their caption

QVBoxLayout* captioned(QLabel* caption, QWidget* plot) {
  auto* column = columnIn(nullptr, {}, px(4));
  column->addWidget(caption);
  column->addWidget(plot, 1);
  return column;
}

/// Above a plot that must not move with the words.
QLabel* plotCaption() {
  QLabel* caption = textLabel({}, "muted");
  caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return caption;
}

/// The whole sentence, or its short form where there is no room; the tip has all of it.
void sayAbove(QLabel* caption, int room, const QString& whole, const QString& brief) {
  caption->setText(caption->fontMetrics().horizontalAdvance(whole) <= room ? whole : brief);
  caption->setToolTip(whole);
}

constexpr qint64 kCurvePoints = 400;

}  // namespace

CoverageView::CoverageView(QWidget* parent)
    : QWidget(parent),
      title_(new LinkLabel(this)),
      facts_(new LinkLabel("muted", "", this)),
      epochs_(new ChoiceField),
      times_(new TimesSeenPlot),
      curve_(new CoveragePlot),
      times_caption_(plotCaption()),
      progress_(plotCaption()),
      lists_(new ChoiceField),
      ids_(new IdList) {
  setLook(title_, "role", "title");
  for (LinkLabel* label : {title_, facts_}) connect(label, &LinkLabel::followed, this, &CoverageView::placeWanted);
  connect(curve_, &CoveragePlot::stepChosen, this, [this](qint64 step) {
    emit placeWanted({{}, curve_epoch_, step, {}});
  });
  // The ids behind a bar: samples that are never seen are missing, those seen often are duplicated.
  connect(times_, &TimesSeenPlot::timesChosen, this, [this](qint64 times) {
    const Ledger* shown = coverage();
    if (shown == nullptr || times == 1) return;
    setList(times == 0 ? Missing : onlyPaddingRepeats(*shown) ? Padding : Duplicated);
  });
  facts_->setMinimumHeight(facts_->fontMetrics().height());  // a label that wraps asks for far more
  epochs_->setAccessibleName(tr("Epoch"));
  lists_->setAccessibleName(tr("Which ids"));
  lists_->setMinimumContentsLength(6);
  lists_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);

  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(epochs_);
  auto* list = columnIn(nullptr, {}, px(2));
  list->addWidget(lists_);
  list->addWidget(ids_, 1);
  auto* row = parts_ = new QHBoxLayout;
  row->addLayout(captioned(times_caption_, times_));
  row->addLayout(captioned(progress_, curve_));
  row->addLayout(list);
  auto* column = columnIn(this, {px(kMargin), px(kGap), px(kMargin), px(kGap)}, px(2));
  column->addLayout(head);
  column->addWidget(facts_);
  column->addSpacing(px(4));
  column->addLayout(row, 1);

  connect(epochs_, &QComboBox::currentIndexChanged, this, &CoverageView::showEpoch);
  connect(lists_, &QComboBox::currentIndexChanged, this, &CoverageView::showList);
}

void CoverageView::setReport(std::shared_ptr<const AuditReport> report) {
  report_ = std::move(report);
  curve_epoch_.reset();
  fillEpochs();
  showEpoch();
}

void CoverageView::fillEpochs() {
  const QSignalBlocker quiet(epochs_);
  const QVariant before = epochs_->currentData();
  epochs_->clear();
  std::vector<qint64> epochs;
  for (const Ledger& coverage : report_->coverage) epochs.push_back(coverage.epoch);
  std::sort(epochs.begin(), epochs.end());
  for (const qint64 epoch : epochs) epochs_->addItem(tr("epoch %1").arg(epoch), QVariant::fromValue(epoch));
  if (!epochs.empty()) epochs_->setMinimumContentsLength(static_cast<int>(tr("epoch %1").arg(epochs.back()).size()));
  epochs_->setCurrentIndex(std::clamp(epochs_->findData(before), 0, epochs_->count() - 1));
  epochs_->setVisible(epochs_->count() > 1);
}

void CoverageView::setEpoch(qint64 epoch) {
  const int index = epochs_->findData(QVariant::fromValue<qint64>(epoch));
  if (index >= 0) epochs_->setCurrentIndex(index);
}

const Ledger* CoverageView::coverage() const {
  if (!report_ || epochs_->currentIndex() < 0) return nullptr;
  const qint64 epoch = epochs_->currentData().toLongLong();
  const auto found =
      std::ranges::find_if(report_->coverage, [epoch](const Ledger& ledger) { return ledger.epoch == epoch; });
  return found == report_->coverage.end() ? nullptr : &*found;
}

std::optional<qint64> CoverageView::epoch() const {
  const Ledger* shown = coverage();
  return shown ? std::optional<qint64>(shown->epoch) : std::nullopt;
}

void CoverageView::showEpoch() {
  const Ledger* shown = coverage();
  if (shown == nullptr) return;
  const CoverageVerdict verdict = coverageVerdict(*shown);
  title_->setPlain(verdict.title);
  setLook(title_, "tone", verdict.tone == Tone::Fine ? "fine" : "");
  facts_->setPlain(verdict.facts);
  facts_->setToolTip(verdict.facts);
  times_->setBars(timesSeen(*shown), onlyPaddingRepeats(*shown));
  {
    const QSignalBlocker quiet(lists_);
    const int before = lists_->currentIndex();
    lists_->clear();
    lists_->addItem(tr("missing: %1").arg(number(shown->missing)));
    lists_->addItem(tr("duplicated: %1").arg(number(shown->duplicated)));
    lists_->addItem(tr("padding: %1").arg(number(shown->padding())));
    const int first = shown->missing > 0 ? Missing : shown->duplicated > 0 ? Duplicated : Padding;
    lists_->setCurrentIndex(before >= 0 ? before : first);
  }
  showList();
  if (curve_epoch_ != shown->epoch) emit curveWanted(shown->epoch);
  showPlayhead();
}

void CoverageView::showList() {
  const Ledger* shown = coverage();
  if (shown == nullptr) return;
  switch (lists_->currentIndex()) {
    case Missing:
      return ids_->setIds(shown->missing > 0 ? tr("in no batch") : tr("no sample is missing"), shown->missing_ids,
                          shown->missing);
    case Duplicated:
      return ids_->setIds(shown->duplicated > 0 ? tr("in several batches") : tr("no sample is seen twice"),
                          shown->duplicated_ids, shown->duplicated);
    default:
      return ids_->setIds(shown->padding() > 0 ? tr("repeated to come out even") : tr("no padding"), shown->padding_ids,
                          static_cast<qint64>(shown->padding_ids.size()));
  }
}

void CoverageView::setCurve(qint64 epoch, CoverageCurve curve) {
  if (epoch != this->epoch()) return;
  curve_epoch_ = epoch;
  curve_->setCurve(std::move(curve));
  showPlayhead();
  showSelected();
}

void CoverageView::setSelected(const Selected& place) {
  selected_ = place;
  showSelected();
}

void CoverageView::showSelected() {
  const bool here =
      curve_epoch_ && curve_epoch_ == epoch() && selected_.epoch.value_or(playhead_epoch_) == *curve_epoch_;
  curve_->setSelected(here ? selected_.step : std::nullopt);
}

void CoverageView::setPlayhead(qint64 epoch, double position) {
  playhead_epoch_ = epoch;
  playhead_ = position;
  showPlayhead();
}

void CoverageView::showPlayhead() {
  const bool here = curve_epoch_ && curve_epoch_ == epoch() && *curve_epoch_ == playhead_epoch_;
  curve_->setPlayhead(here ? std::optional(playhead_) : std::nullopt);
  showCaptions();
}

void CoverageView::showCaptions() {
  sayAbove(times_caption_, times_->width(), tr("samples, by how often they are seen"), tr("times seen"));
  const bool here = curve_epoch_ && curve_epoch_ == epoch() && *curve_epoch_ == playhead_epoch_;
  const QString by_step = tr("samples seen, by step");
  if (!here) return sayAbove(progress_, curve_->width(), by_step, by_step);
  const CoverageCurve& curve = curve_->curve();
  const qint64 steps = std::min(stepsLanded(playhead_), curve.steps);  // as the dataset strip counts
  const QString seen = number(std::llround(curve.seenAt(static_cast<double>(steps))));
  const QString all = number(curve.dataset_size);
  sayAbove(progress_, curve_->width(), tr("after %1: %2 of %3 seen").arg(countOf(steps, "step"), seen, all),
           tr("%1 of %2 seen").arg(seen, all));
}

void CoverageView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool narrow = width() < px(560);
  const int edge = px(roomOf(*this).height() < px(200) ? 4 : kGap);
  layout()->setContentsMargins(px(kMargin), edge, px(kMargin), edge);
  parts_->setSpacing(px(narrow ? kGap : kMargin + kGap));
  const auto& shares = narrow ? kSharesOfNarrow : kShares;
  for (std::size_t i = 0; i < shares.size(); ++i) parts_->setStretch(static_cast<int>(i), shares[i]);
  layout()->activate();
  showCaptions();
}

QString CoverageView::csv() const {
  const Ledger* shown = coverage();
  return shown == nullptr ? QString() : coverageCsv(*shown);
}

CoverageTab::CoverageTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      view_(new CoverageView),
      pane_(new StatePane(view_)),
      refresh_(this, [this] {
        if (wanted_ && snapshot_ && snapshot_->plan) findCurve(*std::exchange(wanted_, std::nullopt));
        view_->setPlayhead(workspace_.playback.epoch(), workspace_.playback.position());
      }) {
  columnIn(this, {})->addWidget(pane_);
  connect(view_, &CoverageView::curveWanted, this, [this](qint64 epoch) {
    wanted_ = epoch;
    refresh_.want();
  });
  connect(&view_->ids(), &IdList::idChosen, this, [this](qint64 id) { workspace_.goTo({{}, {}, {}, id}); });
  connect(view_, &CoverageView::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  const auto mark = [this] {
    view_->ids().setMarked(workspace_.selection.current().sample);
    view_->setSelected(workspace_.selection.current());
  };
  connect(&workspace_.selection, &Selection::changed, this, mark);
  mark();
  connect(&workspace_.playback, &Playback::moved, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::epochChanged, view_, &CoverageView::setEpoch);
  addPanelMenu(*this, {phrase("tabs", "Coverage"), [this] { return view_->title() + '\n' + view_->facts() + '\n'; },
                       [this] { return view_->csv(); }, view_});
  watchAudit(workspace_, *pane_, [this](const PlanSnapshotPtr& snapshot, const auto& report) {
    walk_.cancel();
    snapshot_ = snapshot;
    view_->setReport(report);
    view_->setEpoch(workspace_.playback.epoch());
    refresh_.want();
  });
}

void CoverageTab::findCurve(qint64 epoch) {
  walk_.start(
      [plan = *snapshot_->plan, epoch](const Work& work) -> std::optional<CoverageCurve> {
        auto curve = coverageCurve(plan, Epoch{epoch}, kCurvePoints, work);
        if (!curve) return std::nullopt;
        return std::move(*curve);
      },
      [this, epoch](CoverageCurve curve) { view_->setCurve(epoch, std::move(curve)); });
}

}  // namespace shardlens::ui

#include "moc_coverage_view.cpp"
