// SPDX-License-Identifier: Apache-2.0
// Key pages beside the pictures that were kept of them. A difference that is wanted is kept by running this test with
// SHARDLENS_UPDATE=1, after looking at the new pictures.
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/places.h"
#include "tests/support/window_main.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QImage>
#include <QProcess>
#include <QRegion>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <filesystem>

using namespace shardlens;

namespace {

const QString kKept = QString::fromStdString(test::sourceDir()) + "/tests/ui/visual/kept/";
const QString kExamples = QString::fromStdString(test::sourceDir()) + "/resources/examples/";
constexpr int kTile = 16;
constexpr int kTolerance = 10;    ///< mean difference of a tile's channels: other smoothing of the same letters
constexpr int kTilesThatMay = 6;  ///< differ in a picture
constexpr int kStatusLine = 26;   ///< says how long the plan took
constexpr QRect kStartOfPath(144, 352, 112, 16);  ///< was another when the picture of Resume was kept

/// Commands name the spec by the path that it was opened with, and that must break into lines alike on every machine
/// and for every user: a folder below the one that the program is started in, whatever that is called.
const QString kFolder = "visual-test";
const QString kPath = "/proc/self/cwd/" + kFolder + '/';

constexpr const char* kStalled = "stalled.slrun";

/// Six steps of the example of a slow rank, and then one in which rank 2 loads for eight seconds, so far.
bool recordStall(const std::filesystem::path& path) {
  const auto read = yaml::readSpecFile((kExamples + "slow-rank.yaml").toStdString(), sampling::catalogue());
  const auto plan = Plan::make(read.read.spec);
  if (!plan) return false;
  test::FakeRunFile file(path, *plan, yaml::writeSpec(read.read.spec, sampling::catalogue()));
  for (std::int64_t step = 0; step < 6; ++step) file.step(0, step);
  file.pace.late_ms = 8'000;
  file.halfStep(0, 6, 2);
  return true;
}

/// Puts what this argument names into a new folder: an example, or the recording of a stall.
bool prepare(const QString& folder, const QString& name) {
  if (!QDir().mkdir(folder)) return false;
  const QString path = folder + '/' + name;
  return name == kStalled ? recordStall(path.toStdString()) : QFile::copy(kExamples + name, path);
}

/// The window with what the first argument names; the start page when that is empty.
QImage windowOf(const QString& folder, QStringList arguments) {
  const QString name = arguments.takeFirst();
  if (!name.isEmpty() && !prepare(folder + '/' + kFolder, name)) return {};
  if (!name.isEmpty()) arguments.prepend(kPath + name);
  QProcess process;
  process.setWorkingDirectory(folder);
  const QString file = folder + "/window.png";
  process.start(QString::fromStdString(test::binDir()) + "/shardlens-studio",
                arguments + QStringList{"--screenshot", file});
  if (!process.waitForFinished(120'000) || process.exitCode() != 0) return {};
  return QImage(file).convertToFormat(QImage::Format_RGB32);
}

int differenceOf(const QImage& one, const QImage& other, const QRect& tile) {
  qint64 sum = 0;
  for (int y = tile.top(); y <= tile.bottom(); ++y) {
    for (int x = tile.left(); x <= tile.right(); ++x) {
      const QRgb a = one.pixel(x, y);
      const QRgb b = other.pixel(x, y);
      sum += std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
    }
  }
  return static_cast<int>(sum / (3LL * tile.width() * tile.height()));
}

/// The tiles in which the pictures differ.
QRegion differing(const QImage& one, const QImage& other) {
  QRegion region;
  for (int y = 0; y < one.height(); y += kTile) {
    for (int x = 0; x < one.width(); x += kTile) {
      const QRect tile = QRect(x, y, kTile, kTile) & one.rect();
      if (differenceOf(one, other, tile) > kTolerance) region += tile;
    }
  }
  return region;
}

int tilesOf(const QRegion& region) {
  int pixels = 0;
  for (const QRect& rect : region) pixels += rect.width() * rect.height();
  return pixels / (kTile * kTile);
}

QString textOf(const QRegion& region) {
  QStringList parts;
  for (const QRect& rect : region)
    parts += QString("%1,%2 %3x%4").arg(rect.x()).arg(rect.y()).arg(rect.width()).arg(rect.height());
  return parts.join("; ");
}

}  // namespace

class VisualTest : public QObject {
  Q_OBJECT

 private slots:
  void aPageLooksAsItDid_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto page = [](const char* name, const QString& opened, const char* theme, const QStringList& more) {
      QTest::newRow(name) << QStringList{opened, "--theme", theme, "--size", "1280x720"} + more;
    };
    const auto row = [&page](const char* name, const char* example, const char* perspective, const char* theme,
                             const QStringList& more = {}) {
      page(name, QString(example) + ".yaml", theme, QStringList{"--perspective", perspective} + more);
    };
    row("design-light", "distributed-sampler", "design", "light", {"--play-to", "0:2"});
    row("design-dark", "distributed-sampler", "design", "dark", {"--play-to", "0:2"});
    row("design-large", "shard-local-rank", "design", "light", {"--play-to", "0:20.4"});
    row("lens-light", "distributed-sampler", "lens", "light");
    row("resume-light", "distributed-sampler", "resume", "light");
    row("coverage-dark", "evaluation-padding", "design", "dark", {"--tab", "coverage"});
    row("design-chinese", "two-stream-on-every-rank", "design", "light", {"--language", "zh_CN"});
    page("stall-light", kStalled, "light", {"--perspective", "autopsy"});
    page("start-light", {}, "light", {"--open", "examples"});
  }

  void aPageLooksAsItDid() {
    if (!QFontDatabase::families().contains("Inter"))
      QSKIP("SKIPPED: the font Inter is not installed (Debian: fonts-inter), so no picture can be the kept one");
    QFETCH(const QStringList, arguments);
    if (arguments.contains("zh_CN") && QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
      QSKIP("SKIPPED: no font with Chinese characters is installed (Debian: fonts-wqy-microhei)");
    const QString kept_file = kKept + QTest::currentDataTag() + ".png";
    const QTemporaryDir folder;
    const QImage now = windowOf(folder.path(), arguments);
    QVERIFY2(!now.isNull(), "no picture was taken");
    if (qEnvironmentVariableIsSet("SHARDLENS_UPDATE")) QVERIFY(now.save(kept_file, "PNG", 0));  // 0: the smallest
    const QImage kept = QImage(kept_file).convertToFormat(QImage::Format_RGB32);
    QCOMPARE(now.size(), kept.size());
    QRegion region = differing(now, kept) - QRegion(0, now.height() - kStatusLine, now.width(), kStatusLine);
    if (arguments.contains("resume")) region -= kStartOfPath;
    const QString seen =
        QDir(QString::fromStdString(test::binDir()) + "/../visual").absoluteFilePath(QFileInfo(kept_file).fileName());
    if (tilesOf(region) > kTilesThatMay && QDir().mkpath(QFileInfo(seen).path())) now.save(seen);
    QVERIFY2(tilesOf(region) <= kTilesThatMay,
             qPrintable("differs from " + kept_file + " at " + textOf(region) + "; the new picture is " + seen));
  }

  void aDifferenceIsSeenAndItsPlaceIsSaid() {
    QImage one(64, 48, QImage::Format_RGB32);
    one.fill(Qt::white);
    QImage other = one;
    QVERIFY(differing(one, other).isEmpty());
    for (int x = 16; x < 32; ++x) other.setPixel(x, 20, qRgb(0, 0, 0));
    QCOMPARE(textOf(differing(one, other)), QString("16,16 16x16"));
  }
};

SHARDLENS_WINDOW_TEST(VisualTest)
#include "visual_test.moc"
