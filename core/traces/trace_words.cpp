// SPDX-License-Identifier: Apache-2.0
#include "core/traces/trace_words.h"

#include "core/base/phrase.h"
#include "core/traces/foreign_job.h"

#include <cctype>
#include <charconv>
#include <utility>

namespace shardlens::traces::words {

std::string notJson() {
  return worded("traces", "This is not JSON, or the file was cut here.");
}

std::string tooDeep() {
  return worded("traces", "Values are nested deeper than in any trace.");
}

std::string pickleCut() {
  return worded("traces", "The pickle ends here without its last opcode: the file was cut.");
}

std::string pickleStack() {
  return worded("traces", "The pickle is damaged: an opcode finds no value to work on.");
}

std::string pickleMemo() {
  return worded("traces", "The pickle is damaged: it refers to a value that it has not stored.");
}

std::string readUpTo(const std::string& file, std::size_t offset, const std::string& why) {
  return filled(worded("traces", "%1 was read up to byte %2 only. %3 Copy the file once more, or dump again."), file,
                std::to_string(offset), why);
}

std::string notRead(const std::string& file, const std::string& why) {
  return filled(worded("traces", "%1 was not read. %2"), file, why);
}

std::string notATrace() {
  return worded("traces",
                "It is not a trace that ShardLens reads: a dump of PyTorch's Flight Recorder, JSON of NCCL RAS, or "
                "JSON lines of NCCL Inspector.");
}

Error nothingRead(const std::string& path, const std::string& why) {
  return {ErrorCode::BadInput,
          filled(worded("traces", "No trace could be read. %1"), why),
          {path, 0, 0, {}},
          worded("traces", "Give the folder with the dumps of all ranks (nccl_trace_rank_0, ...), or one such file.")};
}

}  // namespace shardlens::traces::words

namespace shardlens::traces {
namespace {

/// Lower case without underscores: "_allgather_base" and "AllGather" begin alike.
std::string plain(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    if (letter != '_') text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return text;
}

/// The number after the arrow of "0->1" or "1<-0".
std::optional<std::int64_t> afterArrow(std::string_view text) {
  std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) arrow = text.find("<-");
  if (arrow == std::string_view::npos) return std::nullopt;
  text.remove_prefix(arrow + 2);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

}  // namespace

NamedOperation operationNamed(std::string_view name) {
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  const std::size_t space = name.find(' ');
  const std::string kind = plain(name.substr(0, space));
  NamedOperation out{kShownOnly, std::nullopt, kind == "coalesced"};
  // The first that is found in the name: longer names before those that they contain.
  static constexpr std::pair<const char*, std::uint16_t> kKinds[] = {
      {"barrier", SL_OP_BARRIER},     {"reducescatter", SL_OP_REDUCE_SCATTER},
      {"allgather", SL_OP_ALLGATHER}, {"allreduce", SL_OP_ALLREDUCE},
      {"alltoall", SL_OP_ALLTOALL},   {"broadcast", SL_OP_BROADCAST},
      {"gather", SL_OP_GATHER},       {"scatter", SL_OP_SCATTER},
      {"reduce", SL_OP_REDUCE},       {"split", SL_OP_NEW_GROUP},
      {"send", SL_OP_SEND},           {"recv", SL_OP_RECV}};
  for (const auto& [part, op] : kKinds) {
    if (kind.find(part) == std::string::npos) continue;
    out.op = op;
    break;
  }
  const bool is_pair = out.op == SL_OP_SEND || out.op == SL_OP_RECV;
  if (is_pair && space != std::string_view::npos) out.peer = afterArrow(name.substr(space));
  return out;
}

std::uint64_t bytesOfType(std::string_view dtype) {
  static constexpr std::pair<std::string_view, std::uint64_t> kTypes[] = {
      {"Float", 4},  {"Double", 8}, {"Half", 2},   {"BFloat16", 2},      {"Long", 8},        {"Int", 4},
      {"Short", 2},  {"Char", 1},   {"Byte", 1},   {"Bool", 1},          {"ComplexHalf", 4}, {"ComplexFloat", 8},
      {"UInt16", 2}, {"UInt32", 4}, {"UInt64", 8}, {"ComplexDouble", 16}};
  for (const auto& [name, bytes] : kTypes) {
    if (name == dtype) return bytes;
  }
  return dtype.starts_with("Float8") ? 1 : 0;
}

}  // namespace shardlens::traces
