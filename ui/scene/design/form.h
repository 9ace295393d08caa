// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/field.h"
#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"
#include "ui/state/plan_service.h"

#include <QString>

#include <vector>

namespace shardlens::ui {

/// One block of the form: its head and the fields under it, in the order of the file.
struct FormSection {
  QString head;
  std::vector<Field> fields;
  bool starts_collapsed = false;
};

/// The form of a spec whose sampler is one of `catalogue`: every field of it, grouped; behind a list of records, the
/// items of each record.
std::vector<FormSection> formOf(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// Equal for two specs whose forms have the same rows: the sampler's type, what its parameters fall back to, and how
/// many records each list has.
std::string formShape(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// The record that a list gets when the user adds one: every item as it is without being said.
Record freshRecord(const Field& records);

/// What stands left of the field: the key as the framework spells it.
QString fieldLabel(const Field& field);
/// What stands in the field: grouped digits, on and off, called and forgotten, ranges of indices.
QString fieldText(const Field& field, const Value& value);
/// How a choice is shown: "base + rank" for base+rank, "DistributedSampler" for torch.DistributedSampler.
QString choiceLabel(const Field& field, const std::string& choice);
/// What an index list may be shown as; longer ones are shown as a count and edited in the file.
constexpr std::size_t kShownIndexText = 20'000;

/// What follows from the field, to stand under it: "world size 8", "per rank · global batch 256". Empty for most.
QString derivedNote(const Field& field, const PipelineSpec& spec, const PlanSnapshot& answer);

/// Whether the value changes anything while the other fields are as they are: without a seed rule there is no base.
bool isInUse(const Field& field, const PipelineSpec& spec);

/// What is wrong, in a sentence. An exception that a framework raises without words is named, with what it means.
QString problemText(const Error& issue);

/// "world 8 (2 × 4) · global batch 256 · 10 010 steps · padded 1 · dropped 0": the plan in one line.
QString planLine(const PlanSnapshot& answer);
/// "plan in 21 ms · exact: torch 2.9".
QString timeLine(const PlanSnapshot& answer);

/// The fields of the form with their values, a line for each.
QString formText(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// The same as CSV.
QString formCsv(const PipelineSpec& spec, SamplerCatalogue catalogue);

}  // namespace shardlens::ui
