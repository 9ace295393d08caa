// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/design_page.h"

#include "ui/scene/design/inspection.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/window/tab_strip.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kFormWidth = 280;
constexpr int kRightWidth = 292;
constexpr int kLeastTabs = 190;
constexpr int kLeastWidth = 960;
constexpr int kLeastHeight = 560;

}  // namespace

DesignPage::DesignPage(Workspace& workspace, QWidget* parent, std::vector<TabRow> rows)
    : Page(parent), workspace_(workspace), rows_(std::move(rows)) {
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
  centre_->setStretchFactor(0, 2);
  centre_->setStretchFactor(1, 1);
  right_->setStretchFactor(0, 2);
  right_->setStretchFactor(1, 3);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(columns_);
  addTabs();
  connect(findings_, &FindingsPanel::fieldWanted, form_, &FormPanel::focusField);
  DesignPage::resetLayout();
}

QSplitter* DesignPage::makeSplitter(Qt::Orientation orientation, QWidget* parent) {
  auto* splitter = new QSplitter(orientation, parent);
  splitter->setHandleWidth(1);  // Qt lets one take hold of it from two pixels on either side
  splitter->setChildrenCollapsible(false);
  connect(splitter, &QSplitter::splitterMoved, this, [this] { by_hand_ = true; });
  return splitter;
}

void DesignPage::addTabs() {
  for (const TabRow& row : rows_) {
    tabs_->add(row.name, row.label, [this, make = row.make](QWidget* parent) { return make(workspace_, parent); });
  }
  tabs_->show(rows_.front().name);
}

/// The focus stays where it is: the user comes back to the field that was left.
void DesignPage::enter(const QString& /*perspective*/) {}

QString DesignPage::command() const {
  return twinOf(workspace_.selection.current(), workspace_.specArgument());
}

std::vector<ActionInfo> DesignPage::actions() {
  Playback& playback = workspace_.playback;
  return {
      {"design.plan", "&Plan again", [this] { workspace_.plan(); }, keys("F5"), "",
       [this] { return "shardlens plan " + workspace_.specArgument(); }},
      {"design.cancel", "&Stop planning", [this] { workspace_.plans.cancel(); }, keys("Shift+F5")},
      {"design.sampler", "Choose a sa&mpler …", [this] { form_->pickSampler(); }, keys("Ctrl+T"),
       "Choose by framework, search or preview", [] { return QString("shardlens samplers"); }},
      {},
      {"design.play", "Play or pa&use", [&playback] { playback.toggle(); }, {}, "Play or pause (Space)"},
      {"design.first_step", "&First step", [&playback] { playback.seek(playback.epoch(), 0); }},
      {"design.next_epoch", "&Next epoch", [&playback] { playback.epochBy(1); }, keys("Ctrl+Right")},
      {"design.previous_epoch", "Pre&vious epoch", [&playback] { playback.epochBy(-1); }, keys("Ctrl+Left")},
  };
}

void DesignPage::resetLayout() {
  const QSize room = size().expandedTo(QSize(px(kLeastWidth), px(kLeastHeight)));
  by_hand_ = false;
  const int form = std::min(px(kFormWidth), room.width() / 4);
  const int right = std::min(px(kRightWidth), room.width() * 26 / 100);
  columns_->setSizes({form, room.width() - form - right, right});
  const int tabs = std::max(px(kLeastTabs), room.height() * 32 / 100);
  centre_->setSizes({room.height() - tabs, tabs});
  right_->setSizes({room.height() * 40 / 100, room.height() * 60 / 100});
}

void DesignPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  if (!by_hand_) resetLayout();
}

QVariantMap DesignPage::layout() const {
  const auto sizes = [this](const QSplitter* splitter) { return by_hand_ ? splitter->saveState() : QByteArray(); };
  return {
      {"columns", sizes(columns_)}, {"centre", sizes(centre_)}, {"right", sizes(right_)}, {"tab", tabs_->current()}};
}

void DesignPage::restoreLayout(const QVariantMap& layout) {
  for (auto [name, splitter] : {std::pair{"columns", columns_}, {"centre", centre_}, {"right", right_}}) {
    if (splitter->restoreState(layout[name].toByteArray())) by_hand_ = true;
  }
  tabs_->show(layout["tab"].toString());
}

}  // namespace shardlens::ui
