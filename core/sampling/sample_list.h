// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/sampling/claims.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"

#include <string>

namespace shardlens::sampling {

/// The parameter of samplers that are given a list of samples.
Field sampleListField(std::string help, const char* path = "sampler.indices");

/// The list that the spec says for this parameter; empty when it says none.
const IndexList& sampleList(const PipelineSpec& spec, const char* key = "indices");

/// How many samples `indices` holds.
std::int64_t sampleCount(const PipelineSpec& spec);
/// The cause for samples that `indices` does not hold.
LeftOutCause notInSampleList(const PipelineSpec& spec, Epoch epoch);

/// Says which sample of `list`, the value of `field`, the dataset does not have.
Result<void> checkSamples(const PipelineSpec& spec, const IndexList& list, const std::string& field);
/// The same for `indices`.
Result<void> checkSampleList(const PipelineSpec& spec);

}  // namespace shardlens::sampling
