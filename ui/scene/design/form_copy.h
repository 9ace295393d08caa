// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"

#include <QString>

namespace shardlens::ui {

/// The fields of the form with their values, a line for each.
QString formText(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// The same as CSV.
QString formCsv(const PipelineSpec& spec, SamplerCatalogue catalogue);

}  // namespace shardlens::ui
