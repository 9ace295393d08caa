// SPDX-License-Identifier: Apache-2.0
#include "core/collect/index_text.h"

#include "core/collect/collect_words.h"
#include "core/collect/index_line.h"
#include "core/record/frame.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

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
    std::stable_sort(batches.begin(), batches.end(),
                     [](const ListedBatch& a, const ListedBatch& b) { return placeOf(a) < placeOf(b); });
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

}  // namespace

Result<IndexText> readIndexText(std::istream& in, const std::string& name, const Work& work) {
  IndexText text = Reader(in).read(work);
  if (work.stopped()) return cancelled();
  if (text.batches.empty()) return words::noBatchInText(name, text);
  return text;
}

}  // namespace shardlens
