// SPDX-License-Identifier: Apache-2.0
#include "core/lists/list_reading.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::lists;

namespace {

/// A file of version 1.0, as numpy.save writes it: the header padded to 64 bytes.
std::string npy(const std::string& type, const std::string& shape, const std::string& data, char version = 1) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  const std::size_t width = version == 1 ? 2 : 4;
  while ((8 + width + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  for (std::size_t i = 0; i < width; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return file + header + data;
}

template <class Item>
std::string bytesOf(const std::vector<Item>& items) {
  std::string data(items.size() * sizeof(Item), '\0');
  if (!items.empty()) std::memcpy(data.data(), items.data(), data.size());
  return data;
}

template <class Item>
std::string npyOf(const std::string& type, const std::vector<Item>& items) {
  return npy(type, "(" + std::to_string(items.size()) + ",)", bytesOf(items));
}

ListReading read(const std::string& file, const ListRules& rules = {}) {
  auto reading = readList(rules, file, ListFormat::Npy);
  REQUIRE_MESSAGE(reading, reading.error().text());
  return *std::move(reading);
}

std::string failure(const std::string& file) {
  const auto reading = readList({}, file, ListFormat::Npy);
  REQUIRE_FALSE(reading);
  return reading.error().message;
}

}  // namespace

TEST_CASE("arrays of every integer and float type are read") {
  const IndexList wanted{3, 0, 100};
  CHECK(std::get<IndexList>(read(npyOf<std::int8_t>("|i1", {3, 0, 100})).items) == wanted);
  CHECK(std::get<IndexList>(read(npyOf<std::int16_t>("<i2", {3, 0, 100})).items) == wanted);
  CHECK(std::get<IndexList>(read(npyOf<std::int32_t>("<i4", {3, 0, 100})).items) == wanted);
  CHECK(std::get<IndexList>(read(npyOf<std::int64_t>("<i8", {3, 0, 100})).items) == wanted);
  CHECK(std::get<IndexList>(read(npyOf<std::uint8_t>("|u1", {3, 0, 100})).items) == wanted);
  CHECK(std::get<IndexList>(read(npyOf<std::uint64_t>("<u8", {3, 0, 100})).items) == wanted);
  CHECK(std::get<IndexList>(read(npyOf<double>("<f8", {3, 0, 100})).items) == wanted);
  const ListRules numbers{.whole = false};
  CHECK(std::get<NumberList>(read(npyOf<float>("<f4", {0.5F, 2}), numbers).items) == NumberList{0.5, 2});
  CHECK(std::get<NumberList>(read(npyOf<std::int32_t>("<i4", {7}), numbers).items) == NumberList{7});
  CHECK(read(npyOf<std::int64_t>("<i8", {})).count == 0);
}

TEST_CASE("the other byte order and the later versions of the format are read") {
  const std::string big("\0\0\0\x07\0\0\x01\0", 8);
  CHECK(std::get<IndexList>(read(npy(">i4", "(2,)", big)).items) == IndexList{7, 256});
  CHECK(std::get<IndexList>(read(npy("<i8", "(1,)", bytesOf<std::int64_t>({9}), 2)).items) == IndexList{9});
}

TEST_CASE("items that cannot be taken are named by their place") {
  const ListReading reading = read(npyOf<double>("<f8", {1, 0.5, -1, 2}), {.whole = true, .min = 0, .max = 15});
  CHECK(std::get<IndexList>(reading.items) == IndexList{1, 2});
  REQUIRE(reading.fault_count == 2);
  CHECK(reading.faults[0] == ListFault{"item 1", "0.5 is not a whole number."});
  CHECK(reading.faults[1] == ListFault{"item 2", "-1 is out of range: it must be from 0 to 15."});
  CHECK(read(npyOf<std::uint64_t>("<u8", {~std::uint64_t{0}})).fault_count == 1);
}

TEST_CASE("what is no list of numbers is refused with a reason") {
  CHECK(failure(npy("<i8", "(2, 3)", std::string(48, '\0'))) == "The array has 2 dimensions: a list has one.");
  CHECK(failure(npy("<i8", "()", std::string(8, '\0'))) == "The array has 0 dimensions: a list has one.");
  CHECK(failure(npy("<U3", "(1,)", std::string(12, '\0'))) ==
        "The array is of type '<U3': a list is of integers or floats.");
  CHECK(failure(npy("|b1", "(1,)", "\1")).find("integers or floats") != std::string::npos);
  CHECK(failure(npy("<i8", "(3,)", std::string(16, '\0'))) ==
        "The file is cut off: its header says 3 items, but it holds 2.");
  CHECK(failure(npy("<i8", "(9223372036854775807,)", "")).find("cut off") != std::string::npos);
  CHECK(failure("PK\x03\x04") == "The file is not a .npy file.");
  CHECK(failure("\x93NUMPY\x01") == "The file is not a whole .npy file: its header is cut off.");
  const std::string records =
      "\x93NUMPY\x01" + std::string(1, '\0') + std::string("\x2a\0", 2) + "{'descr': [('a', '<i8')], 'shape': (1,), }";
  CHECK(failure(records) == "The array holds records, not numbers.");
}
