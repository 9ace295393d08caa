// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/selection.h"

#include <QString>

#include <optional>

namespace shardlens::ui {

/// The text as HTML in which each rank, pair of ranks, epoch, step, sample, worker and seed that it names by number is
/// a link (linkTo), and each command one that copies it (copiedBy). `context` is what the text is about: it completes a
/// step or a worker that is named alone. The text itself, not escaped, when it names nothing.
QString linked(const QString& text, const Selected& context = {});

/// The command that this link copies; nothing for a link to a place.
std::optional<QString> copiedBy(const QString& link);

/// The same sentence, in which each command begins a line of its own: broken at a hyphen, it cannot be read.
QString commandsApart(QString text);

/// The text as HTML in which each number is a link to the sample of that id: "1, 5, 9".
QString linkedSamples(const QString& ids);

/// The same words, of which long ones, names of classes and files, may break between their parts: for what is shown and
/// not copied.
QString breakable(const QString& text);

/// The same words, of which none is parted from the number before it: "2 562 336 samples" stands on one line.
QString unbroken(const QString& text);

/// The whole text as a link, as HTML.
QString linkText(const QString& text, const Selected& place);

}  // namespace shardlens::ui
