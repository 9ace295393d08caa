// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/design_page.h"

#include "ui/scene/design/inspection.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/stage/stage_panel.h"

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kRoomForAll = 1500;  ///< the form and the text beside each other

QStringList idsOf(DesignPage::Part part) {
  using Part = DesignPage::Part;
  return part == Part::Form   ? QStringList{"form"}
         : part == Part::Tabs ? QStringList{"tabs"}
                              : QStringList{"inspector", "findings"};
}

}  // namespace

DesignPage::DesignPage(Workspace& workspace, QWidget* parent, std::vector<TabRow> rows)
    : Page(parent), workspace_(workspace), rows_(std::move(rows)) {
  columns_ = thinSplitter(Qt::Horizontal, this);
  form_column_ = makeFormColumn();
  text_ = new TextPanel(workspace, columns_);
  centre_ = thinSplitter(Qt::Vertical, columns_);
  right_ = thinSplitter(Qt::Vertical, columns_);
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
  columnIn(this, {})->addWidget(columns_);
  for (const TabRow& row : rows_) {
    tabs_->add(row.name, row.label, [this, make = row.make](QWidget* holder) { return make(workspace_, holder); });
  }
  tabs_->show(rows_.front().name);
  connect(&workspace_.document, &Document::specChanged, this, &DesignPage::offerTabs);
  offerTabs();
  connect(findings_, &FindingsPanel::fieldWanted, this, [this](const QString& path) {
    reveal(form_column_);
    form_->focusField(path);
  });
  connect(tabs_, &TabStrip::roomWanted, this, &DesignPage::toggleLargeTabs);
  connect(text_, &TextPanel::closeWanted, this, [this] { showText(false); });
  addPlaces();
}

void DesignPage::addPlaces() {
  panels_ = new Arrangement(this, "design", [this] { arrange(); });
  for (QSplitter* splitter : {columns_, centre_, right_}) panels_->addSplitter(splitter);
  panels_->addPanel("form", tr("Design form"), form_column_);
  panels_->addPanel("text", tr("Design as text"), text_);
  panels_->addPanel("stage", tr("Stage"), stage_, Arrangement::Hiding::Never);
  panels_->addPanel("tabs", tr("Bottom tabs"), tabs_);
  panels_->addPanel("inspector", tr("Inspector"), inspector_);
  panels_->addPanel("findings", tr("Findings"), findings_);
  panels_->settle({"text"});
  connect(panels_, &Arrangement::changed, this, [this] {
    text_link_->setText(panels_->isShown("text") ? tr("Hide the text") : tr("Edit as text"));
    fitForm();
  });
}

/// The text says what the form says: where there is no room for both, it takes its place.
void DesignPage::fitForm() {
  panels_->setAvailable("form", !panels_->isShown("text") || width() >= px(kRoomForAll));
}

/// The form under a line with the way to its text.
QWidget* DesignPage::makeFormColumn() {
  auto* column = new QWidget(columns_);
  setSurface(column, "panel");
  text_link_ = new LinkButton(tr("Edit as text"));
  text_link_->setObjectName("design:text");
  connect(text_link_, &QAbstractButton::clicked, this, [this] { showText(!panels_->isShown("text")); });
  auto* head = rowIn(nullptr, {px(kMargin), px(8), px(kMargin), 0});
  head->addStretch(1);
  head->addWidget(text_link_);
  form_ = new FormPanel(workspace_, column);
  auto* rows = columnIn(column, {}, 0);
  rows->addLayout(head);
  rows->addWidget(form_, 1);
  return column;
}

void DesignPage::showText(bool shown) {
  if (shown == panels_->isShown("text")) return;
  panels_->forgetSizes();
  panels_->setShown("text", shown);
  if (shown) text_->editor()->setFocus(Qt::OtherFocusReason);
}

void DesignPage::offerTabs() {
  for (const TabRow& row : rows_)
    if (row.offered != nullptr) tabs_->setOffered(row.name, row.offered(workspace_.document.spec()));
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
      {"design.text", phrase("window", "Edit as te&xt"), [this] { showText(!panels_->isShown("text")); },
       keys("Ctrl+Shift+T"), phrase("window", "The design as YAML, in step with the form")},
      {"design.sampler", phrase("window", "Choose a sa&mpler…"), [this] { form_->pickSampler(); }, keys("Ctrl+T"),
       phrase("window", "Choose by framework, search or preview"), [] { return QString("shardlens samplers"); }},
      {"design.large_tabs",
       phrase("window", "Large &bottom tabs"),
       [this] { toggleLargeTabs(); },
       {},
       phrase("window", "Most of the height for the tabs below the Stage, and back")},
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

bool DesignPage::isPartInSight(Part part) const {
  const QStringList ids = idsOf(part);
  return std::ranges::any_of(ids, [this](const QString& id) { return panels_->isInSight(id); });
}

void DesignPage::togglePart(Part part) {
  if (isPartInSight(part)) return panels_->hidePanels(idsOf(part));
  for (const QString& id : idsOf(part)) panels_->setShown(id, true);
  if (!isPartInSight(part)) showText(false);  // there is room for one of them
}

void DesignPage::reveal(const QWidget* panel) {
  const QString id = panels_->idOf(panel);
  panels_->setShown(id, true);
  if (!panels_->isInSight(id)) showText(false);
}

void DesignPage::resetLayout() {
  tabs_are_large_ = false;
  panels_->reset();
}

void DesignPage::arrange() {
  const QSize room = size().expandedTo(QSize(px(960), px(560)));
  const int spare = std::max(0, room.width() - px(kRoomForAll)) / 5;  // of a wide window: names in the form are whole
  const int form_width = std::min(px(280) + spare, px(364));
  const int form = form_column_->isHidden() ? 0 : std::min(form_width, room.width() / 4);
  const int right = std::min(px(292), room.width() * 26 / 100);
  const int side = right_->isHidden() ? 0 : right;
  const bool with_text = panels_->isShown("text");
  const int text = with_text ? std::clamp((room.width() - form - side) * 48 / 100, px(330), px(620)) : 0;
  const int centre = room.width() - form - text - side;
  Arrangement::giveSizes(*columns_, {{form_column_, form}, {text_, text}, {centre_, centre}, {right_, side}});
  arrangeCentre(room.height());
  const int inspector = room.height() * 43 / 100;
  Arrangement::giveSizes(*right_, {{inspector_, inspector}, {findings_, room.height() - inspector}});
}

void DesignPage::arrangeCentre(int height) {
  const int tabs = tabs_are_large_ ? height * 3 / 4 : std::max(px(216), height * 32 / 100);
  Arrangement::giveSizes(*centre_, {{stage_, height - tabs}, {tabs_, tabs}});
}

void DesignPage::toggleLargeTabs() {
  reveal(tabs_);
  tabs_are_large_ = !tabs_are_large_;
  arrangeCentre(height());
}

void DesignPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fitForm();
  if (!panels_->isByHand()) arrange();
}

QVariantMap DesignPage::layout() const {
  QVariantMap layout = panels_->layout();
  layout["tab"] = tabs_->current();
  return layout;
}

void DesignPage::restoreLayout(const QVariantMap& layout) {
  panels_->restoreLayout(layout);
  tabs_->show(layout["tab"].toString());
}

}  // namespace shardlens::ui

#include "moc_design_page.cpp"
