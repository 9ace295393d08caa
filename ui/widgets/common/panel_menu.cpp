// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/panel_menu.h"

#include "ui/state/latest_job.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/picture.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPixmap>
#include <QShortcut>

#include <utility>

namespace shardlens::ui {
namespace {

QString wordsOf(const QLabel& label) {
  if (const auto* links = qobject_cast<const LinkLabel*>(&label)) return links->plain();
  if (const auto* elided = qobject_cast<const ElidedLabel*>(&label)) return elided->fullText();
  return label.text();
}

/// What the labels in sight say, a line for each.
QString labelsOf(const QWidget& panel) {
  QString out;
  for (const QLabel* label : panel.findChildren<QLabel*>()) {
    if (!label->isVisibleTo(&panel)) continue;
    const QString says = wordsOf(*label);
    if (!says.isEmpty()) out += says + '\n';
  }
  return out;
}

}  // namespace

PanelMenu::PanelMenu(QWidget& panel, PanelCopy copy) : QObject(&panel), panel_(panel), copy_(std::move(copy)) {
  panel.setContextMenuPolicy(Qt::CustomContextMenu);
  connect(&panel, &QWidget::customContextMenuRequested, this, [this](QPoint at) {
    QMenu* menu = make();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(panel_.mapToGlobal(at));
  });
  auto* keys = new QShortcut(QKeySequence::Copy, &panel);
  keys->setContext(Qt::WidgetWithChildrenShortcut);
  const auto copy_innermost = [] {
    if (const PanelMenu* menu = around(QApplication::focusWidget())) menu->copy();
  };
  connect(keys, &QShortcut::activated, this, copy_innermost);
  connect(keys, &QShortcut::activatedAmbiguously, this, copy_innermost);  // a panel in a panel
}

PanelMenu* PanelMenu::around(const QWidget* widget) {
  for (; widget != nullptr; widget = widget->parentWidget()) {
    if (auto* menu = widget->findChild<PanelMenu*>(QString(), Qt::FindDirectChildrenOnly)) return menu;
  }
  return nullptr;
}

QWidget& PanelMenu::shown() const {
  return copy_.picture_of != nullptr ? *copy_.picture_of : panel_;
}

QString PanelMenu::text() const {
  return copy_.text ? copy_.text() : labelsOf(panel_);
}

void PanelMenu::askAndSave() const {
  const QString suggested = QString(copy_.name).toLower().replace(' ', '-') + ".png";
  const QString file = QFileDialog::getSaveFileName(&panel_, QObject::tr("Save the picture"), suggested,
                                                    QObject::tr("Pictures for print (*.png);;Vectors (*.svg)"));
  if (file.isEmpty()) return;
  if (auto saved = savePicture(shown(), file); !saved)
    return emit JobFailures::ofProgram().failed(QString::fromStdString(saved.error().text()));
  Toast::say(panel_, QObject::tr("Saved %1.").arg(QFileInfo(file).fileName()));
}

QMenu* PanelMenu::make() const {
  auto* menu = new QMenu(&panel_);
  menu->addAction(QObject::tr("Copy %1 as text").arg(copy_.name), this, [this] { copyText(panel_, text()); });
  if (copy_.csv) {
    menu->addAction(QObject::tr("Copy %1 as CSV").arg(copy_.name), this, [this] { copyText(panel_, copy_.csv()); });
  }
  menu->addSeparator();
  menu->addAction(QObject::tr("Copy picture of this panel"), this, [this] {
    QGuiApplication::clipboard()->setPixmap(shown().grab());
    Toast::say(panel_, QObject::tr("Copied the picture of %1").arg(copy_.name));
  });
  menu->addAction(QObject::tr("Save picture…"), this, [this] { askAndSave(); });
  // Where the panel stands on its page.
  Arrangement* page = Arrangement::around(&panel_);
  const QString id = page == nullptr ? QString() : page->idOf(&panel_);
  if (!id.isEmpty()) fillPanelPlaces(*menu, *page, id);
  return menu;
}

void addPanelMenu(QWidget& panel, PanelCopy copy) {
  new PanelMenu(panel, std::move(copy));
}

}  // namespace shardlens::ui

#include "moc_panel_menu.cpp"
