// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screenshot.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/picture.h"
#include "ui/widgets/common/sheet.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCursor>
#include <QDialog>
#include <QPainter>
#include <QPixmap>

#include <cmath>

namespace shardlens::ui {

namespace {

/// Layouts pass changes of size from widget to widget by posted events, a few turns deep.
void settle() {
  constexpr int kTurns = 8;
  for (int turn = 0; turn < kTurns; ++turn) {
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QApplication::processEvents();
  }
}

/// What gets another size may be computed anew.
void waitUntilReady(const MainWindow& window) {
  do {
    QApplication::processEvents();
    while (!window.isReady()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    settle();
  } while (!window.isReady());
}

/// The moment while it is played: what is in the air is seen.
void playTo(MainWindow& window, std::pair<qint64, double> place) {
  Playback& playback = window.workspace().playback;
  playback.play();
  playback.seek(place.first, place.second);
  QApplication::sendPostedEvents();
  playback.seek(place.first, place.second);
}

struct Front {
  const char* name;
  const char* action;
};
constexpr Front kFronts[] = {{"examples", "file.examples"}, {"samplers", "design.sampler"}, {"find", "edit.locate"},
                             {"keys", "help.keys"},         {"tour", "help.tour"},          {"about", "help.about"}};

/// The window, and what stands open in front of it. Dialogs stand in its middle, wherever a screen without a window
/// manager has put them.
QPixmap pictureOf(MainWindow& window) {
  QPixmap picture = window.grab();
  QPainter painter(&picture);
  for (QWidget* front : QApplication::topLevelWidgets()) {
    if (front == &window || !front->isVisible()) continue;
    const QSize around = window.size() - front->size();
    const QPoint place = qobject_cast<QDialog*>(front) != nullptr
                             ? QPoint(around.width() / 2, around.height() / 2)
                             : front->mapToGlobal(QPoint()) - window.mapToGlobal(QPoint());
    painter.drawPixmap(place, front->grab());
    painter.setPen(theme().hairline);
    painter.drawRect(QRect(place, front->size()).adjusted(-1, -1, 0, 0));
  }
  return picture;
}

}  // namespace

QStringList namesInFront() {
  QStringList names;
  for (const Front& front : kFronts) names += front.name;
  return names;
}

void openInFront(MainWindow& window, const QString& name) {
  for (const Front& front : kFronts) {
    if (name == QLatin1String(front.name)) window.actions().get(front.action)->trigger();
  }
}

Result<void> takeScreenshot(MainWindow& window, const QString& file, QSize size,
                            std::optional<std::pair<qint64, double>> place, const QString& front) {
  QCursor::setPos(size.width() / 2, size.height() - 1);  // over nothing that answers to it
  Sheet::setReducedMotion(&window, true);                // what opens in front is open at once
  window.resize(size);
  window.show();
  waitUntilReady(window);
  if (place) {
    window.seekWhenReady(place->first, static_cast<qint64>(place->second));
    waitUntilReady(window);
  }
  if (place && place->second != std::floor(place->second)) playTo(window, *place);
  if (!front.isEmpty()) {
    openInFront(window, front);
    waitUntilReady(window);
  }
  if (file.endsWith(".svg", Qt::CaseInsensitive)) return savePicture(window, file);
  if (pictureOf(window).save(file)) return {};
  return Error{ErrorCode::Io, phrase("window", "The picture could not be written.").toStdString(),
               Place{file.toStdString(), 0, 0, {}},
               phrase("window", "The folder must exist, and the name must end in .png, .jpg or .svg.").toStdString()};
}

}  // namespace shardlens::ui
