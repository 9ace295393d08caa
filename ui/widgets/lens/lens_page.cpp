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
  columns_ = new QSplitter(Qt::Horizontal, this);
  columns_->setHandleWidth(1);
  columns_->setChildrenCollapsible(false);
  form_ = new FormPanel(workspace, columns_);
  panel_ = new LensPanel(workspace, columns_);
  form_->setMinimumWidth(px(220));
  columns_->setStretchFactor(1, 1);
  connect(columns_, &QSplitter::splitterMoved, this, [this] { by_hand_ = true; });
  LensPage::resetLayout();
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(columns_);
}

void LensPage::resetLayout() {
  constexpr int kFormWidth = 280;
  by_hand_ = false;
  columns_->setSizes({px(kFormWidth), px(4 * kFormWidth)});
}

void LensPage::enter(const QString& /*perspective*/) {
  panel_->setFocus();
}

QString LensPage::command() const {
  const QStringList shown = panel_->shownIds();
  return "shardlens lens " + workspace_.specArgument() + (shown.isEmpty() ? "" : " --only " + shown.join(','));
}

QVariantMap LensPage::layout() const {
  QVariantMap layout = panel_->choice();
  layout["lens_panes"] = by_hand_ ? columns_->saveState() : QByteArray();
  return layout;
}

void LensPage::restoreLayout(const QVariantMap& layout) {
  panel_->setChoice(layout);
  by_hand_ = columns_->restoreState(layout["lens_panes"].toByteArray());
}

}  // namespace shardlens::ui
