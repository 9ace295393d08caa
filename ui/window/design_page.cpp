// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/design_page.h"

#include "ui/scene/design/inspection.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/design/spec_editor.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/window/tab_strip.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kFormWidth = 280;
constexpr int kRightWidth = 292;
constexpr int kLeastTabs = 190;
constexpr int kLeastText = 330;
constexpr int kMostText = 620;
constexpr int kRoomForAll = 1500;  ///< text and the right column beside each other
constexpr int kLeastWidth = 960;
constexpr int kLeastHeight = 560;

}  // namespace

DesignPage::DesignPage(Workspace& workspace, QWidget* parent, std::vector<TabRow> rows)
    : Page(parent), workspace_(workspace), rows_(std::move(rows)) {
  columns_ = makeSplitter(Qt::Horizontal, this);
  form_column_ = makeFormColumn();
  text_ = new TextPanel(workspace, columns_);
  text_->hide();
  centre_ = makeSplitter(Qt::Vertical, columns_);
  right_ = makeSplitter(Qt::Vertical, columns_);
  stage_ = new StagePanel(workspace, centre_);
  tabs_ = new TabStrip(centre_);
  inspector_ = new InspectorPanel(workspace, right_);
  findings_ = new FindingsPanel(workspace, right_);
  form_column_->setMinimumWidth(px(220));
  text_->setMinimumWidth(px(260));
  right_->setMinimumWidth(px(240));
  columns_->setStretchFactor(2, 1);
  centre_->setStretchFactor(0, 2);
  centre_->setStretchFactor(1, 1);
  right_->setStretchFactor(0, 2);
  right_->setStretchFactor(1, 3);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(columns_);
  addTabs();
  connect(findings_, &FindingsPanel::fieldWanted, this, [this](const QString& path) {
    showPart(Part::Form, true);
    form_->focusField(path);
  });
  connect(text_, &TextPanel::closeWanted, this, [this] { showText(false); });
  arrange();
}

/// The form under a line with the way to its text.
QWidget* DesignPage::makeFormColumn() {
  auto* column = new QWidget(columns_);
  setLook(column, "surface", "panel");
  column->setAttribute(Qt::WA_StyledBackground);
  text_link_ = new LinkButton(tr("Edit as text"));
  text_link_->setObjectName("design:text");
  connect(text_link_, &QAbstractButton::clicked, this, [this] { showText(text_->isHidden()); });
  auto* head = new QHBoxLayout;
  head->setContentsMargins(px(kMargin), px(8), px(kMargin), 0);
  head->addStretch(1);
  head->addWidget(text_link_);
  form_ = new FormPanel(workspace_, column);
  auto* rows = new QVBoxLayout(column);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addLayout(head);
  rows->addWidget(form_, 1);
  return column;
}

void DesignPage::showText(bool shown) {
  if (shown != text_->isHidden()) return;
  text_->setVisible(shown);
  text_link_->setText(shown ? tr("Hide the text") : tr("Edit as text"));
  arrange();
  if (shown) text_->editor()->setFocus(Qt::OtherFocusReason);
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
      {"design.plan", phrase("window", "&Plan again"), [this] { workspace_.plan(); }, keys("F5"), "",
       [this] { return "shardlens plan " + workspace_.specArgument(); }},
      {"design.cancel", phrase("window", "&Stop planning"), [this] { workspace_.plans.cancel(); }, keys("Shift+F5")},
      {"design.text", phrase("window", "Edit as te&xt"), [this] { showText(text_->isHidden()); }, keys("Ctrl+Shift+T"),
       phrase("window", "The design as YAML, in step with the form")},
      {"design.sampler", phrase("window", "Choose a sa&mpler …"), [this] { form_->pickSampler(); }, keys("Ctrl+T"),
       phrase("window", "Choose by framework, search or preview"), [] { return QString("shardlens samplers"); }},
      {},
      {"design.play",
       phrase("window", "Play or pa&use"),
       [&playback] { playback.toggle(); },
       {},
       phrase("window", "Play or pause (Space)")},
      {"design.first_step", phrase("window", "&First step"), [&playback] { playback.seek(playback.epoch(), 0); }},
      {"design.next_epoch", phrase("window", "&Next epoch"), [&playback] { playback.epochBy(1); }, keys("Ctrl+Right")},
      {"design.previous_epoch", phrase("window", "Pre&vious epoch"), [&playback] { playback.epochBy(-1); },
       keys("Ctrl+Left")},
  };
}

QWidget* DesignPage::widgetOf(Part part) const {
  return part == Part::Form ? form_column_ : part == Part::Side ? static_cast<QWidget*>(right_) : tabs_;
}

bool DesignPage::isPartInSight(Part part) const {
  return isPartShown(part) && (part != Part::Side || !right_->isHidden());
}

void DesignPage::showPart(Part part, bool shown) {
  if (shown == isPartShown(part) && shown == isPartInSight(part)) return;
  const bool has_focus = widgetOf(part)->isAncestorOf(QApplication::focusWidget());
  shown ? static_cast<void>(hidden_.erase(part)) : static_cast<void>(hidden_.insert(part));
  if (part == Part::Side && shown && width() < px(kRoomForAll)) showText(false);  // there is room for one of them
  widgetOf(part)->setVisible(shown);
  if (!by_hand_) arrange();
  if (has_focus && !shown) stage_->setFocus(Qt::OtherFocusReason);
  emit partShown(part, shown);
}

void DesignPage::reveal(const QWidget* panel) {
  for (const Part part : {Part::Form, Part::Side, Part::Tabs}) {
    const QWidget* holder = widgetOf(part);
    if (holder == panel || holder->isAncestorOf(panel)) showPart(part, true);
  }
}

void DesignPage::resetLayout() {
  for (const Part part : {Part::Form, Part::Side, Part::Tabs}) showPart(part, true);
  arrange();
}

void DesignPage::arrange() {
  const QSize room = size().expandedTo(QSize(px(kLeastWidth), px(kLeastHeight)));
  by_hand_ = false;
  const int form = isPartShown(Part::Form) ? std::min(px(kFormWidth), room.width() / 4) : 0;
  const int right = std::min(px(kRightWidth), room.width() * 26 / 100);
  const bool with_text = !text_->isHidden();
  const bool was_in_sight = isPartInSight(Part::Side);
  right_->setVisible(isPartShown(Part::Side) && (!with_text || room.width() >= px(kRoomForAll)));
  if (isPartInSight(Part::Side) != was_in_sight) emit partShown(Part::Side, !was_in_sight);
  const int side = right_->isHidden() ? 0 : right;
  const int text = with_text ? std::clamp((room.width() - form - side) * 48 / 100, px(kLeastText), px(kMostText)) : 0;
  columns_->setSizes({form, text, room.width() - form - text - side, side});
  const int tabs = std::max(px(kLeastTabs), room.height() * 32 / 100);
  centre_->setSizes({room.height() - tabs, tabs});
  right_->setSizes({room.height() * 43 / 100, room.height() * 57 / 100});
}

void DesignPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  if (!by_hand_) arrange();
}

QVariantMap DesignPage::layout() const {
  const auto sizes = [this](const QSplitter* splitter) { return by_hand_ ? splitter->saveState() : QByteArray(); };
  return {{"form_shown", isPartShown(Part::Form)},
          {"side_shown", isPartShown(Part::Side)},
          {"tabs_shown", isPartShown(Part::Tabs)},
          {"panes", sizes(columns_)},
          {"centre", sizes(centre_)},
          {"right", sizes(right_)},
          {"tab", tabs_->current()},
          {"text", !text_->isHidden()}};
}

void DesignPage::restoreLayout(const QVariantMap& layout) {
  for (const auto& [name, part] :
       {std::pair{"form_shown", Part::Form}, {"side_shown", Part::Side}, {"tabs_shown", Part::Tabs}}) {
    showPart(part, layout.value(name, true).toBool());
  }
  showText(layout["text"].toBool());  // last: it may take the place of another part
  for (auto [name, splitter] : {std::pair{"panes", columns_}, {"centre", centre_}, {"right", right_}}) {
    if (splitter->restoreState(layout[name].toByteArray())) by_hand_ = true;
  }
  tabs_->show(layout["tab"].toString());
}

}  // namespace shardlens::ui
