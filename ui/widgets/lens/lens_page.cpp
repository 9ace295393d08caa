// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_page.h"

#include "ui/state/workspace.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/lens/lens_panel.h"

#include <QHBoxLayout>
#include <QSplitter>

namespace shardlens::ui {

LensPage::LensPage(Workspace& workspace, QWidget* parent) : Page(parent), workspace_(workspace) {
  constexpr int kFormWidth = 280;
  auto* columns = new QSplitter(Qt::Horizontal, this);
  columns->setHandleWidth(1);
  columns->setChildrenCollapsible(false);
  form_ = new FormPanel(workspace, columns);
  panel_ = new LensPanel(workspace, columns);
  form_->setMinimumWidth(px(220));
  columns->setStretchFactor(1, 1);
  columns->setSizes({px(kFormWidth), px(4 * kFormWidth)});
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(columns);
}

void LensPage::enter(const QString& /*perspective*/) {
  panel_->setFocus();
}

QString LensPage::command() const {
  const QStringList shown = panel_->shownIds();
  return "shardlens lens " + workspace_.specArgument() + (shown.isEmpty() ? "" : " --only " + shown.join(','));
}

QVariantMap LensPage::layout() const {
  return panel_->choice();
}

void LensPage::restoreLayout(const QVariantMap& layout) {
  panel_->setChoice(layout);
}

}  // namespace shardlens::ui
