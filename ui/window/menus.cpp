// SPDX-License-Identifier: GPL-3.0-or-later
// The menus: which action stands where. They open from the button in the header, by Alt and their letter, and as a bar
// when the user wants one.
#include "ui/state/phrase.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/window/design_page.h"
#include "ui/window/file_commands.h"
#include "ui/window/header_bar.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"

#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QToolButton>

#include <functional>

namespace shardlens::ui {
namespace {

void fill(QMenu& menu, const Actions& actions, const QStringList& ids) {
  for (const QString& id : ids) {
    if (id == "-") {
      menu.addSeparator();
    } else {
      menu.addAction(actions.get(id));
    }
  }
  menu.setToolTipsVisible(true);
}

QStringList withPrefix(const char* prefix, const QStringList& names) {
  QStringList ids;
  for (const QString& name : names) ids += prefix + name;
  return ids;
}

QMenu* fileMenu(QWidget* window, const Actions& actions, FileCommands& files) {
  auto* menu = new QMenu(phrase("window", "&File"), window);
  fill(*menu, actions, {"file.new", "file.paste", "file.open", "file.open_recording"});
  QMenu* recent = menu->addMenu(phrase("window", "Open &recent"));
  QMenu* drafts = menu->addMenu(phrase("window", "&Kept drafts"));
  QObject::connect(recent, &QMenu::aboutToShow, &files, [&files, recent] { files.fillRecent(*recent); });
  QObject::connect(drafts, &QMenu::aboutToShow, &files, [&files, drafts] { files.fillDrafts(*drafts); });
  fill(*menu, actions,
       {"file.examples", "-", "file.save", "file.save_as", "file.film", "file.report", "file.picture", "-",
        "file.quit"});
  return menu;
}

/// The panels of the page in view, shown or hidden, and what is done with the one that has the focus.
void addPanelsMenu(QMenu& view, const Actions& actions, const std::function<QWidget*()>& page) {
  auto* menu = view.addMenu(phrase("window", "&Panels"));
  const auto refill = [menu, page, &actions] {
    menu->clear();
    if (auto* panels = Arrangement::around(page())) fillPanelRows(*menu, *panels);
    fill(*menu, actions,
         {"-", "panel.hide", "panel.left", "panel.right", "panel.up", "panel.down", "-", "panel.restore"});
  };
  QObject::connect(menu, &QMenu::aboutToShow, menu, refill);
  refill();
}

QMenu* viewMenu(QWidget* window, const Actions& actions, const QStringList& perspectives,
                const std::function<QWidget*()>& page) {
  auto* menu = new QMenu(phrase("window", "&View"), window);
  fill(*menu, actions, withPrefix("view.", perspectives) << "-");
  fill(*menu->addMenu(phrase("window", "&Theme")), actions,
       {"view.theme.light", "view.theme.dark", "view.theme.system", "-", "view.theme.toggle"});
  QStringList language_ids = {"view.language." + kSystemLanguage};
  for (const QString& name : languages()) language_ids += "view.language." + name;
  fill(*menu->addMenu(phrase("window", "Lan&guage")), actions, language_ids);
  fill(*menu, actions, {"view.back", "view.forward", "-"});
  QStringList panels;
  for (int i = 1; i <= 5; ++i) panels += QString("view.panel.%1").arg(i);
  fill(*menu->addMenu(phrase("window", "Go &to panel")), actions, panels);
  fill(*menu, actions, {"view.form", "view.side", "view.tabs"});
  addPanelsMenu(*menu, actions, page);
  fill(*menu, actions, {"-", "view.reduce_motion", "view.menu_bar", "view.full_screen", "view.reset_layout"});
  return menu;
}

QMenu* plainMenu(const QString& title, QWidget* window, const Actions& actions, const QStringList& ids) {
  auto* menu = new QMenu(title, window);
  fill(*menu, actions, ids);
  return menu;
}

/// The letter behind the mark of the mnemonic.
QString mnemonicOf(const QMenu& menu) {
  return menu.title().section('&', 1).left(1);
}

}  // namespace

std::vector<QMenu*> MainWindow::makeMenus() {
  std::vector<QMenu*> menus = {
      fileMenu(this, actions_, *files_),
      plainMenu(phrase("window", "&Edit"), this, actions_,
                {"edit.undo", "edit.redo", "-", "edit.locate", "edit.copy_command"}),
      viewMenu(this, actions_, namesOf(rows_), [this] { return &currentPage(); }),
  };
  for (const PageMenu& menu : page_menus_) menus.push_back(plainMenu(menu.title, this, actions_, menu.ids));
  menus.push_back(
      plainMenu(phrase("window", "&Analyse"), this, actions_, withPrefix("analyse.", namesOf(design_->tabRows()))));
  menus.push_back(plainMenu(phrase("window", "&Help"), this, actions_,
                            {"help.keys", "help.examples", "help.tour", "-", "help.about"}));
  return menus;
}

void MainWindow::buildMenus() {
  QToolButton* button = header_->menuButton();
  auto* root = new QMenu(this);
  for (QMenu* menu : makeMenus()) {
    root->addMenu(menu);
    menuBar()->addMenu(menu);
    auto* shortcut = new QShortcut(QKeySequence("Alt+" + mnemonicOf(*menu)), this);
    connect(shortcut, &QShortcut::activated, this, [this, menu, button] {
      const bool bar = menuBar()->isVisible();
      bar ? menuBar()->setActiveAction(menu->menuAction())
          : menu->popup(button->mapToGlobal(QPoint(0, button->height())));
    });
  }
  button->setMenu(root);
  connect(new QShortcut(QKeySequence("F10"), this), &QShortcut::activated, button, &QToolButton::showMenu);
  menuBar()->hide();
}

}  // namespace shardlens::ui
