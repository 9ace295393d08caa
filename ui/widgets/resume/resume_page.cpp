// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/resume_page.h"

#include "core/base/thread_annotations.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/resume/resume_list.h"
#include "ui/widgets/resume/way_details.h"

#include <QEvent>
#include <QFocusEvent>
#include <QGridLayout>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kPatienceMs = 250;  ///< work that is done before that is not worth a word
constexpr int kLeft = 268;
constexpr int kRight = 312;

QString restartText(const ResumePoint& point) {
  const QString ranks = countOf(point.world.size(), "rank");
  return point.batch_size ? ResumePage::tr("%1 and batch_size %2").arg(ranks, number(*point.batch_size)) : ranks;
}

/// Rows on their way from the working thread to the window; only the newest count.
class NewestPart {
 public:
  void put(const ResumeAnswer& answer) {
    const MutexLock lock(mutex_);
    part_ = answer;
  }
  std::optional<ResumeAnswer> take() {
    const MutexLock lock(mutex_);
    return std::exchange(part_, std::nullopt);
  }

 private:
  Mutex mutex_;
  std::optional<ResumeAnswer> part_ SHARDLENS_GUARDED_BY(mutex_);
};

QString problemText(const Issues& problems) {
  QStringList lines;
  for (const Error& problem : problems) lines << QString::fromStdString(problem.text());
  return lines.join('\n');
}

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

ResumePage::ResumePage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      workspace_(workspace),
      controls_(new ResumeControls),
      title_(new LinkLabel),
      summary_(new ElidedLinks),
      stop_(new LinkButton(tr("stop"))),
      again_(new LinkButton(tr("compute again"))),
      list_(new ResumeList),
      pane_(new StatePane(list_)),
      details_(new WayDetails) {
  setAccessibleName(tr("Resume"));
  setFocusPolicy(Qt::StrongFocus);
  columns_ = thinSplitter(Qt::Horizontal, this);
  addAll(columns_, {controls_, centre_ = centre(), details_});
  controls_->setMinimumWidth(px(220));
  details_->setMinimumWidth(px(240));
  columns_->setStretchFactor(1, 1);
  rowIn(this, {})->addWidget(columns_);
  patience_.setSingleShot(true);
  patience_.setInterval(kPatienceMs);
  wire();
  wireChoice();
  addPanelMenu(*controls_, {tr("Stop and restart"), [this] { return title() + '\n' + command() + '\n'; }});
  addPanelMenu(*centre_, {tr("Resume methods"), [this] { return title() + '\n' + resumeText(answer_); },
                          [this] { return resumeCsv(answer_); }});
  addPanelMenu(*details_, {tr("Selected method"), [this] { return details_->text(); }});
  addPlaces();
}

void ResumePage::addPlaces() {
  auto* panels = new Arrangement(this, "resume", [this] {
    Arrangement::giveSizes(*columns_, {{controls_, px(kLeft)}, {centre_, px(4 * kLeft)}, {details_, px(kRight)}});
  });
  panels->addSplitter(columns_);
  panels->addPanel("controls", tr("Stop and restart"), controls_);
  panels->addPanel("methods", tr("Resume methods"), centre_, Arrangement::Hiding::Never);
  panels->addPanel("details", tr("Selected method"), details_);
  panels->settle();
}

ResumePage::~ResumePage() = default;

QWidget* ResumePage::centre() {
  auto* rows = new QWidget;
  setSurface(rows, "window");
  auto* column = columnIn(rows, {px(kMargin), px(10), px(kGap), px(6)}, px(4));
  column->addWidget(headRow());
  column->addWidget(pane_, 1);
  return rows;
}

QWidget* ResumePage::headRow() {
  title_->setFont(verdictFont());
  title_->setWordWrap(true);
  setLook(summary_, "tone", "muted");
  for (LinkButton* link : {stop_, again_}) link->hide();
  stop_->setToolTip(tr("Stop computing"));
  summary_->setMinimumHeight(stop_->sizeHint().height());  // nothing moves when a link comes beside it
  auto* words = rowIn(nullptr, {}, px(kGap));
  words->addWidget(summary_, 1);
  addAll(words, {stop_, again_});
  auto* head = new QWidget;
  auto* column = columnIn(head, {px(10), 0, px(10), 0}, px(2));
  column->addWidget(title_);
  column->addLayout(words);
  return head;
}

void ResumePage::wire() {
  connect(&workspace_.document, &Document::specChanged, this, &ResumePage::followSpec);
  // The same spec under another name.
  connect(&workspace_.document, &Document::pathChanged, this, [this] {
    file_ = workspace_.document.path();
    controls_->setPoint(point_, command());
  });
  connect(&workspace_.playback, &Playback::moved, this, &ResumePage::followPlayhead);
  connect(stop_, &QAbstractButton::clicked, this, &ResumePage::cancel);
  connect(again_, &QAbstractButton::clicked, this, &ResumePage::compute);
  connect(list_, &ResumeList::chosenChanged, this,
          [this](int row) { details_->setRow(answer_.rows[static_cast<std::size_t>(row)], answer_.point); });
  for (LinkLabel* label : {title_, static_cast<LinkLabel*>(summary_)}) {
    connect(label, &LinkLabel::followed, this, [this](const Selected& place) { workspace_.goTo(place); });
  }
  connect(list_, &ResumeList::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  connect(details_, &WayDetails::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  const auto mark = [this] { details_->setSelected(workspace_.selection.current().sample); };
  connect(&workspace_.selection, &Selection::changed, this, mark);
  mark();
  connect(&patience_, &QTimer::timeout, this, [this] {
    stop_->show();
    list_->setOld(true);
    pane_->showProgress(0, tr("Simulating each resume method"));
    look_();
  });
}

void ResumePage::wireChoice() {
  connect(controls_, &ResumeControls::epochWanted, this, [this](qint64 epoch) { setStop(epoch, point_.steps); });
  connect(controls_, &ResumeControls::stepsWanted, this, &ResumePage::setSteps);
  connect(controls_, &ResumeControls::worldWanted, this, &ResumePage::setWorld);
  connect(controls_, &ResumeControls::batchSizeWanted, this, &ResumePage::setBatchSize);
  connect(controls_, &ResumeControls::sameWanted, this, [this] {
    choice_.world.reset();
    choice_.batch_size.reset();
    compute();
  });
  connect(list_, &ResumeList::stopWanted, this, &ResumePage::setSteps);
  connect(list_, &ResumeList::stepWanted, this, [this](qint64 by) { setSteps(point_.steps + by); });
  connect(list_, &ResumeList::endWanted, this, [this](bool last) { setSteps(last ? steps_ : 0); });
}

/// Another file is another run: nothing of what was chosen for the last one applies.
void ResumePage::followSpec() {
  if (workspace_.document.path() != file_) {
    file_ = workspace_.document.path();
    choice_ = {};
    answer_ = {};
    title_->setPlain({});
    showSummary({});
    list_->setAnswer(answer_);
    details_->clear();
    pane_->showMessage({}, {});
  }
  compute();
}

/// Until the user chooses a stop here, it is where he left the playhead.
void ResumePage::followPlayhead() {
  const Playback& playback = workspace_.playback;
  const bool at_start = playback.epoch() == 0 && playback.position() <= 0;
  if (choice_.steps || playback.isPlaying() || at_start) return;
  setStop(playback.epoch(), static_cast<qint64>(std::floor(playback.position())));
}

void ResumePage::setStop(qint64 epoch, qint64 steps) {
  choice_.epoch = epoch;
  choice_.steps = steps;
  point_.epoch = Epoch{epoch};
  point_.steps = steps;
  preview();
  compute();
}

void ResumePage::setSteps(qint64 steps) {
  const qint64 inside = std::clamp<qint64>(steps, 0, steps_);
  if (inside != point_.steps) setStop(point_.epoch.value, inside);
}

void ResumePage::setWorld(const PipelineSpec::World& world) {
  choice_.world = world;
  point_.world = world;
  preview();
  compute();
}

void ResumePage::setBatchSize(qint64 batch_size) {
  choice_.batch_size = point_.batch_size = batch_size;
  preview();
  compute();
}

void ResumePage::preview() {
  controls_->setPoint(point_, command());
  if (point_.epoch == answer_.point.epoch) list_->setStop(point_.steps);
}

void ResumePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  followPlayhead();
  if (stale_) compute();
}

void ResumePage::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  const std::vector<WayRow*> rows = list_->rows();
  if (!rows.empty()) rows[static_cast<std::size_t>(list_->chosen())]->setFocus(event->reason());
}

void ResumePage::compute() {
  stale_ = !isVisible();
  if (stale_) return job_.cancel();
  computed_ = workspace_.document.spec();
  again_->hide();
  partial_ = false;
  if (!patience_.isActive() && stop_->isHidden()) patience_.start();
  auto parts = std::make_shared<NewestPart>();
  look_ = [this, parts] {
    if (auto part = parts->take()) takePart(*std::move(part));
  };
  job_.start(
      [spec = computed_, choice = choice_, parts](const Work& work) {
        return resumeAnswer(spec, choice, work, [&parts](const ResumeAnswer& part) { parts->put(part); });
      },
      [this](ResumeAnswer answer) { take(std::move(answer)); },
      [this](double fraction) {
        pane_->showProgress(fraction, tr("Simulating each resume method"));
        if (!patience_.isActive()) look_();
      },
      [this](const Error& error) {
        ResumeAnswer failed;
        failed.problems = {error};
        take(std::move(failed));
      });
}

void ResumePage::cancel() {
  if (!job_.isBusy()) return;
  job_.cancel();
  settle();
  again_->show();
  if (answer_.rows.empty()) {
    pane_->showMessage(tr("Stopped"), tr("Nothing has been computed yet."));
  } else {
    pane_->showContent();
    list_->setOld(!partial_);
  }
  showSummary(partial_ ? tr("Stopped: some methods are missing.") : tr("Stopped: the rows show an earlier choice."));
}

void ResumePage::settle() {
  patience_.stop();
  stop_->hide();
}

void ResumePage::take(ResumeAnswer answer) {
  settle();
  if (!answer.problems.empty()) {
    const QString why = problemText(answer.problems);
    showSummary({});
    if (answer_.rows.empty()) title_->setPlain({});
    return pane_->showStale(why);
  }
  partial_ = false;
  answer_ = std::move(answer);
  showChoice(answer_);
  list_->setAnswer(answer_);
  showSummary(resumeSummary(answer_));
  pane_->showContent();
  if (answer_.steps == 0) pane_->showMessage(tr("The epoch has no steps"), tr("There is no step to stop at."));
}

void ResumePage::takePart(ResumeAnswer part) {
  showChoice(part);
  showSummary(tr("Computing…"));
  if (part.rows.empty()) return;  // those of the last choice stay until there is a first one
  partial_ = true;
  const auto judged = static_cast<qint64>(part.rows.size());
  const QString says = resumeSummary(part);
  answer_ = filledUp(std::move(part), answer_);
  list_->setAnswer(answer_);
  if (!pane_->showsContent()) pane_->showContent();
  showSummary(tr("%1 so far: %2").arg(countOf(judged, "method"), says));
}

/// In full as a tip where there is little room.
void ResumePage::showSummary(const QString& text) {
  Selected context;
  context.epoch = point_.epoch.value;
  summary_->setFull(text, context);
  summary_->setToolTip(text);
}

void ResumePage::showChoice(const ResumeAnswer& answer) {
  point_ = answer.point;
  steps_ = answer.steps;
  title_->setPlain(tr("Stopped after %1 of epoch %2, restarted with %3")
                       .arg(countOf(point_.steps, "step"), number(point_.epoch.value), restartText(point_)));
  controls_->setAnswer(answer, computed_, command());
}

QString ResumePage::command() const {
  return resumeCommand(workspace_.document.path(), point_);
}

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
  setSurface(this, "panel");
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
  addAll(column, {epoch_, steps_, trained_});
  column->addSpacing(px(14));
  column->addWidget(sectionHead(tr("restart with")));
  addAll(column, {nodes_, ranks_, world_, batch_size_});
  column->addWidget(same_, 0, Qt::AlignLeft);
  column->addSpacing(px(14));
  addAll(column, {sectionHead(tr("on the command line")), commandBox()});
  column->addStretch(1);
  columnIn(this, {})->addWidget(thinScroll(body));
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
  const qint64 batch_size = point.batch_size.value_or(batch_size_before_);
  batch_size_->setRange(1, kMostOfBatch);
  batch_size_->setValue(batch_size);
  batch_size_->setNote(batch_size == batch_size_before_ ? QString()
                                                        : tr("before the stop %1").arg(number(batch_size_before_)));
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

NumberRow::NumberRow(const QString& label, QWidget* parent)
    : QWidget(parent), field_(new NumberField), note_(noteLabel({})) {
  QLabel* name = textLabel(label);
  name->setBuddy(field_);
  field_->setAccessibleName(label);
  field_->setStepper([this](const QString& text, qint64 steps) -> QString {
    const auto typed = wholeNumber(text);
    if (!typed) return {};
    return number(std::clamp(std::clamp(*typed, least_, most_) + steps, least_, most_));
  });
  field_->installEventFilter(this);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(0);
  grid->setVerticalSpacing(px(3));
  grid->setColumnMinimumWidth(0, px(106));
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

#include "moc_resume_page.cpp"
