// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace shardlens::ui {

struct ResumeAnswer;

/// What the rows say: a line for each method.
QString resumeText(const ResumeAnswer& answer);
/// The same as CSV; numbers are missing where a method has no outcome.
QString resumeCsv(const ResumeAnswer& answer);

}  // namespace shardlens::ui
