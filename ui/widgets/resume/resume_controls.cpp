// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/resume_controls.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QEvent>
#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

/// The most ranks that a run of the command line may have too.
constexpr qint64 kMostRanks = 1'000'000;
/// As in a spec.
constexpr qint64 kMostOfBatch = 4'000'000'000;

/// A line for each option; long paths may break behind their parts.
QString inLines(QString command) {
  command.replace(QLatin1Char('/'), QStringLiteral("/\u200b"));
  return command.replace(QStringLiteral(" --"), QStringLiteral("\n  --"));
}

}  // namespace

ResumeControls::ResumeControls(QWidget* parent)
    : QWidget(parent),
      epoch_(new NumberRow(tr("epoch"))),
      steps_(new NumberRow(tr("steps done"))),
      trained_(textLabel({}, "muted")),
      nodes_(new NumberRow(tr("nodes"))),
      ranks_(new NumberRow(tr("ranks per node"))),
      world_(noteLabel({})),
      batch_size_(new NumberRow(QStringLiteral("batch_size"))),
      same_(new LinkButton(tr("Same as before"))),
      command_(textLabel({})) {
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Stop and restart"));
  build();
  wire();
}

void ResumeControls::build() {
  trained_->setWordWrap(true);
  setLook(trained_, "role", "text");
  auto* body = new QWidget;
  auto* column = columnIn(body, {px(kMargin), px(14), px(10), px(kMargin)}, px(6));
  column->addWidget(sectionHead(tr("interrupted at")));
  for (QWidget* row : {static_cast<QWidget*>(epoch_), static_cast<QWidget*>(steps_)}) column->addWidget(row);
  column->addWidget(trained_);
  column->addSpacing(px(14));
  column->addWidget(sectionHead(tr("restart with")));
  for (QWidget* row : {static_cast<QWidget*>(nodes_), static_cast<QWidget*>(ranks_)}) column->addWidget(row);
  column->addWidget(world_);
  column->addWidget(batch_size_);
  column->addWidget(same_, 0, Qt::AlignLeft);
  column->addSpacing(px(14));
  column->addWidget(sectionHead(tr("on the command line")));
  column->addWidget(commandBox());
  column->addStretch(1);
  auto* outer = columnIn(this, {});
  outer->addWidget(thinScroll(body));
  same_->hide();
}

QWidget* ResumeControls::commandBox() {
  command_->setFont(monoFont());
  setLook(command_, "tone", "muted");
  command_->setWordWrap(true);
  command_->setAccessibleName(tr("Command line"));
  auto* copy = new LinkButton(tr("Copy command"));
  copy->setObjectName("copyResumeCommand");
  connect(copy, &QAbstractButton::clicked, this, &ResumeControls::copyCommand);
  auto* box = new QWidget;
  auto* column = columnIn(box, {}, px(2));
  column->addWidget(command_);
  column->addWidget(copy, 0, Qt::AlignLeft);
  return box;
}

void ResumeControls::wire() {
  connect(epoch_, &NumberRow::changed, this, &ResumeControls::epochWanted);
  connect(steps_, &NumberRow::changed, this, &ResumeControls::stepsWanted);
  const auto world = [this] { emit worldWanted({nodes_->value(), ranks_->value()}); };
  connect(nodes_, &NumberRow::changed, this, world);
  connect(ranks_, &NumberRow::changed, this, world);
  connect(batch_size_, &NumberRow::changed, this, &ResumeControls::batchSizeWanted);
  connect(same_, &QAbstractButton::clicked, this, &ResumeControls::sameWanted);
}

void ResumeControls::setAnswer(const ResumeAnswer& answer, const PipelineSpec& before, const QString& command) {
  before_ = before.world;
  batch_size_before_ = before.loader.batch_size;
  epoch_->setRange(0, std::max<qint64>(0, answer.epochs - 1));
  epoch_->setNote(tr("of %1").arg(countOf(answer.epochs, "epoch")));
  steps_->setRange(0, answer.steps);
  steps_->setNote(tr("of %1").arg(countOf(answer.steps, "step")));
  trained_->setText(trainedText(answer));
  setPoint(answer.point, command);
}

void ResumeControls::setPoint(const ResumePoint& point, const QString& command) {
  epoch_->setValue(point.epoch.value);
  steps_->setValue(point.steps);
  showWorld(point.world);
  showBatchSize(point.batch_size.value_or(batch_size_before_));
  same_->setVisible(point.world != before_ || batch_size_->value() != batch_size_before_);
  said_ = command;
  command_->setText(inLines(command));
  command_->setAccessibleDescription(command);
}

void ResumeControls::showWorld(const PipelineSpec::World& world) {
  const bool is_equal = world.ranks_per_node.ofEveryNode().has_value();
  const qint64 ranks = world.mostRanksOnNode();
  nodes_->setRange(1, kMostRanks / std::max<qint64>(1, ranks));
  ranks_->setRange(1, kMostRanks / std::max<qint64>(1, world.nodes));
  nodes_->setValue(world.nodes);
  ranks_->setValue(ranks);
  ranks_->setNote(is_equal ? QString() : tr("by node: %1").arg(text(world.text())));
  const qint64 size = world.size();
  const qint64 stopped = before_.size();
  world_->setText(world == before_ ? tr("world size %1, as before the stop").arg(number(size))
                                   : tr("world size %1, before the stop %2").arg(number(size), number(stopped)));
}

void ResumeControls::showBatchSize(qint64 batch_size) {
  batch_size_->setRange(1, kMostOfBatch);
  batch_size_->setValue(batch_size);
  batch_size_->setNote(batch_size == batch_size_before_ ? QString()
                                                        : tr("before the stop %1").arg(number(batch_size_before_)));
}

QString ResumeControls::sentence() const {
  return trained_->text();
}

QString ResumeControls::command() const {
  return said_;
}

void ResumeControls::copyCommand() const {
  copyText(*this, command());
}

namespace {

constexpr int kLabelWidth = 106;

}  // namespace

NumberRow::NumberRow(const QString& label, QWidget* parent)
    : QWidget(parent), field_(new NumberField), note_(noteLabel({})) {
  QLabel* name = textLabel(label);
  name->setBuddy(field_);
  field_->setAccessibleName(label);
  field_->setStepper([this](const QString& text, qint64 steps) { return stepped(text, steps); });
  field_->installEventFilter(this);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(0);
  grid->setVerticalSpacing(px(3));
  grid->setColumnMinimumWidth(0, px(kLabelWidth));
  grid->setColumnStretch(1, 1);
  grid->addWidget(name, 0, 0);
  grid->addWidget(field_, 0, 1);
  grid->addWidget(note_, 1, 1);
  note_->hide();
  connect(field_, &QLineEdit::textEdited, this, &NumberRow::take);
  connect(field_, &NumberField::stepped, this, &NumberRow::take);
}

void NumberRow::setRange(qint64 least, qint64 most) {
  least_ = least;
  most_ = std::max(least, most);
}

void NumberRow::setValue(qint64 value) {
  value_ = value;
  const auto typed = wholeNumber(field_->text());
  const bool typing = field_->hasFocus() && typed && std::clamp(*typed, least_, most_) == value;
  if (!typing) field_->setText(number(value));
}

void NumberRow::setNote(const QString& text) {
  plain_note_ = text;
  showNote();
}

QString NumberRow::note() const {
  return note_->text();
}

QString NumberRow::stepped(const QString& text, qint64 steps) const {
  const auto typed = wholeNumber(text);
  if (!typed) return {};
  return number(std::clamp(std::clamp(*typed, least_, most_) + steps, least_, most_));
}

void NumberRow::take(const QString& text) {
  const auto typed = wholeNumber(text);
  const bool inside = typed && *typed >= least_ && *typed <= most_;
  refusal_ = inside ? QString() : tr("a whole number, %1 to %2").arg(number(least_), number(most_));
  showNote();
  if (!typed) return;
  const qint64 wanted = std::clamp(*typed, least_, most_);
  if (wanted == value_) return;
  value_ = wanted;
  emit changed(wanted);
}

void NumberRow::showNote() {
  const QString text = refusal_.isEmpty() ? plain_note_ : refusal_;
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
  setLook(note_, "tone", refusal_.isEmpty() ? "muted" : "error");
  setLook(field_, "state", refusal_.isEmpty() ? "" : "error");
}

bool NumberRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut) {
    refusal_.clear();
    field_->setText(number(value_));
    showNote();
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace shardlens::ui

#include "moc_resume_controls.cpp"
