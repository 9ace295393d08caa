// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lists/list_reading.h"

#include <algorithm>
#include <array>

namespace shardlens::lists {
namespace {

constexpr std::string_view kBetween = " \t\r\n\v\f[](),;";

std::size_t endOfItem(std::string_view bytes, std::size_t begin) {
  return std::min(bytes.find_first_of(kBetween, begin), bytes.size());
}

/// Behind "64 x 1000" where that begins at `begin`, else behind the one item.
std::size_t endOfRepetition(std::string_view bytes, std::size_t begin) {
  const std::size_t end = endOfItem(bytes, begin);
  const std::size_t sign = bytes.find_first_not_of(' ', end);
  if (sign == std::string_view::npos || bytes.substr(sign, 2) != "x ") return end;
  const std::size_t index = bytes.find_first_not_of(' ', sign + 1);
  return index == std::string_view::npos ? end : endOfItem(bytes, index);
}

constexpr std::size_t kMostColumns = 1000;

/// One row after the other, cells between `separator`; a cell in quotes may hold separators, quotes and line ends.
class CsvRows {
 public:
  CsvRows(std::string_view bytes, char separator) : bytes_(bytes), separator_(separator) {}

  /// The next row that is not empty; false behind the last one.
  bool next(std::vector<std::string>& cells) {
    while (at_ < bytes_.size()) {
      row_line_ = line_;
      readRow(cells);
      if (cells.size() > 1 || !cells.front().empty()) return true;
    }
    return false;
  }
  [[nodiscard]] std::int64_t line() const { return row_line_; }
  [[nodiscard]] double part() const { return static_cast<double>(at_) / static_cast<double>(bytes_.size()); }

 private:
  void readRow(std::vector<std::string>& cells) {
    cells.clear();
    for (bool more = true; more;) {
      cells.push_back(readCell());
      more = at_ < bytes_.size() && bytes_[at_] == separator_;
      if (at_ < bytes_.size()) line_ += bytes_[at_++] == '\n' ? 1 : 0;
    }
  }

  /// Up to the separator or the end of the line, without the blanks around it.
  std::string readCell() {
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || (bytes_[at_] == '\t' && separator_ != '\t'))) ++at_;
    std::string cell = at_ < bytes_.size() && bytes_[at_] == '"' ? readQuoted() : std::string();
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] != separator_ && bytes_[at_] != '\n') ++at_;
    cell += bytes_.substr(begin, at_ - begin);
    const std::size_t end = cell.find_last_not_of(" \t\r");
    cell.resize(end == std::string::npos ? 0 : end + 1);
    return cell;
  }

  std::string readQuoted() {
    std::string cell;
    for (++at_; at_ < bytes_.size(); ++at_) {
      line_ += bytes_[at_] == '\n' ? 1 : 0;
      if (bytes_[at_] == '"') {
        ++at_;
        if (at_ >= bytes_.size() || bytes_[at_] != '"') break;
      }
      cell += bytes_[at_];
    }
    return cell;
  }

  std::string_view bytes_;
  char separator_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t row_line_ = 1;
};

/// The one that the first line has most of.
char separatorOf(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  constexpr std::array kSeparators = {',', ';', '\t'};
  return *std::ranges::max_element(kSeparators, {}, [&](char c) { return std::ranges::count(first, c); });
}

bool isHead(const std::vector<std::string>& cells) {
  return std::ranges::none_of(cells, isNumber);
}

std::vector<std::string> namesOf(const std::vector<std::string>& first) {
  if (isHead(first)) return first;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < first.size(); ++i)
    names.push_back(filled(worded("list", "column %1"), std::to_string(i + 1)));
  return names;
}

}  // namespace

bool readText(std::string_view bytes, ItemSink& sink, const Work& work) {
  std::int64_t line = 1;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t begin = std::min(bytes.find_first_not_of(kBetween, at), bytes.size());
    line += std::count(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    at = endOfRepetition(bytes, begin);
    if (begin == at) break;
    if (!sink.takeText(bytes.substr(begin, at - begin), {true, line}, work)) break;
    if (!sink.goesOn(static_cast<double>(at) / static_cast<double>(bytes.size()), work)) return false;
  }
  return !work.stopped();
}

Result<CsvColumns> readCsv(std::string_view bytes, std::optional<std::size_t> column, ItemSink& sink,
                           const Work& work) {
  CsvRows rows(bytes, separatorOf(bytes));
  std::vector<std::string> cells;
  if (!rows.next(cells)) return CsvColumns{};
  CsvColumns columns{namesOf(cells), 0};
  if (columns.names.size() > kMostColumns) {
    return Error{ErrorCode::BadInput,
                 worded("list", "The table has more than 1000 columns."),
                 {},
                 worded("list", "give a file with the one column")};
  }
  bool more = !isHead(cells) || rows.next(cells);
  const auto number = std::ranges::find_if(cells, isNumber);
  columns.read = column.value_or(number == cells.end() ? 0 : static_cast<std::size_t>(number - cells.begin()));
  for (; more; more = rows.next(cells)) {
    const ItemPlace place{true, rows.line()};
    if (columns.read >= cells.size()) {
      sink.refuse(worded("list", "The line has no such column."), place);
    } else if (!sink.takeText(cells[columns.read], place, work)) {
      break;
    }
    if (!sink.goesOn(rows.part(), work)) return cancelled();
  }
  return columns;
}

}  // namespace shardlens::lists
