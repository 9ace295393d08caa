// SPDX-License-Identifier: Apache-2.0
// Whatever a file holds that is said to be a list, reading it in each format neither crashes nor throws, and what was
// taken keeps the rules. The first byte chooses the rules.
#include "core/lists/list_reading.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace shardlens;
using namespace shardlens::lists;

namespace {

void requireRules(const ListRules& rules, const ListReading& reading) {
  if ((reading.fault_count == 0) != reading.faults.empty()) std::abort();
  if (const auto* whole = std::get_if<IndexList>(&reading.items)) {
    if (!rules.whole || static_cast<std::int64_t>(whole->size()) != reading.count) std::abort();
    if (!whole->empty() && (whole->facts().least < rules.min || whole->facts().greatest > rules.max)) std::abort();
  } else if (rules.whole || !std::get<NumberList>(reading.items).facts().is_finite) {
    if (reading.count > 0) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // Ranges of more would only be slow.
  const ListRules rules =
      data[0] % 2 == 0 ? ListRules{.whole = true, .min = 0, .max = 1000} : ListRules{.whole = false};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const ListFormat format : {ListFormat::Text, ListFormat::Csv, ListFormat::Npy, ListFormat::Json}) {
    const auto reading =
        readList(rules, bytes, format, data[0] % 5 == 4 ? std::optional<std::size_t>(1) : std::nullopt);
    if (reading) {
      requireRules(rules, *reading);
    } else if (reading.error().message.empty()) {
      std::abort();
    }
  }
  return 0;
}
