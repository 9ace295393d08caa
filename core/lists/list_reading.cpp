// SPDX-License-Identifier: Apache-2.0
#include "core/lists/list_reading.h"

#include "core/lists/item_sink.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace shardlens::lists {
namespace {

bool endsWith(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  return std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

/// Puts the columns, if any, beside what the sink has.
ListReading withColumns(ListReading reading, CsvColumns columns) {
  reading.columns = std::move(columns.names);
  reading.column = columns.read;
  return reading;
}

}  // namespace

ListFormat formatOf(std::string_view file_name, std::string_view bytes) {
  if (bytes.starts_with("\x93NUMPY") || endsWith(file_name, ".npy")) return ListFormat::Npy;
  if (endsWith(file_name, ".csv") || endsWith(file_name, ".tsv")) return ListFormat::Csv;
  return endsWith(file_name, ".json") ? ListFormat::Json : ListFormat::Text;
}

Result<ListReading> readList(const ListRules& rules, std::string_view bytes, ListFormat format,
                             std::optional<std::size_t> column, const Work& work) {
  ItemSink sink(rules);
  CsvColumns columns;
  switch (format) {
    case ListFormat::Text:
      if (!readText(bytes, sink, work)) return cancelled();
      break;
    case ListFormat::Csv: {
      auto read = readCsv(bytes, column, sink, work);
      if (!read) return read.error();
      columns = *std::move(read);
      break;
    }
    case ListFormat::Npy:
      if (auto read = readNpy(bytes, sink, work); !read) return read.error();
      break;
    case ListFormat::Json:
      if (auto read = readJson(bytes, sink, work); !read) return read.error();
      break;
  }
  if (work.stopped()) return cancelled();
  return withColumns(sink.finish(), std::move(columns));
}

}  // namespace shardlens::lists
