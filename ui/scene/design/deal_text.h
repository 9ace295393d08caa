// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <QString>

namespace shardlens::ui {

/// How the samples of an epoch come to two ranks, in one sentence that is read off this very plan: by strides of one
/// order, by parts of it, by turns, from orders of their own, or as the sampler itself divides them. Empty for another
/// number of ranks, and where a rank gets nothing.
QString howItDeals(const EpochPlan& epoch);

}  // namespace shardlens::ui
