// SPDX-License-Identifier: Apache-2.0
#include "core/collect/node_source.h"

#include "core/wire/node_file.h"

#include <cstdio>
#include <fstream>
#include <poll.h>
#include <system_error>
#include <utility>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

/// Takes away this start and others that nobody uses any more, and the node with the last of them. With its lock.
void takeAway(const fs::path& start) {
  const fs::path node = start.parent_path();
  std::error_code error;
  fs::remove_all(start, error);
  bool is_needed = false;
  for (const fs::directory_entry& entry : fs::directory_iterator(node, error)) {
    if (!entry.is_directory(error)) continue;
    if (sl_node_in_use(entry.path().c_str()) != 0) {
      is_needed = true;
      sl_node_own_for(node.c_str(), sl_node_look(entry.path().c_str()).first);
    } else {
      fs::remove_all(entry.path(), error);
    }
  }
  if (!is_needed) fs::remove_all(node, error);
}

StartEnds endsIn(const fs::path& start) {
  StartEnds ends;
  std::vector<ProcessId> members;
  std::map<ProcessId, int> said;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(start, error)) {
    const std::string name = entry.path().filename().string();
    long pid = 0;
    unsigned long long since = 0;
    int code = 0;
    if (std::sscanf(name.c_str(), "member-%ld-%llu", &pid, &since) == 2)
      members.push_back({static_cast<pid_t>(pid), since});
    if (std::sscanf(name.c_str(), "ended-%ld-%llu-%d", &pid, &since, &code) == 3)
      said[{static_cast<pid_t>(pid), since}] = code;
  }
  for (const ProcessId& member : members) {
    const auto found = said.find(member);
    if (found == said.end()) {
      ++ends.unsaid;
    } else {
      ends.code_of[member.pid] = found->second;
    }
  }
  return ends;
}

}  // namespace

NodeSource::NodeSource(fs::path start) : start_(std::move(start)), rings_(start_.string(), 0), stacks_(start_) {}

bool NodeSource::pull(EventSink& sink) {
  wait();
  rings_.drain(sink);
  if (Clock::now() < next_look_) return true;
  look(sink);
  return sl_node_look(start_.c_str()).living > 0 || !end(sink);
}

void NodeSource::wait() {
  std::vector<pollfd> fds;
  for (const int handle : rings_.processHandles()) fds.push_back({handle, POLLIN, 0});
  // Who dies first is the one to name, so a death is looked at at once and not with the next look.
  if (poll(fds.data(), fds.size(), static_cast<int>(kDrainEvery.count())) > 0) next_look_ = Clock::now();
}

void NodeSource::look(EventSink& sink) {
  next_look_ = Clock::now() + kLookEvery;
  rings_.discover(sink);
  rings_.look(sink);
  stacks_.look(sink);
  sink.event({eventTime(), Tick{}});
}

/// With the lock no process can join meanwhile: it begins a start of its own.
bool NodeSource::end(EventSink& sink) {
  const int lock = sl_node_lock(start_.parent_path().c_str(), 0);
  const bool is_over = sl_node_look(start_.c_str()).living == 0;
  if (is_over) {
    rings_.discover(sink);
    rings_.drain(sink);
    rings_.look(sink);
    ends_ = endsIn(start_);
    if (lock >= 0) takeAway(start_);
  }
  if (lock >= 0) sl_node_unlock(lock);
  return is_over;
}

void giveUpStart(const fs::path& start) {
  const int lock = sl_node_lock(start.parent_path().c_str(), 0);
  if (lock < 0) return;
  takeAway(start);
  sl_node_unlock(lock);
}

std::vector<std::string> commandOfStart(const fs::path& start) {
  const long pid = sl_node_look(start.c_str()).first;
  std::ifstream in("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace shardlens
