// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/event.h"

#include <QString>

namespace shardlens::ui {

/// A line of a recording as the console shows it. What the supervisor said is kept in English, whatever the language of
/// the window that follows; its sentences are told apart by their shape and said in that language. What the job printed
/// stays as it is.
QString recordedText(const LogLine& line);

}  // namespace shardlens::ui
