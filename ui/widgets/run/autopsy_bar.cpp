// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/autopsy_bar.h"

#include "core/base/text.h"
#include "core/collect/job_proof.h"
#include "core/plan/diff.h"
#include "ui/scene/run/recording_row.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/state/recording_library.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kSliderSteps = 10'000;
constexpr double kNsInMs = 1e6;

/// "00:14:22.350": the hundredths matter when a step takes some of them.
QString preciseText(qint64 ns) {
  return clockText(ns) + QString(".%1").arg(ns / 1'000'000 % 1000, 3, 10, QChar('0'));
}

/// A sentence that becomes a part of another one.
QString withoutStop(QString sentence) {
  while (sentence.endsWith('.') || sentence.endsWith(QChar(0x3002))) sentence.chop(1);
  return sentence;
}

}  // namespace

AutopsyBar::AutopsyBar(Workspace& workspace, QWidget* parent)
    : QWidget(parent), document_(workspace.document), runs_(workspace.runs), capture_(workspace.capture) {
  setObjectName("autopsyBar");
  buildControls();
  timer_.setInterval(50);
  connect(&timer_, &QTimer::timeout, this, &AutopsyBar::tick);
  connect(&runs_, &RunService::runFileChanged, this, [this] {
    setPlaying(false);
    job_.cancel();
    compare_.cancel();
    verified_.clear();
  });
  connect(&document_, &Document::specChanged, this, [this] {
    if (!verified_.isEmpty()) compareSoon();
  });
}

void AutopsyBar::buildControls() {
  auto* open = pushButton(phrase("run", "Open…"), "quiet", this);
  open->setToolTip(phrase("run", "Open another recording"));
  connect(open, &QPushButton::clicked, this, &AutopsyBar::openWanted);
  file_ = new ElidedLabel({}, this);
  setLook(file_, "tone", "muted");
  file_->setMaximumWidth(px(200));
  play_ = new TransportButton(TransportButton::Sign::Play, phrase("run", "Play the recording"), "Space", this);
  play_->setObjectName("autopsyPlay");
  connect(play_, &TransportButton::clicked, this, [this] { setPlaying(!isPlaying()); });
  speed_ = new ChoiceField(this);
  speed_->setAccessibleName(phrase("run", "Speed"));
  for (const double speed : {0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 20.0}) speed_->addItem(QString("%1 ×").arg(speed), speed);
  speed_->setCurrentIndex(3);
  speed_->setFixedWidth(px(72));
  slider_ = new ThinSlider(phrase("run", "Time in the run"), this);
  slider_->setObjectName("autopsySlider");
  slider_->setRange(0, kSliderSteps);
  slider_->setPageStep(kSliderSteps / 20);
  slider_->setSingleStep(kSliderSteps / 200);
  connect(slider_, &ThinSlider::valueChanged, this, [this](int value) {
    setPlaying(false);
    seekTo(value == kSliderSteps ? -1 : std::llround(double(value) / kSliderSteps * double(runs_.duration())));
  });
  clock_ = textLabel({}, "muted", this);
  verify_ = new ElidedLinks(this);
  connect(verify_, &LinkLabel::followed, this, &AutopsyBar::placeWanted);
  verify_->setObjectName("verify");
  auto* row = rowIn(this, {px(kMargin), px(6), px(kMargin), px(6)}, px(10));
  addAll(row, {open, makeCompareMenu(), file_, play_, speed_});
  row->addWidget(slider_, 1);
  addAll(row, {clock_, verify_});
}

QToolButton* AutopsyBar::makeCompareMenu() {
  auto* compare = new QToolButton(this);
  compare->setObjectName("autopsyCompare");
  compare->setText(tr("Compare ▾"));
  compare->setToolTip(tr("Put another recording, or the prediction, beside this run"));
  compare->setAccessibleName(tr("Compare with"));
  compare->setPopupMode(QToolButton::InstantPopup);
  compare->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(compare);
  menu->setToolTipsVisible(true);
  compare->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillCompareMenu(*menu); });
  compare_menu_ = compare;
  return compare;
}

void AutopsyBar::openCompareMenu() {
  compare_menu_->showMenu();
}

/// The runs of this machine but the one in view, newest first.
void AutopsyBar::fillCompareMenu(QMenu& menu) {
  constexpr int kMost = 12;
  menu.clear();
  menu.addAction(tr("Its plan, predicted"), this, &AutopsyBar::comparePlanWanted);
  menu.addAction(tr("The open design, predicted"), this, &AutopsyBar::compareDesignWanted);
  QAction* batches = menu.addAction(tr("The open design, batch by batch"), this, [this](bool wanted) {
    capture_.compareWithDesign(wanted ? std::optional(document_.spec()) : std::nullopt);
  });
  batches->setToolTip(tr("Whether its loaders read what the open design plans"));
  batches->setCheckable(true);
  batches->setChecked(capture_.otherDesign().has_value());
  batches->setEnabled(capture_.canCompare());
  menu.addSeparator();
  int listed = 0;
  for (const KnownRun& run : runs_.knownRuns()) {
    const QString file = QString::fromStdString(run.run_file.string());
    if (file == runs_.runFile() || ++listed > kMost) continue;
    const QString when = whenText(run.started_s, QDateTime::currentDateTime());
    QAction* action = menu.addAction(QString::fromStdString(run.name) + "  " + when, this,
                                     [this, file] { emit compareWanted(file); });
    action->setToolTip(file);
  }
  menu.addSeparator();
  menu.addAction(tr("Another file…"), this, [this] {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Compare with a recording"), runs_.recordingsFolder(), recordingFilter());
    if (file.isEmpty()) return;
    const QString recording = recordingAt(file);  // the dialog shows the files of a recording that is a folder
    emit compareWanted(recording.isEmpty() ? file : recording);
  });
}

void AutopsyBar::refresh() {
  const RunStatePtr state = runs_.state();
  if (state == nullptr) return;
  file_->setFullText(state->name.empty() ? phrase("run", "recording") : QString::fromStdString(state->name));
  file_->setToolTip(runs_.runFile());
  const double share = runs_.duration() > 0 ? double(moment()) / double(runs_.duration()) : 1;
  if (!slider_->isSliderDown()) {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(static_cast<int>(std::lround(share * kSliderSteps)));
  }
  showClock();
  if (verified_ != runs_.runFile()) verifySoon();
}

void AutopsyBar::showClock() {
  const QString both = preciseText(moment()) + " / " + preciseText(runs_.duration());
  clock_->setText(isNarrow() ? preciseText(moment()) : both);
  clock_->setToolTip(isNarrow() ? both : QString());
}

/// Once for a recording that is over: the same comparison as `shardlens verify` makes, off this thread.
void AutopsyBar::verifySoon() {
  const auto facts = runs_.facts();
  if (runs_.isActive() || facts == nullptr || facts->planned_batches == 0) return verify_->setFull({});
  verified_ = runs_.runFile();
  said_ = phrase("run", "verifying…");
  found_ = false;
  differs_.clear();
  showText();
  compareSoon();
  setLook(verify_, "tone", "muted");
  job_.start(
      [spec = facts->spec, file = verified_.toStdString()](const Work& work) -> std::optional<ProofVerdict> {
        const auto plan = Plan::make(spec);
        if (!plan) return ProofVerdict{Tone::Error, QString::fromStdString(plan.error().text())};
        const auto proved = proveJob(*plan, file, {}, work);
        return proved ? verifyVerdict(proved->proof)
                      : ProofVerdict{Tone::Error, QString::fromStdString(proved.error().text())};
      },
      [this](const ProofVerdict& said) { showProof(said); }, {},
      [this](const Error& error) {
        showProof({Tone::Error, QString::fromStdString(error.text())});
      });
}

/// The proof is about the recording's own spec, whatever document is open.
void AutopsyBar::compareSoon() {
  compare_.start(
      [own = runs_.facts()->spec, open = document_.spec()](const Work&) -> std::optional<QString> {
        return QString::fromStdString(join(planDifferences(own, open), ", "));
      },
      [this](const QString& differs) {
        differs_ = differs;
        showText();
      });
}

void AutopsyBar::showText() {
  if (!found_) return verify_->setFull(said_);
  verify_->setFull(
      differs_.isEmpty()
          ? phrase("run", "verify: %1").arg(said_)
          : phrase("run", "verify: %1 (compared with the recording's own spec; the open spec differs in %2)")
                .arg(said_, differs_));
}

void AutopsyBar::showProof(const ProofVerdict& said) {
  said_ = withoutStop(said.text);
  found_ = said.is_finding;
  showText();
  setLook(verify_, "tone", said.tone == Tone::Note ? "muted" : toneName(said.tone));
}

void AutopsyBar::seekTo(qint64 ns) {
  runs_.seek(ns);
  emit sought();
  refresh();
}

void AutopsyBar::setPlaying(bool playing) {
  if (playing == isPlaying()) return;
  play_->setSign(playing ? TransportButton::Sign::Pause : TransportButton::Sign::Play,
                 playing ? phrase("run", "Pause") : phrase("run", "Play the recording"), "Space");
  if (!playing) return timer_.stop();
  if (moment() >= runs_.duration()) seekTo(0);
  since_tick_.start();
  timer_.start();
}

void AutopsyBar::tick() {
  const auto elapsed = static_cast<double>(since_tick_.restart()) * kNsInMs * speed_->currentData().toDouble();
  const qint64 next = moment() + std::llround(elapsed);
  if (next >= runs_.duration()) {
    setPlaying(false);
    return seekTo(-1);
  }
  seekTo(next);
}

void AutopsyBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) return setPlaying(!isPlaying());
  QWidget::keyPressEvent(event);
}

/// The slider leaves the sentence beside it a third of the bar. In a narrow bar both need the room of the name, which
/// the header says, and of the whole length, which the axis says.
void AutopsyBar::resizeEvent(QResizeEvent* event) {
  verify_->setMaximumWidth(std::max(px(300), width() / 3));
  file_->setVisible(!isNarrow());
  showClock();
  QWidget::resizeEvent(event);
}

}  // namespace shardlens::ui

#include "moc_autopsy_bar.cpp"
