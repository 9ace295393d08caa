// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/phrase.h"

#include <QCoreApplication>

namespace shardlens::ui {

QString phrase(const char* context, const char* text) {
  return QCoreApplication::translate(context, text);
}

}  // namespace shardlens::ui
