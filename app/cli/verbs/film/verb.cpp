// SPDX-License-Identifier: Apache-2.0
// shardlens film SPEC -o FILE: the deal as one HTML page that plays in any browser.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/film/film.h"

#include <cstdio>
#include <memory>
#include <string>

namespace shardlens::cli {
namespace {

struct FilmArgs {
  std::string spec;
  std::string loader;
  std::string output;
  std::string theme = "auto";
  FilmOptions film;
  bool force = false;
  bool quiet = false;
};

PageTheme themeOf(const std::string& word) {
  return word == "light" ? PageTheme::Light : word == "dark" ? PageTheme::Dark : PageTheme::Auto;
}

/// Epochs that were asked for and that the spec does not have.
void sayMissingEpochs(const Plan& plan, const FilmOptions& asked, std::int64_t shown) {
  const std::int64_t there = plan.epochs() - asked.first_epoch;
  if (!asked.epochs || *asked.epochs <= there) return;
  const std::string from =
      asked.first_epoch > 0 ? " and the film begins with epoch " + grouped(asked.first_epoch) : std::string();
  (void)std::fprintf(stderr, "The spec has only %s%s, so the film shows %s instead of %s.\n",
                     counted(plan.epochs(), "epoch").c_str(), from.c_str(), grouped(shown).c_str(),
                     grouped(*asked.epochs).c_str());
}

int deliver(const Film& film, const FilmArgs& options) {
  const std::string page = filmPage(film, themeOf(options.theme));
  for (const std::string& sentence : film.left_out) (void)std::fprintf(stderr, "%s\n", sentence.c_str());
  if (options.output == "-") {
    Output out;
    out.raw(page);
    return out.finish();
  }
  if (auto written = writeFile(options.output, page); !written) return fail(written.error());
  (void)std::fprintf(stderr, "%s: written, %s, %s\n", printable(options.output).c_str(),
                     byteSize(static_cast<double>(page.size())).c_str(),
                     (grouped(film.batches()) + (film.batches() == 1 ? " batch" : " batches")).c_str());
  return kFine;
}

int run(const FilmArgs& options) {
  Progress progress(options.quiet);
  if (auto free = checkNewFile(options.output, options.force); !free) return fail(progress, free.error());
  const auto loaded = loadPlan({options.spec, options.loader}, progress.whole());
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  const auto& spec = std::get<LoadedPlan>(loaded);
  const Plan& plan = spec.plan;
  const auto range = filmRange(plan, options.film, progress.part(0, 1, 10));
  if (!range) return fail(progress, spec.placed(range.error()));
  const auto film = makeFilm(plan, *range, progress.part(1, 9, 10));
  progress.clear();
  sayMissingEpochs(plan, options.film, range->epochs);
  return film ? deliver(*film, options) : fail(spec.placed(film.error()));
}

}  // namespace

void addFilm(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<FilmArgs>();
  Arguments verb(app, "film", "Writes an HTML page that shows in any browser how samples reach their ranks");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.add("-o,--output", options->output, "file to write; - for stdout").required();
  verb.add("--first-epoch", options->film.first_epoch, "first epoch to show").notNegative();
  verb.add("--epochs", options->film.epochs,
           "number of epochs to show; by default 3, or fewer where the spec has fewer")
      .positive();
  verb.add("--steps", options->film.steps, "number of steps to show of each epoch; a page has room for 100000 batches")
      .positive();
  verb.add("--theme", options->theme, "colours at the start").oneOf({"auto", "light", "dark"}).showsDefault();
  verb.addFlag("--force", options->force, "overwrite the file if it exists");
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
