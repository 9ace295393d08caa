// SPDX-License-Identifier: Apache-2.0
#include "core/collect/stack_files.h"

#include "core/base/file.h"
#include "core/record/payload.h"

#include <charconv>
#include <string_view>
#include <vector>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 1 << 18;
constexpr std::size_t kMostFiles = 100'000;

/// Of "12-4711.json"; nothing for other names.
std::optional<std::int64_t> rankOfStack(std::string_view name) {
  if (!name.ends_with(".json")) return std::nullopt;
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), rank);
  const bool is_rank = error == std::errc() && rank < frame::kMostRanks;
  if (!is_rank || end == name.data() + name.size() || *end != '-') return std::nullopt;
  return rank;
}

}  // namespace

void StackFiles::look(EventSink& sink) {
  for (auto& [name, seen] : seen_) seen.is_there = false;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    const auto rank = rankOfStack(name);
    std::error_code gone;
    if (!rank || !entry.is_regular_file(gone) || entry.file_size(gone) > kMostBytes || gone) continue;
    const auto written = entry.last_write_time(gone);
    if (gone || seen_.size() >= kMostFiles) continue;
    const auto [place, is_new] = seen_.try_emplace(name);
    place->second.is_there = true;
    if (!is_new && place->second.written == written) continue;
    place->second.written = written;
    read(entry.path(), *rank, place->second, sink);
  }
  std::erase_if(seen_, [&sink](const auto& one) {
    if (!one.second.is_there && one.second.stack) {
      RankStack over = *one.second.stack;
      over.taken_ns = eventTime();
      sink.event({over.taken_ns, std::move(over)});
    }
    return !one.second.is_there;
  });
}

/// A file that names a moment to come, or none, is not that of a probe.
void StackFiles::read(const fs::path& path, std::int64_t rank, Seen& seen, EventSink& sink) const {
  const auto text = readFile(path, kMostBytes);
  std::vector<Event> events;
  if (!text || !payload::decode(frame::Kind::Stack, rank, *text, events)) return;
  for (Event& event : events) {
    auto& stack = std::get<RankStack>(event.what);
    const std::int64_t now = eventTime();
    if (stack.taken_ns <= 0 || stack.taken_ns > now || stack.pid <= 0) continue;
    seen.stack = stack;
    seen.stack->frames.clear();
    seen.stack->quiet.reset();
    event.time_ns = now;
    sink.event(event);
  }
}

}  // namespace shardlens
