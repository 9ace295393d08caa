// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/all_reduce_view.h"

#include "ui/paint/all_reduce_paint.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kStackedRounds = 900;  ///< below this width
constexpr int kLeastRounds = 240;    ///< width

}  // namespace

RoundsView::RoundsView(Playback& playback, QWidget* parent) : QWidget(parent), playback_(playback) {
  setObjectName("rounds");
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(phrase("tabs", "Rounds of the all-reduce"));
  setTips(this, [this](QPoint place) { return tipAt(place); });
  connect(&playback_, &Playback::moved, this, [this] {
    if (done() != shown_) showRound();
  });
}

void RoundsView::setScene(const AllReduceScene& scene) {
  scene_ = scene;
  setVisible(!scene_.drawn.empty());
  updateGeometry();
  showRound();
}

void RoundsView::showRound() {
  shown_ = done();
  QStringList words;
  for (const ReduceRounds& rounds : scene_.drawn) words += reduceWords(scene_, rounds, shown_);
  setAccessibleDescription(words.join('\n'));
  update();
}

double RoundsView::heightOfOne() const {
  return reduceRoundsHeight(QFontMetricsF(smallFont()), scene_.ranks.size());
}

QSize RoundsView::minimumSizeHint() const {
  return {px(kLeastRounds), static_cast<int>(std::ceil(heightOfOne()))};
}

int RoundsView::heightForWidth(int width) const {
  const auto stacked = width < px(kStackedRounds) ? static_cast<double>(scene_.drawn.size()) : 1.0;
  return static_cast<int>(std::ceil(heightOfOne() * stacked));
}

QRectF RoundsView::areaOf(std::size_t way) const {
  const auto before = static_cast<double>(way);
  if (width() < px(kStackedRounds)) return {0, before * heightOfOne(), static_cast<double>(width()), heightOfOne()};
  const auto ways = static_cast<double>(scene_.drawn.size());
  const double apart = px(24);
  const double each = (width() - (ways - 1) * apart) / ways;
  return {before * (each + apart), 0, each, heightOfOne()};
}

QString RoundsView::tipAt(QPoint place) const {
  QStringList lines;
  for (std::size_t way = 0; way < scene_.drawn.size(); ++way) {
    const QRectF area = areaOf(way);
    if (!area.contains(place)) continue;
    const ReduceRounds& rounds = scene_.drawn[way];
    const auto row = reduceRowAt(QFontMetricsF(smallFont()), place.y() - area.top(), scene_.ranks.size());
    const std::size_t moment = std::min(shown_, rounds.rounds());
    if (!row || rounds.rows[moment][*row].values.isEmpty()) continue;
    lines += phrase("tabs", "rank %1 has %2")
                 .arg(scene_.ranks.at(static_cast<qsizetype>(*row)), rounds.rows[moment][*row].values);
    if (moment < rounds.rounds())
      lines += phrase("tabs", "after this round: %1").arg(rounds.rows[moment + 1][*row].values);
  }
  lines += phrase("tabs", "The more ranks a chunk is reduced from, the stronger its colour.");
  return lines.join('\n');
}

void RoundsView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(smallFont());
  for (std::size_t way = 0; way < scene_.drawn.size(); ++way)
    paintReduceRounds(painter, areaOf(way), scene_, scene_.drawn[way], shown_, theme());
  if (!showsFocusRing(*this)) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().accent, 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

AllReduceView::AllReduceView(QWidget* parent)
    : QWidget(parent),
      title_(new ElidedLabel),
      choice_(new ChoiceField),
      back_(new TransportButton(TransportButton::Sign::StepBack, phrase("tabs", "One round back"),
                                phrase("tabs", "Left"))),
      play_(new TransportButton(TransportButton::Sign::Play, phrase("tabs", "Play"), phrase("tabs", "Space"))),
      on_(new TransportButton(TransportButton::Sign::StepOn, phrase("tabs", "One round forward"),
                              phrase("tabs", "Right"))),
      sentences_(noteLabel({})),
      rounds_(new RoundsView(playback_)) {
  playback_.setLoops(false);
  playback_.setSpeed(1);
  setLook(title_, "role", "title");
  choice_->setObjectName("allReduces");
  choice_->setAccessibleName(phrase("tabs", "Which all-reduce"));
  auto* head = new QHBoxLayout;
  head->setSpacing(px(2));
  head->addWidget(title_, 1);
  head->addWidget(choice_);
  head->addSpacing(px(kGap));
  for (TransportButton* button : {back_, play_, on_}) head->addWidget(button);
  auto* column = columnIn(this, {px(kMargin), px(kGap), px(kMargin), px(kGap)}, px(4));
  column->addLayout(head);
  column->addWidget(sentences_);
  column->addSpacing(px(4));
  column->addWidget(rounds_);
  column->addStretch(1);
  connect(choice_, &QComboBox::currentIndexChanged, this, &AllReduceView::showCall);
  const auto on_click = [this](TransportButton* button, auto act) {
    connect(button, &QAbstractButton::clicked, this, [this, button, act] {
      act();
      if (!button->hasFocus()) rounds_->setFocus(Qt::MouseFocusReason);  // the keys of its tip work from here on
    });
  };
  on_click(back_, [this] { playback_.stepBy(-1); });
  on_click(play_, [this] { playback_.toggle(); });
  on_click(on_, [this] { playback_.stepBy(1); });
  connect(&playback_, &Playback::playingChanged, this, [this](bool playing) {
    using Sign = TransportButton::Sign;
    play_->setSign(playing ? Sign::Pause : Sign::Play, playing ? phrase("tabs", "Pause") : phrase("tabs", "Play"),
                   phrase("tabs", "Space"));
    if (!playing) playback_.seek(0, static_cast<double>(rounds_->done()));  // what is shown: a step back is seen
  });
}

void AllReduceView::setCalls(std::vector<schedule::AllReduce> calls) {
  if (calls == calls_) return;  // another part of the design was edited: the round stays
  const int before = choice_->currentIndex();
  const auto shown = before < 0 ? schedule::AllReduce() : calls_[static_cast<std::size_t>(before)];
  calls_ = std::move(calls);
  auto first = std::ranges::find(calls_, reducePlace(shown), reducePlace);
  if (first == calls_.end())
    first = std::ranges::find_if(calls_, [](const schedule::AllReduce& call) { return !call.given.empty(); });
  {
    const QSignalBlocker quiet(choice_);
    choice_->clear();
    for (const schedule::AllReduce& call : calls_) choice_->addItem(reducePlace(call));
    choice_->setCurrentIndex(first == calls_.end() ? 0 : static_cast<int>(first - calls_.begin()));
  }
  choice_->setVisible(calls_.size() > 1);
  if (calls_[static_cast<std::size_t>(choice_->currentIndex())] != shown) showCall();  // else the round stays
}

void AllReduceView::showCall() {
  if (choice_->currentIndex() < 0) return;
  playback_.pause();
  scene_ = allReduceScene(calls_[static_cast<std::size_t>(choice_->currentIndex())]);
  title_->setFullText(scene_.title);
  title_->setToolTip(scene_.tip);
  sentences_->setText(scene_.sentences.join('\n'));
  playback_.seek(0, 0);
  playback_.setExtent(1, static_cast<qint64>(scene_.rounds()));
  rounds_->setScene(scene_);
  for (TransportButton* button : {back_, play_, on_}) button->setVisible(!scene_.drawn.empty());
}

void AllReduceView::keyPressEvent(QKeyEvent* event) {
  if (!handleTransportKey(playback_, *event)) QWidget::keyPressEvent(event);
}

AllReduceTab::AllReduceTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      view_(new AllReduceView),
      pane_(new StatePane(view_)),
      refresh_(this, [this] { showWhatIs(); }) {
  columnIn(this, {})->addWidget(pane_);
  addPanelMenu(*this, {phrase("tabs", "All-reduce"),
                       [this] { return pane_->showsContent() ? view_->text() : pane_->message() + '\n'; },
                       {},
                       view_});
  connect(&workspace_.document, &Document::leaving, pane_, &StatePane::clear);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  refresh_.want();
}

void AllReduceTab::showWhatIs() {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (snapshot == shown_) return;
  shown_ = snapshot;
  job_.cancel();
  if (!snapshot->issues.empty()) return pane_->showStale(text(snapshot->issues.front().text()));
  if (!snapshot->plan) return;
  job_.start(
      [snapshot](const Work& /*work*/) {
        std::vector<schedule::AllReduce> calls = allReduceCalls(schedule::Schedule(*snapshot->plan));
        std::erase_if(calls, [](const schedule::AllReduce& call) { return call.ranks.size() < 2; });
        return std::optional(std::move(calls));
      },
      [this, has_schedule = !snapshot->spec.schedule.empty()](std::vector<schedule::AllReduce> calls) {
        take(std::move(calls), has_schedule);
      });
}

void AllReduceTab::take(std::vector<schedule::AllReduce> calls, bool has_schedule) {
  if (calls.empty()) {
    return pane_->showMessage(
        phrase("tabs", "No all_reduce to follow"),
        has_schedule
            ? phrase("tabs", "The schedule has no all_reduce that every rank of a group of two or more calls.")
            : phrase("tabs", "The design has no schedule. With an all_reduce in it, its rounds are shown here."));
  }
  view_->setCalls(std::move(calls));
  pane_->showContent();
}

}  // namespace shardlens::ui

#include "moc_all_reduce_view.cpp"
