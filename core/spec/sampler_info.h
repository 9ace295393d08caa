// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/field.h"

#include <span>
#include <string>
#include <vector>

namespace shardlens {

/// What a sampler is called and which settings it takes. The algorithm is in core/sampling, one file per sampler.
struct SamplerInfo {
  std::string type;  ///< "<framework>.<the framework's own class name>", e.g. "torch.DistributedSampler"
  std::string summary;
  std::vector<Field> parameters;        ///< paths begin with "sampler."
  std::vector<std::string> pitfalls;    ///< sentences, with the issue numbers people reported
  std::vector<std::string> reads = {};  ///< optional fixed fields that it reads: "dataset.lengths"

  /// While the parameter `key` is `choice`, `field` replaces the parameter of the same path.
  struct Variant {
    std::string key;
    std::string choice;
    Field field;
  };
  std::vector<Variant> variants = {};
};

/// Every sampler this build knows; the list itself is sampling::catalogue().
using SamplerCatalogue = std::span<const SamplerInfo>;

/// The entry of `type`, or null.
inline const SamplerInfo* findSampler(SamplerCatalogue catalogue, const std::string& type) {
  for (const SamplerInfo& info : catalogue) {
    if (info.type == type) return &info;
  }
  return nullptr;
}

}  // namespace shardlens
