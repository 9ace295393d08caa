// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "ui/window/language.h"

#include <QApplication>
#include <QRegularExpression>
#include <QTranslator>

namespace shardlens::ui {

/// Texts in a language for the time that it lives.
class Speaking {
 public:
  explicit Speaking(const QString& language) { installLanguage(language); }
  ~Speaking() {
    setTranslation(nullptr);
    for (QTranslator* translator : qApp->findChildren<QTranslator*>()) {
      QCoreApplication::removeTranslator(translator);
      delete translator;
    }
  }
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;
};

inline const QRegularExpression& chineseLetters() {
  static const QRegularExpression kLetters("[\\x{4e00}-\\x{9fff}]");
  return kLetters;
}

}  // namespace shardlens::ui
