// SPDX-License-Identifier: Apache-2.0
#include "core/collect/index_text.h"

#include "core/base/text.h"
#include "core/collect/index_line.h"
#include "core/plan/rank_epoch.h"
#include "core/record/frame.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

/// The first ones, and how many more there are.
std::string samplesText(const std::vector<SampleIndex>& samples) {
  constexpr std::size_t kMostShown = 16;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < std::min(samples.size(), kMostShown); ++i) ids.push_back(std::to_string(samples[i]));
  const std::string text = join(ids, ", ");
  return samples.size() > kMostShown
             ? text + " and " + grouped(static_cast<std::int64_t>(samples.size() - kMostShown)) + " more"
             : text;
}

Error noBatchInText(const std::string& name, const IndexText& text) {
  const std::string what =
      text.cut > 0 ? "every list of samples is cut with \"...\" or has no end: print them whole and on one line, as "
                     "with tensor.tolist()."
                   : "this is no recording, and no line of it lists a batch.";
  return Error::inFile(
      ErrorCode::BadInput, name, what,
      "one line for each batch, such as \"rank 0 epoch 1 step 3: 12 7 9\", or \"0 3 12 7 9\" for rank, step and "
      "samples");
}

/// "The text counts ranks and steps from 1."
std::string countsFromOne(bool ranks, bool epochs, bool steps) {
  std::vector<std::string> names;
  if (ranks) names.emplace_back("ranks");
  if (epochs) names.emplace_back("epochs");
  if (steps) names.emplace_back("steps");
  return "The text is assumed to count " + join(names, " and ") +
         " from 1, which is closer to the plan; here they are counted from 0.";
}

/// "The text has 12, 9 there, the plan 10, 6."
std::string samplesAtDifference(const std::vector<SampleIndex>& listed, const std::vector<SampleIndex>& planned) {
  return "The text has " + samplesText(listed) + " there, the plan " + samplesText(planned) + ".";
}

/// What was left out of the text, and how its epochs were found; a sentence each.
std::vector<std::string> notesOnText(const IndexText& text) {
  std::vector<std::string> notes;
  if (text.left_out > 0)
    notes.push_back(counted(text.left_out, "line") + (text.left_out == 1 ? " lists" : " list") +
                    " no batch, or not clearly one, and " + (text.left_out == 1 ? "was" : "were") +
                    " left out; the first is line " + std::to_string(text.first_left_out) + ".");
  if (text.cut > 0)
    notes.push_back(
        counted(text.cut, "list") + (text.cut == 1 ? " was" : " were") +
        " left out: \"...\" is in them, or their end is missing. Print lists whole and on one line, as with "
        "tensor.tolist().");
  if (text.again > 0)
    notes.push_back(counted(text.again, "batch") + (text.again == 1 ? " is" : " are") +
                    " listed again, with the same samples; each counts once.");
  if (!text.names_epochs)
    notes.emplace_back(
        "In a line without an epoch, a step that is not above the last one of its rank begins the next epoch.");
  return notes;
}

constexpr std::size_t kLongestLine = std::size_t{4} << 20;  ///< bytes; longer ones are no list of a batch
constexpr std::size_t kLongestList = std::size_t{1} << 20;
constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();

auto placeOf(const ListedBatch& batch) {
  return std::tuple(batch.rank, batch.epoch, batch.step);
}

/// Goes through the lines of a text.
class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}

  IndexText read(const Work& work) {
    for (std::string line; !work.stopped() && next(line);) use(line);
    // A text with names, or with a head, has its batches there: numbers alone are something else.
    if (text_.batches.empty() && !hasHead()) {
      text_.batches = std::move(nameless_);
    } else if (!nameless_.empty()) {
      leaveOut(first_nameless_, static_cast<std::int64_t>(nameless_.size()));
    }
    if (is_interrupted_) dropJoined();
    for (ListedBatch& batch : text_.batches) countEpoch(batch);
    sort();
    return std::move(text_);
  }

 private:
  bool next(std::string& line) {
    if (ahead_) {
      line = *std::exchange(ahead_, std::nullopt);
    } else if (!readLine(line)) {
      return false;
    }
    first_ = number_;
    return true;
  }

  bool readLine(std::string& line) {
    if (!std::getline(in_, line)) return false;
    if (++number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    // Where a log ends without a line's end, it may end within a number.
    if (in_.eof()) is_last_cut_ = true;
    return true;
  }

  void use(std::string& line) {
    const std::size_t last = line.find_last_not_of(" \t\r");
    if (last == std::string::npos) return;
    if (line.size() > kLongestLine) return leaveOut(first_, 1);
    is_closed_ = line[last] == ']' || line[last] == ')';
    if (!hasHead()) {
      table_ = parseIndexHead(line);
      if (hasHead()) return;
    }
    if (hasHead()) return add(parseIndexRow(line, table_), false);
    IndexLine found = parseIndexLine(line);
    const bool is_joined = found.isPlace() && found.is_open && !found.is_cut && readRest(line);
    if (is_joined) {
      found = parseIndexLine(line);
      is_closed_ = true;
    }
    add(std::move(found), is_joined);
  }

  /// The rest of a list that is open. False where something else comes.
  bool readRest(std::string& line) {
    std::int64_t open = openBrackets(line, 0);
    for (std::string more; line.size() < kLongestList && readLine(more);) {
      if (!continuesList(more)) {
        ahead_ = std::move(more);
        is_interrupted_ = true;
        return false;
      }
      line += '\n' + more;
      open = openBrackets(more, open);
      if (open == 0) return true;
    }
    return false;
  }

  [[nodiscard]] bool hasHead() const { return !table_.columns.empty(); }

  void leaveOut(std::int64_t line, std::int64_t lines) {
    if (text_.left_out == 0 || line < text_.first_left_out) text_.first_left_out = line;
    text_.left_out += lines;
  }

  void add(IndexLine line, bool is_joined) {
    if (line.epoch && !line.rank && !line.step && text_.batches.empty()) first_epoch_ = *line.epoch;
    if (line.isPlace() && (line.is_cut || line.is_open)) {
      ++text_.cut;
      return;
    }
    if (!line.isBatch() || *line.rank >= frame::kMostRanks || *line.step > kMost || line.epoch.value_or(0) > kMost)
      return leaveOut(first_, 1);
    if (is_last_cut_ && !is_closed_) {
      ++text_.cut;
      return;
    }
    ListedBatch batch{*line.rank, line.epoch.value_or(-1), *line.step, std::move(line.samples)};
    if (line.is_nameless) {
      if (nameless_.empty()) first_nameless_ = first_;
      nameless_.push_back(std::move(batch));
      return;
    }
    if (hasHead() && joinsLast(batch)) return;
    if (is_joined) joined_.push_back(text_.batches.size());
    text_.batches.push_back(std::move(batch));
  }

  /// A table with one sample a row.
  bool joinsLast(const ListedBatch& batch) {
    if (text_.batches.empty() || batch.samples.size() != 1) return false;
    ListedBatch& last = text_.batches.back();
    if (placeOf(last) != placeOf(batch)) return false;
    last.samples.push_back(batch.samples.front());
    return true;
  }

  /// Another rank printed between the lines of a list: whose the rest of any list is, is not known.
  void dropJoined() {
    text_.cut += static_cast<std::int64_t>(joined_.size());
    auto next = joined_.begin();
    std::size_t at = 0;
    std::erase_if(text_.batches, [&](const ListedBatch&) {
      const bool is_joined = next != joined_.end() && *next == at++;
      if (is_joined) ++next;
      return is_joined;
    });
  }

  void countEpoch(ListedBatch& batch) {
    auto [last, is_new] = last_.try_emplace(batch.rank, Last{first_epoch_, -1});
    if (batch.epoch >= 0) {
      last->second.epoch = batch.epoch;
    } else {
      text_.names_epochs = false;
      if (batch.step <= last->second.step) ++last->second.epoch;
      batch.epoch = last->second.epoch;
    }
    last->second.step = batch.step;
  }

  void sort() {
    auto& batches = text_.batches;
    std::ranges::stable_sort(batches, {}, placeOf);
    const auto end = std::unique(batches.begin(), batches.end(), [](const ListedBatch& a, const ListedBatch& b) {
      return placeOf(a) == placeOf(b) && a.samples == b.samples;
    });
    text_.again = batches.end() - end;
    batches.erase(end, batches.end());
  }

  /// Where a rank was.
  struct Last {
    std::int64_t epoch = 0;
    std::int64_t step = -1;
  };

  std::istream& in_;
  IndexText text_;
  IndexTable table_;
  std::vector<ListedBatch> nameless_;
  std::int64_t first_nameless_ = 0;
  std::vector<std::size_t> joined_;  ///< batches whose lists took several lines
  bool is_interrupted_ = false;
  bool is_last_cut_ = false;
  bool is_closed_ = false;        ///< the line ends with a bracket: nothing of it is missing
  std::int64_t first_epoch_ = 0;  ///< that a line before the batches names
  std::map<std::int64_t, Last> last_;
  std::optional<std::string> ahead_;  ///< a line that was read too far
  std::int64_t number_ = 0;           ///< of the last line that was read
  std::int64_t first_ = 0;            ///< of the one that begins the batch
};

/// What is taken from the numbers of a text that counts from 1.
struct Shift {
  std::int64_t rank = 0;
  std::int64_t epoch = 0;
  std::int64_t step = 0;
};

Result<Proof> proveShifted(const Plan& plan, const IndexText& text, const Shift& shift, const Work& work) {
  BatchProver prover(std::make_shared<PlannedEpochs>(plan), &work);
  RunBegin begin;
  begin.reports = false;
  prover.use({0, begin});
  for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) prover.lose(rank, "the text does not list them");
  for (const ListedBatch& batch : text.batches) {
    if (work.stopped()) return cancelled();
    prover.useBatch(batch.rank - shift.rank, {batch.epoch - shift.epoch, batch.step - shift.step},
                    fingerprintOf(batch.samples), batch.samples.size());
  }
  RunEnd end;
  end.status = JobStatus::Finished;
  prover.use({0, end});
  return prover.result({});
}

/// Nobody lists a 0 of it, as where people count from 1.
bool lacksZero(const IndexText& text, std::int64_t ListedBatch::*number) {
  return std::ranges::none_of(text.batches, [number](const ListedBatch& batch) { return batch.*number == 0; });
}

/// The ways to count from 1 that the text allows.
std::vector<Shift> shiftsOf(const IndexText& text) {
  const bool rank = lacksZero(text, &ListedBatch::rank);
  const bool epoch = lacksZero(text, &ListedBatch::epoch);
  const bool step = lacksZero(text, &ListedBatch::step);
  std::vector<Shift> shifts;
  for (const int bits : {1, 2, 4, 3, 5, 6, 7}) {
    const Shift shift{bits & 1, (bits >> 1) & 1, (bits >> 2) & 1};
    if ((shift.rank == 0 || rank) && (shift.epoch == 0 || epoch) && (shift.step == 0 || step)) shifts.push_back(shift);
  }
  return shifts;
}

/// Where the epochs of a rank end, as steps of the whole run.
Result<std::vector<std::int64_t>> epochEnds(const Plan& plan, Rank rank, const Work& work) {
  std::vector<std::int64_t> ends;
  for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
    const auto shape = plan.shape(epoch, rank, work);
    if (!shape) return shape.error();
    ends.push_back((ends.empty() ? 0 : ends.back()) + shape->batches);
  }
  return ends;
}

/// The text with steps within epochs, where its own count on over the epochs; nothing where an epoch that it names is
/// another one, or where it has a step beyond the plan.
Result<std::optional<IndexText>> withinEpochs(const Plan& plan, const IndexText& text, const Shift& shift,
                                              const Work& work) {
  IndexText within = text;
  std::map<std::int64_t, std::vector<std::int64_t>> ends;
  for (ListedBatch& batch : within.batches) {
    const std::int64_t rank = batch.rank - shift.rank;
    if (rank < 0 || rank >= plan.worldSize()) return std::optional<IndexText>();
    if (!ends.contains(rank)) {
      auto counted = epochEnds(plan, Rank{rank}, work);
      if (!counted) return counted.error();
      ends[rank] = *std::move(counted);
    }
    const std::int64_t step = batch.step - shift.step;
    const auto end = std::ranges::upper_bound(ends[rank], step);
    const std::int64_t epoch = end - ends[rank].begin();
    const bool is_other = text.names_epochs && batch.epoch - shift.epoch != epoch;
    if (is_other || end == ends[rank].end()) return std::optional<IndexText>();
    batch.epoch = epoch + shift.epoch;
    batch.step = step - (epoch == 0 ? 0 : *(end - 1)) + shift.step;
  }
  return std::optional(std::move(within));
}

std::int64_t matchedOf(const Proof& proof) {
  std::int64_t matched = 0;
  for (const RankProof& rank : proof.ranks) matched += rank.matched;
  return matched;
}

/// Batches that the plan does not have.
std::int64_t extraOf(const Proof& proof) {
  std::int64_t extra = 0;
  for (const RankProof& rank : proof.ranks) extra += rank.extra;
  return extra;
}

/// A text as it is read: what it lists, and from where it counts.
struct Reading {
  IndexText text;
  Shift shift;
};

/// By a reading in which steps count on over the epochs, if the text is the plan by it, or nearer to it than by
/// `other`.
Result<std::optional<Proof>> proveCountingOn(const Plan& plan, const IndexText& text, const Proof& other,
                                             Reading& reading, const Work& work) {
  std::optional<Proof> best;
  const auto key = [](const Proof& proof) { return std::pair(matchedOf(proof), -extraOf(proof)); };
  std::vector<Shift> shifts = shiftsOf(text);
  shifts.insert(shifts.begin(), Shift{});
  for (const Shift& shift : shifts) {
    auto within = withinEpochs(plan, text, shift, work);
    if (!within) return within.error();
    if (!*within) continue;
    auto proof = proveShifted(plan, **within, shift, work);
    if (!proof) return proof.error();
    if (key(*proof) <= key(best ? *best : other)) continue;
    reading = {**std::move(within), shift};
    best = *std::move(proof);
  }
  return best;
}

/// What the text and the plan have at the first difference; empty where one of them has no such batch, or both the
/// same.
std::string samplesThere(const Plan& plan, const IndexText& text, const Shift& shift, const FirstDifference& place,
                         const Work& work) {
  const auto listed = std::ranges::find_if(text.batches, [&](const ListedBatch& batch) {
    return batch.rank - shift.rank == place.rank && batch.epoch - shift.epoch == place.epoch &&
           batch.step - shift.step == place.step;
  });
  if (listed == text.batches.end() || place.rank >= plan.worldSize() || place.epoch >= plan.epochs()) return {};
  const auto epoch = plan.epoch(Epoch{place.epoch}, work);
  if (!epoch) return {};
  const auto& rank = epoch->ranks[static_cast<std::size_t>(place.rank)];
  if (place.step >= rank.batches()) return {};
  const auto samples = rank.batchSamples(Step{place.step});
  const std::vector<SampleIndex> planned(samples.begin(), samples.end());
  return planned == listed->samples ? std::string() : samplesAtDifference(listed->samples, planned);
}

}  // namespace

Result<IndexText> readIndexText(std::istream& in, const std::string& name, const Work& work) {
  IndexText text = Reader(in).read(work);
  if (work.stopped()) return cancelled();
  if (text.batches.empty()) return noBatchInText(name, text);
  return text;
}

Result<Proof> proveIndexText(const Plan& plan, const IndexText& text, const Work& work) {
  auto proof = proveShifted(plan, text, {}, work);
  Reading reading{text, {}};
  if (proof && proof->first_difference) {
    for (const Shift& shift : shiftsOf(text)) {
      auto other = proveShifted(plan, text, shift, work);
      if (!other) return other.error();
      if (matchedOf(*other) <= matchedOf(*proof)) continue;
      proof = std::move(other);
      reading.shift = shift;
    }
  }
  if (!proof) return proof.error();
  std::vector<std::string> notes;
  if (proof->first_difference) {
    auto other = proveCountingOn(plan, text, *proof, reading, work);
    if (!other) return other.error();
    if (*other) {
      proof = **std::move(other);
      notes.push_back(std::string("The steps of the text are assumed to count on from epoch to epoch: ") +
                      (proof->first_difference ? "it is then closer to the plan." : "only then is it the plan."));
    }
  }
  const Shift& used = reading.shift;
  if (proof->first_difference) {
    std::string samples = samplesThere(plan, reading.text, used, *proof->first_difference, work);
    if (!samples.empty()) notes.insert(notes.begin(), std::move(samples));
  }
  if (used.rank + used.epoch + used.step > 0)
    notes.push_back(countsFromOne(used.rank > 0, used.epoch > 0, used.step > 0));
  for (std::string& note : notesOnText(text)) notes.push_back(std::move(note));
  proof->notes.insert(proof->notes.begin(), notes.begin(), notes.end());
  return proof;
}

}  // namespace shardlens
