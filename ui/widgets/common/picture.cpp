// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/picture.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/svg_device.h"

#include <QFileInfo>
#include <QImageWriter>
#include <QPaintEngine>
#include <QPainter>
#include <QSaveFile>
#include <QWidget>

namespace shardlens::ui {
namespace {

Error ioError(const QString& message, const QString& file) {
  return {ErrorCode::Io, message.toStdString(), Place{file.toStdString(), 0, 0, {}},
          phrase("common", "choose another name or folder").toStdString()};
}

QByteArray svgOf(QWidget& widget) {
  SvgDevice svg(widget.size(), widget.logicalDpiX(), widget.accessibleName());
  QPainter painter(&svg);
  widget.render(&painter);
  painter.end();
  return svg.document();
}

}  // namespace

QPixmap pictureOf(QWidget& widget, int scale) {
  QPixmap picture(widget.size() * scale);
  picture.setDevicePixelRatio(scale);
  picture.fill(Qt::transparent);
  widget.render(&picture);
  return picture;
}

Result<void> savePicture(QWidget& widget, const QString& file) {
  const QByteArray ending = QFileInfo(file).suffix().toLower().toUtf8();
  const bool is_svg = ending == "svg";
  if (!is_svg && !QImageWriter::supportedImageFormats().contains(ending)) {
    return Error{ErrorCode::Usage,
                 phrase("common", "A picture with this file extension cannot be saved.").toStdString(),
                 Place{file.toStdString(), 0, 0, {}}, phrase("common", "use .png or .svg").toStdString()};
  }
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly))
    return ioError(phrase("common", "The picture could not be saved: %1.").arg(out.errorString()), file);
  bool written = true;
  if (is_svg) {
    const QByteArray document = svgOf(widget);
    written = out.write(document) == document.size();
  } else {
    written = pictureOf(widget, kPrintScale).save(&out, ending.constData());
  }
  if (!written || !out.commit())
    return ioError(phrase("common", "The picture could not be saved: %1.").arg(out.errorString()), file);
  return {};
}

bool isForPrint(const QPainter& painter, const QWidget& widget) {
  const QPaintEngine* engine = painter.paintEngine();
  if (engine == nullptr || engine->type() == QPaintEngine::SVG) return engine != nullptr;
  return engine->paintDevice()->devicePixelRatioF() > widget.devicePixelRatioF();
}

}  // namespace shardlens::ui
