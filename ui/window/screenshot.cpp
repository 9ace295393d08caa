// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screenshot.h"

#include "ui/state/phrase.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/picture.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCursor>
#include <QPixmap>

#include <cmath>

namespace shardlens::ui {

namespace {

void waitUntilReady(const MainWindow& window) {
  QApplication::processEvents();
  while (!window.isReady()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// Layouts pass changes of size from widget to widget by posted events, a few turns deep.
void settle() {
  constexpr int kTurns = 8;
  for (int turn = 0; turn < kTurns; ++turn) {
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QApplication::processEvents();
  }
}

/// The moment while it is played: what is in the air is seen.
void playTo(MainWindow& window, std::pair<qint64, double> place) {
  Playback& playback = window.workspace().playback;
  playback.play();
  playback.seek(place.first, place.second);
  QApplication::sendPostedEvents();
  playback.seek(place.first, place.second);
}

}  // namespace

Result<void> takeScreenshot(MainWindow& window, const QString& file, QSize size,
                            std::optional<std::pair<qint64, double>> place) {
  QCursor::setPos(size.width() / 2, size.height() - 1);  // over nothing that answers to it
  window.resize(size);
  window.show();
  waitUntilReady(window);
  if (place) {
    window.seekWhenReady(place->first, static_cast<qint64>(place->second));
    waitUntilReady(window);
  }
  settle();
  if (place && place->second != std::floor(place->second)) playTo(window, *place);
  if (file.endsWith(".svg", Qt::CaseInsensitive)) return savePicture(window, file);
  if (window.grab().save(file)) return {};
  return Error{ErrorCode::Io, phrase("window", "The picture could not be written.").toStdString(),
               Place{file.toStdString(), 0, 0, {}},
               phrase("window", "The folder must exist, and the name must end in .png, .jpg or .svg.").toStdString()};
}

}  // namespace shardlens::ui
