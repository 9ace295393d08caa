// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/way_details.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/card.h"

#include <QFontMetrics>
#include <QGridLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr std::size_t kMostIds = 24;

const char* noteTone(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "muted";
}

constexpr int kLine = 24;
constexpr int kChip = 20;
constexpr int kRankHead = 20;
constexpr int kGapOfRanks = 6;

bool isFirstOfRank(const std::vector<ResumedBatch>& batches, std::size_t line) {
  return line == 0 || batches[line].rank != batches[line - 1].rank;
}

void paintChip(QPainter& painter, const QRectF& area, const QString& text, bool repeated, bool selected) {
  const Theme& look = theme();
  painter.setPen(QPen(repeated ? duplicateColor(look) : selected ? look.accent : look.hairline, 1));
  painter.setBrush(selected ? mix(look.accent, look.field, 0.3) : look.field);
  painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setPen(look.text);
  painter.drawText(area, Qt::AlignCenter, text);
}

}  // namespace

WayDetails::WayDetails(QWidget* parent)
    : QWidget(parent), column_(new Column({px(kMargin), px(14), px(kMargin), px(kMargin)}, px(6))) {
  setSurface(this, "panel");
  setAccessibleName(tr("Selected method"));
  columnIn(this, {})->addWidget(thinScroll(column_));
}

void WayDetails::setRow(const ResumeRow& row, const ResumePoint& point) {
  clear();
  context_ = {};
  context_.epoch = point.epoch.value;
  const ResumeWay& way = row.judged.way;
  addHead(tr("selected method"));
  addText(QString::fromStdString(way.title), "", "title");
  const QString tone = toneName(row.tone);
  addText(row.verdictText(), tone.isEmpty() ? "muted" : toneName(row.tone));
  if (!row.reason.isEmpty()) addText(row.reason, row.tone == Tone::Error ? "error" : "");
  addFacts(row);
  for (const Note& note : way.notes) addText(QString::fromStdString(note.text), noteTone(note.severity));
  if (!row.judged.outcome || !row.reason.isEmpty()) return;
  const ResumeOutcome& outcome = *row.judged.outcome;
  addIds(tr("repeated samples"), outcome.repeated_ids, outcome.repeated);
  addIds(tr("lost samples"), outcome.lost_ids, outcome.lost);
  addIds(tr("skipped, though never trained on"), outcome.skipped_untrained_ids, outcome.skipped_untrained);
  addBatches(row, point);
}

void WayDetails::setSelected(std::optional<qint64> sample) {
  selected_ = sample;
  for (BatchLines* lines : column_->findChildren<BatchLines*>()) lines->setSelected(sample);
}

void WayDetails::addText(const QString& text, const char* tone, const char* role) {
  LinkLabel* label = words(tone, role);
  label->setPlain(text, context_);
  column_->add(label);
}

LinkLabel* WayDetails::words(const char* tone, const char* role) {
  auto* label = new LinkLabel(tone, role, this);
  label->setSelectable();
  connect(label, &LinkLabel::followed, this, &WayDetails::placeWanted);
  return label;
}

void WayDetails::addHead(const QString& text) {
  QLabel* head = sectionHead(text);
  head->setContentsMargins(0, px(4), 0, 0);
  column_->add(head);
}

void WayDetails::addFacts(const ResumeRow& row) {
  const std::vector<Inspection::Fact> facts = resumeFacts(row);
  if (facts.empty()) return;
  auto* block = new QWidget;
  auto* grid = new QGridLayout(block);
  grid->setContentsMargins(0, px(2), 0, px(2));
  grid->setVerticalSpacing(px(4));
  grid->setHorizontalSpacing(px(kGap));
  grid->setColumnMinimumWidth(0, px(84));
  grid->setColumnStretch(1, 1);
  int line = 0;
  for (const auto& fact : facts) {
    QLabel* key = textLabel(fact.name, "muted");
    setLook(key, "role", "text");
    grid->addWidget(key, line, 0, Qt::AlignTop);
    LinkLabel* value = words("", "text");
    value->setPlain(fact.value, context_);
    grid->addWidget(value, line++, 1);
  }
  column_->add(block);
}

void WayDetails::addIds(const QString& head, const std::vector<SampleIndex>& ids, qint64 all) {
  if (all == 0) return;
  addHead(head);
  LinkLabel* list = words("", "text");
  list->setSamples(idsText(ids, all, kMostIds));
  column_->add(list);
}

void WayDetails::addBatches(const ResumeRow& row, const ResumePoint& point) {
  const std::vector<ResumedBatch>& first = row.judged.outcome->first;
  addHead(tr("first batches of the resumed run"));
  if (first.empty()) return addText(tr("None: the epoch is complete."), "muted");
  const qint64 ranks = point.world.size();
  QString says = tr("Samples by step; a ring marks samples that were trained on before the stop.");
  if (ranks > kResumeRanks) says += tr(" Shown: the first %1 of %2.").arg(number(kResumeRanks), countOf(ranks, "rank"));
  addText(says, "muted", "small");
  auto* lines = new BatchLines(first);
  lines->setSelected(selected_);
  connect(lines, &BatchLines::sampleChosen, this, [this](qint64 id) { emit placeWanted({{}, {}, {}, id}); });
  column_->add(lines);
}

QString WayDetails::text() const {
  QStringList lines;
  for (const QLabel* label : column_->findChildren<QLabel*>()) {
    if (label->isHidden()) continue;
    const auto* links = qobject_cast<const LinkLabel*>(label);
    lines << (links != nullptr ? links->plain() : label->text());
  }
  return lines.join('\n');
}

BatchLines::BatchLines(std::vector<ResumedBatch> batches, QWidget* parent)
    : QWidget(parent), batches_(std::move(batches)) {
  const QFontMetrics metrics(smallFont());
  QStringList lines;
  for (const ResumedBatch& batch : batches_) {
    step_ = std::max(step_, metrics.horizontalAdvance(number(batch.step.value)));
    for (const SampleIndex id : batch.samples) chip_ = std::max(chip_, metrics.horizontalAdvance(QString::number(id)));
    lines << lineText(batch);
  }
  chip_ += px(10);
  step_ += px(8);
  setAccessibleName(tr("First batches of the resumed run"));
  setAccessibleDescription(lines.join('\n'));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setTips(this, [this](QPoint place) {
    for (std::size_t line = 0; line < batches_.size(); ++line) {
      if (place.y() >= top(line) && place.y() < top(line) + px(kLine)) return lineText(batches_[line]);
    }
    return QString();
  });
}

int BatchLines::top(std::size_t line) const {
  int y = 0;
  for (std::size_t i = 0; i <= line && i < batches_.size(); ++i) {
    if (isFirstOfRank(batches_, i)) y += px(kRankHead) + (i > 0 ? px(kGapOfRanks) : 0);
    if (i < line) y += px(kLine);
  }
  return y;
}

QSize BatchLines::sizeHint() const {
  return {px(200), batches_.empty() ? 0 : top(batches_.size() - 1) + px(kLine)};
}

QString BatchLines::lineText(const ResumedBatch& batch) const {
  return tr("rank %1, step %2: %3, %4 repeated")
      .arg(number(batch.rank.value), number(batch.step.value),
           countOf(static_cast<qint64>(batch.samples.size()), "sample"),
           number(std::count(batch.repeated.begin(), batch.repeated.end(), true)));
}

void BatchLines::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(smallFont());
  for (std::size_t line = 0; line < batches_.size(); ++line) {
    const int y = top(line);
    if (isFirstOfRank(batches_, line)) {
      painter.setPen(theme().text);
      painter.drawText(QRect(0, y - px(kRankHead), width(), px(kRankHead)), Qt::AlignLeft | Qt::AlignVCenter,
                       tr("rank %1").arg(number(batches_[line].rank.value)));
    }
    paintLine(painter, y, batches_[line]);
  }
}

void BatchLines::paintLine(QPainter& painter, int y, const ResumedBatch& batch) const {
  painter.setPen(theme().muted);
  painter.drawText(QRect(0, y, step_, px(kLine)), Qt::AlignLeft | Qt::AlignVCenter, number(batch.step.value));
  const int shown = shownOf(batch);
  for (int i = 0; i < shown; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool is_selected = selected_ == batch.samples[at];
    paintChip(painter, chipAt(y, i), QString::number(batch.samples[at]), batch.repeated[at], is_selected);
  }
  const auto count = static_cast<int>(batch.samples.size());
  if (shown == count) return;
  painter.setPen(theme().muted);
  painter.drawText(QRectF(chipAt(y, shown).left(), y, width(), px(kLine)), Qt::AlignLeft | Qt::AlignVCenter,
                   "+" + number(count - shown));
}

int BatchLines::shownOf(const ResumedBatch& batch) const {
  const auto count = static_cast<int>(batch.samples.size());
  const int pitch = chip_ + px(4);
  const int more_width = QFontMetrics(smallFont()).horizontalAdvance("+" + number(count)) + px(4);
  int fits = std::max(0, (width() - step_) / pitch);
  if (fits < count) fits = std::max(0, (width() - step_ - more_width) / pitch);
  return std::min(fits, count);
}

QRectF BatchLines::chipAt(int y, int place) const {
  return {static_cast<double>(step_ + place * (chip_ + px(4))), y + px(kLine - kChip) / 2.0, static_cast<double>(chip_),
          static_cast<double>(px(kChip))};
}

std::optional<qint64> BatchLines::sampleAt(QPointF at) const {
  for (std::size_t line = 0; line < batches_.size(); ++line) {
    const int shown = shownOf(batches_[line]);
    for (int i = 0; i < shown; ++i) {
      if (chipAt(top(line), i).contains(at)) return batches_[line].samples[static_cast<std::size_t>(i)];
    }
  }
  return std::nullopt;
}

void BatchLines::setSelected(std::optional<qint64> sample) {
  selected_ = sample;
  update();
}

void BatchLines::mouseReleaseEvent(QMouseEvent* event) {
  const auto sample = event->button() == Qt::LeftButton ? sampleAt(event->position()) : std::nullopt;
  sample ? emit sampleChosen(*sample) : event->ignore();
}

}  // namespace shardlens::ui

#include "moc_way_details.cpp"
