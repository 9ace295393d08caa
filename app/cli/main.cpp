// SPDX-License-Identifier: Apache-2.0
#include "app/cli/studio.h"
#include "app/cli/verb.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace {

using shardlens::cli::AddVerb;

/// Every verb, in the order of the help.
constexpr AddVerb kVerbs[] = {
    shardlens::cli::addPlan,
};

bool isVerb(const CLI::App& app, const char* word) {
  const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(verbs.begin(), verbs.end(), [word](const CLI::App* verb) { return verb->get_name() == word; });
}

/// Without a verb, or with a file in its place, the studio opens.
bool wantsStudio(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], "studio") == 0) return true;
  if (argv[1][0] == '-' || isVerb(app, argv[1])) return false;
  const std::string word = argv[1];
  return word.find('/') != std::string::npos || word.find('.') != std::string::npos;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "ShardLens: which sample goes to which rank, worker, step and epoch of a distributed training job.\n"
      "Without a verb the studio opens: shardlens [FILE]"};
  app.set_version_flag("--version", std::string("shardlens ") + SHARDLENS_VERSION);
  app.require_subcommand(1);
  shardlens::cli::Action chosen;
  for (const AddVerb add : kVerbs) add(app, chosen);
  app.add_subcommand("studio", "The window: studio [FILE] [--screenshot OUT.png]");

  if (wantsStudio(app, argc, argv)) {
    const bool named = argc >= 2 && std::strcmp(argv[1], "studio") == 0;
    return shardlens::cli::execStudio(std::vector<char*>(argv + (named ? 2 : 1), argv + argc));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? shardlens::cli::kFine : shardlens::cli::kUsage;
  }
  return chosen();
}
