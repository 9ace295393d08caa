// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/selection.h"

#include <QString>

namespace shardlens::ui {

/// The text as HTML in which each rank, pair of ranks, epoch, step, sample, worker and seed that it names by number is
/// a link (linkTo). `context` is what the text is about: it completes a step or a worker that is named alone. The text
/// itself, not escaped, when it names nothing.
QString linked(const QString& text, const Selected& context = {});

/// The same words, of which long ones, names of classes and files, may break between their parts: for what is shown and
/// not copied.
QString breakable(const QString& text);

/// The whole text as a link, as HTML.
QString linkText(const QString& text, const Selected& place);

}  // namespace shardlens::ui
