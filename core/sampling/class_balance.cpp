// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/class_balance.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/python.h"

#include <unordered_map>

namespace shardlens::sampling {

Classes classesOf(const IndexList& labels) {
  Classes classes;
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(labels[i], classes.size());
    if (is_new) classes.push_back({labels[i], {}});
    classes[place->second].second.push_back(static_cast<std::int64_t>(i));
  }
  return classes;
}

std::uint32_t* chooseOf(const std::vector<std::int64_t>& samples, std::int64_t count, NumpyLegacy& numpy,
                        std::uint32_t* into) {
  const auto size = static_cast<std::int64_t>(samples.size());
  for (const std::int64_t place : numpy.choice(size, static_cast<std::size_t>(count), count > size)) {
    if (into != nullptr) *into++ = static_cast<std::uint32_t>(samples[static_cast<std::size_t>(place)]);
  }
  return into;
}

Result<void> checkLabels(const PipelineSpec& spec) {
  const auto labels = static_cast<std::int64_t>(spec.dataset.labels.size());
  if (labels == spec.dataset.size) return {};
  return refused(labels == 1
                     ? filled(worded("spec", "there is 1 label for %1."), wordedCount(spec.dataset.size, "sample"))
                     : filled(worded("spec", "there are %1 labels for %2."), grouped(labels),
                              wordedCount(spec.dataset.size, "sample")),
                 "dataset.labels", worded("spec", "give dataset.labels, one whole number for each sample"));
}

}  // namespace shardlens::sampling
