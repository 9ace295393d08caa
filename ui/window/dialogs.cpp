// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QMessageBox>
#include <QPushButton>

namespace shardlens::ui {
namespace {

/// A head, and below it what is done by which keys.
struct KeySection {
  QString head;
  std::vector<std::pair<QString, QString>> keys = {};
  /// Its rows, and the room above its head.
  [[nodiscard]] double height() const { return 1.5 + static_cast<double>(keys.size()); }
};

void addSection(QGridLayout& grid, const KeySection& section, QWidget* parent) {
  const int head = grid.rowCount();
  grid.setRowMinimumHeight(head, px(30));
  grid.addWidget(sectionHead(section.head, parent), head, 0, 1, 2, Qt::AlignBottom);
  for (const auto& key : section.keys) {
    const int row = grid.rowCount();
    grid.addWidget(textLabel(key.first, "", parent), row, 0);
    grid.addWidget(textLabel(key.second, "muted", parent), row, 1, Qt::AlignRight);
  }
}

QString oneKey(const QString& key) {
  constexpr const char* kNotOfKeyboards[] = {QT_TRANSLATE_NOOP("window", "Arrow keys"),
                                             QT_TRANSLATE_NOOP("window", "Drag"), QT_TRANSLATE_NOOP("window", "Wheel"),
                                             QT_TRANSLATE_NOOP("window", "Alt+Wheel")};
  for (const char* name : kNotOfKeyboards) {
    if (key == QLatin1String(name)) return phrase("window", name);
  }
  return QKeySequence(key).toString(QKeySequence::NativeText);
}

/// "Left, Right" as the language writes keys and lists.
QString keysText(const QStringList& keys) {
  QStringList shown;
  for (const QString& key : keys) {
    if (const QString words = oneKey(key); !shown.contains(words)) shown += words;
  }
  QString text = shown.value(0);
  for (qsizetype i = 1; i < shown.size(); ++i) text = phrase("window", "%1, %2").arg(text, shown[i]);
  return text;
}

/// The heads of the groups of actions, by the first part of their ids.
QString sectionName(const QString& group) {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"file", QT_TRANSLATE_NOOP("window", "file")},       {"edit", QT_TRANSLATE_NOOP("window", "edit")},
      {"view", QT_TRANSLATE_NOOP("window", "view")},       {"panel", QT_TRANSLATE_NOOP("window", "panels")},
      {"design", QT_TRANSLATE_NOOP("window", "design")},   {"run", QT_TRANSLATE_NOOP("window", "run")},
      {"analyse", QT_TRANSLATE_NOOP("window", "analyse")}, {"help", QT_TRANSLATE_NOOP("window", "help")}};
  for (const auto& [id, name] : kNames) {
    if (group == QLatin1String(id)) return phrase("window", name);
  }
  return group;
}

QGridLayout* keyColumn(QHBoxLayout& columns) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(px(12));
  grid->setVerticalSpacing(px(2));
  columns.addLayout(grid);
  return grid;
}

std::vector<KeySection> sectionsOf(const Actions& actions, const std::vector<Perspective>& rows) {
  std::vector<KeySection> sections;
  QString group;
  for (const QAction* action : actions.all()) {
    if (action->shortcuts().isEmpty()) continue;
    const QString own = action->objectName().section('.', 0, 0);
    if (own != group) sections.push_back({sectionName(own)});
    group = own;
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) keys += key.toString(QKeySequence::PortableText);
    sections.back().keys.emplace_back(Actions::plainText(*action), keysText(keys));
  }
  for (const Perspective& row : rows) {
    if (row.page_keys.empty()) continue;
    sections.push_back({row.keys_of});
    for (const PageKey& key : row.page_keys) sections.back().keys.emplace_back(key.what, keysText(key.keys));
  }
  return sections;
}

/// Where each column ends when none of them is higher than `most`.
std::vector<std::size_t> columnEnds(const std::vector<KeySection>& sections, double most) {
  std::vector<std::size_t> ends;
  double height = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (height > 0 && height + sections[i].height() > most) {
      ends.push_back(i);
      height = 0;
    }
    height += sections[i].height();
  }
  ends.push_back(sections.size());
  return ends;
}

/// The lowest columns, in the order of the sections.
std::vector<std::size_t> columnEnds(const std::vector<KeySection>& sections, std::size_t columns) {
  double most = 1;
  while (columnEnds(sections, most).size() > columns) most += 0.5;
  return columnEnds(sections, most);
}

}  // namespace

KeySheet::KeySheet(const Actions& actions, const std::vector<Perspective>& rows, QWidget* parent) : QDialog(parent) {
  setWindowTitle(phrase("window", "Keyboard"));
  setObjectName("keySheet");
  if (parent != nullptr) new Shade(this);
  auto* sheet = new QWidget;
  auto* columns = rowIn(sheet, {px(16), px(4), px(16), px(12)}, px(24));
  // Where three columns have no room, two of them scroll one way only.
  const bool narrow = parent != nullptr && parent->width() < px(1180);
  const std::vector<KeySection> sections = sectionsOf(actions, rows);
  std::size_t next = 0;
  for (const std::size_t end : columnEnds(sections, std::size_t{narrow ? 2U : 3U})) {
    QGridLayout* grid = keyColumn(*columns);
    for (; next < end; ++next) addSection(*grid, sections[next], this);
    grid->setRowStretch(grid->rowCount(), 1);
  }
  showIn(sheet, parent);
}

/// As large as its rows, or as the window where that is smaller: then it scrolls.
void KeySheet::showIn(QWidget* sheet, const QWidget* parent) {
  auto* scroll = thinScroll(sheet, this);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  scroll->setFocusPolicy(Qt::StrongFocus);  // the arrow keys scroll
  columnIn(this, {})->addWidget(scroll);
  const QSize wanted = sheet->sizeHint() + QSize(px(12), px(12));
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
  box.setStandardButtons(QMessageBox::Ok);
  box.button(QMessageBox::Ok)->setIcon({});  // no button of the window has one
  box.open();
}

}  // namespace shardlens::ui

#include "moc_dialogs.cpp"
