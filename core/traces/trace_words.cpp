// SPDX-License-Identifier: Apache-2.0
#include "core/traces/trace_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

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

std::string pickleName(const std::string& name) {
  return filled(
      worded("traces", "The pickle names %1 (opcode GLOBAL). No dump needs it, and nothing is looked up or run."),
      name);
}

std::string pickleCall() {
  return worded("traces", "The pickle calls something (opcode REDUCE). No dump needs it, and nothing is run.");
}

std::string pickleProtocol(std::uint64_t protocol) {
  return filled(worded("traces", "The pickle has protocol %1; protocols 2 to 5 are read."), std::to_string(protocol));
}

std::string pickleOpcode(const std::string& name) {
  return filled(worded("traces", "The pickle has the opcode %1, which no dump needs and which is not run."), name);
}

std::string readUpTo(const std::string& file, std::size_t offset, const std::string& why) {
  return filled(worded("traces", "%1 was read up to byte %2 only. %3 Copy the file once more, or dump again."), file,
                std::to_string(offset), why);
}

std::string notRead(const std::string& file, const std::string& why) {
  return filled(worded("traces", "%1 was not read. %2"), file, why);
}

std::string noRank(const std::string& file) {
  return filled(worded("traces", "%1 was not read: its name does not end with the number of a rank."), file);
}

std::string rankTwice(const std::string& file, std::int64_t rank, const std::string& other) {
  return filled(worded("traces", "%1 was left out: rank %2 is already in %3."), file, std::to_string(rank), other);
}

std::string notATrace() {
  return worded("traces",
                "It is not a trace that ShardLens reads: a dump of PyTorch's Flight Recorder, JSON of NCCL RAS, or "
                "JSON lines of NCCL Inspector.");
}

std::string ranksWithoutDump(const std::vector<std::int64_t>& ranks, std::int64_t world_size) {
  return filled(worded("traces", "Of %1 in the job, %2 left no trace: it is not known what they did."),
                wordedCount(world_size, "rank"), listedRanks(ranks));
}

std::string overwritten(const std::vector<std::int64_t>& ranks) {
  return filled(worded("traces",
                       "Older operations of %1 were overwritten in the buffer; their absence says nothing. "
                       "TORCH_FR_BUFFER_SIZE makes the buffer longer."),
                listedRanks(ranks));
}

std::string noTimes() {
  return worded("traces", "Some operations have no times: they are shown at the time of the one before.");
}

std::string unknownOperations(const std::string& names) {
  return filled(worded("traces", "These operations are shown, but not matched: %1."), names);
}

std::string newerVersion(const std::string& version) {
  return filled(worded("traces", "The dumps have version %1, which is newer than this program; it read what it knows."),
                version);
}

std::string otherKinds(const std::string& source) {
  return filled(worded("traces", "Files of other kinds were left out: what is shown comes from %1."), source);
}

std::string newestStatus(const std::string& time) {
  return filled(worded("traces", "Of several states, only the newest is shown, from %1."), time);
}

std::string rasCounts() {
  return worded("traces",
                "NCCL RAS counts the operations that each rank has launched, and records no times. If all ranks have "
                "launched the same number, a hang does not show.");
}

std::string inspectorSamples() {
  return worded("traces",
                "NCCL Inspector writes the last finished operation of a communicator at intervals: others are missing, "
                "and what is not finished is not written. Without NCCL_INSPECTOR_DUMP_VERBOSE=1 operations are shown "
                "as ending when they were written.");
}

std::string inspectorLeftOut(std::int64_t lines) {
  return filled(worded("traces",
                       "Lines of processes that drive several ranks, or none of the largest communicator, were left "
                       "out: %1."),
                std::to_string(lines));
}

std::string linesLeftOut(const std::string& file, std::size_t offset) {
  return filled(worded("traces", "%1 has lines that were not read, the first of them at byte %2."), file,
                std::to_string(offset));
}

Error nothingRead(const std::string& path, const std::string& why) {
  return {ErrorCode::BadInput,
          filled(worded("traces", "No trace could be read. %1"), why),
          {path, 0, 0, {}},
          worded("traces", "Give the folder with the dumps of all ranks (nccl_trace_rank_0, ...), or one such file.")};
}

}  // namespace shardlens::traces::words
