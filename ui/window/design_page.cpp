// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/design_page.h"

#include "ui/widgets/common/metrics.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/session.h"
#include "ui/window/tab_strip.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

constexpr int kFormWidth = 280;
constexpr int kRightWidth = 292;
constexpr int kInspectorHeight = 344;
constexpr int kLeastWidth = 960;
constexpr int kLeastHeight = 560;

}  // namespace

DesignPage::DesignPage(Workspace& workspace, QWidget* parent) : QWidget(parent) {
  columns_ = makeSplitter(Qt::Horizontal, this);
  form_ = new FormPanel(workspace, columns_);
  centre_ = makeSplitter(Qt::Vertical, columns_);
  right_ = makeSplitter(Qt::Vertical, columns_);
  stage_ = new StagePanel(workspace, centre_);
  tabs_ = new TabStrip(centre_);
  inspector_ = new InspectorPanel(workspace, right_);
  findings_ = new FindingsPanel(workspace, right_);
  form_->setMinimumWidth(px(220));
  right_->setMinimumWidth(px(240));
  columns_->setStretchFactor(1, 1);
  centre_->setStretchFactor(0, 3);
  centre_->setStretchFactor(1, 2);
  right_->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(columns_);
  addTabs(workspace);
  connect(findings_, &FindingsPanel::fieldWanted, form_, &FormPanel::focusField);
  resetLayout();
}

QSplitter* DesignPage::makeSplitter(Qt::Orientation orientation, QWidget* parent) {
  auto* splitter = new QSplitter(orientation, parent);
  splitter->setHandleWidth(1);  // Qt lets one take hold of it from two pixels on either side
  splitter->setChildrenCollapsible(false);
  return splitter;
}

void DesignPage::addTabs(Workspace& workspace) {
  for (const TabInfo& tab : bottomTabs()) {
    tabs_->add(tab.name, tab.label, [&workspace, make = tab.make](QWidget* parent) { return make(workspace, parent); });
  }
  tabs_->show("overlap");
}

void DesignPage::resetLayout() {
  const QSize room = size().expandedTo(QSize(px(kLeastWidth), px(kLeastHeight)));
  const int form = px(kFormWidth);
  const int right = px(kRightWidth);
  columns_->setSizes({form, room.width() - form - right, right});
  centre_->setSizes({room.height() * 56 / 100, room.height() * 44 / 100});
  right_->setSizes({px(kInspectorHeight), room.height() - px(kInspectorHeight)});
}

void DesignPage::restoreLayout(const Session& session) {
  columns_->restoreState(session.value("layout/columns").toByteArray());
  centre_->restoreState(session.value("layout/centre").toByteArray());
  right_->restoreState(session.value("layout/right").toByteArray());
  tabs_->show(session.value("layout/tab").toString());
}

void DesignPage::saveLayout(Session& session) const {
  session.set("layout/columns", columns_->saveState());
  session.set("layout/centre", centre_->saveState());
  session.set("layout/right", right_->saveState());
  session.set("layout/tab", tabs_->current());
}

}  // namespace shardlens::ui
