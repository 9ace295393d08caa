// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window can go by name or by place: tabs, panels, fields, examples, ranks and steps.
#include "core/spec/field_table.h"
#include "ui/scene/design/form.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/run/recording_list.h"
#include "ui/widgets/start/examples.h"
#include "ui/widgets/start/gallery.h"
#include "ui/window/design_page.h"
#include "ui/window/file_commands.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_strip.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {

std::vector<LocatorTarget> MainWindow::locatorTargets() const {
  std::vector<LocatorTarget> targets;
  for (const QAction* action : actions_.all()) {
    if (!action->isEnabled()) continue;
    targets.push_back({LocatorTarget::Kind::Action, action->objectName(), Actions::plainText(*action),
                       action->shortcut().toString(QKeySequence::NativeText)});
  }
  const PipelineSpec& spec = workspace_.document.spec();
  for (const Field* field : fieldsOf(spec, workspace_.document.catalogue())) {
    const QString path = QString::fromStdString(field->path);
    targets.push_back({LocatorTarget::Kind::Field, path, path, fieldText(*field, getValue(spec, *field))});
  }
  for (const Example& example : examples()) {
    targets.push_back({LocatorTarget::Kind::Example, example.path, phrase("window", "Example %1").arg(example.name),
                       phrase("window", "open")});
  }
  return targets;
}

void MainWindow::showTab(const QString& name) {
  setPerspective(kDesignPerspective);
  design_->reveal(design_->tabs());
  design_->tabs()->show(name);
}

void MainWindow::goTo(const LocatorHit& hit) {
  if (hit.target.empty()) return goToPlace(hit.place);
  const LocatorTarget& target = hit.target.front();
  switch (target.kind) {
    case LocatorTarget::Kind::Action:
      actions_.get(target.id)->trigger();
      break;
    case LocatorTarget::Kind::Field:
      setPerspective(kDesignPerspective);
      design_->reveal(design_->form());
      design_->form()->focusField(target.id);
      break;
    case LocatorTarget::Kind::Example:
      playExample(target.id);
      break;
  }
}

void MainWindow::goToPlace(const Selected& place) {
  setPerspective(kDesignPerspective);
  workspace_.goTo(place);
}

void MainWindow::focusPanel(QWidget* panel) {
  setPerspective(kDesignPerspective);
  design_->reveal(panel);
  if (panel->focusProxy() != nullptr || panel->focusPolicy() != Qt::NoFocus)
    return panel->setFocus(Qt::ShortcutFocusReason);
  for (QWidget* child : panel->findChildren<QWidget*>()) {
    if ((child->focusPolicy() & Qt::TabFocus) != 0 && child->isVisible()) {
      return child->setFocus(Qt::ShortcutFocusReason);
    }
  }
}

void MainWindow::openGallery() {
  auto* gallery = new Gallery(!actions_.get("view.reduce_motion")->isChecked(), this);
  gallery->setAttribute(Qt::WA_DeleteOnClose);
  connect(gallery, &Gallery::chosen, this, &MainWindow::playExample);
  if (!workspace_.runs.knownRuns().empty()) gallery->setAside(runsBeside(gallery));
  gallery->open();
}

/// The runs of this machine in a column: what still runs can be returned to, what is over be looked at.
QWidget* MainWindow::runsBeside(QDialog* gallery) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(px(kMargin), px(kMargin), px(kGap), px(kGap));
  auto* runs = new RecordingList(workspace_, content);
  column->addWidget(runs);
  column->addStretch(1);
  connect(runs, &RecordingList::chosen, this, [this, gallery](const QString& file) {
    gallery->accept();
    file == workspace_.runs.runFile() ? setPerspective(kRunPerspective) : static_cast<void>(openFile(file));
  });
  return thinScroll(content, gallery);
}

void MainWindow::playExample(const QString& path) {
  if (!files_->openCopy(path)) return;
  setPerspective(kDesignPerspective);
  workspace_.playback.play();
}

}  // namespace shardlens::ui
