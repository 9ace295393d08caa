// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QMessageBox>
#include <QScrollArea>
#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

constexpr int kThreeColumns = 1180;

void addKey(QGridLayout& grid, const QString& what, const QString& keys, QWidget* parent) {
  const int row = grid.rowCount();
  grid.addWidget(textLabel(what, "", parent), row, 0);
  grid.addWidget(textLabel(keys, "muted", parent), row, 1, Qt::AlignRight);
}

void addHead(QGridLayout& grid, const QString& text, QWidget* parent) {
  const int row = grid.rowCount();
  grid.setRowMinimumHeight(row, px(30));
  grid.addWidget(sectionHead(text, parent), row, 0, 1, 2, Qt::AlignBottom);
}

/// The heads of the groups of actions, by the first part of their ids.
QString sectionName(const QString& group) {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"file", QT_TRANSLATE_NOOP("window", "file")}, {"edit", QT_TRANSLATE_NOOP("window", "edit")},
      {"view", QT_TRANSLATE_NOOP("window", "view")}, {"design", QT_TRANSLATE_NOOP("window", "design")},
      {"run", QT_TRANSLATE_NOOP("window", "run")},   {"analyse", QT_TRANSLATE_NOOP("window", "analyse")},
      {"help", QT_TRANSLATE_NOOP("window", "help")}};
  for (const auto& [id, name] : kNames) {
    if (group == QLatin1String(id)) return phrase("window", name);
  }
  return group;
}

QGridLayout* keyColumn(QHBoxLayout& columns) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(px(32));
  grid->setVerticalSpacing(px(4));
  columns.addLayout(grid);
  return grid;
}

}  // namespace

KeySheet::KeySheet(const Actions& actions, const std::vector<Perspective>& rows, QWidget* parent) : QDialog(parent) {
  setWindowTitle(phrase("window", "Keyboard"));
  setObjectName("keySheet");
  auto* sheet = new QWidget;
  auto* columns = new QHBoxLayout(sheet);
  columns->setContentsMargins(px(24), px(8), px(24), px(24));
  columns->setSpacing(px(40));
  // Where three columns have no room, two of them scroll one way only.
  const bool narrow = parent != nullptr && parent->width() < px(kThreeColumns);
  QGridLayout* const first = keyColumn(*columns);
  QGridLayout* grid = first;
  QString section;
  for (const QAction* action : actions.all()) {
    if (action->shortcuts().isEmpty()) continue;
    const QString own = action->objectName().section('.', 0, 0);
    if (own == "view" && section != own) grid = keyColumn(*columns);
    if (own == "design" && section != own && !narrow) grid = keyColumn(*columns);
    if (own != section) addHead(*grid, sectionName(own), this);
    section = own;
    addKey(*grid, Actions::plainText(*action),
           QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText), this);
  }
  for (const Perspective& row : rows) {
    if (!row.page_keys.empty()) addHead(*first, row.keys_of, this);
    for (const PageKey& key : row.page_keys) addKey(*first, key.what, key.keys, this);
  }
  for (int i = 0; i < columns->count(); ++i) {
    auto* each = static_cast<QGridLayout*>(columns->itemAt(i)->layout());
    each->setRowStretch(each->rowCount(), 1);
  }
  showIn(sheet, parent);
}

/// As large as its rows, or as the window where that is smaller: then it scrolls.
void KeySheet::showIn(QWidget* sheet, const QWidget* parent) {
  auto* scroll = thinScroll(sheet, this);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  scroll->setFocusPolicy(Qt::StrongFocus);  // the arrow keys scroll
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins({});
  whole->addWidget(scroll);
  const QSize wanted = sheet->sizeHint() + QSize(px(12), px(4));
  const QSize room = parent == nullptr ? wanted : parent->size() - QSize(2 * px(kGap), 2 * px(kGap));
  resize(wanted.boundedTo(room));
}

void showAbout(QWidget* parent) {
  auto* shown = new QMessageBox(parent);
  QMessageBox& box = *shown;
  box.setAttribute(Qt::WA_DeleteOnClose);
  box.setWindowTitle(phrase("window", "About ShardLens"));
  box.setTextFormat(Qt::RichText);
  box.setText(
      phrase("window",
             "<h3>ShardLens %1</h3>"
             "<p>Designs, inspects, proves and monitors the data pipeline of distributed training jobs.</p>"
             "<p>The window is free software under GPL-3.0-or-later, with Qt and QCustomPlot; the engine and the "
             "command line are under Apache-2.0.</p>")
          .arg(QCoreApplication::applicationVersion()));
  box.open();
}

}  // namespace shardlens::ui
