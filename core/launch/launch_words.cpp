// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_words.h"

#include "core/base/text.h"

namespace shardlens::words {
namespace {

const char* const kField = "run.launcher";

}  // namespace

Error noProgram(const std::string& name) {
  return Error{
      ErrorCode::Environment, "There is no program named " + name + " on this machine.", {}, "check the name and PATH"};
}

Error programNotStarted(const std::string& program, const std::string& why) {
  return Error{ErrorCode::Environment,
               program + " cannot be started: " + why + ".",
               {},
               "check that the file is a program and that you may run it"};
}

Error noFreePort(const std::string& why) {
  return Error{ErrorCode::Environment,
               "The ranks have no TCP port to meet at: no free port was found on this host: " + why + ".",
               {},
               "check that 127.0.0.1 can be used"};
}

Error noJobFolder(const std::string& base, const std::string& why) {
  return Error{ErrorCode::Environment, "The job's temporary folder cannot be created here: " + why + ".",
               Place{base, 0, 0, {}}, "free some space there"};
}

Error unknownLauncher(const std::string& name, const std::string& known) {
  return Error{ErrorCode::Usage, "There is no launcher named " + name + ".", Place{{}, 0, 0, kField},
               "choose from: " + known};
}

Error programNeedsMpi(const std::string& program, const std::string& launcher) {
  return Error{ErrorCode::Usage, program + " needs MPI, which the launcher " + launcher + " does not start.",
               Place{{}, 0, 0, kField}, "use mpirun, or run.program: socket_rank"};
}

std::string ranksShareCores(std::int64_t ranks, std::int64_t cores) {
  return counted(ranks, "rank") + (ranks == 1 ? " shares " : " share ") + counted(cores, "core") +
         ", so waits include CPU scheduling.";
}

std::string nodesEmulated(std::int64_t nodes) {
  return counted(nodes, "node") + (nodes == 1 ? " is" : " are") +
         " emulated on one host: node and local rank come from the spec.";
}

std::string programInPlaceOf(const std::string& launcher, const std::string& program, const std::string& wanted) {
  return "The launcher " + launcher + " does not start MPI: " + program + " runs in place of " + wanted + ".";
}

}  // namespace shardlens::words
