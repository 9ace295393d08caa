// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {
namespace {

using Budget = PipelineSpec::Check::Budget;

const std::vector<Item<Budget>>& budgetItems() {
  using K = FieldKind;
  static const std::vector<Item<Budget>> kItems = {
      item<&Budget::of, Budget>(
          {.path = "of",
           .kind = K::Choice,
           .choices = {"missing", "repeated", "padded", "shared", "uneven", "same_epochs", "colliding_seeds"},
           .help = marked("fields",
                          "What is limited: samples that an epoch leaves out, further readings of a sample, padding, "
                          "samples that two ranks share, batches by which ranks differ, epochs that repeat an earlier "
                          "one, or processes with the seed of another one."),
           .required = true}),
      item<&Budget::most, Budget>({.path = "most",
                                   .kind = K::Float,
                                   .min = 0,
                                   .max = 1'000'000'000'000'000,
                                   .help = marked("fields", "The most that the plan may have of it in any epoch.")}),
      item<&Budget::unit, Budget>(
          {.path = "unit",
           .kind = K::Choice,
           .choices = {"count", "percent"},
           .help = marked("fields",
                          "Whether the limit counts, or is a percentage: of the dataset, of the items handed out, of "
                          "the smaller rank's samples, of the longest rank's batches, of the epochs, of the "
                          "processes.")}),
  };
  return kItems;
}

}  // namespace

std::vector<Entry> check() {
  using K = FieldKind;
  using Check = PipelineSpec::Check;
  return {
      {{.path = "check.budgets",
        .kind = K::Records,
        .fallback = RecordList(),
        .help = marked("fields", "Limits that `shardlens check` holds the plan to; empty means that there are none."),
        .optional = true,
        .items = fieldsOf(budgetItems())},
       [](const PipelineSpec& spec) { return recordsOf(spec.check.budgets, budgetItems()); },
       [](PipelineSpec& spec, const Value& value) { spec.check.budgets = objectsOf(value, budgetItems()); }},
      row<&PipelineSpec::check, &Check::findings>(
          {.path = "check.findings",
           .kind = K::Choice,
           .choices = {"error", "warning", "none"},
           .help = marked("fields", "The mildest finding of the audit that fails `shardlens check`."),
           .optional = true}),
  };
}

}  // namespace shardlens::fields
