// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/waits_tab.h"

#include "core/audit/words/finding_words.h"
#include "core/diagnose/phase_times.h"
#include "ui/paint/cell_marks.h"
#include "ui/paint/run_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/prediction.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <tuple>

namespace shardlens::ui {
namespace {

constexpr int kTallest = 48;
constexpr int kSmallest = 16;
constexpr int kName = 64;
constexpr std::size_t kFewestBars = 4;
constexpr std::size_t kBarsInSight = 8;  ///< more may give way to what stands beside them
constexpr double kMostWords = 0.6;       ///< of the width

bool contains(const std::vector<qint64>& ranks, qint64 rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

constexpr int kStackedBelow = 600;  ///< width
constexpr int kLowTab = 200;
constexpr std::size_t kPhasesInView = 3;

}  // namespace

WaitBars::WaitBars(QWidget* parent) : QWidget(parent) {
  setObjectName("waitBars");
  setAccessibleName(phrase("run", "Waiting of each rank"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
}

void WaitBars::setSelected(std::vector<qint64> ranks) {
  if (ranks == selected_) return;
  selected_ = std::move(ranks);
  update();
}

void WaitBars::setOnly(std::vector<qint64> ranks) {
  only_ = std::move(ranks);
  update();
}

std::vector<qint64> WaitBars::shownRanks() const {
  std::vector<qint64> ranks;
  for (const WaitRow& row : shown()) ranks.push_back(row.rank);
  return ranks;
}

void WaitBars::setRows(std::vector<WaitRow> rows, bool is_predicted) {
  rows_ = std::move(rows);
  is_predicted_ = is_predicted;
  setAccessibleDescription(noWaitText(rows_, is_predicted_));
  updateGeometry();
  update();
}

QSize WaitBars::minimumSizeHint() const {
  const auto rows = static_cast<int>(std::clamp(rows_.size(), kFewestBars, kBarsInSight));
  return {px(240), rows * px(kSmallest)};
}

double WaitBars::pitch() const {
  const double room = static_cast<double>(height()) / static_cast<double>(std::max<std::size_t>(1, rows_.size()));
  return std::clamp<double>(room, px(kSmallest), px(kTallest));
}

/// All of them; when there are too many, the culprits, then those that are last most often.
std::vector<WaitRow> WaitBars::shown() const {
  if (!noWaitText(rows_, is_predicted_).isEmpty()) return {};
  const auto room = static_cast<std::size_t>(std::max(1.0, height() / pitch()));
  std::vector<WaitRow> rows = rows_;
  if (!only_.empty()) std::erase_if(rows, [this](const WaitRow& row) { return !contains(only_, row.rank); });
  if (rows.size() <= room) return rows;
  const auto is_selected = [this](const WaitRow& row) { return !selected_.empty() && row.rank == selected_.front(); };
  std::ranges::stable_sort(rows, [&](const WaitRow& a, const WaitRow& b) {
    return std::tuple(is_selected(a), a.is_culprit, a.last_share) >
           std::tuple(is_selected(b), b.is_culprit, b.last_share);
  });
  rows.resize(room);
  return rows;
}

void WaitBars::paintRow(QPainter& painter, const QRectF& place, const WaitRow& row, const Scale& scale) const {
  const Theme& colours = theme();
  if (contains(selected_, row.rank)) paintRowBand(painter, place.adjusted(0, 1, -1, -1), false, true, colours);
  painter.setPen(row.is_culprit ? colours.warning : colours.text);
  painter.drawText(QRectF(place.left(), place.top(), px(kName), place.height()), Qt::AlignVCenter,
                   phrase("run", "rank %1").arg(row.rank));
  const QRectF track(place.left() + px(kName), place.center().y() - px(5), place.width() - px(kName) - scale.words,
                     px(10));
  painter.setPen(Qt::NoPen);
  if (row.share < 0) {
    paintHatch(painter, track, mix(colours.faint, colours.panel, 0.5), 3);
  } else {
    painter.setBrush(colours.cell_empty);
    painter.drawRoundedRect(track, 3, 3);
    QRectF bar = track;
    const bool is_part = row.wait_ns < scale.most_ns;  // where the longest wait is without end, the others are none
    bar.setWidth(is_part ? track.width() * row.wait_ns / scale.most_ns : row.wait_ns > 0 ? track.width() : 0);
    painter.setBrush(is_predicted_ ? phaseColor(Phase::Wait) : phaseAccent(Phase::Wait));
    if (bar.width() >= 1) painter.drawRoundedRect(bar, 3, 3);
  }
  const QRectF words(track.right() + px(12), place.top(), scale.words - px(12), place.height());
  painter.setPen(row.is_culprit ? colours.warning : colours.muted);
  painter.drawText(words, Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(row.words(), Qt::ElideRight, int(words.width())));
}

void WaitBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(smallFont());
  const QString none = noWaitText(rows_, is_predicted_);
  painter.setPen(theme().muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, none);
  const auto rows = shown();
  Scale scale;
  for (const WaitRow& row : rows) {
    scale.most_ns = std::max(scale.most_ns, row.wait_ns);
    scale.words = std::max<double>(scale.words, painter.fontMetrics().horizontalAdvance(row.words()) + px(16));
  }
  scale.words = std::min(scale.words, kMostWords * width());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    paintRow(painter, {0, static_cast<double>(i) * pitch(), double(width()), pitch()}, rows[i], scale);
  }
  if (!focus_ring_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().accent, 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

/// Up and Down go through the rows.
void WaitBars::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  const std::vector<qint64> ranks = shownRanks();
  if (by == 0 || ranks.empty()) return QWidget::keyPressEvent(event);
  const auto at = selected_.empty() ? ranks.end() : std::find(ranks.begin(), ranks.end(), selected_.front());
  const auto last = static_cast<std::ptrdiff_t>(ranks.size()) - 1;
  const std::ptrdiff_t next = at == ranks.end() ? 0 : std::clamp<std::ptrdiff_t>(at - ranks.begin() + by, 0, last);
  emit rankClicked(ranks[static_cast<std::size_t>(next)]);
}

void WaitBars::focusInEvent(QFocusEvent* event) {
  focus_ring_ = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
  update();
}

void WaitBars::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = false;
  update();
}

void WaitBars::mousePressEvent(QMouseEvent* event) {
  const auto rows = shown();
  const auto row = static_cast<std::size_t>(event->position().y() / pitch());
  if (row < rows.size()) emit rankClicked(rows[row].rank);
}

WaitsTab::WaitsTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] { showWhatIs(); }) {
  setSurface(this, "panel");
  head_ = new LinkLabel(this);
  head_->setObjectName("waitsHead");
  setLook(head_, "role", "title");
  order_ = new ElidedLinks(this);
  order_->setObjectName("arrivalOrder");
  setLook(order_, "tone", "muted");
  owed_ = new LinkLabel("muted", "", this);
  owed_->setObjectName("waitsOwed");
  owed_->setMinimumHeight(owed_->fontMetrics().height());  // a label that wraps asks for far more
  phases_ = new LinkLabel("muted", "", this);
  phases_->setObjectName("phaseTimes");
  phases_->setMinimumHeight(phases_->fontMetrics().height());
  for (LinkLabel* label : {head_, owed_, static_cast<LinkLabel*>(order_)}) {
    connect(label, &LinkLabel::followed, this, [this](const Selected& place) { workspace_.goTo(place); });
  }
  bars_ = new WaitBars(this);
  arrivals_ = new ArrivalPanel(this);
  only_ = new LinkButton({}, "", this);
  only_->setObjectName("onlyRanks");
  connect(only_, &QAbstractButton::clicked, this, [this] {
    const bool all = !bars_->only().empty();
    bars_->setOnly(all ? std::vector<qint64>() : workspace_.selection.current().ranks);
    showOffer();
  });
  auto* head = new QHBoxLayout;
  head->addWidget(head_, 1);
  head->addWidget(only_);
  auto* left = columnIn(nullptr, {}, px(4));
  left->addLayout(head);
  addAll(left, {owed_, phases_, order_});
  left->addSpacing(px(4));
  left->addWidget(bars_, 1);
  row_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
  row_->addLayout(left, 55);
  row_->addWidget(arrivals_, 45);
  fit();
  connect(bars_, &WaitBars::rankClicked, &workspace_.selection, &Selection::selectRank);
  connect(arrivals_, &ArrivalPanel::rankClicked, &workspace_.selection, &Selection::selectRank);
  addPanelMenu(*this,
               {phrase("run", "Waits"), [this] { return asText(); }, [this] { return waitsCsv(bars_->rows()); }});
  connect(&workspace_.selection, &Selection::changed, this, &WaitsTab::followSelection);
  followSelection();
  connect(&workspace_.runs, &RunService::stateChanged, &refresh_, &Refresh::want);
  connect(&workspace_.runs, &RunService::runFileChanged, this, &WaitsTab::forgetPhases);
  connect(&workspace_.runs, &RunService::activeChanged, &refresh_, &Refresh::want);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  refresh_.want();
}

void WaitsTab::fit() {
  const QSize room = roomOf(*this);
  const bool narrow = room.width() < px(kStackedBelow);
  const bool low = room.height() < px(kLowTab);
  row_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  row_->setSpacing(px(narrow ? kMargin : 32));
  row_->setContentsMargins(px(kMargin), px(low ? 6 : 12), px(kMargin), px(low ? 6 : 12));
  arrivals_->setMinimumHeight(narrow ? px(150) : 0);
  order_->setVisible(!low);
  showPhases();
}

void WaitsTab::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

QString WaitsTab::asText() const {
  QString out = head_->plain() + '\n';
  if (!owed_->plain().isEmpty()) out += owed_->plain() + '\n';
  if (!phases_->isHidden()) out += phases_->plain() + '\n';
  if (!order_->fullText().isEmpty()) out += order_->fullText() + '\n';
  for (const WaitRow& row : bars_->rows()) out += phrase("run", "rank %1: %2").arg(row.rank).arg(row.words()) + '\n';
  return out;
}

void WaitsTab::followSelection() {
  bars_->setSelected(workspace_.selection.current().ranks);
  arrivals_->setSelected(workspace_.selection.current().ranks);
  showOffer();
}

/// Back to all rows, or what is selected alone.
void WaitsTab::showOffer() {
  only_->offer(
      onlyRanksOffer(bars_->only(), workspace_.selection.current().ranks, static_cast<qint64>(bars_->rows().size())));
}

void WaitsTab::showWhatIs() {
  const RunStatePtr state = workspace_.runOfDesign();
  arrivals_->setVisible(state != nullptr);
  if (state != nullptr) {
    job_.cancel();
    predicted_.reset();
    showRun(*state);
  } else {
    predictSoon();
  }
  showPhases();
}

void WaitsTab::showRun(const RunState& state) {
  head_->setPlain(headlineOf(state).title);
  setOwed(owedText(state));
  const QString order = arrivalOrderText(lastArrivals(state.recent));
  order_->setFull(order.isEmpty()
                      ? phrase("run", "Of the whole run · no collective has completed recently")
                      : phrase("run", "Of the whole run · last collective, in order of arrival: %1").arg(order));
  bars_->setRows(waitRows(state), false);
  arrivals_->setRun(state);
  timePhases();
}

void WaitsTab::timePhases() {
  const RunService& runs = workspace_.runs;
  const auto facts = runs.facts();
  if (timed_ == runs.runFile()) return;
  forgetPhases();
  if (runs.isActive() || facts == nullptr || facts->spec.schedule.empty()) return;
  timed_ = runs.runFile();
  timing_.start(
      [spec = facts->spec, file = timed_.toStdString()](const Work& work) -> std::optional<QString> {
        const auto plan = Plan::make(spec);
        const auto times = plan ? measuredPhases(*plan, file, work) : Result<std::vector<PhaseTime>>(plan.error());
        return text(times ? words::phasesText(*times, kPhasesInView) : words::phasesNotMeasured(times.error()));
      },
      [this](const QString& said) {
        sayPhases(said);
        showPhases();
      });
}

void WaitsTab::forgetPhases() {
  timing_.cancel();
  timed_.clear();
  sayPhases({});
  showPhases();
}

void WaitsTab::sayPhases(const QString& text) {
  if (text != phases_->plain()) phases_->setWithoutLinks(text);
}

/// In a low tab the bars need the room.
void WaitsTab::showPhases() {
  const bool has_room = roomOf(*this).height() >= px(kLowTab);
  phases_->setVisible(has_room && workspace_.runOfDesign() != nullptr && !phases_->plain().isEmpty());
}

void WaitsTab::setOwed(const QString& text) {
  owed_->setPlain(text);
  owed_->setVisible(!text.isEmpty());
}

void WaitsTab::predictSoon() {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (snapshot == predicted_) return;
  predicted_ = snapshot;
  job_.cancel();
  if (!snapshot->plan) return sayNoPrediction(phrase("run", "There is no plan to predict from"));
  if (snapshot->shape == nullptr) return sayNoPrediction(phrase("run", "Counting the steps…"));
  if (snapshot->hang == nullptr) return sayNoPrediction(phrase("run", "Following the schedule…"));
  const ScheduleHang& hang = *snapshot->hang;
  if (!hang || *hang) return showHang(hang, *snapshot->plan);
  predictLanes(snapshot);
}

void WaitsTab::predictLanes(const PlanSnapshotPtr& snapshot) {
  const auto predict = [snapshot](const Work& work) {
    return std::optional(predictedLanes(*snapshot->plan, *snapshot->shape, 0, work));
  };
  job_.start(predict, [this, snapshot](const Result<std::shared_ptr<const Timeline>>& lanes) {
    if (!lanes) {
      return sayNoPrediction(phrase("run", "The waits cannot be predicted"), text(lanes.error().text()));
    }
    setOwed({});
    head_->setPlain(phrase("run", "Predicted waits"));
    order_->setFull(
        snapshot->spec.schedule.empty()
            ? phrase("run", "Estimated from load_ms and compute_ms; network time is not included")
            : phrase("run",
                     "Estimated from the schedule, load_ms and compute_ms; network time as far as the schedule says "
                     "it"));
    bars_->setRows(waitRows(**lanes), true);
  });
}

void WaitsTab::sayNoPrediction(const QString& title, const QString& why) {
  head_->setPlain(title);
  setOwed(why);
  order_->setFull({});
  bars_->setRows({}, true);
}

void WaitsTab::showHang(const ScheduleHang& hang, const Plan& plan) {
  if (!hang) {
    return sayNoPrediction(phrase("run", "Whether the schedule hangs is not known"), text(hang.error().text()));
  }
  order_->setFull({});
  const schedule::Schedule schedule(plan);
  bars_->setRows(waitRows(schedule, **hang), true);
  const words::FindingWords words = words::scheduleHangs(schedule, **hang);
  head_->setPlain(text(words.title));
  setOwed(text(words.message));
}

}  // namespace shardlens::ui

#include "moc_waits_tab.cpp"
