// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/common/style.h"

#include "ui/widgets/common/metrics.h"

#include <QApplication>
#include <QRegularExpression>
#include <QTest>

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

  void theSheetHasNoTokenLeft() {
    for (const Theme* colors : {&Theme::light(), &Theme::darkTheme()}) {
      const QString sheet = styleSheetOf(*colors);
      QVERIFY(!sheet.contains('@'));
      QVERIFY(!sheet.contains(QRegularExpression("#\\d+#")));
      QVERIFY(sheet.contains(colors->accent.name()));
    }
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

QTEST_MAIN(StyleTest)
#include "style_test.moc"
