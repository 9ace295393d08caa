// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/newcomer/person.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLibrary>
#include <QTest>

#include <utility>
#include <vector>

namespace shardlens::test {
namespace {

constexpr int kPatienceMs = 60'000;
constexpr unsigned long kControl = 0xffe3;  // keysyms
constexpr unsigned long kShift = 0xffe1;
constexpr unsigned long kAlt = 0xffe9;

/// Notes what arrives. A shortcut is no press of a key any more, and what it opens may keep the release for itself.
class Deliveries : public QObject {
 public:
  bool key = false;
  bool release = false;

  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
      const int code = static_cast<QKeyEvent*>(event)->key();
      key = key || (code != Qt::Key_Control && code != Qt::Key_Shift && code != Qt::Key_Alt);
    }
    release = release || event->type() == QEvent::MouseButtonRelease;
    return false;
  }
};

QWidget* focusIn(QWidget& window) {
  QWidget* focused = QApplication::focusWidget();
  return focused != nullptr && window.window()->isAncestorOf(focused) ? focused : &window;
}

unsigned long keysymOf(Qt::Key key) {
  constexpr std::pair<Qt::Key, unsigned long> kNamed[] = {
      {Qt::Key_Return, 0xff0d}, {Qt::Key_Tab, 0xff09}, {Qt::Key_Left, 0xff51}, {Qt::Key_Right, 0xff53}};
  for (const auto& [named, symbol] : kNamed) {
    if (named == key) return symbol;
  }
  return static_cast<unsigned long>(QChar(static_cast<char16_t>(key)).toLower().unicode());
}

}  // namespace

/// The few calls of libX11 and libXtst, found when the test runs: neither is needed to build it.
struct Person::Server {
  using Display = void;
  QLibrary x11{QStringLiteral("X11"), 6};
  QLibrary xtst{QStringLiteral("Xtst"), 6};
  Display* display = nullptr;
  Deliveries got;
  int (*sync)(Display*, int) = nullptr;
  unsigned char (*keycode)(Display*, unsigned long) = nullptr;
  unsigned long (*keysym)(Display*, unsigned, int, int) = nullptr;
  int (*motion)(Display*, int, int, int, unsigned long) = nullptr;
  int (*button)(Display*, unsigned, int, unsigned long) = nullptr;
  int (*key)(Display*, unsigned, int, unsigned long) = nullptr;

  template <class Function>
  static bool find(QLibrary& library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(library.resolve(name));
    return function != nullptr;
  }

  bool open() {
    if (QGuiApplication::platformName() != QLatin1String("xcb")) return false;
    Display* (*connect)(const char*) = nullptr;
    const bool found = find(x11, "XOpenDisplay", connect) && find(x11, "XSync", sync) &&
                       find(x11, "XKeysymToKeycode", keycode) && find(x11, "XkbKeycodeToKeysym", keysym) &&
                       find(xtst, "XTestFakeMotionEvent", motion) && find(xtst, "XTestFakeButtonEvent", button) &&
                       find(xtst, "XTestFakeKeyEvent", key);
    if (!found) return false;
    display = connect(nullptr);
    if (display == nullptr) return false;
    qApp->installEventFilter(&got);
    return true;
  }

  void stroke(unsigned long symbol, std::vector<unsigned long> held) {
    const unsigned char code = keycode(display, symbol);
    if (keysym(display, code, 0, 0) != symbol) held.push_back(kShift);
    for (const unsigned long modifier : held) key(display, keycode(display, modifier), 1, 0);
    got.key = false;
    key(display, code, 1, 0);
    key(display, code, 0, 0);
    for (const unsigned long modifier : held) key(display, keycode(display, modifier), 0, 0);
    sync(display, 0);
    (void)QTest::qWaitFor([this] { return got.key; }, kPatienceMs);
    QApplication::processEvents();
  }
};

Person::Person() : server_(new Server) {
  if (server_->open()) return;
  delete server_;
  server_ = nullptr;
}

Person::~Person() {
  delete server_;
}

bool Person::isReal() const {
  return server_ != nullptr;
}

void Person::click(QWidget* widget, QPoint at) {
  if (server_ == nullptr) return QTest::mouseClick(widget, Qt::LeftButton, {}, at);
  const QPoint place = widget->mapToGlobal(at);
  server_->got.release = false;
  server_->motion(server_->display, -1, place.x(), place.y(), 0);
  server_->button(server_->display, 1, 1, 0);
  server_->button(server_->display, 1, 0, 0);
  server_->sync(server_->display, 0);
  (void)QTest::qWaitFor([this] { return server_->got.release; }, kPatienceMs);
  QApplication::processEvents();
}

void Person::press(QWidget& window, Qt::Key key, Qt::KeyboardModifiers with) {
  if (server_ == nullptr) return QTest::keyClick(focusIn(window), key, with);
  std::vector<unsigned long> held;
  if (with & Qt::ControlModifier) held.push_back(kControl);
  if (with & Qt::ShiftModifier) held.push_back(kShift);
  if (with & Qt::AltModifier) held.push_back(kAlt);
  server_->stroke(keysymOf(key), held);
}

void Person::type(QWidget& window, const QString& text) {
  if (server_ == nullptr) return QTest::keyClicks(focusIn(window), text);
  for (const QChar letter : text) server_->stroke(letter.unicode(), {});
}

}  // namespace shardlens::test
