// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/watch_form.h"

#include "core/launch/launchers/typed_command.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>

#include <iterator>

namespace shardlens::ui {
namespace {

constexpr int kLines = 3;  ///< of the environment that are in sight

QString sentence(const Error& error) {
  return QString::fromStdString(error.message + (error.hint.empty() ? "" : " (" + error.hint + ")"));
}

QLabel* wrapped(const QString& text, const char* tone, const char* name, QWidget* parent) {
  QLabel* label = textLabel(text, tone, parent);
  label->setObjectName(name);
  label->setWordWrap(true);
  return label;
}

}  // namespace

CommandField::CommandField(QWidget* parent)
    : QWidget(parent), command_(new ElidedLabel({}, this)), copy_(new QPushButton(phrase("run", "Copy"), this)) {
  command_->setFont(monoFont());
  copy_->setObjectName("copyCommand");
  copy_->setToolTip(phrase("run", "Copy the command"));
  setLook(copy_, "role", "quiet");
  connect(copy_, &QPushButton::clicked, this, [this] { copyText(*this, command()); });
  setSurface(this, "field");
  auto* line = rowIn(this, {px(10), px(4), px(4), px(4)});
  line->addWidget(command_, 1);
  line->addWidget(copy_);
}

WatchForm::WatchForm(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      typed_(new QLineEdit(this)),
      where_(new LinkButton({}, "", this)),
      variables_(new LinkButton({}, "", this)),
      environment_(new QPlainTextEdit(this)),
      no_variable_(wrapped({}, "error", "watchEnvironmentProblem", this)),
      compare_(new QCheckBox(phrase("run", "Compare with the open design"), this)),
      compared_(wrapped(phrase("run",
                               "Run and watch compares with the design as it is here. The command below reads the "
                               "saved file."),
                        "muted", "watchCompared", this)),
      line_(new CommandField(this)),
      not_watched_(wrapped({}, "error", "watchProblem", this)) {
  setObjectName("watchForm");
  build();
  connectParts();
  showFolder();
  showOwn();
}

void WatchForm::build() {
  typed_->setObjectName("watchCommand");
  typed_->setFont(monoFont());
  typed_->setPlaceholderText(phrase("run", "torchrun --nproc_per_node=4 train.py"));
  typed_->setAccessibleName(phrase("run", "Your own command"));
  where_->setObjectName("watchFolder");
  where_->setToolTip(phrase("run", "Choose the folder in which the command runs"));
  line_->setObjectName("watchLine");
  line_->copyButton()->setObjectName("copyWatchCommand");
  not_watched_->hide();
  auto* run = new QPushButton(phrase("run", "Run and watch"), this);
  run->setObjectName("watchRun");
  connect(run, &QPushButton::clicked, this, &WatchForm::watch);
  auto* line = new QHBoxLayout;
  line->addWidget(typed_, 1);
  line->addWidget(run);
  auto* column = columnIn(this, {}, px(kGap));
  column->addWidget(sectionHead(phrase("run", "or watch your own job"), this));
  column->addLayout(line);
  column->addWidget(not_watched_);
  column->addWidget(where_, 0, Qt::AlignLeft);
  addAll(column, {makeExtras(), compared_, line_});
  column->addWidget(wrapped(phrase("run",
                                   "Nothing in your program is changed. It runs as typed; what its PyTorch loaders "
                                   "read and where its ranks wait is recorded."),
                            "muted", "watchAbout", this));
  QWidget* const order[] = {typed_, run, where_, variables_, compare_, environment_, line_->copyButton()};
  for (std::size_t i = 1; i < std::size(order); ++i) setTabOrder(order[i - 1], order[i]);
}

QWidget* WatchForm::makeExtras() {
  auto* extras = new QWidget(this);
  variables_->setObjectName("watchVariables");
  variables_->setToolTip(phrase("run", "Given to this command and to nothing else"));
  compare_->setObjectName("watchCompare");
  compare_->setToolTip(phrase("run", "Whether its loaders read what the design plans, batch by batch"));
  environment_->setObjectName("watchEnvironment");
  environment_->setFont(monoFont());
  environment_->setPlaceholderText("NCCL_DEBUG=INFO\nOMP_NUM_THREADS=1");
  environment_->setAccessibleName(phrase("run", "Environment variables of the command, one a line"));
  environment_->setToolTip(phrase("run",
                                  "NAME=value, one a line. A value is taken as it stands; nothing in it is expanded. "
                                  "The recording keeps it with the command: type no passwords."));
  environment_->setTabChangesFocus(true);
  environment_->setFixedHeight(kLines * QFontMetrics(monoFont()).lineSpacing() + px(14));
  environment_->hide();
  no_variable_->hide();
  auto* links = new QHBoxLayout;
  links->addWidget(variables_);
  links->addSpacing(px(kMargin));
  links->addWidget(compare_);
  links->addStretch(1);
  auto* column = columnIn(extras, {}, px(4));
  column->addLayout(links);
  addAll(column, {environment_, no_variable_});
  return extras;
}

void WatchForm::connectParts() {
  const Document& document = workspace_.document;
  connect(typed_, &QLineEdit::returnPressed, this, &WatchForm::watch);
  connect(typed_, &QLineEdit::textChanged, this, &WatchForm::showOwn);
  connect(where_, &QAbstractButton::clicked, this, [this] {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, phrase("run", "Folder in which the command runs"), folder());
    if (chosen.isEmpty()) return;
    chosen_folder_ = chosen;
    showFolder();
  });
  connect(compare_, &QCheckBox::toggled, this, &WatchForm::showOwn);
  connect(variables_, &QAbstractButton::clicked, this, [this] {
    environment_->setVisible(environment_->isHidden() || !checkEnvironment());
    if (!environment_->isHidden()) environment_->setFocus(Qt::OtherFocusReason);
  });
  environment_->installEventFilter(this);
  connect(environment_, &QPlainTextEdit::textChanged, this, [this] {
    if (!no_variable_->isHidden()) checkEnvironment();
    showOwn();
  });
  connect(&workspace_.plans, &PlanService::snapshotChanged, this, &WatchForm::showOwn);
  connect(&workspace_.text, &SpecText::stateChanged, this, &WatchForm::showOwn);
  connect(&document, &Document::pathChanged, this, &WatchForm::showFolder);
  connect(&document, &Document::pathChanged, this, &WatchForm::showOwn);
  connect(&document, &Document::modifiedChanged, this, &WatchForm::showOwn);
}

void WatchForm::typeCommand() {
  typed_->setFocus(Qt::OtherFocusReason);
  typed_->selectAll();
}

/// A line is judged when it has been typed.
bool WatchForm::eventFilter(QObject* watched, QEvent* event) {
  if (watched == environment_ && event->type() == QEvent::FocusOut) checkEnvironment();
  return QWidget::eventFilter(watched, event);
}

bool WatchForm::checkEnvironment() {
  const auto read = environmentLines(own().environment.toStdString());
  no_variable_->setText(read ? QString() : sentence(read.error()));
  no_variable_->setVisible(!read);
  return read.has_value();
}

void WatchForm::showOwn() {
  const PlanSnapshotPtr answer = workspace_.plans.snapshot();
  compare_->setVisible(answer->plan && answer->issues.empty() && workspace_.text.problems().empty());
  const auto set = environmentLines(own().environment.toStdString());
  variables_->setWords(set && !set->empty()
                           ? phrase("run", "with %1").arg(countOf(std::ssize(*set), "environment variable"))
                           : phrase("run", "Set environment variables"));
  const Document& document = workspace_.document;
  const QString path = document.path().isEmpty() ? QStringLiteral("spec.yaml") : document.path();
  const auto line = workspace_.runs.commandLine(own(), compares() ? path : QString());
  line_->setCommand(line ? *line : QString());
  line_->setVisible(line.has_value());
  compared_->setVisible(line && compares() && (document.path().isEmpty() || document.isModified()));
}

QString WatchForm::command() const {
  const QWidget* const focused = window()->focusWidget();
  return focused != nullptr && isAncestorOf(focused) ? line_->command() : QString();
}

QVariantMap WatchForm::typed() const {
  return {{"run_command", typed_->text()},
          {"run_folder", chosen_folder_},
          {"run_environment", environment_->toPlainText()},
          {"run_compare", compare_->isChecked()}};
}

void WatchForm::setTyped(const QVariantMap& typed) {
  typed_->setText(typed["run_command"].toString());
  environment_->setPlainText(typed["run_environment"].toString());
  compare_->setChecked(typed["run_compare"].toBool());
  const QString folder = typed["run_folder"].toString();
  if (QFileInfo(folder).isDir()) chosen_folder_ = folder;
  showFolder();
}

void WatchForm::watch() {
  not_watched_->hide();
  if (!checkEnvironment()) return environment_->show();
  const auto started = workspace_.runs.watch(own(), folder(), compares() ? &workspace_.document.spec() : nullptr);
  if (!started) not_watched_->setText(sentence(started.error()));
  not_watched_->setVisible(!started);
}

QString WatchForm::folder() const {
  if (!chosen_folder_.isEmpty()) return chosen_folder_;
  const QString& path = workspace_.document.path();
  return path.isEmpty() ? QDir::currentPath() : QFileInfo(path).absolutePath();
}

void WatchForm::showFolder() {
  where_->setWords(phrase("run", "in the folder %1").arg(QDir::toNativeSeparators(folder())));
}

}  // namespace shardlens::ui

#include "moc_watch_form.cpp"
