// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

/// Variables of an environment: name and value.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// The value of the variable: that in `own`, else that of our environment; null when neither has it.
const char* variable(const std::string& name, const Variables& own);

/// One process to start: an argument list, and what its environment has in addition to ours.
struct LaunchCommand {
  std::vector<std::string> arguments;
  Variables environment;
  std::int64_t rank = -1;  ///< that this process is; -1: a launcher, which starts the ranks itself

  /// One line that a shell takes, environment first.
  [[nodiscard]] std::string text() const;
};

/// How a job is started: by one launcher, or rank by rank.
struct Launch {
  std::vector<LaunchCommand> processes;
  std::vector<std::string> notes;  ///< what a person should know about this launch, one sentence each
  std::filesystem::path folder{};  ///< of the job: removed if we die without ending it; empty: none
};

/// How a process ended.
struct ProcessExit {
  int code = 0;    ///< 128 + the signal when one ended it
  int signal = 0;  ///< that ended it; 0 = none
};

/// Our environment, with `own` in place of the variables of the same names: "NAME=value".
std::vector<std::string> environmentWith(const Variables& own);
/// What exec and posix_spawn take: a pointer to each text, and a null pointer. Valid as long as `texts` is unchanged.
std::vector<char*> pointersTo(std::vector<std::string>& texts);

/// An argument as it is typed in a shell: in single quotes when it needs them.
std::string shellQuoted(const std::string& argument);
/// A command as it is typed in a shell.
std::string commandText(const std::vector<std::string>& arguments);

/// The full path of a program, looked up in PATH as a shell does: in that of `own` where it has one. Environment when
/// there is none.
Result<std::string> findProgram(const std::string& name, const Variables& own = {});

/// A TCP port of this host that no program uses at this moment. If possible, it is outside the range from which the
/// system assigns ports, so that no program gets it by chance. Environment when there is none.
Result<int> freePort();

}  // namespace shardlens
