// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/common/style.h"

#include "tests/support/window_main.h"

#include <QApplication>
#include <QGlyphRun>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRawFont>
#include <QRegularExpression>
#include <QTest>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

using namespace shardlens::ui;

namespace {

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// WCAG 2.1 contrast ratio.
double contrast(const QColor& a, const QColor& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

/// Of the font that Qt draws the character with.
QString familyOf(const QFont& font, const QString& character) {
  QTextLayout layout(character, font);
  layout.beginLayout();
  (void)layout.createLine();
  layout.endLayout();
  const QList<QGlyphRun> runs = layout.glyphRuns();
  return runs.isEmpty() ? QString() : runs.front().rawFont().familyName();
}

}  // namespace

class StyleTest : public QObject {
  Q_OBJECT

 private slots:
  void textIsReadableInBothThemes() {
    for (const Theme* colors : {&Theme::light(), &Theme::darkTheme()}) {
      for (const QColor& ground : {colors->window, colors->panel, colors->field}) {
        for (const QColor& ink :
             {colors->text, colors->muted, colors->error, colors->warning, colors->fine, colors->accent}) {
          QVERIFY2(contrast(ink, ground) >= 4.5,
                   qPrintable(QString("%1 on %2: %3").arg(ink.name(), ground.name()).arg(contrast(ink, ground))));
        }
      }
      QVERIFY(contrast(colors->on_accent, colors->accent) >= 4.5);
    }
  }

  /// As painted, on the ground of a field with and without the focus.
  void placeholdersAreReadableInBothThemes() {
    for (const Theme* colors : {&Theme::light(), &Theme::darkTheme()}) {
      applyTheme(*colors);
      QLineEdit line;
      line.setPlaceholderText(QString(20, QChar(0x2588)));  // blocks: their middle is the ink alone
      line.resize(200, 40);
      QPlainTextEdit text;
      text.setPlaceholderText(line.placeholderText());
      text.resize(200, 40);
      for (QWidget* field : {static_cast<QWidget*>(&line), static_cast<QWidget*>(&text)}) {
        const QImage picture = field->grab().toImage();
        const QColor ground = picture.pixelColor(picture.width() - 4, picture.height() / 2);
        double best = 0;
        for (int x = 0; x < 60; ++x) {
          for (int y = 4; y < picture.height() - 4; ++y) {
            if (x > 4) best = std::max(best, contrast(picture.pixelColor(x, y), ground));
          }
        }
        QVERIFY2(best >= 4.5, qPrintable(QString("%1 on %2").arg(best).arg(ground.name())));
        QVERIFY2(best < contrast(colors->text, ground) - 1, "as strong as text that was typed");
      }
    }
  }

  void theSheetHasNoTokenLeft() {
    for (const Theme* colors : {&Theme::light(), &Theme::darkTheme()}) {
      const QString sheet = styleSheetOf(*colors);
      QVERIFY(!sheet.contains('@'));
      QVERIFY(!sheet.contains(QRegularExpression("#\\d+#")));
      QVERIFY(sheet.contains(colors->accent.name()));
    }
  }

  /// A window that opens, a click, and what the program does by itself bring the focus without a ring.
  void theFocusHasARingAfterAKeyOnly() {
    applyTheme(Theme::light());
    QWidget window;
    QPushButton first("first", &window);
    QPushButton second("second", &window);
    second.move(0, 60);
    window.resize(200, 120);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, 60'000));
    first.setFocus();
    QVERIFY(first.hasFocus() && !showsFocusRing(first));
    const auto edge = [](QPushButton& button) {
      const QImage picture = button.grab().toImage();
      return picture.pixelColor(picture.width() / 2, 0);
    };
    const QColor plain = edge(first);
    QVERIFY(plain != Theme::light().accent);
    QTest::keyClick(&first, Qt::Key_Tab);
    QVERIFY(second.hasFocus() && showsFocusRing(second));
    QCOMPARE(edge(second), Theme::light().accent);
    QTest::mouseClick(&window, Qt::LeftButton, {}, {190, 110});
    first.setFocus(Qt::TabFocusReason);  // as Qt does when what had the focus is hidden
    QVERIFY(!showsFocusRing(first));
    QCOMPARE(edge(first), plain);
    QCOMPARE(edge(second), plain);
  }

  /// Whatever "sans" and "monospace" are on this machine.
  void charactersComeFromTheFamiliesThatTheProgramNames() {
    installFonts();
    QCOMPARE(familyOf(uiFont(), "a"), QString("Inter"));
    QCOMPARE(familyOf(uiFont(), "▸"), QString("DejaVu Sans"));
    QCOMPARE(familyOf(uiFont(), "样"), QString("WenQuanYi Micro Hei"));
    QCOMPARE(familyOf(monoFont(), "a"), QString("DejaVu Sans Mono"));
    QCOMPARE(familyOf(monoFont(), "样"), QString("WenQuanYi Micro Hei Mono"));
  }

  void lengthsGrowWithTheFont() {
    QFont font = QApplication::font();
    font.setPixelSize(13);
    QApplication::setFont(font);
    QCOMPARE(px(26), 26);
    font.setPixelSize(26);
    QApplication::setFont(font);
    QCOMPARE(px(26), 52);
  }
};

SHARDLENS_WINDOW_TEST(StyleTest)
#include "style_test.moc"
