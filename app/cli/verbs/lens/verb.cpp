// SPDX-License-Identifier: Apache-2.0
// shardlens lens SPEC [--epoch E] [--only ID,...] [--format text|json]: one pipeline through several frameworks.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "app/cli/output.h"
#include "app/cli/verbs/lens/report.h"

#include <memory>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

struct Options {
  std::string spec;
  std::int64_t epoch = 0;
  std::vector<std::string> only;
  std::string format = "text";
};

int run(const Options& options) {
  const auto plan = loadPlan(options.spec);
  if (const auto* issues = std::get_if<Issues>(&plan)) return fail(*issues);
  if (auto range = checkRange(std::get<Plan>(plan), options.epoch, {}); !range) return fail(range.error());
  const auto report = lensReport(std::get<Plan>(plan), Epoch{options.epoch}, options.only);
  if (!report) return fail(report.error());
  const auto out = std::make_unique<Output>();
  if (options.format == "json") {
    *out << lensJson(*report);
  } else {
    writeLensText(*out, *report);
  }
  return out->finish();
}

}  // namespace

void addLens(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("lens", "The same pipeline through several frameworks, side by side");
  verb->add_option("SPEC", options->spec, "a spec file")->required();
  verb->add_option("--epoch", options->epoch, "which epoch is compared");
  verb->add_option("--only", options->only, "columns to show, by their ids, with commas between: lightning,accelerate")
      ->delimiter(',');
  verb->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace shardlens::cli
