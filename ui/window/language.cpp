// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/language.h"

#include "core/base/phrase.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace shardlens::ui {
namespace {

const QString kEnglish = QStringLiteral("en");
const QString kChinese = QStringLiteral("zh_CN");

QString systemLanguage() {
  const QStringList spoken = QLocale::system().uiLanguages();
  const bool chinese = !spoken.isEmpty() && QLocale(spoken.front()).language() == QLocale::Chinese;
  return chinese ? kChinese : kEnglish;
}

void install(const QString& file, const QString& folder) {
  auto* translator = new QTranslator(QCoreApplication::instance());
  if (translator->load(file, folder)) {
    QCoreApplication::installTranslator(translator);
  } else {
    delete translator;
  }
}

/// How keys are named in menus, tips and on the sheet of keys: as they are printed on keyboards, which Qt does not.
[[maybe_unused]] constexpr const char* kKeys[] = {
    QT_TRANSLATE_NOOP("QShortcut", "Left"),  QT_TRANSLATE_NOOP("QShortcut", "Right"),
    QT_TRANSLATE_NOOP("QShortcut", "Up"),    QT_TRANSLATE_NOOP("QShortcut", "Down"),
    QT_TRANSLATE_NOOP("QShortcut", "Space"), QT_TRANSLATE_NOOP("QShortcut", "Return"),
    QT_TRANSLATE_NOOP("QShortcut", "Enter"), QT_TRANSLATE_NOOP("QShortcut", "Home"),
    QT_TRANSLATE_NOOP("QShortcut", "End"),   QT_TRANSLATE_NOOP("QShortcut", "Esc")};

std::string translationOf(const char* context, const char* text) {
  return QCoreApplication::translate(context, text).toStdString();
}

}  // namespace

QStringList languages() {
  return {kEnglish, kChinese};
}

QString languageLabel(const QString& language) {
  return language == kChinese ? QStringLiteral("简体中文") : QStringLiteral("English");
}

QString chosenLanguage(const QString& asked, const QString& setting) {
  for (const QString& name : {asked, qEnvironmentVariable("SHARDLENS_LANGUAGE"), setting}) {
    if (languages().contains(name)) return name;
  }
  return systemLanguage();
}

bool installLanguage(const QString& language) {
  if (language != kChinese) return true;
  if (QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty()) return false;
  install("qtbase_" + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
  install("shardlens_" + language, QStringLiteral(":/translations"));
  setTranslation(translationOf);
  return true;
}

}  // namespace shardlens::ui
