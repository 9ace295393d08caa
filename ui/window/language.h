// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace shardlens::ui {

/// The languages of the window by the names that settings, --language and SHARDLENS_LANGUAGE take: "en", "zh_CN".
QStringList languages();
/// What a language calls itself: "English", "简体中文".
QString languageLabel(const QString& language);
/// What settings may hold too: the language of the system.
inline const QString kSystemLanguage = QStringLiteral("system");
/// The key of the choice in the settings of a session.
inline const QString kLanguageSetting = QStringLiteral("language");

/// The language to start with: `asked` if it is one, else SHARDLENS_LANGUAGE, else `setting`, else the system's.
/// English where the system speaks none of the languages.
QString chosenLanguage(const QString& asked, const QString& setting);

/// Puts the texts of a language, Qt's own included, on the application. Called once, before the first window. False,
/// and English stays, when no installed font has the characters of the language.
bool installLanguage(const QString& language);

}  // namespace shardlens::ui
