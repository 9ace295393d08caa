// SPDX-License-Identifier: Apache-2.0
#include "core/lists/list_reading.h"

#include <doctest/doctest.h>

#include <stop_token>
#include <string>

using namespace shardlens;
using namespace shardlens::lists;

namespace {

constexpr ListRules kAny{};
constexpr ListRules kNumbers{.whole = false};
/// Samples of a dataset of 16.
constexpr ListRules kSamples{.whole = true, .min = 0, .max = 15};

ListReading read(const ListRules& rules, std::string_view bytes, ListFormat format,
                 std::optional<std::size_t> column = {}) {
  auto reading = readList(rules, bytes, format, column);
  REQUIRE_MESSAGE(reading, reading.error().text());
  return *std::move(reading);
}

IndexList itemsOf(const ListReading& reading) {
  return std::get<IndexList>(reading.items);
}

std::string failure(std::string_view bytes, ListFormat format) {
  const auto reading = readList(kAny, bytes, format);
  REQUIRE_FALSE(reading);
  return reading.error().message;
}

}  // namespace

TEST_CASE("text is ranges and numbers between commas, blanks and line ends") {
  CHECK(itemsOf(read(kAny, "0..3, 12", ListFormat::Text)) == IndexList{0, 1, 2, 3, 12});
  CHECK(itemsOf(read(kAny, "[5, 4\n3]\r\n1e2 -7", ListFormat::Text)) == IndexList{5, 4, 3, 100, -7});
  CHECK(itemsOf(read(kAny, " \n ", ListFormat::Text)).empty());
  CHECK(itemsOf(read(kAny, "3 x 7, 2x5 1", ListFormat::Text)) == IndexList{7, 7, 7, 5, 5, 1});
  CHECK(read(kSamples, "3 x 16, 2, x", ListFormat::Text).fault_count == 2);
  CHECK(read(kAny, "1, 100000000 x 5", ListFormat::Text).fault_count == 1);
  CHECK(std::get<NumberList>(read(kNumbers, "0.5 1e-3, 2", ListFormat::Text).items) == NumberList{0.5, 1e-3, 2});
}

TEST_CASE("everything that is wrong is counted, and named with its line") {
  const ListReading reading = read(kSamples, "0..3, x\n\n16 2\n9..20", ListFormat::Text);
  CHECK(itemsOf(reading) == IndexList{0, 1, 2, 3, 2});
  CHECK(reading.count == 5);
  REQUIRE(reading.fault_count == 3);
  CHECK(reading.faults[0] ==
        ListFault{"line 1", "'x' is not a whole number, a range such as 0..9 or a repetition such as 64 x 1000.", 1});
  CHECK(reading.faults[1] == ListFault{"line 3", "16 is out of range: it must be from 0 to 15.", 3});
  CHECK(reading.faults[2] == ListFault{"line 4", "9..20 is out of range: it must be from 0 to 15.", 4});
  std::string many;
  for (int i = 0; i < 500; ++i) many += "bad\n";
  const ListReading bad = read(kSamples, many, ListFormat::Text);
  CHECK(bad.fault_count == 500);
  CHECK(bad.faults.size() == kMostFaults);
}

TEST_CASE("a list that must have an item for each sample says when it has not") {
  ListRules rules = kAny;
  rules.count = 4;
  CHECK(read(rules, "1 2 3 4", ListFormat::Text).fault_count == 0);
  const ListReading few = read(rules, "1 2 3", ListFormat::Text);
  REQUIRE(few.fault_count == 1);
  CHECK(few.faults[0].message == "There are 3 items, but the dataset has 4 samples.");
}

TEST_CASE("a list that is too long is refused, and not built") {
  const ListReading reading = read(kAny, "0..9, 0..99999999, 3", ListFormat::Text);
  CHECK(reading.count == 10);
  CHECK(reading.fault_count == 1);
  CHECK(read(kAny, "0..9223372036854775807", ListFormat::Text).fault_count == 1);
  CHECK(read(kAny, "-9223372036854775808..9223372036854775807", ListFormat::Text).fault_count == 1);
}

TEST_CASE("of a table one column is read: the first with numbers, or the one that is asked for") {
  const std::string table = "file,label,weight\n\"a, or b.png\",3,0.5\nc.png,1,2\n";
  const ListReading labels = read(kAny, table, ListFormat::Csv);
  CHECK(itemsOf(labels) == IndexList{3, 1});
  CHECK(labels.columns == std::vector<std::string>{"file", "label", "weight"});
  CHECK(labels.column == 1);
  CHECK(std::get<NumberList>(read(kNumbers, table, ListFormat::Csv, 2).items) == NumberList{0.5, 2});
  const ListReading names = read(kAny, table, ListFormat::Csv, 0);
  CHECK(names.fault_count == 2);
  CHECK(names.faults[0].where == "line 2");
  CHECK(read(kAny, table, ListFormat::Csv, 7).faults[0].message == "The line has no such column.");
}

TEST_CASE("a table may have no head, other separators, quotes over line ends, and Windows' line ends") {
  CHECK(itemsOf(read(kAny, "4;5\r\n6;7\r\n\r\n", ListFormat::Csv, 1)) == IndexList{5, 7});
  CHECK(read(kAny, "4;5\n", ListFormat::Csv).columns == std::vector<std::string>{"column 1", "column 2"});
  CHECK(itemsOf(read(kAny, "name\tid\n\"a \"\"b\"\"\nc\"\t8\nd\t9", ListFormat::Csv)) == IndexList{8, 9});
  CHECK(itemsOf(read(kAny, "7\n8\n", ListFormat::Csv)) == IndexList{7, 8});
  CHECK(itemsOf(read(kAny, "", ListFormat::Csv)).empty());
  CHECK(itemsOf(read(kAny, "label\n", ListFormat::Csv)).empty());
}

TEST_CASE("JSON is one array of numbers") {
  CHECK(itemsOf(read(kAny, "[3, 1,\n 2e1]", ListFormat::Json)) == IndexList{3, 1, 20});
  CHECK(std::get<NumberList>(read(kNumbers, "[0.5, 2]", ListFormat::Json).items) == NumberList{0.5, 2});
  const ListReading mixed = read(kSamples, "[3, \"a\", null, 0.5, 99]", ListFormat::Json);
  CHECK(itemsOf(mixed) == IndexList{3});
  REQUIRE(mixed.fault_count == 4);
  CHECK(mixed.faults[0] == ListFault{"item 1", "'a' is not a number that a list can hold."});
  CHECK(mixed.faults[2] == ListFault{"item 3", "0.5 is not a whole number."});
  CHECK(failure("{\"ids\": [1]}", ListFormat::Json) == "It holds an object: a list is one array of numbers.");
  CHECK(failure("[[1], [2]]", ListFormat::Json) == "It holds an array inside another: a list is one array of numbers.");
  CHECK(failure("7", ListFormat::Json) == "It is a single number: a list is one array of numbers.");
  CHECK(failure("[1,\n2,\n", ListFormat::Json) == "It is not JSON: line 3 cannot be read.");
  CHECK(failure("[1] [2]", ListFormat::Json).starts_with("It is not JSON"));
}

TEST_CASE("the format is known by the first bytes, and else by the name") {
  CHECK(formatOf("a.txt", "\x93NUMPY\x01") == ListFormat::Npy);
  CHECK(formatOf("A.CSV", "1,2") == ListFormat::Csv);
  CHECK(formatOf("a.tsv", "1\t2") == ListFormat::Csv);
  CHECK(formatOf("ids.json", "[1]") == ListFormat::Json);
  CHECK(formatOf("ids", "[1]") == ListFormat::Text);
}

TEST_CASE("reading can be stopped") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + "\n";
  std::stop_source stop;
  int reports = 0;
  const Work work{stop.get_token(), [&](double fraction) {
                    CHECK(fraction <= 1);
                    if (++reports == 2) stop.request_stop();
                  }};
  const auto reading = readList(kAny, text, ListFormat::Text, {}, work);
  REQUIRE_FALSE(reading);
  CHECK(reading.error().code == ErrorCode::Cancelled);
  CHECK(reports == 2);
}
