// SPDX-License-Identifier: Apache-2.0
#include "core/record/frame.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace shardlens::frame {
namespace {

static_assert(std::endian::native == std::endian::little, "recordings are written as the host's memory has them");

/// What stands before every payload, in this order, without gaps.
struct Header {
  std::uint32_t length = 0;  ///< of the payload
  std::uint16_t kind = 0;
  std::uint16_t part = 0;
  std::int32_t rank = -1;
  std::uint32_t header_check = 0;   ///< XXH3-64 of the 16 bytes before it, its lower half
  std::uint64_t payload_check = 0;  ///< XXH3-64 of the payload, with the header's as seed
};
constexpr std::size_t kChecked = 16;  ///< bytes of the header that header_check is of, sync mark included

std::uint32_t headerCheck(const char* begin) {
  return static_cast<std::uint32_t>(XXH3_64bits(begin, kChecked));
}

std::uint64_t payloadCheck(std::string_view payload, std::uint32_t header_check) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), header_check);
}

template <class T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
T take(const char*& at) {
  T value{};
  std::memcpy(&value, at, sizeof(T));
  at += sizeof(T);
  return value;
}

void appendOne(std::string& out, std::uint16_t kind, std::uint16_t part, std::int32_t rank, std::string_view payload) {
  const std::size_t begin = out.size();
  out.append(kSync);
  put(out, static_cast<std::uint32_t>(payload.size()));
  put(out, kind);
  put(out, part);
  put(out, rank);
  const std::uint32_t check = headerCheck(out.data() + begin);
  put(out, check);
  put(out, payloadCheck(payload, check));
  out.append(payload);
}

}  // namespace

bool isKnown(std::uint16_t kind) {
  return kind >= static_cast<std::uint16_t>(Kind::Begin) && kind <= static_cast<std::uint16_t>(Kind::Stack);
}

std::string fileHeader(Content content) {
  std::string out(kMagic);
  put(out, kFormat);
  put(out, content);
  return out;
}

void append(std::string& out, std::uint16_t kind, std::int64_t rank, std::string_view message) {
  std::uint16_t number = 0;
  do {
    const std::string_view piece = message.substr(0, kMostPayload);
    message.remove_prefix(piece.size());
    const auto part = static_cast<std::uint16_t>(message.empty() ? number : number | kMore);
    appendOne(out, kind, part, static_cast<std::int32_t>(rank), piece);
    ++number;
  } while (!message.empty());
}

Parsed parse(std::string_view bytes) {
  const std::size_t known = std::min(bytes.size(), kSync.size());
  if (bytes.substr(0, known) != kSync.substr(0, known)) return {Outcome::Damaged, 0, 0, 0, -1, {}};
  if (bytes.size() < kHeader) return {};
  const char* at = bytes.data() + kSync.size();
  Header header;
  header.length = take<std::uint32_t>(at);
  header.kind = take<std::uint16_t>(at);
  header.part = take<std::uint16_t>(at);
  header.rank = take<std::int32_t>(at);
  header.header_check = take<std::uint32_t>(at);
  header.payload_check = take<std::uint64_t>(at);
  const bool is_header =
      header.header_check == headerCheck(bytes.data()) && header.length <= kMostPayload && header.rank < kMostRanks;
  if (!is_header) return {Outcome::Damaged, 0, 0, 0, -1, {}};
  if (bytes.size() - kHeader < header.length) return {};
  const std::string_view payload = bytes.substr(kHeader, header.length);
  if (payloadCheck(payload, header.header_check) != header.payload_check) return {Outcome::Damaged, 0, 0, 0, -1, {}};
  return {Outcome::Whole, kHeader + header.length, header.kind, header.part, header.rank, payload};
}

std::size_t distanceToNext(std::string_view bytes) {
  const std::size_t found = bytes.find(kSync, 1);
  if (found != std::string_view::npos) return found;
  // The mark may be cut off by the end of what has been read so far.
  for (std::size_t kept = std::min(kSync.size() - 1, bytes.size() - 1); kept > 0; --kept) {
    if (bytes.substr(bytes.size() - kept) == kSync.substr(0, kept)) return bytes.size() - kept;
  }
  return bytes.size();
}

}  // namespace shardlens::frame
