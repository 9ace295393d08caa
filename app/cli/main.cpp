// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace shardlens;
using namespace shardlens::cli;

/// Every verb, in the order of the help.
constexpr AddVerb kVerbs[] = {
    addPlan,   addFind,   addDiff,      addLens,     addResume,   addAudit,    addCheck,   addExport,
    addImport, addFilm,   addRun,       addRehearse, addEnv,      addWatch,    addCapture, addAt,
    addReplay, addReport, addCalibrate, addVerify,   addSamplers, addSelftest,
};

constexpr const char* kFooter =
    "Exit codes: 0 success, also with warnings, 1 findings that are errors, a mismatch or a difference, 2 usage error "
    "or "
    "bad input, 3 not possible on this machine, 4 the job failed.";

/// A word that looks like a path or is one goes to the studio in the place of a verb; any other is a slip of the hand.
bool namesFile(const std::string& word) {
  std::error_code code;
  return word.find_first_of("./") != std::string::npos || std::filesystem::exists(word, code);
}

int unknownVerb(const std::string& word, const std::vector<std::string>& names) {
  const std::string near = nearest(word, names);
  return fail(Error::of(ErrorCode::Usage, "there is no verb and no file '" + word + "'.",
                        near.empty() ? "shardlens --help lists the verbs" : "did you mean " + near + "?"));
}

/// Becomes the studio with these arguments; it is looked for beside this program and in lib/shardlens. Returns only
/// when that fails: the exit code, after saying why.
int execStudio(const std::vector<char*>& arguments) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& candidate : {folder / "shardlens-studio", folder / "../lib/shardlens/shardlens-studio"}) {
    if (!fs::exists(candidate, error)) continue;
    std::string program = candidate.string();
    std::vector<char*> all{program.data()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.push_back(nullptr);
    execv(program.c_str(), all.data());
    return fail(Error::inFile(ErrorCode::Environment, program,
                              std::string("the studio cannot be started: ") + std::strerror(errno) + "."));
  }
  return fail(Error::of(ErrorCode::Environment,
                        "This build has no studio (there is no shardlens-studio next to this program).",
                        "build with SHARDLENS_GUI=ON, or use a verb: shardlens --help"));
}

int runProgram(int argc, char** argv) {
  CommandLine line(
      "ShardLens: which sample goes to which rank, worker, step and epoch of a distributed training job.\n"
      "Without a verb, the studio opens: shardlens [FILE]",
      "shardlens", SHARDLENS_VERSION, kFooter);
  Action chosen;
  for (const AddVerb add : kVerbs) add(line.app(), chosen);
  const Arguments studio(line.app(), "studio", "Opens the window: studio [FILE] [--screenshot OUT.png]");

  const std::string first = argc > 1 ? argv[1] : "studio";
  const std::vector<std::string> names = line.verbs();
  const bool is_verb = std::ranges::find(names, first) != names.end();
  if (first == "studio") return execStudio(std::vector<char*>(argv + std::min(argc, 2), argv + argc));
  const bool asks = first == "-h" || first == "--help" || first == "--version";
  if (first.starts_with('-') && !asks)
    return fail(Error::of(ErrorCode::Usage, "there is no option '" + first + "'.", "shardlens --help lists the verbs"));
  if (is_verb || first.empty() || asks) return line.run(argc, argv, chosen);
  if (namesFile(first)) return execStudio(std::vector<char*>(argv + 1, argv + argc));
  return unknownVerb(first, names);
}

}  // namespace

int main(int argc, char** argv) {
  fillStandardStreams();
  heedFailureVariable();
  int code = kFine;
  const auto done = guarded([&] { code = runProgram(argc, argv); });
  return done ? code : fail(done.error());
}
