// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/options.h"

#include "ui/window/bottom_tabs.h"
#include "ui/window/language.h"
#include "ui/window/perspectives.h"
#include "ui/window/screenshot.h"

#include <QRegularExpression>

namespace shardlens::studio {
namespace {

constexpr int kMost = 16384;

Error bad(const QString& what) {
  return Error{ErrorCode::Usage, what.toStdString(), {}, "shardlens studio --help lists the options"};
}

/// The value, when it is one of the names.
Result<QString> oneOf(const QStringList& names, const QString& option, const QString& value) {
  if (names.contains(value)) return value;
  return bad(option + " must be one of " + names.join(", ") + ", not '" + value + "'.");
}

Result<void> takePerspective(Options& options, const QString& value) {
  auto name = oneOf(ui::namesOf(ui::perspectives()), "--perspective", value);
  if (!name) return name.error();
  options.perspective = *name;
  return {};
}

Result<void> takeSize(Options& options, const QString& value) {
  const auto match = QRegularExpression("^(\\d{1,5})x(\\d{1,5})$").match(value);
  const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
  const bool fits = size.width() <= kMost && size.height() <= kMost;
  if (!match.hasMatch() || !fits) return bad("--size must be WIDTHxHEIGHT, such as 1280x720, not '" + value + "'.");
  options.size = size;
  return {};
}

Result<void> takeTheme(Options& options, const QString& value) {
  if (value != "light" && value != "dark") return bad("--theme must be light or dark, not '" + value + "'.");
  options.theme = value;
  return {};
}

Result<void> takeLanguage(Options& options, const QString& value) {
  auto name = oneOf(ui::languages(), "--language", value);
  if (!name) return name.error();
  options.language = *name;
  return {};
}

Result<void> takeTab(Options& options, const QString& value) {
  auto name = oneOf(ui::namesOf(ui::bottomTabs()), "--tab", value);
  if (!name) return name.error();
  options.tab = *name;
  return {};
}

Result<void> takeOpen(Options& options, const QString& value) {
  auto name = oneOf(ui::namesInFront(), "--open", value);
  if (!name) return name.error();
  options.open = *name;
  return {};
}

Result<void> takePlayTo(Options& options, const QString& value) {
  const auto match = QRegularExpression("^(\\d{1,15}):(\\d{1,15}(\\.\\d{1,6})?)$").match(value);
  if (!match.hasMatch()) return bad("--play-to must be EPOCH:STEP, such as 0:13, not '" + value + "'.");
  options.play_to = {match.captured(1).toLongLong(), match.captured(2).toDouble()};
  return {};
}

Result<void> take(Options& options, const QString& name, const QString& value) {
  if (name == "--perspective") return takePerspective(options, value);
  if (name == "--size") return takeSize(options, value);
  if (name == "--theme") return takeTheme(options, value);
  if (name == "--language") return takeLanguage(options, value);
  if (name == "--tab") return takeTab(options, value);
  if (name == "--play-to") return takePlayTo(options, value);
  if (name == "--open") return takeOpen(options, value);
  (name == "--screenshot" ? options.screenshot : options.run_file) = value;
  return {};
}

}  // namespace

Result<Options> parse(const QStringList& arguments) {
  const QStringList with_value = {"--perspective", "--size",     "--theme",    "--tab", "--play-to",
                                  "--screenshot",  "--run-file", "--language", "--open"};
  Options options;
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    const QString name = arguments[i].section('=', 0, 0);
    if (name == "--help" || name == "-h") {
      options.help = true;
    } else if (name == "--reset-layout") {
      options.reset_layout = true;
    } else if (with_value.contains(name)) {
      const bool inside = arguments[i].contains('=');
      if (!inside && i + 1 == arguments.size()) return bad(name + " needs a value.");
      const QString value = inside ? arguments[i].section('=', 1) : arguments[++i];
      if (auto taken = take(options, name, value); !taken) return taken.error();
    } else if (name.startsWith("-")) {
      return bad("The studio has no option '" + name + "'.");
    } else if (options.file.isEmpty()) {
      options.file = arguments[i];
    } else {
      return bad("The studio opens one file, and '" + arguments[i] + "' is a second one.");
    }
  }
  return options;
}

QString usage() {
  return "shardlens studio [FILE] [OPTIONS]\n"
         "Opens the window on FILE, a pipeline (.yaml) or a recording (.slrun, a folder or a packed file), or on the "
         "last session.\n\n"
         "  --screenshot OUT.png       save a picture of the window (.png, .jpg, .svg) and exit; needs no display\n"
         "  --size WxH                 size of the window; the smallest is 960x560 at the usual font size\n"
         "  --theme light|dark\n"
         "  --language " +
         ui::languages().join('|') +
         "        language of the window, instead of the one in the settings or the system's\n"
         "  --perspective " +
         ui::namesOf(ui::perspectives()).join('|') +
         "\n"
         "  --tab NAME                 " +
         ui::namesOf(ui::bottomTabs()).join(", ") +
         "\n"
         "  --play-to EPOCH:STEP       position of the playhead; 0:13.4 pictures step 13 while it is dealt\n"
         "  --open NAME                " +
         ui::namesInFront().join(", ") +
         ": in front of the window\n"
         "  --run-file FILE            show this recorded run; a picture waits until the run has ended\n"
         "  --reset-layout             reset the layout of the panels\n";
}

}  // namespace shardlens::studio
