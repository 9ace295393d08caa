// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/panel_menu.h"

#include "ui/state/latest_job.h"
#include "ui/widgets/common/picture.h"
#include "ui/widgets/common/toast.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPixmap>
#include <QShortcut>

#include <utility>

namespace shardlens::ui {
namespace {

QWidget& shownBy(QWidget& panel, const PanelCopy& copy) {
  return copy.picture_of != nullptr ? *copy.picture_of : panel;
}

void askAndSave(QWidget& panel, const PanelCopy& copy) {
  const QString suggested = QString(copy.name).toLower().replace(' ', '-') + ".png";
  const QString file = QFileDialog::getSaveFileName(&panel, QObject::tr("Save the picture"), suggested,
                                                    QObject::tr("Pictures for print (*.png);;Vectors (*.svg)"));
  if (file.isEmpty()) return;
  if (auto saved = savePicture(shownBy(panel, copy), file); !saved)
    return emit JobFailures::ofProgram().failed(QString::fromStdString(saved.error().text()));
  Toast::say(panel, QObject::tr("Saved %1.").arg(QFileInfo(file).fileName()));
}

}  // namespace

QMenu* makePanelMenu(QWidget& panel, const PanelCopy& copy) {
  auto* menu = new QMenu(&panel);
  menu->addAction(QObject::tr("Copy %1 as text").arg(copy.name),
                  [&panel, text = copy.text] { copyText(panel, text()); });
  if (copy.csv) {
    menu->addAction(QObject::tr("Copy %1 as CSV").arg(copy.name), [&panel, csv = copy.csv] { copyText(panel, csv()); });
  }
  menu->addSeparator();
  menu->addAction(QObject::tr("Copy picture of this panel"), [&panel, copy] {
    QGuiApplication::clipboard()->setPixmap(shownBy(panel, copy).grab());
    Toast::say(panel, QObject::tr("Copied the picture of %1").arg(copy.name));
  });
  menu->addAction(QObject::tr("Save picture …"), [&panel, copy] { askAndSave(panel, copy); });
  return menu;
}

void addPanelMenu(QWidget& panel, PanelCopy copy) {
  panel.setContextMenuPolicy(Qt::CustomContextMenu);
  auto* keys = new QShortcut(QKeySequence::Copy, &panel);
  keys->setContext(Qt::WidgetWithChildrenShortcut);
  QObject::connect(keys, &QShortcut::activated, &panel,
                   [&panel, copy] { copyText(panel, copy.csv ? copy.csv() : copy.text()); });
  QObject::connect(&panel, &QWidget::customContextMenuRequested, &panel, [&panel, copy = std::move(copy)](QPoint at) {
    QMenu* menu = makePanelMenu(panel, copy);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(panel.mapToGlobal(at));
  });
}

}  // namespace shardlens::ui
