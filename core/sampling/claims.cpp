// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/claims.h"

#include <memory>
#include <vector>

namespace shardlens::sampling {

LeftOutCause notListed(const IndexList& list, std::int64_t dataset_size, MissingCause otherwise) {
  auto listed = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(dataset_size));
  for (const SampleIndex id : list) (*listed)[static_cast<std::size_t>(id)] = true;
  return [listed = std::move(listed), otherwise](SampleIndex sample) {
    return (*listed)[static_cast<std::size_t>(sample)] ? otherwise : MissingCause::NotAmongIndices;
  };
}

}  // namespace shardlens::sampling
