// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "ui/paint/plan_picture.h"
#include "ui/scene/number_text.h"

#include <QString>

#include <optional>

namespace shardlens::ui {

/// What a card says of its example, all of it computed from the file.
struct ExampleFacts {
  PlanPicture picture;
  Tone tone = Tone::Fine;  ///< of the gravest finding; fine when there is nothing but remarks
  QString verdict;         ///< "Error", "Warning", "Fine"
  QString framework;       ///< "PyTorch"
};

/// Reads, plans, audits and draws an example; for any thread. Nothing when its file has problems or `work` stopped it.
std::optional<ExampleFacts> exampleFacts(const QString& path, QSize picture, bool dark, qreal ratio, const Work& work);

}  // namespace shardlens::ui
