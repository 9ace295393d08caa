// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/banner.h"

#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"
#include "ui/state/recording_library.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"

#include <QShortcut>

#include <algorithm>

namespace shardlens::ui {
namespace {

void clear(QLayout& layout) {
  while (QLayoutItem* item = layout.takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
}

QString placeOf(const Error& issue) {
  if (issue.place.line == 0) return QString::fromStdString(issue.place.field);
  const QString at = QString("%1:%2").arg(issue.place.line).arg(issue.place.column);
  return issue.place.field.empty() ? at : at + "  " + QString::fromStdString(issue.place.field);
}

}  // namespace

Banner::Banner(QWidget* parent) : QWidget(parent) {
  setObjectName("banner");
  text_ = textLabel({}, "", this);
  text_->setWordWrap(true);
  buttons_ = rowIn(nullptr, {}, px(kGap));
  problem_area_ = new QWidget;
  problems_ = columnIn(problem_area_, {}, px(2));
  auto* first = new QHBoxLayout;
  first->addWidget(text_, 1);
  first->addLayout(buttons_);
  auto* column = columnIn(this, {px(kMargin), px(6), px(kMargin), px(7)}, px(4));
  column->addLayout(first);
  column->addWidget(thinScroll(problem_area_, this));
  cancels_ = new QShortcut(Qt::Key_Escape, this);  // wherever the focus is
  connect(cancels_, &QShortcut::activated, this, &QWidget::hide);
  hide();
}

void Banner::show(const QString& text, const char* tone, const std::vector<Choice>& choices) {
  clear(*problems_);
  problem_texts_.clear();
  problem_area_->parentWidget()->parentWidget()->hide();
  clear(*buttons_);
  text_->setText(text);
  setLook(text_, "tone", tone);
  for (const Choice& choice : choices) addButton(choice.text, choice.run);
  addButton("✕", {});
  cancels_->setEnabled(!choices.empty());
  setVisible(true);
}

void Banner::showProblems(const QString& text, const Issues& issues, bool listed) {
  show(text, "error");
  for (const Error& issue : issues) {
    const QString hint = issue.hint.empty() ? QString() : "  " + QString::fromStdString(issue.hint);
    const QString line = placeOf(issue) + "  " + QString::fromStdString(issue.message) + hint;
    QLabel* label = textLabel(line, "muted", problem_area_);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    problems_->addWidget(label);
    problem_texts_ += line;
  }
  QWidget* area = problem_area_->parentWidget()->parentWidget();
  area->setFixedHeight(px(20) * std::min<int>(6, static_cast<int>(issues.size())) + px(4));
  area->setVisible(!listed);
}

void Banner::addButton(const QString& text, const std::function<void()>& run) {
  auto* button = new LinkButton(text, run ? "" : "muted", this);
  if (!run) button->setAccessibleName(phrase("window", "Close"));
  connect(button, &QAbstractButton::clicked, this, [this, run] {
    hide();
    if (run) run();
  });
  buttons_->addWidget(button);
}

DesignNotice::DesignNotice(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  setObjectName("designNotice");
  text_ = textLabel({}, "", this);
  text_->setWordWrap(true);
  auto* show = new LinkButton(phrase("window", "Show the run"), "", this);
  show->setObjectName("showRun");
  open_ = new LinkButton({}, "", this);
  open_->setObjectName("openItsDesign");
  auto* close = new LinkButton(QStringLiteral("✕"), "muted", this);
  close->setAccessibleName(phrase("window", "Close"));
  auto* row = rowIn(this, {px(kMargin), px(6), px(kMargin), px(7)}, px(kGap));
  row->addWidget(text_, 1);
  addAll(row, {open_, show, close});
  connect(show, &QAbstractButton::clicked, this, &DesignNotice::runWanted);
  connect(open_, &QAbstractButton::clicked, this, [this] { openDesign(false); });
  connect(close, &QAbstractButton::clicked, this, [this] {
    if (text_->text() == said_)
      said_.clear();
    else
      dismissed_ = workspace_.runs.runFile();
    refresh();
  });
  connect(&workspace_.document, &Document::leaving, this, [this] {
    of_run_.clear();
    said_.clear();
  });
  connect(&workspace_.document, &Document::specChanged, this, [this] {
    awaited_.clear();
    refresh();
  });
  connect(&workspace_.capture, &JobCapture::changed, this, &DesignNotice::refresh);
  connect(&workspace_.capture, &JobCapture::designMade, this,
          [this](const PipelineSpec& spec, const QString& text, const QString& said, bool unasked) {
            if (!unasked || givesWay()) emit designWanted(spec, text, said, unasked);
          });
  connect(&workspace_.runs, &RunService::runFileChanged, this, [this] {
    dismissed_.clear();
    awaited_ = workspace_.runs.runFile();
    refresh();
  });
  connect(&workspace_.runs, &RunService::stateChanged, this, [this] {
    const bool knows_run = workspace_.runs.state() != nullptr;
    if (knows_run != knows_run_ || workspace_.runs.facts() != facts_) refresh();
  });
  refresh();
}

void DesignNotice::setBelongs(bool belongs) {
  belongs_ = belongs;
  refresh();
}

void DesignNotice::designIsOfRun(const QString& said) {
  of_run_ = workspace_.runs.runFile();
  said_ = said;
  read_ = workspace_.document.spec();
  refresh();
}

bool DesignNotice::hasPlan() const {
  const RunStatePtr state = workspace_.runs.state();
  return state != nullptr && !state->spec_yaml.text().empty();
}

/// A stand-in that was launched here is of the design, whatever became of that since.
bool DesignNotice::isOther() {
  const RunService& runs = workspace_.runs;
  if (runs.state() == nullptr || runs.runFile().isEmpty()) return false;
  const bool has_plan = hasPlan();
  if (has_plan && facts_ == nullptr) return false;  // not read yet
  if (has_plan && facts_->spec == workspace_.document.spec()) of_run_ = runs.runFile();
  return of_run_ != runs.runFile() && (runs.isRecording() || !has_plan);
}

QString DesignNotice::whatItPlans() const {
  const JobCapture& capture = workspace_.capture;
  if (!capture.canCompare()) return {};
  for (const capture::CapturedLoader& loader : capture.found()->loaders) {
    if (!loader.isProven() || loader.spec.spec != workspace_.document.spec()) continue;
    return phrase("window", "This design plans every recorded batch of the loader %1 in the recording %2 (%3).")
        .arg(text(loader.job.name), recordingName(workspace_.runs.runFile()),
             countOf(loader.agreement.batches, "batch"));
  }
  return {};
}

bool DesignNotice::givesWay() const {
  const Document& document = workspace_.document;
  // unsound() may make a design of what was typed.
  return belongs_ && !awaited_.isEmpty() && document.path().isEmpty() && !workspace_.text.unsound() &&
         !document.isModified() && document.spec() == PipelineSpec();
}

void DesignNotice::giveWay() {
  if (givesWay() && !open_->isHidden()) openDesign(true);
}

void DesignNotice::openDesign(bool unasked) {
  if (!hasPlan()) return workspace_.capture.makeDesign(workspace_.capture.judged().toStdString(), unasked);
  if (facts_ == nullptr) return;
  emit designWanted(facts_->spec, text(workspace_.runs.state()->spec_yaml.text()), {}, unasked);
}

void DesignNotice::refresh() {
  const RunService& runs = workspace_.runs;
  knows_run_ = runs.state() != nullptr;
  facts_ = runs.facts();
  JobCapture& capture = workspace_.capture;
  const bool hears = isOther() && dismissed_ != runs.runFile();
  const bool asks_capture = hears && !hasPlan() && !runs.isActive();
  if (asks_capture) capture.refresh();  // the page that shows it may be out of sight
  const bool waits = asks_capture && capture.found() == nullptr && capture.problem().isEmpty();
  const QString planned = hears ? whatItPlans() : QString();
  const bool is_other = hears && !waits && planned.isEmpty();
  const bool is_read = !hears && !said_.isEmpty() && read_ == workspace_.document.spec();
  if (!planned.isEmpty()) text_->setText(planned);
  if (is_read) text_->setText(said_);
  if (is_other) {
    text_->setText(
        runs.isActive()
            ? phrase("window", "This is not the design of the job that runs.")
            : phrase("window", "This is not the design of the recording %1.").arg(recordingName(runs.runFile())));
  }
  const bool can_open = hasPlan() || capture.isDesigned(capture.judged().toStdString());
  open_->offer(!is_other || !can_open ? QString()
               : hasPlan()            ? phrase("window", "Open its design")
                                      : phrase("window", "Open what it read"));
  setVisible(belongs_ && (is_other || is_read || !planned.isEmpty()));
  // Not before whoever has changed something is done with it.
  if (!awaited_.isEmpty()) QMetaObject::invokeMethod(this, &DesignNotice::giveWay, Qt::QueuedConnection);
}

}  // namespace shardlens::ui

#include "moc_banner.cpp"
