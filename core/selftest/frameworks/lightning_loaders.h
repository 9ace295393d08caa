// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sampling/lightning/loader.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace shardlens::selftest {

/// A loader of the files lightning_*_injection: the objects that Lightning inspects, and the pipeline that they make.
struct NamedLoader {
  sampling::UserLoader loader;
  PipelineSpec spec;
};

/// The loader of that name over a dataset of `size`, as the script that recorded the rows names it. A sampler without a
/// generator of its own draws its seed from a global generator seeded with 0, once per epoch: its pass of this epoch is
/// written out as a list.
std::optional<NamedLoader> namedLoader(const std::string& name, std::int64_t size, Epoch epoch,
                                       const std::string& torch);

}  // namespace shardlens::selftest
