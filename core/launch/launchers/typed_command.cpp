// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/typed_command.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace shardlens {
namespace {

class TypedCommand : public Launcher {
 public:
  explicit TypedCommand(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] const char* name() const override { return name_.c_str(); }
  [[nodiscard]] Result<Launch> launch(const PipelineSpec& spec, const LaunchSite& site,
                                      const std::vector<std::string>& command) const override;

 private:
  std::string name_;
};

Result<Launch> TypedCommand::launch(const PipelineSpec& /*spec*/, const LaunchSite& site,
                                    const std::vector<std::string>& command) const {
  LaunchCommand process;
  process.arguments = command;
  process.arguments.front() = site.program;
  Launch launch;
  launch.processes.push_back(std::move(process));
  return launch;
}

}  // namespace

std::unique_ptr<Launcher> makeTypedCommand(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  const auto kinds = launcherKinds();
  const bool is_launcher = std::any_of(kinds.begin(), kinds.end(), [&](const auto& one) { return one.name == name; });
  return std::make_unique<TypedCommand>(is_launcher ? name : "command " + name);
}

std::string nameOfCommand(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    const std::filesystem::path path = word;
    if (path.extension() == ".py" && !word.starts_with('-')) return path.stem().string();
  }
  return command.empty() ? std::string() : std::filesystem::path(command.front()).filename().string();
}

}  // namespace shardlens
