// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/common/picture.h"

#include "tests/support/window_main.h"

#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Knows for what it was painted last.
struct Canvas : QWidget {
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    was_for_print = isForPrint(painter, *this);
    painter.drawLine(0, 0, width(), height());
  }
  bool was_for_print = false;
};

/// Paints far beyond its clips, the last time after a restore.
struct Clipped : QWidget {
  using QWidget::QWidget;
  void paintEvent(QPaintEvent* event) override {
    QPainter painter(this);
    painter.setClipRegion(event->region());
    painter.save();
    painter.setClipRect(QRect(2, 3, 4, 5), Qt::IntersectClip);
    painter.fillRect(QRect(-100, -100, 500, 500), Qt::red);
    painter.restore();
    painter.fillRect(QRect(-100, -100, 500, 500), Qt::blue);
  }
};

/// The clip of the first path with this fill.
QByteArray clipOf(const QByteArray& svg, const QByteArray& fill) {
  const auto path = svg.indexOf("fill=\"" + fill + '"');
  const auto group = svg.lastIndexOf("url(#", path) + 5;
  const QByteArray name = svg.mid(group, svg.indexOf(')', group) - group);
  const auto data = svg.indexOf(" d=\"", svg.indexOf("id=\"" + name + '"')) + 4;
  return path < 0 ? QByteArray() : svg.mid(data, svg.indexOf('"', data) - data);
}

}  // namespace

class PictureTest : public QObject {
  Q_OBJECT

 private slots:
  void aPngHasEnoughPixelsForPrint() {
    const QTemporaryDir folder;
    QLabel label("rank 3");
    label.resize(120, 40);
    QVERIFY(savePicture(label, folder.filePath("a.png")));
    const QImage image(folder.filePath("a.png"));
    QCOMPARE(image.size(), QSize(360, 120));
    QVERIFY(image.convertToFormat(QImage::Format_RGB32) != QImage(image.size(), QImage::Format_RGB32));
  }

  void anSvgHasTheWidgetsSizeAndItsWords() {
    const QTemporaryDir folder;
    QLabel label("rank 3");
    label.resize(120, 40);
    QVERIFY(savePicture(label, folder.filePath("a.svg")));
    const QByteArray svg = contentOf(folder.filePath("a.svg"));
    QVERIFY(svg.contains("<svg") && svg.contains("viewBox=\"0 0 120 40\""));
    QVERIFY(svg.contains("rank 3"));
  }

  void anSvgKeepsTheClipsOfEachWidget() {
    const QTemporaryDir folder;
    QWidget window;
    window.resize(200, 100);
    Clipped child(&window);
    child.setGeometry(30, 20, 50, 40);
    QVERIFY(savePicture(window, folder.filePath("a.svg")));
    const QByteArray svg = contentOf(folder.filePath("a.svg"));
    QCOMPARE(clipOf(svg, "#ff0000").count('L'), 4);
    QVERIFY2(clipOf(svg, "#ff0000").contains("32 23") && clipOf(svg, "#ff0000").contains("36 28"), svg);
    QVERIFY2(clipOf(svg, "#0000ff").contains("30 20") && clipOf(svg, "#0000ff").contains("80 60"), svg);
  }

  void whatCannotBeWrittenIsSaidAndLeavesNothing() {
    const QTemporaryDir folder;
    QLabel label("rank 3");
    label.resize(20, 10);
    for (const char* name : {"a.doc", "a", "no/folder/a.png", "no/folder/a.svg"}) {
      const auto saved = savePicture(label, folder.filePath(name));
      QVERIFY2(!saved, name);
      QVERIFY2(saved.error().text().find(name) != std::string::npos, saved.error().text().c_str());
      QVERIFY(!QFile::exists(folder.filePath(name)));
    }
  }

  void aWidgetCanTellPrintFromItsScreen() {
    const QTemporaryDir folder;
    Canvas canvas;
    canvas.resize(40, 40);
    (void)canvas.grab();
    QVERIFY(!canvas.was_for_print);
    QVERIFY(savePicture(canvas, folder.filePath("a.svg")));
    QVERIFY(canvas.was_for_print);
    (void)canvas.grab();
    QVERIFY(!canvas.was_for_print);
    QVERIFY(savePicture(canvas, folder.filePath("a.png")));
    QVERIFY(canvas.was_for_print);
  }
};

SHARDLENS_WINDOW_TEST(PictureTest)
#include "picture_test.moc"
