// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

#include <iterator>

namespace shardlens::fields {
namespace {

void append(std::vector<Entry>& rows, std::vector<Entry> section) {
  rows.insert(rows.end(), std::make_move_iterator(section.begin()), std::make_move_iterator(section.end()));
}

std::vector<Entry> allRows() {
  std::vector<Entry> rows = {
      row<&PipelineSpec::name>({.path = "name",
                                .kind = FieldKind::Text,
                                .help = marked("fields", "Name of this pipeline in titles and recordings.")})};
  append(rows, dataset());
  append(rows, world());
  append(rows, loader());
  rows.push_back(row<&PipelineSpec::sampler, &PipelineSpec::Sampler::type>(
      {.path = "sampler.type",
       .kind = FieldKind::Text,
       .help = marked("fields", "The class that hands out the samples, by the framework's own name.")}));
  append(rows, seeds());
  append(rows, framework());
  rows.push_back(row<&PipelineSpec::epochs>({.path = "epochs",
                                             .min = 1,
                                             .max = 1'000'000,
                                             .unit = "epochs",
                                             .help = marked("fields", "Passes over the dataset.")}));
  append(rows, schedule());
  append(rows, run());
  append(rows, check());
  return rows;
}

}  // namespace

const std::vector<Entry>& entries() {
  static const std::vector<Entry> kEntries = allRows();
  return kEntries;
}

const Entry* findEntry(const std::string& path) {
  for (const Entry& entry : entries()) {
    if (entry.field.path == path) return &entry;
  }
  return nullptr;
}

}  // namespace shardlens::fields
