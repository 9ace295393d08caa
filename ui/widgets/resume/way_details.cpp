// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/way_details.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/column.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_label.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/resume/batch_lines.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr std::size_t kMostIds = 24;
constexpr int kNameWidth = 84;

const char* noteTone(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "muted";
}

}  // namespace

WayDetails::WayDetails(QWidget* parent)
    : QWidget(parent), column_(new Column({px(kMargin), px(14), px(kMargin), px(kMargin)}, px(6))) {
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Selected method"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(thinScroll(column_));
}

void WayDetails::clear() {
  column_->clear();
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
  grid->setColumnMinimumWidth(0, px(kNameWidth));
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

}  // namespace shardlens::ui

#include "moc_way_details.cpp"
