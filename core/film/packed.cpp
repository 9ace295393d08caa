// SPDX-License-Identifier: Apache-2.0
#include "core/film/packed.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace shardlens {
namespace {

using Numbers = std::vector<std::uint32_t>;

void pack(std::string name, const Numbers& numbers, Packed& out) {
  PackedArray array{std::move(name), static_cast<std::int64_t>(numbers.size()), 0, 0};
  const auto [least, most] = std::ranges::minmax_element(numbers);
  if (numbers.empty() || *least == *most) {
    array.value = numbers.empty() ? 0 : *least;
    out.arrays.push_back(std::move(array));
    return;
  }
  array.width = *most < 1U << 8 ? 1 : *most < 1U << 16 ? 2 : 4;
  for (const std::uint32_t number : numbers) {
    for (int byte = 0; byte < array.width; ++byte) out.bytes.push_back(static_cast<std::uint8_t>(number >> 8 * byte));
  }
  out.arrays.push_back(std::move(array));
}

template <class Member>
void packCells(const char* name, const Film& film, Member member, Packed& out) {
  Numbers numbers;
  for (const FilmEpoch& epoch : film.epochs) {
    for (const FilmCell& cell : epoch.cells) numbers.push_back(cell.*member);
  }
  pack(name, numbers, out);
}

template <class Member>
void packList(const char* name, const Film& film, Member member, Packed& out) {
  Numbers numbers;
  for (const FilmEpoch& epoch : film.epochs) {
    for (const auto number : epoch.*member) numbers.push_back(static_cast<std::uint32_t>(number));
  }
  pack(name, numbers, out);
}

}  // namespace

Packed packed(const Film& film) {
  Packed out;
  packCells("samples", film, &FilmCell::samples, out);
  packCells("padding", film, &FilmCell::padding, out);
  packCells("duplicates", film, &FilmCell::duplicates, out);
  packCells("mean", film, &FilmCell::mean, out);
  packCells("low", film, &FilmCell::low, out);
  packCells("high", film, &FilmCell::high, out);
  packList("fresh", film, &FilmEpoch::fresh, out);
  packList("ids", film, &FilmEpoch::ids, out);
  packList("marks", film, &FilmEpoch::marks, out);
  packList("hairs", film, &FilmEpoch::hairs, out);
  packList("coverage", film, &FilmEpoch::coverage, out);
  return out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace shardlens
