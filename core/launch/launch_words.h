// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/phrase.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// All sentences about starting a job, in one place. `why` is the system's reason without a full stop.
namespace shardlens::words {

// --- what cannot be started
Error noProgram(const std::string& name);
/// Of a line that a person typed.
Error noCommand();
/// Of the lines of an environment, this one, counted from 1.
Error noAssignment(std::size_t number, const std::string& line);
Error noJobFolder(const std::string& base, const std::string& why);

// --- launchers
/// What to do where a launcher is missing.
constexpr const char* kInstallOpenMpi = marked("launch", "install Open MPI: apt-get install openmpi-bin");
constexpr const char* kInstallTorch =
    marked("launch", "install PyTorch: pip install torch, or apt-get install python3-torch");
constexpr const char* kInstallSlurm = marked("launch", "install Slurm, or run this on a host of a Slurm cluster");

// --- what to know of a launch on this host
std::string ranksShareCores(std::int64_t ranks, std::int64_t cores);
std::string nodesEmulated(std::int64_t nodes);
std::string programInPlaceOf(const std::string& launcher, const std::string& program, const std::string& wanted);

}  // namespace shardlens::words
