// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_command.h"

#include "core/base/phrase.h"
#include "core/launch/launch_words.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <netinet/in.h>
#include <random>
#include <string_view>
#include <sys/socket.h>
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

namespace {

/// Binds the socket to this port, or to one that the system chooses where it is 0. 0 where that is not possible.
int boundPort(int fd, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd, any, size) != 0 || getsockname(fd, any, &size) != 0) return 0;
  return ntohs(address.sin_port);
}

/// A port below those that the system gives to connections and to whoever asks for any: such a one would be taken by
/// chance while the ranks load their libraries, before the first of them listens. 0 where there is none.
int ungivenPort(int fd) {
  constexpr int kFirst = 10'000;
  constexpr int kEnd = 29'000;  // torchrun's usual ports follow, and those that Kubernetes gives to services
  constexpr int kTries = 64;
  std::ifstream in("/proc/sys/net/ipv4/ip_local_port_range");
  int given = 0;
  in >> given;
  if (given <= kFirst) return 0;
  std::random_device source;
  std::uniform_int_distribution<int> any(kFirst, std::min(kEnd, given) - 1);
  int port = 0;
  for (int i = 0; i < kTries && port == 0; ++i) port = boundPort(fd, any(source));
  return port;
}

}  // namespace

Result<int> freePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port = fd < 0 ? 0 : ungivenPort(fd);
  if (fd >= 0 && port == 0) port = boundPort(fd, 0);
  const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  if (fd >= 0) close(fd);
  if (port != 0) return port;
  return Error{ErrorCode::Environment,
               filled(worded("launch", "No free TCP port was found on this host for the ranks to meet at: %1."), why),
               {},
               worded("launch", "check that 127.0.0.1 can be used")};
}

}  // namespace shardlens
