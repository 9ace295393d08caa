// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {

std::vector<Entry> dataset() {
  using K = FieldKind;
  using Dataset = PipelineSpec::Dataset;
  constexpr auto kDataset = &PipelineSpec::dataset;
  return {
      row<kDataset, &Dataset::size>({.path = "dataset.size",
                                     .kind = K::Int,
                                     .min = 0,
                                     .max = kMostSamples,
                                     .unit = "samples",
                                     .help = marked("fields", "Number of samples: len(dataset).")}),
      row<kDataset, &Dataset::shards>({.path = "dataset.shards",
                                       .kind = K::Indices,
                                       .min = 0,
                                       .max = kMostSamples,
                                       .unit = "samples each",
                                       .help = marked("fields",
                                                      "Number of samples in each stored piece (file, tar), in order: a "
                                                      "list, or 64 x 500 for 64 equal ones. Empty means one piece."),
                                       .optional = true}),
      row<kDataset, &Dataset::lengths>(
          {.path = "dataset.lengths",
           .kind = K::Indices,
           .min = 0,
           .unit = "tokens each",
           .help = marked("fields", "Length of each sample, for samplers that group by length; one for each."),
           .optional = true}),
      row<kDataset, &Dataset::labels>(
          {.path = "dataset.labels",
           .kind = K::Indices,
           .unit = "class of each",
           .help = marked("fields", "Class of each sample, for samplers that balance classes; one for each."),
           .optional = true}),
  };
}

}  // namespace shardlens::fields
