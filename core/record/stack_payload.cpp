// SPDX-License-Identifier: Apache-2.0
#include "core/record/stack_payload.h"

#include "core/record/json_value.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardlens::payload {
namespace {

using nlohmann::json;

constexpr std::size_t kMostFrames = 256;

std::optional<std::int64_t> numberAt(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

void putNumber(json& object, const char* key, const std::optional<std::int64_t>& number) {
  if (number) object[key] = *number;
}

}  // namespace

json jsonOf(const RankStack& stack) {
  json object = {{"time_ns", stack.taken_ns}, {"pid", stack.pid}, {"frames", json::array()}};
  putNumber(object, "worker", stack.worker);
  putNumber(object, "owed_by", stack.owed_by);
  putNumber(object, "owed_by_pid", stack.owed_by_pid);
  putNumber(object, "sample", stack.sample);
  if (const auto& exception = stack.exception)
    object["exception"] = {{"text", exception->text}, {"file", exception->file}, {"line", exception->line}};
  for (const StackFrame& frame : stack.frames) {
    object["frames"].push_back({{"function", frame.function},
                                {"file", frame.file},
                                {"line", frame.line},
                                {"code", frame.code},
                                {"own", frame.is_own}});
  }
  return object;
}

RankStack stackOf(std::int64_t rank, const json& object) {
  RankStack stack;
  stack.rank = rank;
  stack.taken_ns = valueOf(object, "time_ns", std::int64_t{0});
  stack.pid = valueOf(object, "pid", std::int64_t{0});
  stack.worker = numberAt(object, "worker");
  stack.owed_by = numberAt(object, "owed_by");
  stack.owed_by_pid = numberAt(object, "owed_by_pid");
  stack.sample = numberAt(object, "sample");
  const auto exception = object.find("exception");
  if (exception != object.end() && exception->is_object())
    stack.exception = {valueOf(*exception, "text", std::string()), valueOf(*exception, "file", std::string()),
                       valueOf(*exception, "line", std::int64_t{0})};
  const auto frames = object.find("frames");
  if (frames == object.end() || !frames->is_array()) return stack;
  for (std::size_t i = 0; i < std::min(frames->size(), kMostFrames); ++i) {
    const json& frame = (*frames)[i];
    if (!frame.is_object()) continue;
    stack.frames.push_back({valueOf(frame, "function", std::string()), valueOf(frame, "file", std::string()),
                            valueOf(frame, "line", std::int64_t{0}), valueOf(frame, "code", std::string()),
                            valueOf(frame, "own", false)});
  }
  return stack;
}

}  // namespace shardlens::payload
