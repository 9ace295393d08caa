// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_words.h"

#include "core/base/text.h"

namespace shardlens::words {

Error noProgram(const std::string& name) {
  return Error{ErrorCode::Environment,
               filled(worded("launch", "There is no program named %1 on this machine."), name),
               {},
               worded("launch", "check the name and PATH")};
}

Error noCommand() {
  return Error{ErrorCode::BadInput,
               worded("launch", "There is no command."),
               {},
               worded("launch", "type it as you would in a terminal: torchrun --nproc_per_node=4 train.py")};
}

Error noAssignment(std::size_t number, const std::string& line) {
  constexpr std::size_t kMost = 60;
  const std::string shown = line.size() > kMost ? line.substr(0, utf8Prefix(line.substr(0, kMost))) + "…" : line;
  return Error{
      ErrorCode::BadInput,
      filled(worded("launch", "Line %1 of the environment sets no variable: %2"), std::to_string(number), shown),
      {},
      worded("launch", "write NAME=value, one a line and without export, such as NCCL_DEBUG=INFO")};
}

Error noJobFolder(const std::string& base, const std::string& why) {
  return Error{ErrorCode::Environment,
               filled(worded("launch", "The job's temporary folder cannot be created here: %1."), why),
               Place{base, 0, 0, {}}, worded("launch", "free some space there")};
}

std::string ranksShareCores(std::int64_t ranks, std::int64_t cores) {
  const std::string of_cores = wordedCount(cores, "core");
  return ranks == 1 ? filled(worded("launch", "1 rank shares %1, so waits include CPU scheduling."), of_cores)
                    : filled(worded("launch", "%1 share %2, so waits include CPU scheduling."),
                             wordedCount(ranks, "rank"), of_cores);
}

std::string nodesEmulated(std::int64_t nodes) {
  return nodes == 1 ? worded("launch", "1 node is emulated on one host: node and local rank come from the spec.")
                    : filled(worded("launch", "%1 are emulated on one host: node and local rank come from the spec."),
                             wordedCount(nodes, "node"));
}

std::string programInPlaceOf(const std::string& launcher, const std::string& program, const std::string& wanted) {
  return filled(worded("launch", "The launcher %1 does not start MPI: %2 runs in place of %3."), launcher, program,
                wanted);
}

}  // namespace shardlens::words
