// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace shardlens::ui {

/// A text of the window in the language that was chosen at the start, where there is no QObject with a tr() of its own.
/// `context` is the folder of the source ("run", "stage"); `text` is English, and %1, %2 are the places for arg().
/// Both are literals: lupdate finds them. A text in a table is marked with QT_TRANSLATE_NOOP(context, text) there.
QString phrase(const char* context, const char* text);

}  // namespace shardlens::ui
