// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include <cstdio>
#include <utility>

namespace shardlens {
namespace {

/// Of "Killed", "Segmentation fault (core dumped)", ...; 0 = none.
int signalOf(std::string_view words) {
  constexpr int kSignals = 32;
  if (words.starts_with("Out Of Memory")) return 9;
  for (int signal = 1; signal < kSignals; ++signal) {
    const char* const description = sigdescr_np(signal);
    if (description != nullptr && words.starts_with(description)) return signal;
  }
  return 0;
}

class Srun : public Launcher {
 public:
  [[nodiscard]] const char* name() const override { return "srun"; }
  [[nodiscard]] Result<Launch> launch(const PipelineSpec& spec, const LaunchSite& site,
                                      const std::vector<std::string>& command) const override;
  [[nodiscard]] OutputTag tag(std::string_view bytes, const PlaceInOutput& place) const override;
  std::optional<LauncherReport> heed(const std::string& line) override;
  [[nodiscard]] std::string words() const override { return words_; }
  [[nodiscard]] bool wasEndedFromOutside(const ProcessExit& exit) const override;

 private:
  std::string words_;
  bool has_reported_ = false;
  bool was_cancelled_ = false;
};

Result<Launch> Srun::launch(const PipelineSpec& spec, const LaunchSite& site,
                            const std::vector<std::string>& command) const {
  LaunchCommand srun;
  srun.environment = {
      {"SHARDLENS_JOB_DIR", site.job_dir}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", std::to_string(site.port)}};
  srun.arguments = {site.launcher,          "--nodes=1",    "--ntasks=" + std::to_string(spec.worldSize()),
                    "--overcommit",         "--export=ALL", "--label",
                    "--kill-on-bad-exit=1", "--input=none"};
  for (const auto& words : {rankPlace(spec, "SLURM_PROCID", "SLURM_NTASKS"), commandOf(site, command)})
    srun.arguments.insert(srun.arguments.end(), words.begin(), words.end());
  return Launch{{std::move(srun)}, hostNotes(spec)};
}

/// --label writes the number of the task before each line: "3: text", with blanks before it when others are longer.
OutputTag Srun::tag(std::string_view bytes, const PlaceInOutput& place) const {
  OutputTag found;
  if (!place.begins_line) return found;
  found.is_error = place.is_error;
  TagReader in(bytes);
  while (in.take(" ")) {
  }
  const bool is_tag = in.takeNumber(&found.rank) && in.take(": ");
  if (is_tag) found.length = bytes.size() - in.rest().size();
  found.is_cut = !is_tag && in.isAtEnd();
  return found;
}

/// "srun: error: HOST: task 1: Killed", "srun: error: HOST: tasks 0,2-3: Exited with exit code 7". The first one
/// counts: it ends the others itself, and says that in the same words.
std::optional<LauncherReport> Srun::heed(const std::string& line) {
  const bool is_cancelled = line.starts_with("srun: Job step aborted") || line.starts_with("srun: forcing job");
  was_cancelled_ = was_cancelled_ || (!has_reported_ && is_cancelled);
  if (words_.empty() && line.starts_with("srun: error: ")) words_ = line;
  if (has_reported_ || was_cancelled_) return std::nullopt;
  long long rank = -1;
  const std::size_t at = line.find(": task");
  const bool is_end = line.starts_with("srun: error: ") && at != std::string::npos &&
                      std::sscanf(line.c_str() + at, ": task%*[s ]%lld", &rank) == 1;
  if (!is_end) return std::nullopt;
  const std::size_t colon = line.find(": ", at + 2);
  if (colon == std::string::npos) return std::nullopt;
  const std::string_view said = std::string_view(line).substr(colon + 2);
  int code = 0;
  (void)std::sscanf(said.data(), "Exited with exit code %d", &code);
  const int signal = code == 0 ? signalOf(said) : 0;
  if (code == 0 && signal == 0) return std::nullopt;
  has_reported_ = true;
  return LauncherReport{rank, code, signal};
}

bool Srun::wasEndedFromOutside(const ProcessExit& exit) const {
  return exit.signal != 0 || (exit.code != 0 && was_cancelled_);
}

}  // namespace

std::unique_ptr<Launcher> makeSrun() {
  return std::make_unique<Srun>();
}

}  // namespace shardlens
