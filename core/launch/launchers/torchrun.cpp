// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include <cstdio>
#include <utility>

namespace shardlens {
namespace {

/// The 1.13 of Python 3.11 can pass on one of a rank's outputs, and no version passes on both without files. So it
/// passes on the standard output, and the rank tags its standard error by itself: line by line, in the same way.
constexpr const char* kStart =
    "errors=\"$SHARDLENS_JOB_DIR/errors.$RANK\"; mkfifo \"$errors\"; "
    "(sed -u \"s/^/[default$RANK]:/\" <\"$errors\" >&2 &); exec \"$@\" 2>\"$errors\"";

bool mentions(const std::string& line, const char* text) {
  return line.find(text) != std::string::npos;
}

class Torchrun : public Launcher {
 public:
  [[nodiscard]] const char* name() const override { return "torchrun"; }
  [[nodiscard]] Result<Launch> launch(const PipelineSpec& spec, const LaunchSite& site,
                                      const std::vector<std::string>& command) const override;
  [[nodiscard]] OutputTag tag(std::string_view bytes, const PlaceInOutput& place) const override;
  std::optional<LauncherReport> heed(const std::string& line) override;
  [[nodiscard]] std::string words() const override { return words_; }
  [[nodiscard]] bool wasEndedFromOutside(const ProcessExit& exit) const override;

 private:
  std::string words_;
  bool has_reported_ = false;
  bool was_signalled_ = false;
};

/// The files in which it keeps what the ranks print go with the folder of the job.
Result<Launch> Torchrun::launch(const PipelineSpec& spec, const LaunchSite& site,
                                const std::vector<std::string>& command) const {
  LaunchCommand torchrun;
  torchrun.environment = {{"SHARDLENS_JOB_DIR", site.job_dir}};
  torchrun.arguments = {site.launcher,
                        "--nnodes=1",
                        "--nproc_per_node=" + std::to_string(spec.worldSize()),
                        "--master_addr=127.0.0.1",
                        "--master_port=" + std::to_string(site.port),
                        "--max_restarts=0",
                        "--monitor_interval=0.2",
                        "--redirects=1",
                        "--tee=1",
                        "--log_dir=" + site.job_dir + "/torchrun",
                        "--no_python"};
  for (const auto& words : {rankPlace(spec, "RANK", "WORLD_SIZE", kStart), commandOf(site, command)})
    torchrun.arguments.insert(torchrun.arguments.end(), words.begin(), words.end());
  return Launch{{std::move(torchrun)}, hostNotes(spec)};
}

/// "[default1]:" for rank 1 of the role that it calls so, wherever a piece of its text begins.
OutputTag Torchrun::tag(std::string_view bytes, const PlaceInOutput& place) const {
  OutputTag found;
  found.is_error = place.is_error;
  TagReader in(bytes);
  const bool is_tag = in.take("[default") && in.takeNumber(&found.rank) && in.take("]:");
  if (is_tag) found.length = bytes.size() - in.rest().size();
  found.is_cut = !is_tag && in.isAtEnd();
  return found;
}

/// It names the first rank that failed, and ends the others. A code below 0 is a signal.
std::optional<LauncherReport> Torchrun::heed(const std::string& line) {
  was_signalled_ = was_signalled_ || (!has_reported_ && mentions(line, "SignalException"));
  const bool is_advice = line.find_first_not_of("*-= ") == std::string::npos || mentions(line, "OMP_NUM_THREADS") ||
                         mentions(line, "WARNING") || mentions(line, "Traceback") || line.starts_with("  ");
  if (words_.empty() && !is_advice) words_ = line;
  const std::size_t at = line.find("failed (exitcode: ");
  int code = 0;
  long long rank = -1;
  if (has_reported_ || at == std::string::npos) return std::nullopt;
  if (std::sscanf(line.c_str() + at, "failed (exitcode: %d) local_rank: %lld", &code, &rank) != 2) return std::nullopt;
  has_reported_ = true;
  return LauncherReport{rank, code > 0 ? code : 0, code < 0 ? -code : 0};
}

bool Torchrun::wasEndedFromOutside(const ProcessExit& exit) const {
  return exit.signal != 0 || (exit.code != 0 && was_signalled_);
}

}  // namespace

std::unique_ptr<Launcher> makeTorchrun() {
  return std::make_unique<Torchrun>();
}

}  // namespace shardlens
