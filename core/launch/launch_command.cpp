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

const char* variable(const std::string& name, const Variables& own) {
  const auto found = std::find_if(own.begin(), own.end(), [&](const auto& one) { return one.first == name; });
  return found != own.end() ? found->second.c_str() : std::getenv(name.c_str());
}

std::vector<std::string> environmentWith(const Variables& own) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (std::none_of(own.begin(), own.end(), [&](const auto& one) { return one.first == name; }))
      all.emplace_back(text);
  }
  for (const auto& [name, value] : own) all.push_back(std::string(name).append("=").append(value));
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers(texts.size() + 1, nullptr);
  std::transform(texts.begin(), texts.end(), pointers.begin(), [](std::string& text) { return text.data(); });
  return pointers;
}

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

Result<std::string> findProgram(const std::string& name, const Variables& own) {
  if (name.find('/') != std::string::npos) return isProgram(name) ? Result<std::string>(name) : words::noProgram(name);
  const char* path = variable("PATH", own);
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
