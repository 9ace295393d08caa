// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/focus_ring.h"

#include "ui/widgets/common/style.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QPointer>
#include <QWidget>

namespace shardlens::ui {
namespace {

constexpr const char* kRing = "ring";

bool isModifier(int key) {
  return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta ||
         key == Qt::Key_AltGr;
}

class FocusRings : public QObject {
 public:
  explicit FocusRings(QObject* parent) : QObject(parent) {}

  bool eventFilter(QObject* watched, QEvent* event) override {
    switch (event->type()) {
      case QEvent::KeyPress:
      case QEvent::ShortcutOverride:
        if (!isModifier(static_cast<QKeyEvent*>(event)->key())) by_key_ = true;
        break;
      case QEvent::MouseButtonPress:
        by_key_ = false;
        break;
      case QEvent::FocusIn:
      case QEvent::FocusOut:
        if (watched->isWidgetType()) mark(*static_cast<QWidget*>(watched), *static_cast<QFocusEvent*>(event));
        break;
      default:
        break;
    }
    return false;
  }

 private:
  /// A window that is left and comes back, and a menu that closes, find the ring as it was.
  void mark(QWidget& widget, const QFocusEvent& event) const {
    const Qt::FocusReason reason = event.reason();
    if (reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason || reason == Qt::MenuBarFocusReason)
      return;
    const QString ring = event.gotFocus() && by_key_ && reason != Qt::MouseFocusReason ? "on" : "";
    if (qobject_cast<QAbstractButton*>(&widget) != nullptr) return setLook(&widget, kRing, ring);
    widget.setProperty(kRing, ring);
  }

  bool by_key_ = false;
};

}  // namespace

void installFocusRings() {
  static QPointer<FocusRings> rings;
  if (rings != nullptr) return;
  rings = new FocusRings(qApp);
  qApp->installEventFilter(rings);
}

bool showsFocusRing(const QWidget& widget) {
  return widget.hasFocus() && widget.property(kRing).toString() == QLatin1String("on");
}

}  // namespace shardlens::ui
