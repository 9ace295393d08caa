// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files: a header in Python's words, then the items as they lie in memory.
#include "core/base/phrase.h"
#include "core/lists/list_reading.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstring>

namespace shardlens::lists {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

Error notReadable(std::string message, std::string hint = {}) {
  return Error{ErrorCode::BadInput, std::move(message), {}, std::move(hint)};
}

struct NpyHeader {
  std::string type;                 ///< "<i8"
  std::vector<std::int64_t> shape;  ///< (3,) is {3}
  std::size_t data = 0;             ///< where the items begin
};

/// The text behind "'key':", without the blanks before it; empty when there is no such key.
std::string_view behindKey(std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "'";
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + quoted.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
  return rest;
}

std::optional<std::vector<std::int64_t>> shapeIn(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::string_view inner = text.substr(1, text.find(')') - 1);
  std::vector<std::int64_t> shape;
  for (std::size_t at = inner.find_first_of("0123456789"); at != std::string_view::npos;
       at = inner.find_first_of("0123456789", at)) {
    std::int64_t length = 0;
    const auto [end, status] = std::from_chars(inner.data() + at, inner.data() + inner.size(), length);
    if (status != std::errc{}) return std::nullopt;
    shape.push_back(length);
    at = static_cast<std::size_t>(end - inner.data());
  }
  return shape;
}

Result<NpyHeader> headerOf(std::string_view bytes) {
  const Error cut = notReadable(worded("list", "The file is not a whole .npy file: its header is cut off."));
  if (!bytes.starts_with(kMagic)) return notReadable(worded("list", "The file is not a .npy file."));
  if (bytes.size() < 12) return cut;
  const std::size_t width = bytes[6] == 1 ? 2 : 4;  // of the header's length, by the format's version
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[8 + i]);
  if (length > bytes.size() - 8 - width) return cut;
  const std::string_view text = bytes.substr(8 + width, length);
  NpyHeader header;
  header.data = 8 + width + length;
  const std::string_view type = behindKey(text, "descr");
  if (!type.starts_with('\'')) {
    return notReadable(worded("list", "The array holds records, not numbers."),
                       worded("list", "save one of its fields: numpy.save(file, a['field'])"));
  }
  header.type = std::string(type.substr(1, type.find('\'', 1) - 1));
  const auto shape = shapeIn(behindKey(text, "shape"));
  if (!shape) return notReadable(worded("list", "The file's header does not say the shape of the array."));
  header.shape = *shape;
  return header;
}

template <std::size_t Size>
struct Bits;
template <>
struct Bits<1> {
  using Type = std::uint8_t;
};
template <>
struct Bits<2> {
  using Type = std::uint16_t;
};
template <>
struct Bits<4> {
  using Type = std::uint32_t;
};
template <>
struct Bits<8> {
  using Type = std::uint64_t;
};

template <class Item>
Item itemAt(const char* place, bool swapped) {
  typename Bits<sizeof(Item)>::Type bits{};
  std::array<char, sizeof(Item)> raw{};
  std::memcpy(raw.data(), place, sizeof(Item));
  if (swapped) std::ranges::reverse(raw);
  std::memcpy(&bits, raw.data(), sizeof(Item));
  return std::bit_cast<Item>(bits);
}

template <class Item>
void takeItem(Item item, std::int64_t index, ItemSink& sink) {
  const ItemPlace place{false, index};
  if constexpr (std::floating_point<Item>) {
    sink.take(static_cast<double>(item), place);
  } else if constexpr (std::same_as<Item, std::uint64_t>) {
    if (item > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return sink.refuse(filled(worded("list", "%1 is too large."), std::to_string(item)), place);
    }
    sink.take(static_cast<std::int64_t>(item), place);
  } else {
    sink.take(static_cast<std::int64_t>(item), place);
  }
}

template <class Item>
Result<void> readItems(std::string_view data, std::int64_t count, bool swapped, ItemSink& sink, const Work& work) {
  if (static_cast<std::uint64_t>(count) > data.size() / sizeof(Item)) {
    return notReadable(filled(worded("list", "The file is cut off: its header says %1 items, but it holds %2."),
                              std::to_string(count), std::to_string(data.size() / sizeof(Item))));
  }
  sink.expect(count);
  for (std::int64_t i = 0; i < count && !sink.isFull(); ++i) {
    takeItem(itemAt<Item>(data.data() + static_cast<std::size_t>(i) * sizeof(Item), swapped), i, sink);
    if (!sink.goesOn(static_cast<double>(i) / static_cast<double>(count), work)) return cancelled();
  }
  return {};
}

using Reader = Result<void> (*)(std::string_view, std::int64_t, bool, ItemSink&, const Work&);
struct NpyType {
  std::string_view name;  ///< behind the byte order: "i8"
  Reader read;
};
constexpr std::array kTypes = {
    NpyType{"i1", readItems<std::int8_t>},   NpyType{"i2", readItems<std::int16_t>},
    NpyType{"i4", readItems<std::int32_t>},  NpyType{"i8", readItems<std::int64_t>},
    NpyType{"u1", readItems<std::uint8_t>},  NpyType{"u2", readItems<std::uint16_t>},
    NpyType{"u4", readItems<std::uint32_t>}, NpyType{"u8", readItems<std::uint64_t>},
    NpyType{"f4", readItems<float>},         NpyType{"f8", readItems<double>},
};

}  // namespace

Result<void> readNpy(std::string_view bytes, ItemSink& sink, const Work& work) {
  const auto header = headerOf(bytes);
  if (!header) return header.error();
  if (header->shape.size() != 1) {
    return notReadable(
        filled(worded("list", "The array has %1 dimensions: a list has one."), std::to_string(header->shape.size())),
        worded("list", "save one column: numpy.save(file, a[:, 0])"));
  }
  const std::string_view type = header->type;
  const auto* const known =
      std::ranges::find(kTypes, type.substr(std::min<std::size_t>(1, type.size())), &NpyType::name);
  if (known == kTypes.end()) {
    return notReadable(
        filled(worded("list", "The array is of type %1: a list is of integers or floats."), shownItem(type)),
        worded("list", "convert it: a.astype('int64')"));
  }
  const bool big = type.front() == '>';
  const bool swapped = big != (std::endian::native == std::endian::big);
  return known->read(bytes.substr(header->data), header->shape.front(), type.front() != '|' && swapped, sink, work);
}

}  // namespace shardlens::lists
