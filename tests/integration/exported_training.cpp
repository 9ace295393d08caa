// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/exported_training.h"

#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace shardlens::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A training script: it seeds, makes a model, joins the others when it is asked to, and trains with dropout.
constexpr const char* kTrain = R"(
import json, os, sys
import loader
import torch
if "join" in sys.argv:
    torch.distributed.init_process_group("gloo")
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
        os.environ.pop(name, None)
loader.seed_everything()
model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout())
got = []
for epoch, step, batch in loader.batches(range(loader.SAMPLES)):
    model(batch[:, None].float().expand(-1, 3))
    got.append([epoch, step, batch.tolist()])
rank = loader.this_rank()
with open(f"{os.getpid()}.new", "w") as file:
    json.dump(got, file)
os.rename(file.name, f"rank{rank}.{os.getpid()}.json")  # a launcher may end the rank meanwhile
if "join" in sys.argv:
    torch.distributed.destroy_process_group()
)";

std::string specOf(int nodes, int ranks, const std::string& loader, const std::string& sampler, int epochs) {
  return "shardlens: 2\nname: exported\nframework: {torch: \"1.13\"}\ndataset: {size: 37}\nworld: {nodes: " +
         std::to_string(nodes) + ", ranks_per_node: " + std::to_string(ranks / nodes) + "}\nloader: {" + loader +
         "}\nsampler: {" + sampler + "}\nseeds: {base: 5, rule: base+rank}\nepochs: " + std::to_string(epochs) + "\n";
}

/// A port that nobody else is given while this lives. torch listens on it all the same, since both sockets have
/// SO_REUSEADDR.
class HeldPort {
 public:
  HeldPort() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    (void)setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(bind(fd_, any, size) == 0);
    REQUIRE(getsockname(fd_, any, &size) == 0);
    number_ = ntohs(address.sin_port);
  }
  HeldPort(const HeldPort&) = delete;
  HeldPort& operator=(const HeldPort&) = delete;
  ~HeldPort() { close(fd_); }

  [[nodiscard]] int number() const { return number_; }

 private:
  int fd_;
  int number_ = 0;
};

/// What each rank should read.
json plannedOf(const fs::path& spec_file) {
  const auto plan = Plan::make(yaml::readSpecFile(spec_file, sampling::catalogue()).read.spec).value();
  json ranks = json::object();
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    json& batches = ranks["rank" + std::to_string(rank.value)] = json::array();
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      const auto slice = plan.rankEpoch(epoch, rank).value();
      for (Step step{0}; step.value < slice.batches(); ++step)
        batches.push_back({epoch.value, step.value, slice.batchSamples(step)});
    }
  }
  return ranks;
}

}  // namespace

std::string distributed(int ranks, int nodes) {
  return specOf(nodes, ranks, "batch_size: 3",
                "type: torch.DistributedSampler, shuffle: true, seed: 3, set_epoch: true", 2);
}

std::string global(int ranks) {
  return specOf(1, ranks, "batch_size: 3, num_workers: 1", "type: torch.RandomSampler", 3);
}

Training::Training(const std::string& spec, const std::string& line) {
  spill(folder / "spec.yaml", spec);
  spill(folder / "train.py", kTrain);
  const HeldPort port;  // the usual one may be that of another job
  const std::string there =
      "cd '" + folder.path().string() + "' && export MASTER_PORT=" + std::to_string(port.number()) + " && ";
  REQUIRE(runShell(there + kProgram + " export spec.yaml --to pytorch -o loader.py 2>&1").code == 0);
  planned = plannedOf(folder / "spec.yaml");
  finished =
      runShell(there + "env -u RANK -u WORLD_SIZE -u LOCAL_RANK PYTHONWARNINGS=ignore timeout 300 " + line + " 2>&1");
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("rank")) continue;
    ++files;
    read[name.substr(0, name.find('.'))] = json::parse(slurp(entry.path()));
  }
}

void Training::checkPlanned() const {
  INFO(finished.out);
  CHECK(finished.code == 0);
  CHECK(files == planned.size());
  CHECK(read == planned);
}

void Training::checkRefused(const std::string& message) const {
  INFO(finished.out);
  CHECK(finished.code != 0);
  CHECK(finished.out.find(message) != std::string::npos);
  CHECK(read.empty());
}

}  // namespace shardlens::test
