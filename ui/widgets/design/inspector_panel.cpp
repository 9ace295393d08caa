// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/inspector_panel.h"

#include "ui/scene/number_text.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kChipColumns = 4;
constexpr std::size_t kChipsAtFirst = 12;
constexpr std::size_t kChipsAtMost = 400;

void copy(const QString& text) {
  QGuiApplication::clipboard()->setText(text);
}

QPushButton* makeChip(const SampleChip& chip, bool selected, QWidget* parent) {
  auto* button = new QPushButton(QString::number(chip.id), parent);
  setLook(button, "role", "chip");
  setLook(button, "state", chip.shared ? "error" : selected ? "on" : "");
  QString tip = QString("sample %1").arg(chip.id);
  if (chip.padding) tip += ", padding";
  if (chip.shared) tip += ", another rank gets it in this epoch too";
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setMinimumWidth(1);
  return button;
}

QLabel* hintLabel(QWidget* parent) {
  auto* hint =
      noteLabel("Click a batch on the Stage, a rank, or a cell of Overlap to see what is in it.", "muted", parent);
  hint->setContentsMargins(0, px(4), 0, 0);
  return hint;
}

}  // namespace

InspectorPanel::InspectorPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), outer_(new QVBoxLayout(this)) {
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName("Inspector");
  outer_->setContentsMargins(0, 0, 0, 0);
  connect(&workspace_.selection, &Selection::changed, this, [this] {
    all_chips_ = false;
    refresh();
  });
  connect(&workspace_.plans, &PlanService::snapshotChanged, this, &InspectorPanel::refresh);
  refresh();
}

void InspectorPanel::refresh() {
  const PlanSnapshotPtr answer = workspace_.plans.snapshot();
  if (!answer->epoch) {
    if (shown_.title.isEmpty()) rebuild();
    return;  // the last good one stays until there is a plan again
  }
  const Selected selected = workspace_.selection.current();
  search_.cancel();
  show(inspect(*answer, selected));
  if (shown_.complete) return;
  search_.start([answer, selected](const Work& work) { return inspectFully(*answer, selected, work); },
                [this](Inspection found) { show(std::move(found)); });
}

void InspectorPanel::show(Inspection inspection) {
  shown_ = std::move(inspection);
  rebuild();
}

void InspectorPanel::rebuild() {
  if (content_ != nullptr) {
    content_->hide();
    content_->deleteLater();
  }
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(px(kMargin), px(12), px(kMargin), px(12));
  column->setSpacing(px(6));
  column->addWidget(sectionHead("inspector", body));
  if (!shown_.title.isEmpty()) {
    auto* title = textLabel(shown_.title, "", body);
    setLook(title, "role", "title");
    column->addWidget(title);
    addFacts(*column);
    addChips(*column);
    if (!shown_.is_overview) addActions(*column);
  }
  if (shown_.title.isEmpty() || shown_.is_overview) column->addWidget(hintLabel(body));
  column->addStretch();
  content_ = thinScroll(body, this);
  outer_->addWidget(content_);
}

void InspectorPanel::addFacts(QVBoxLayout& column) {
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, px(2), 0, px(2));
  grid->setVerticalSpacing(px(5));
  grid->setHorizontalSpacing(px(kGap));
  const bool is_sample = !shown_.facts.empty() && shown_.facts.front().name.startsWith("epoch");
  grid->setColumnMinimumWidth(0, px(is_sample ? 56 : 108));
  grid->setColumnStretch(1, 1);
  int row = 0;
  for (const auto& [name, value] : shown_.facts) {
    auto* fact = textLabel(value, "", this);
    fact->setWordWrap(true);
    fact->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel* label : {textLabel(name, "muted", this), fact}) {
      setLook(label, "role", "text");
      grid->addWidget(label, row, label == fact ? 1 : 0, Qt::AlignTop);
    }
    ++row;
  }
  column.addLayout(grid);
  if (shown_.verdict.isEmpty() && shown_.complete) return;
  auto* verdict = textLabel(shown_.complete ? shown_.verdict : QString("searching …"), "muted", this);
  setLook(verdict, "role", "text");
  verdict->setWordWrap(true);
  column.addWidget(verdict);
}

void InspectorPanel::addChips(QVBoxLayout& column) {
  const std::size_t most = all_chips_ ? kChipsAtMost : kChipsAtFirst;
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, px(4), 0, px(2));
  grid->setSpacing(px(6));
  const std::optional<qint64> selected = workspace_.selection.current().sample;
  for (std::size_t i = 0; i < std::min(most, shown_.chips.size()); ++i) {
    const SampleChip& chip = shown_.chips[i];
    QPushButton* button = makeChip(chip, chip.id == selected, this);
    connect(button, &QPushButton::clicked, this, [this, id = chip.id] { selectSample(id); });
    grid->addWidget(button, static_cast<int>(i) / kChipColumns, static_cast<int>(i) % kChipColumns);
  }
  for (int i = 0; i < kChipColumns; ++i) grid->setColumnStretch(i, 1);
  if (!shown_.chips.empty()) column.addLayout(grid);
}

void InspectorPanel::addActions(QVBoxLayout& column) {
  auto* line = new QHBoxLayout;
  line->setSpacing(px(4));
  const std::size_t visible = std::min(all_chips_ ? kChipsAtMost : kChipsAtFirst, shown_.chips.size());
  const qint64 more = shown_.samples - static_cast<qint64>(visible);
  if (more > 0 && !all_chips_) {
    auto* button = new LinkButton(QString("+ %1 more").arg(number(more)), "", this);
    connect(button, &QAbstractButton::clicked, this, [this] {
      all_chips_ = true;
      rebuild();
    });
    line->addWidget(button);
  }
  auto* copy_button = new LinkButton("copy", "", this);
  connect(copy_button, &QAbstractButton::clicked, this, [this, copy_button] { showCopyMenu(copy_button); });
  line->addWidget(copy_button);
  const Selected& selected = workspace_.selection.current();
  if (selected.sample && !selected.ranks.empty()) {
    auto* find = new LinkButton("find in all epochs", "", this);
    connect(find, &QAbstractButton::clicked, this, [this] {
      Selected sample;
      sample.sample = workspace_.selection.current().sample;
      workspace_.selection.select(sample);
    });
    line->addWidget(find);
  }
  line->addStretch();
  column.addLayout(line);
}

void InspectorPanel::showCopyMenu(QWidget* under) {
  QMenu menu(this);
  menu.addAction("Copy as YAML", this, [this] { copy(asYaml(shown_)); });
  auto* csv = menu.addAction("Copy sample ids as CSV", this, [this] { copy(asCsv(shown_)); });
  csv->setEnabled(!shown_.chips.empty());
  menu.addAction("Copy command line", this,
                 [this] { copy(twinOf(workspace_.selection.current(), workspace_.document.path())); });
  menu.exec(under->mapToGlobal(QPoint(0, under->height())));
}

void InspectorPanel::selectSample(qint64 id) {
  Selected selected = workspace_.selection.current();
  selected.sample = id;
  workspace_.selection.select(selected);
}

}  // namespace shardlens::ui
