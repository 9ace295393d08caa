// SPDX-License-Identifier: GPL-3.0-or-later
// The studio: reads the command line, opens the window. What the window does is decided in ui.
#include "app/studio/options.h"
#include "core/base/large_array.h"
#include "core/base/result.h"
#include "ui/widgets/common/style.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshot.h"
#include "ui/window/session.h"

#include <QApplication>
#include <QIcon>
#include <QStringList>

#include <cstdio>

namespace {

using namespace shardlens;
using namespace shardlens::studio;

int fail(const QString& message, int code) {
  (void)std::fprintf(stderr, "%s\n", qPrintable(message));
  return code;
}

/// Qt aborts without a display; a person wants to know how to go on.
bool hasDisplay() {
  return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

QString noDisplay() {
  return "There is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are empty).\n"
         "Without one:              shardlens plan spec.yaml   (shardlens --help lists the verbs)\n"
         "A picture of the window:  shardlens studio spec.yaml --screenshot window.png\n"
         "On a virtual display:     apt-get install xvfb xauth && xvfb-run -s '-screen 0 1440x900x24' shardlens";
}

/// A picture needs no display, and so nothing that Qt says about the lack of one.
void dropPlatformNotes(QtMsgType type, const QMessageLogContext&, const QString& message) {
  const bool about_platform = message.startsWith("This plugin does not support") || message.contains("XDG_RUNTIME_DIR");
  if (type == QtWarningMsg && about_platform) return;
  (void)std::fprintf(stderr, "%s\n", qPrintable(message));
}

QString whyNot(const ui::MainWindow& window) {
  return (QStringList(window.banner()->text()) + window.banner()->problems()).join("\n");
}

/// The window would take its smallest size instead.
bool isTooSmall(const ui::MainWindow& window, const Options& options) {
  return options.size && options.size->expandedTo(window.minimumSize()) != *options.size;
}

QString tooSmall(const ui::MainWindow& window) {
  const QSize least = window.minimumSize();
  return QString("--size: the window needs at least %1x%2.").arg(least.width()).arg(least.height());
}

/// Before the first window: what is shown later is made in this language. A picture remembers nothing, so it takes
/// no language from the settings.
void speak(const Options& options, bool draws) {
  const QString setting = draws ? QString() : ui::Session().value(ui::kLanguageSetting).toString();
  const QString language = ui::chosenLanguage(options.language, setting);
  if (ui::installLanguage(language)) return;
  (void)fail("No font with the characters of " + language +
                 " is installed, so the window is in English: apt-get install fonts-wqy-microhei",
             kFine);
}

void apply(ui::MainWindow& window, const Options& options) {
  if (!options.run_file.isEmpty()) window.openFile(options.run_file);
  if (!options.perspective.isEmpty()) window.setPerspective(options.perspective);
  if (!options.tab.isEmpty()) window.design()->tabs()->show(options.tab);
}

int picture(ui::MainWindow& window, const Options& options) {
  const auto taken = ui::takeScreenshot(window, options.screenshot, options.size.value_or(QSize(1440, 900)),
                                        options.play_to, options.open);
  return taken ? 0 : fail(QString::fromStdString(taken.error().text()), kUsage);
}

}  // namespace

int main(int argc, char** argv) {
  shardlens::keepHeapAtHand();
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments += QString::fromLocal8Bit(argv[i]);
  const auto parsed = parse(arguments);
  if (!parsed) return fail(QString::fromStdString(parsed.error().text()), kUsage);
  const Options& options = *parsed;
  if (options.help) return (void)std::printf("%s", qPrintable(usage())), 0;
  const bool draws = !options.screenshot.isEmpty();
  if (draws && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!hasDisplay()) return fail(noDisplay(), kEnvironment);

  if (draws) qInstallMessageHandler(dropPlatformNotes);
  QApplication app(argc, argv);
  QApplication::setApplicationName("shardlens-studio");
  QApplication::setApplicationVersion(SHARDLENS_VERSION);
  QApplication::setDesktopFileName("org.shardlens.Studio");
  QApplication::setWindowIcon(QIcon(":/icons/shardlens.svg"));
  speak(options, draws);
  ui::rememberSystemColors();
  ui::useFusion();
  ui::installFonts();
  ui::MainWindow window({!draws, {}, options.reset_layout});
  if (options.theme || draws) {
    window.setThemeChoice(options.theme == "dark" ? ui::ThemeChoice::Dark : ui::ThemeChoice::Light);
  }
  if (isTooSmall(window, options)) return fail(tooSmall(window), kUsage);
  const bool is_first_start = !draws && options.file.isEmpty() && window.isFirstStart();
  const bool opened = window.openFirst(options.file);
  const bool is_mended_here = !window.workspace().text.brokenFile().isEmpty();
  if (draws && !opened && !is_mended_here) return fail(whyNot(window), kUsage);
  apply(window, options);
  if (draws) return picture(window, options);
  if (options.size) {
    window.setWindowState(Qt::WindowNoState);
    window.resize(*options.size);
  }
  if (options.play_to) window.seekWhenReady(options.play_to->first, qint64(options.play_to->second));
  window.show();
  if (is_first_start) window.welcome();
  if (!options.open.isEmpty()) ui::openInFront(window, options.open);
  return QApplication::exec();
}
