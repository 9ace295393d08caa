// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include <cstdio>
#include <utility>

namespace shardlens {
namespace {

using Arguments = std::vector<std::string>;

void append(Arguments& to, const Arguments& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The default keep-alive of Open MPI notices a lost host after eight minutes; with these it takes some twenty seconds.
void appendKeepAlive(Arguments& to) {
  append(to, {"--mca", "oob_tcp_keepalive_time", "10", "--mca", "oob_tcp_keepalive_intvl", "3", "--mca",
              "oob_tcp_keepalive_probes", "3"});
}

/// Session directories and shared-memory segments in a folder of this job: they go with it even when Open MPI is
/// killed.
void appendPlaces(Arguments& to, const std::string& job_dir) {
  append(to, {"--mca", "orte_tmpdir_base", job_dir, "--mca", "btl_vader_backing_directory", job_dir, "--mca",
              "shmem_mmap_backing_file_base_dir", job_dir});
}

void appendCrowding(Arguments& to, std::int64_t ranks, std::int64_t cores) {
  append(to, {"--oversubscribe"});
  if (ranks > cores) append(to, {"--mca", "mpi_yield_when_idle", "1"});
}

class Mpirun : public Launcher {
 public:
  [[nodiscard]] const char* name() const override { return "mpirun"; }
  [[nodiscard]] Result<Launch> launch(const PipelineSpec& spec, const LaunchSite& site,
                                      const std::vector<std::string>& command) const override;
  [[nodiscard]] OutputTag tag(std::string_view bytes, const PlaceInOutput& place) const override;
  std::optional<LauncherReport> heed(const std::string& line) override;
  [[nodiscard]] std::string words() const override { return words_; }
  [[nodiscard]] bool wasEndedFromOutside(const ProcessExit& exit) const override;

 private:
  std::string words_;
  long long exited_rank_ = -1;  ///< of "Process name", until its "Exit code" comes
};

Result<Launch> Mpirun::launch(const PipelineSpec& spec, const LaunchSite& site,
                              const std::vector<std::string>& command) const {
  LaunchCommand mpirun;
  const std::int64_t ranks = spec.worldSize();
  if (site.is_root) {
    mpirun.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  }
  Arguments& words = mpirun.arguments;
  words = {site.launcher, "-n", std::to_string(ranks), "--bind-to", "none", "--tag-output"};
  appendCrowding(words, ranks, site.cores);
  appendKeepAlive(words);
  appendPlaces(words, site.job_dir);
  append(words, {"-x", "SHARDLENS_JOB_DIR=" + site.job_dir});
  append(words, {"-x", "MASTER_ADDR=127.0.0.1", "-x", "MASTER_PORT=" + std::to_string(site.port)});
  append(words, rankPlace(spec, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"));
  append(words, commandOf(site, command));
  return Launch{{std::move(mpirun)}, hostNotes(spec)};
}

/// --tag-output writes "[1,3]<stdout>:text" for rank 3, wherever a piece of its text begins, which is not only at the
/// beginning of a line; a line without a tag is mpirun's own.
OutputTag Mpirun::tag(std::string_view bytes, const PlaceInOutput& /*place*/) const {
  OutputTag found;
  TagReader in(bytes);
  const bool is_tag = in.take("[") && in.takeNumber() && in.take(",") && in.takeNumber(&found.rank) &&
                      in.take("]<std") && in.takeOneOf("out", "err", &found.is_error) && in.take(">:");
  if (is_tag) found.length = bytes.size() - in.rest().size();
  found.is_cut = !is_tag && in.isAtEnd();
  return found;
}

std::optional<LauncherReport> Mpirun::heed(const std::string& line) {
  // Its first line says most; the rules of dashes around its messages say nothing.
  if (words_.empty() && line.find_first_not_of("-= ") != std::string::npos) words_ = line;
  long long rank = -1;
  int number = 0;
  const std::size_t at = line.find("noticed that process rank ");
  if (at != std::string::npos &&
      std::sscanf(line.c_str() + at, "noticed that process rank %lld with PID %*d on node %*s exited on signal %d",
                  &rank, &number) == 2) {
    return LauncherReport{rank, 0, number};
  }
  (void)std::sscanf(line.c_str(), " Process name: [[%*d,%*d],%lld]", &exited_rank_);
  if (exited_rank_ < 0 || std::sscanf(line.c_str(), " Exit code: %d", &number) != 1) return std::nullopt;
  return LauncherReport{std::exchange(exited_rank_, -1), number, 0};
}

/// Of a rank that failed it always says which one; a SIGTERM it obeys without a word, with code 1.
bool Mpirun::wasEndedFromOutside(const ProcessExit& exit) const {
  return exit.signal != 0 || (exit.code == 1 && words_.empty());
}

}  // namespace

std::unique_ptr<Launcher> makeMpirun() {
  return std::make_unique<Mpirun>();
}

}  // namespace shardlens
