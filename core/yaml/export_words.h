// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <string>

/// What people read about an export: the notes about what a target does not include, in one place. `fields` is a list
/// such as "loader {batch_size: 2}, epochs: 2".
namespace shardlens::yaml::words {

std::string notIncluded(const std::string& fields, const std::string& reason);
std::string datasetDecides(std::int64_t size);
std::string scriptCallsSetEpoch();
/// `field`: the sampler's own.
std::string samplerSaysSteps(std::int64_t batches, const std::string& field);
std::string shareOfGlobalBatch(std::int64_t batch, std::int64_t share, const std::string& field);
std::string scriptMakesGroups(const std::string& groups);
std::string installedTorch(const std::string& version);
std::string rankProgramsOnly(const std::string& fields);

/// Reasons of notIncluded(). `elsewhere` is one of the next two.
std::string noOption(const std::string& launcher, const std::string& elsewhere);
std::string noKey(const std::string& elsewhere);
std::string noKeyIn(const std::string& target, const std::string& elsewhere);
std::string noArgument(const std::string& program);
std::string notInSnippet();
/// What sets it instead.
std::string scriptLikePyTorch(const std::string& script);
std::string trainerMakes();
std::string externalLoader();

/// `file` has placeholders for the nodes.
std::string nodeNames(const std::string& file);
std::string firstNode();
std::string prepareDivides();
std::string oneProcessOnCpus(std::int64_t ranks);
std::string trainerSeeds();
std::string launcherSaysWorld(const std::string& launcher, const PipelineSpec::World& world);
std::string allDataParallel();
std::string noImage();
std::string mpiVariables();
std::string whichAccelerators();
std::string rayPlacesRanks(const PipelineSpec::World& world);
std::string lightningCallsSetEpoch();
std::string lightningSeedsWorkers();

}  // namespace shardlens::yaml::words
