// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/recording_list.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr std::size_t kMostRuns = 30;
constexpr int kMarkWidth = 30;

QString fileOf(const KnownRun& run) {
  return QString::fromStdString(run.run_file.string());
}

std::optional<std::int64_t> startOf(const KnownRun& run) {
  return run.started_s > 0 ? std::optional(run.started_s) : std::nullopt;
}

QString markText(RunMark mark) {
  switch (mark) {
    case RunMark::Running:
      return phrase("run", "running");
    case RunMark::Finished:
      return phrase("run", "finished");
    case RunMark::Failed:
      return phrase("run", "failed");
    case RunMark::Stopped:
      return phrase("run", "stopped");
    case RunMark::Unknown:
      break;
  }
  return phrase("run", "outcome not known");
}

}  // namespace

RecordingButton::RecordingButton(const QString& offer, QWidget* parent) : QAbstractButton(parent), offer_(offer) {
  setObjectName(offer.isEmpty() ? "recording" : "runningJob");
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RecordingButton::setRow(const RecordingRow& row) {
  row_ = row;
  setAccessibleName(QString("%1, %2, %3").arg(row.name, row.when, markText(row.mark)));
  setAccessibleDescription(row.facts);
  setToolTip(row.name + '\n' + row.facts);
  update();
}

void RecordingButton::paintMark(QPainter& painter, QPointF centre) const {
  const double half = px(5);
  QPainterPath path;
  QColor colour = theme().muted;
  switch (row_.mark) {
    case RunMark::Running:
      painter.setPen(Qt::NoPen);
      painter.setBrush(theme().fine);
      return painter.drawEllipse(centre, half, half);
    case RunMark::Stopped:
      painter.setPen(Qt::NoPen);
      painter.setBrush(theme().muted);
      return painter.drawRect(QRectF(centre - QPointF(half - 1, half - 1), centre + QPointF(half - 1, half - 1)));
    case RunMark::Finished:
      colour = theme().fine;
      path.moveTo(centre + QPointF(-half, 0));
      path.lineTo(centre + QPointF(-half / 3, half * 0.7));
      path.lineTo(centre + QPointF(half, -half * 0.8));
      break;
    case RunMark::Failed:
      colour = theme().error;
      path.moveTo(centre + QPointF(-half, -half));
      path.lineTo(centre + QPointF(half, half));
      path.moveTo(centre + QPointF(half, -half));
      path.lineTo(centre + QPointF(-half, half));
      break;
    case RunMark::Unknown:
      path.moveTo(centre + QPointF(-half, 0));
      path.lineTo(centre + QPointF(half, 0));
      break;
  }
  painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void RecordingButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
  const bool is_running = !offer_.isEmpty();
  painter.setPen(hasFocus() ? QPen(theme().accent, 2) : QPen(Qt::NoPen));
  painter.setBrush(is_running || underMouse() ? mix(theme().accent, theme().window, theme().dark ? 0.14 : 0.07)
                                              : QColor(Qt::transparent));
  painter.drawRoundedRect(area, px(6), px(6));
  const double inset = px(8);
  const QRectF first(px(kMarkWidth), px(5), width() - px(kMarkWidth) - inset, px(18));
  paintMark(painter, {px(kMarkWidth) / 2.0, first.center().y()});
  painter.setFont(smallFont());
  const QString right = is_running ? offer_ : row_.when;
  const double taken = QFontMetricsF(painter.font()).horizontalAdvance(right) + px(12);
  painter.setPen(is_running ? theme().accent : theme().muted);
  painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, right);
  painter.setFont(demiBold(uiFont()));
  painter.setPen(theme().text);
  painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,  // commands differ at their ends
                   QFontMetricsF(painter.font()).elidedText(row_.name, Qt::ElideLeft, first.width() - taken));
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  const QRectF second(first.left(), first.bottom(), first.width(), px(16));
  painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(painter.font()).elidedText(row_.facts, Qt::ElideRight, second.width()));
}

void RecordingButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
  QAbstractButton::keyPressEvent(event);
}

RecordingList::RecordingList(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      library_(workspace.runs.recordingsFolder() + "/recordings.json"),
      column_(new QVBoxLayout(this)) {
  setObjectName("recordingList");
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(px(2));
  connect(&library_, &RecordingLibrary::known, this, &RecordingList::showKnown);
  refresh();
}

void RecordingList::refresh() {
  removeAll(*column_);
  buttons_.clear();
  runs_ = workspace_.runs.knownRuns();
  std::stable_partition(runs_.begin(), runs_.end(), [](const KnownRun& run) { return run.active; });
  if (runs_.size() > kMostRuns) runs_.resize(kMostRuns);
  QStringList wanted;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const bool begins = i == 0 || runs_[i - 1].active != runs_[i].active;
    if (begins && i > 0) column_->addSpacing(px(kGap));
    if (begins)
      column_->addWidget(
          sectionHead(runs_[i].active ? phrase("run", "running now") : phrase("run", "recent runs"), this));
    add(runs_[i]);
    wanted += fileOf(runs_[i]);
  }
  if (!wanted.isEmpty()) library_.want(wanted);
}

QString RecordingList::csv() const {
  QString out = csvLine({"name", "outcome", "when", "facts", "file"});
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const RecordingRow& row = buttons_[i]->row();
    out += csvLine({row.name, markText(row.mark), row.when, row.facts, fileOf(runs_[i])});
  }
  return out;
}

void RecordingList::add(const KnownRun& run) {
  const QString file = fileOf(run);
  const bool is_shown = file == workspace_.runs.runFile();
  auto* button = new RecordingButton(!run.active ? QString()
                                     : is_shown  ? phrase("run", "Return to it")
                                                 : phrase("run", "Watch"),
                                     this);
  button->setRow(
      recordingRowBeingRead(QString::fromStdString(run.name), startOf(run), run.active, QDateTime::currentDateTime()));
  connect(button, &QAbstractButton::clicked, this, [this, file] { emit chosen(file); });
  buttons_.push_back(button);
  column_->addWidget(button);
  showKnown(file);
}

void RecordingList::showKnown(const QString& recording) {
  const RecordingLibrary::Entry* entry = library_.find(recording);
  if (entry == nullptr) return;
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    if (fileOf(runs_[i]) != recording) continue;
    buttons_[i]->setRow(recordingRow(QString::fromStdString(runs_[i].name), startOf(runs_[i]), entry->facts,
                                     entry->problem, QDateTime::currentDateTime()));
  }
}

}  // namespace shardlens::ui

#include "moc_recording_list.cpp"
