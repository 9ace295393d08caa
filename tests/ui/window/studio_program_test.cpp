// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/window_main.h"

#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Ended {
  int code = -1;
  QByteArray errors;
};

/// The real program, without a display and with a home of its own.
Ended studio(const QStringList& arguments, const QString& home, bool choose_platform = false) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
  if (choose_platform) environment.insert("QT_QPA_PLATFORM", "offscreen");
  environment.insert("HOME", home);
  environment.insert("XDG_CONFIG_HOME", home);
  process.setProcessEnvironment(environment);
  process.start(QString::fromStdString(shardlens::test::binDir()) + "/shardlens-studio", arguments);
  if (!process.waitForFinished(60'000)) return {};
  return {process.exitCode(), process.readAllStandardError()};
}

/// Without the status line, which says how long the plan took.
QImage aboveTheStatusLine(const QImage& picture) {
  constexpr int kStatusLine = 27;
  return picture.copy(0, 0, picture.width(), picture.height() - kStatusLine);
}

const QString kExample =
    QString::fromStdString(shardlens::test::sourceDir()) + "/resources/examples/distributed-sampler.yaml";

}  // namespace

class StudioProgramTest : public QObject {
  Q_OBJECT

 private slots:
  void aPictureNeedsNoDisplayAndHasTheWantedSize() {
    const QTemporaryDir home;
    const QString picture = home.filePath("window.png");
    const Ended ended =
        studio({kExample, "--screenshot", picture, "--size", "1280x720", "--theme", "dark"}, home.path());
    QCOMPARE(ended.errors, QByteArray());
    QCOMPARE(ended.code, 0);
    const QImage image(picture);
    QCOMPARE(image.size(), QSize(1280, 720));
    QVERIFY(image.pixelColor(5, 715).lightness() < 60);
  }

  void theSamePictureTwice() {
    const QTemporaryDir home;
    QImage images[2];
    for (int i = 0; i < 2; ++i) {
      const QString picture = home.filePath(QString("%1.png").arg(i));
      QCOMPARE(studio({kExample, "--screenshot", picture, "--play-to", "1:2"}, home.path()).code, 0);
      images[i].load(picture);
    }
    QVERIFY(!images[0].isNull());
    QCOMPARE(aboveTheStatusLine(images[0]), aboveTheStatusLine(images[1]));
  }

  /// The examples cover most of the window, and their cards are computed before the picture is taken.
  void aPictureShowsWhatIsOpenedInFront() {
    const QTemporaryDir home;
    QImage images[3];
    const QList<QStringList> asked = {{}, {"--open", "examples"}, {"--open=about"}};
    for (int i = 0; i < 3; ++i) {
      const QString picture = home.filePath(QString("%1.png").arg(i));
      const Ended ended = studio(QStringList{kExample, "--screenshot", picture} + asked[i], home.path());
      QCOMPARE(ended.errors, QByteArray());
      QVERIFY(images[i].load(picture));
      QCOMPARE(images[i].size(), images[0].size());
    }
    QVERIFY(images[1] != images[0]);
    QVERIFY(images[2] != images[0]);
    QVERIFY(images[1] != images[2]);
    const Ended unknown = studio({kExample, "--screenshot", home.filePath("x.png"), "--open", "nothing"}, home.path());
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.errors.contains("examples, samplers"), unknown.errors.constData());
  }

  void takingAPictureLeavesTheSessionAlone() {
    const QTemporaryDir home;
    QCOMPARE(studio({kExample, "--screenshot", home.filePath("a.png")}, home.path()).code, 0);
    QCOMPARE(QDir(home.path()).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot), QStringList{"a.png"});
  }

  void withoutADisplayItSaysHowToGoOn() {
    const QTemporaryDir home;
    const Ended ended = studio({kExample}, home.path());
    QCOMPARE(ended.code, 3);
    QVERIFY(ended.errors.contains("display"));
    QVERIFY(ended.errors.contains("xvfb-run"));
    QVERIFY(ended.errors.contains("--screenshot"));
  }

  void badArgumentsAreNamed() {
    const QTemporaryDir home;
    const std::pair<QStringList, QByteArray> cases[] = {
        {{"--sise", "1x1"}, "--sise"},        {{"--size", "big"}, "--size"},     {{"--theme", "pink"}, "pink"},
        {{"--tab", "overlaps"}, "overlaps"},  {{"--play-to", "3"}, "--play-to"}, {{"--play-to", "0:1.x"}, "--play-to"},
        {{"--perspective"}, "needs a value"}, {{"a.yaml", "b.yaml"}, "b.yaml"}};
    for (const auto& [arguments, named] : cases) {
      const Ended ended = studio(arguments, home.path());
      QCOMPARE(ended.code, 2);
      QVERIFY2(ended.errors.contains(named), ended.errors.constData());
    }
  }

  void aSizeBelowTheSmallestIsRefused() {
    const QTemporaryDir home;
    const QString picture = home.filePath("a.png");
    const Ended ended = studio({kExample, "--screenshot", picture, "--size", "800x500"}, home.path());
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.errors.contains("at least 960x560"), ended.errors.constData());
    QVERIFY(!QFile::exists(picture));
  }

  void aFileThatCannotBeReadIsBadInput() {
    const QTemporaryDir home;
    QCOMPARE(studio({home.filePath("none.yaml"), "--screenshot", home.filePath("a.png")}, home.path()).code, 2);
    QVERIFY(!QFile::exists(home.filePath("a.png")));
  }
};

SHARDLENS_WINDOW_TEST(StudioProgramTest)
#include "studio_program_test.moc"
