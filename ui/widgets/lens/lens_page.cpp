// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_page.h"

#include "ui/state/workspace.h"
#include "ui/widgets/common/arrangement.h"
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
  auto* row = rowIn(this, {});
  row->addWidget(columns_);
  panels_ = new Arrangement(this, "lens", [this] {
    constexpr int kFormWidth = 280;
    Arrangement::giveSizes(*columns_, {{form_, px(kFormWidth)}, {panel_, px(4 * kFormWidth)}});
  });
  panels_->addSplitter(columns_);
  panels_->addPanel("form", tr("Design form"), form_);
  panels_->addPanel("lens", tr("Lens"), panel_, Arrangement::Hiding::Never);
  panels_->settle();
}

void LensPage::resetLayout() {
  panels_->reset();
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
  layout.insert(panels_->layout());
  return layout;
}

void LensPage::restoreLayout(const QVariantMap& layout) {
  panel_->setChoice(layout);
  panels_->restoreLayout(layout);
}

}  // namespace shardlens::ui

#include "moc_lens_page.cpp"
