// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_command.h"

#include "core/launch/launch_words.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace shardlens {
namespace {

bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-_./=:,+@%").find(c) != std::string_view::npos;
}

bool isProgram(const std::string& path) {
  return access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string shellQuoted(const std::string& argument) {
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), isPlain)) return argument;
  std::string out = "'";
  for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string commandText(const std::vector<std::string>& arguments) {
  std::string out;
  for (const std::string& argument : arguments) out += (out.empty() ? "" : " ") + shellQuoted(argument);
  return out;
}

std::string LaunchCommand::text() const {
  std::string out;
  for (const auto& [name, value] : environment) out += name + "=" + shellQuoted(value) + " ";
  return out + commandText(arguments);
}

Result<std::string> findProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return isProgram(name) ? Result<std::string>(name) : words::noProgram(name);
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string candidate = std::string(rest.substr(0, end)) + "/" + name;
    if (end > 0 && isProgram(candidate)) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words::noProgram(name);
}

}  // namespace shardlens
