// SPDX-License-Identifier: Apache-2.0
#include "core/capture/probe_reader.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/capture/capture_words.h"
#include "core/capture/probe_frames.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace shardlens::capture {
namespace {

constexpr std::size_t kMostFile = std::size_t{1} << 30;

/// The upper two bits of a batch's head; the others count its items.
enum : std::uint32_t { kNarrow = 0, kWide = 1, kOpaque = 2 };
constexpr std::uint32_t kCount = (std::uint32_t{1} << 30) - 1;
constexpr std::uint32_t kTooLong = 1;  ///< why a batch of a stream has no marks

template <class Number>
bool take(std::string_view& bytes, Number& number) {
  if (bytes.size() < sizeof(number)) return false;
  std::memcpy(&number, bytes.data(), sizeof(number));
  bytes.remove_prefix(sizeof(number));
  return true;
}

template <class Number>
bool takeAll(std::string_view& bytes, std::size_t count, std::vector<SampleIndex>& samples) {
  if (bytes.size() / sizeof(Number) < count) return false;
  samples.resize(count);
  for (SampleIndex& sample : samples) {
    Number number = 0;
    (void)take(bytes, number);
    sample = number;
  }
  return true;
}

/// What batches, and contents, begin with.
struct BatchesHead {
  std::uint32_t pass = 0;
  std::uint32_t first = 0;  ///< batch of the pass
  std::uint32_t count = 0;

  bool takeFrom(std::string_view& bytes) { return take(bytes, pass) && take(bytes, first) && take(bytes, count); }
};

/// Messages to facts.
class ProbeParser {
 public:
  ProbeParser(ProcessFacts& facts, const UseBatch& use, const UseMarks& use_marks)
      : facts_(facts), use_(use), use_marks_(use_marks) {}

  /// Only counts batches that follow each other, and says which they are.
  std::optional<BatchesPlace> skim(std::string_view bytes) {
    BatchesHead head;
    PassFacts* const known = head.takeFrom(bytes) ? pass(head.pass) : nullptr;
    if (known == nullptr) return std::nullopt;
    goesOn(*known);
    known->recorded += head.count;
    known->drawn = std::max(known->drawn, std::int64_t{head.first} + head.count);
    return BatchesPlace{head.pass, head.first, head.count, 0, 0};
  }

  void add(const ProbeFrame& frame) {
    switch (static_cast<ProbeKind>(frame.kind)) {
      case ProbeKind::Process:
        readProcess(frame.payload, facts_);
        break;
      case ProbeKind::Loader:
        if (auto loader = readLoader(frame.payload)) facts_.loaders.push_back(*std::move(loader));
        break;
      case ProbeKind::Pass:
        if (auto pass = readPass(frame.payload)) facts_.passes.push_back(*pass);
        break;
      case ProbeKind::Batches:
        addBatches(frame.payload);
        break;
      case ProbeKind::Contents:
        addContents(frame.payload);
        break;
      case ProbeKind::Steps:
        addSteps(frame.payload, &PassFacts::steps);
        break;
      case ProbeKind::Discards:
        addSteps(frame.payload, &PassFacts::discards);
        break;
      case ProbeKind::News:
        if (const auto news = readPassNews(frame.payload)) addNews(*news);
        break;
      case ProbeKind::Trouble:
        readTrouble(frame.payload, facts_);
        break;
      case ProbeKind::Limit:
        facts_.has_limit = true;
        break;
      case ProbeKind::End:
        facts_.has_end = true;
        facts_.ended_ns = readEndTime(frame.payload);
        break;
    }
  }

 private:
  PassFacts* pass(std::int64_t number) {
    const auto found = std::find_if(facts_.passes.rbegin(), facts_.passes.rend(),
                                    [number](const PassFacts& one) { return one.number == number; });
    return found == facts_.passes.rend() ? nullptr : &*found;
  }

  /// Batches of this pass came: passes that have begun since are read at the same time.
  void goesOn(PassFacts& pass) { pass.newest_beside = facts_.passes.back().number; }

  void addNews(const PassFacts& news) {
    PassFacts* const known = pass(news.number);
    if (known == nullptr) return;
    if (news.drawn > known->drawn || news.handed > known->handed) goesOn(*known);
    known->drawn = std::max(known->drawn, news.drawn);
    // A thread of the probe may write what another one said more lately.
    if (news.handed) known->handed = std::max(known->handed.value_or(0), *news.handed);
    if (news.failed && (!known->failed || known->failed->size() < news.failed->size())) known->failed = news.failed;
    known->open = news.open;
    if (news.beside) known->beside = std::max(known->beside.value_or(0), *news.beside);
    known->exhausted = known->exhausted || news.exhausted;
    known->ended = known->ended || news.ended;
    known->quiet = news.quiet;
    known->grad_at_end = news.grad_at_end;
    known->backwards = news.backwards;
    known->order_seed = news.order_seed;
    known->base_seed = news.base_seed;
  }

  void addBatches(std::string_view bytes) {
    BatchesHead head;
    if (!head.takeFrom(bytes)) return;
    PassFacts* const known = pass(head.pass);
    if (known == nullptr) return;
    goesOn(*known);
    for (std::uint32_t i = 0; i < head.count; ++i) {
      BatchFacts batch{head.pass, std::int64_t{head.first} + i, false, true, 0, {}};
      if (!takeBatch(bytes, batch)) return;
      ++known->recorded;
      known->drawn = std::max(known->drawn, batch.step + 1);
      if (use_) use_(batch);
    }
  }

  void addSteps(std::string_view bytes, std::vector<OptimizerStep> PassFacts::*kind) {
    BatchesHead head;
    PassFacts* const known = head.takeFrom(bytes) ? pass(head.pass) : nullptr;
    if (known == nullptr || head.first != (known->*kind).size()) return;  // after steps that were lost, none is known
    OptimizerStep step;
    for (std::uint32_t i = 0; i < head.count && take(bytes, step.handed) && take(bytes, step.backwards); ++i)
      (known->*kind).push_back(step);
  }

  void addContents(std::string_view bytes) {
    BatchesHead head;
    if (!use_marks_ || !head.takeFrom(bytes)) return;
    for (std::uint32_t i = 0; i < head.count; ++i) {
      std::uint32_t said = 0;
      if (!take(bytes, said)) return;
      const std::uint32_t form = said >> 30U;
      MarkedBatch batch{head.pass, std::int64_t{head.first} + i, MarkedBatch::Unit::Unreadable, {}};
      samples_.clear();
      if (form < kOpaque) {
        batch.unit = form == 0 ? MarkedBatch::Unit::Sample : MarkedBatch::Unit::Batch;
        if (!takeAll<std::int64_t>(bytes, said & kCount, samples_)) return;
      } else if ((said & kCount) == kTooLong) {
        batch.unit = MarkedBatch::Unit::TooLong;
      }
      batch.marks = samples_;
      use_marks_(batch);
    }
  }

  bool takeBatch(std::string_view& bytes, BatchFacts& batch) {
    std::uint32_t head = 0;
    if (!take(bytes, head)) return false;
    const std::uint32_t width = head >> 30U;
    const std::uint32_t count = head & kCount;
    batch.items = count;
    batch.is_opaque = width == kOpaque;
    samples_.clear();
    if (width == kNarrow && !takeAll<std::int32_t>(bytes, count, samples_)) return false;
    if (width == kWide && !takeAll<std::int64_t>(bytes, count, samples_)) return false;
    if (width > kOpaque) return false;
    batch.samples = samples_;
    return true;
  }

  ProcessFacts& facts_;
  const UseBatch& use_;
  const UseMarks& use_marks_;
  std::vector<SampleIndex> samples_;
};

Result<std::string> partOf(const RecordedFile& file, std::int64_t begin, std::size_t length) {
  std::string bytes(length, '\0');
  std::ifstream in(file.path, std::ios::binary);
  if (in.seekg(begin) && in.read(bytes.data(), static_cast<std::streamsize>(length))) return bytes;
  return words::packNotRead(file.path.string(), file.name);
}

/// A file by itself is read to its end, which may have grown.
Result<std::string> bytesOf(const RecordedFile& file, const Work& work) {
  if (file.part.begin == 0) return readFile(file.path, kMostFile, work);
  std::error_code code;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file.path, code));
  const std::int64_t there = code ? 0 : std::max<std::int64_t>(0, size - file.part.begin);
  if (there < file.part.length) return words::packNotRead(file.path.string(), file.name);
  const std::int64_t length = std::min(file.part.length, static_cast<std::int64_t>(kMostFile));
  return partOf(file, file.part.begin, static_cast<std::size_t>(length));
}

/// A file as it lies in memory: what nobody looks at is not read.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info {};
    if (file >= 0 && ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
      const auto size = static_cast<std::size_t>(info.st_size);
      void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
      if (memory != MAP_FAILED) bytes_ = {static_cast<const char*>(memory), size};
    }
    if (file >= 0) (void)::close(file);
  }
  ~MappedFile() {
    if (!bytes_.empty()) (void)::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// None where it cannot be mapped, or has no such part.
  [[nodiscard]] std::string_view part(const FilePart& of) const {
    if (of.begin == 0) return bytes_;
    const auto begin = static_cast<std::size_t>(of.begin);
    const auto length = static_cast<std::size_t>(of.length);
    if (begin > bytes_.size() || bytes_.size() - begin < length) return {};
    return bytes_.substr(begin, length);
  }

 private:
  std::string_view bytes_;
};

/// Those of a whole file of a probe, or of one that says nothing: its process was stopped before.
Result<std::string> probeBytes(const RecordedFile& file, const Work& work) {
  auto bytes = bytesOf(file, work);
  if (bytes && !bytes->empty() && !isProbeFile(*bytes))
    return words::badInput(
        filled(worded("capture", "%1 was not written by a probe, or was written by a probe of another version."),
               file.name),
        file.path.string(), "");
  return bytes;
}

/// As a part of the place before it, where that goes on: a slow loop has a frame for each batch.
void addPlace(const BatchesPlace& place, std::vector<BatchesPlace>& places) {
  constexpr std::size_t kMostTogether = std::size_t{1} << 16;
  if (!places.empty()) {
    BatchesPlace& last = places.back();
    const std::size_t length = place.begin + place.length - last.begin;
    if (last.pass == place.pass && last.first + last.count == place.first && length <= kMostTogether) {
      last.count += place.count;
      last.length = length;
      return;
    }
  }
  places.push_back(place);
}

std::size_t parseInto(std::string_view file, ProcessFacts& facts, const UseBatch& use, const UseMarks& use_marks) {
  if (!isProbeFile(file)) return 0;
  ProbeParser parser(facts, use, use_marks);
  ProbeFrames frames(file);
  while (const auto frame = frames.next()) parser.add(*frame);
  facts.damaged_bytes += static_cast<std::int64_t>(frames.damagedBytes());
  return frames.end();
}

Result<ProcessFacts> readAll(const RecordedFile& file, const UseBatch& use, const UseMarks& use_marks,
                             const Work& work) {
  const auto bytes = probeBytes(file, work);
  if (!bytes) return bytes.error();
  ProcessFacts facts = parseProbe(*bytes, use, use_marks);
  facts.file = file.name;
  return facts;
}

constexpr std::size_t kMostAtOnce = std::size_t{1} << 24;

/// What a file holds from `begin` on, at most kMostAtOnce bytes of it.
std::string bytesFrom(const std::filesystem::path& file, std::int64_t begin) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const std::int64_t there = in ? static_cast<std::int64_t>(in.tellg()) - begin : 0;
  if (there <= 0 || !in.seekg(begin)) return {};
  std::string bytes(std::min(static_cast<std::size_t>(there), kMostAtOnce), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace

std::size_t continueProbe(std::string_view file, ProcessFacts& facts, const UseBatch& use) {
  return parseInto(file, facts, use, {});
}

ProcessFacts parseProbe(std::string_view file, const UseBatch& use, const UseMarks& use_marks) {
  ProcessFacts facts;
  (void)parseInto(file, facts, use, use_marks);
  return facts;
}

Result<ProcessFacts> readProbe(const RecordedFile& file, const UseBatch& use, const Work& work) {
  return readAll(file, use, {}, work);
}

Result<ProcessFacts> skimProbe(const RecordedFile& file, std::vector<BatchesPlace>& places, const Work& work) {
  const LostPages lost;
  const MappedFile mapped(file.path);
  std::string_view bytes = mapped.part(file.part);
  Result<std::string> read = std::string();
  if (!isProbeFile(bytes)) {
    read = probeBytes(file, work);
    if (!read) return read.error();
    bytes = *read;
  }
  ProcessFacts facts;
  facts.file = file.name;
  const UseBatch none;
  const UseMarks no_marks;
  ProbeParser parser(facts, none, no_marks);
  ProbeFrames frames(bytes, false);
  while (const auto frame = frames.next()) {
    const bool has_batches = static_cast<ProbeKind>(frame->kind) == ProbeKind::Batches;
    if (!has_batches) parser.add(*frame);
    auto place = has_batches ? parser.skim(frame->payload) : std::nullopt;
    if (!place) continue;
    place->begin = frames.begin();
    place->length = frames.end() - frames.begin();
    addPlace(*place, places);
  }
  if (lost.any()) return words::packNotRead(file.path.string(), file.name);
  facts.damaged_bytes = static_cast<std::int64_t>(frames.damagedBytes());
  return facts;
}

Result<void> readPlace(const RecordedFile& file, const BatchesPlace& place, const UseBatch& use) {
  const auto frame = partOf(file, file.part.begin + static_cast<std::int64_t>(place.begin), place.length);
  if (!frame) return frame.error();
  ProcessFacts facts;
  facts.passes.emplace_back().number = place.pass;
  (void)continueProbe(probeFileHeader() + *frame, facts, use);
  return {};
}

Result<void> readMarks(const RecordedFile& file, const UseMarks& use, const Work& work) {
  const auto read = readAll(file, {}, use, work);
  if (!read) return read.error();
  return {};
}

bool ProbeTail::more(const UseBatch& use) {
  const std::string bytes = bytesFrom(file_, read_);
  if (bytes.empty()) return false;
  read_ += static_cast<std::int64_t>(bytes.size());
  pending_ += bytes;
  const std::size_t end = continueProbe(pending_, facts_, use);
  const std::size_t header = probeFileHeader().size();
  if (end > header) pending_.erase(header, end - header);
  return bytes.size() == kMostAtOnce;
}

UseBatch batchesFor(const JobLoader& job, const RankLoader& rank, const UseBatch& use) {
  std::map<std::int64_t, const PassFacts*> passes;  // by number
  for (const PassFacts& pass : rank.passes) passes[pass.number] = &pass;
  const bool is_below = job.datasets.ids == SampleIds::Below;
  return [passes, is_below, &use, ids = std::vector<SampleIndex>()](BatchFacts batch) mutable {
    const auto found = passes.find(batch.pass);
    if (found == passes.end()) return;
    const PassFacts& pass = *found->second;
    batch.is_handed = pass.isHanded(batch.step);
    if (is_below && pass.subset && !batch.is_opaque) {
      ids.assign(batch.samples.begin(), batch.samples.end());
      batch.is_opaque = !toIdsBelow(*pass.subset, ids);
      batch.samples = ids;
    }
    use(batch);
  };
}

Result<ProcessFacts> readBatches(const RecordedFile& file, const JobLoader& job, const RankLoader& rank,
                                 const UseBatch& use, const Work& work) {
  return readProbe(file, batchesFor(job, rank, use), work);
}

}  // namespace shardlens::capture
