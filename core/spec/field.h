// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/spec/value.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// A list of records holds no more entries: each is a row of the form.
constexpr std::int64_t kMostRecords = 1000;

enum class FieldKind {
  Bool,       ///< bool
  Int,        ///< int64 in [min, max]
  Float,      ///< double in [min, max]
  Choice,     ///< string, one of `choices`
  Text,       ///< any string
  IntOrName,  ///< int64 in [min, max], or a string out of `choices` (num_replicas: world_size)
  IntOrList,  ///< int64 in [min, max], or a list of one or more such numbers (ranks_per_node: [2, 1])
  Indices,    ///< list of whole numbers, each in [min, max]; the file may also say {range: [a, b]} for a .. b-1
  Records,    ///< list of records, each with the keys of `items`; its fallback is a list without records
  Numbers,    ///< list of real numbers, each in [min, max], or a string out of `choices` (weights: long_tail)
  Lists,      ///< short lists of numbers, each in [min, max], as a string (number_lists.h): "[[0, 1], [2, 3]]", or ""
};

/// One key of the spec: the single description that reading, writing, validation, the form and the docs use.
struct Field {
  std::string path;  ///< as in the file: "loader.batch_size"; of a sampler's parameter: "sampler.shuffle"
  FieldKind kind = FieldKind::Int;
  Value fallback = std::int64_t{0};  ///< the value when the file does not say
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::vector<std::string> choices = {};
  std::string unit = {};             ///< shown after or under the value: "samples", "ms"
  std::string help = {};             ///< one sentence, shown as a tool tip and in the docs
  bool optional = false;             ///< the form shows it only for samplers that read it, or when it is set
  std::vector<Field> items = {};     ///< of Records: the keys of a record ("ms"), none of which is a list
  bool required = false;             ///< of an item: every record must say it
  std::vector<std::string> of = {};  ///< of an item: values of the record's first item without which it means nothing
  bool is_seed = false;              ///< seeds a generator: another value is another order of the same kind

  bool operator==(const Field& other) const = default;

  /// "batch_size" of "loader.batch_size".
  [[nodiscard]] std::string key() const;
  /// "loader" of "loader.batch_size"; empty for a key at the top.
  [[nodiscard]] std::string section() const;
};

/// Fields of one kind, without the members that the kind does not use.
Field boolField(std::string path, bool fallback, std::string help);
Field intField(std::string path, std::int64_t fallback, std::int64_t min, std::int64_t max, std::string unit,
               std::string help);
/// A seed, without a unit.
Field seedField(std::string path, std::int64_t fallback, std::int64_t min, std::int64_t max, std::string help);
Field choiceField(std::string path, std::string fallback, std::vector<std::string> choices, std::string help);
/// A whole number, or the one name that means "the usual": num_samples: none.
Field intOrNameField(std::string path, std::string name, std::int64_t min, std::int64_t max, std::string unit,
                     std::string help);
/// A seed, or the name that means that none is given.
Field seedOrNameField(std::string path, std::string name, std::int64_t min, std::int64_t max, std::string help);

/// The item `item` of record `index` of the list `records`, as a field of its own: "run.delays[2].ms".
Field itemField(const Field& records, std::size_t index, const Field& item);

/// What is wrong with a key of record `index` that no item of `records` has; names the nearest one.
Error unknownKey(const Field& records, std::size_t index, const std::string& key);

/// The parts of a path into a list of records: "run.delays[2].ms" is {"run.delays", 2, "ms"}.
struct RecordPath {
  std::string list;
  std::size_t index = 0;
  std::string key;
};
/// The parts of `path`, or nothing when it leads into no record.
std::optional<RecordPath> recordPath(const std::string& path);

/// Everything that makes `value` wrong for `field` (kind, range, choices; of records each one's keys and
/// values); empty when it is right. The places carry field paths.
Issues problemsOf(const Field& field, const Value& value);
/// The first of these errors, if any.
std::optional<Error> checkValue(const Field& field, const Value& value);

/// "32", "true", "world_size", "[0, 1, 2, ...]": as the file would show it, lists cut after some items.
std::string valueText(const Value& value);

/// Reads what a person typed for `field`: "on", "1e6", "1 281 167", "world_size", "[3, 1, 2]", "0..9". A list may be
/// long: reading stops when `work` says so, and reports progress only if it takes long.
Result<Value> parseValue(const Field& field, const std::string& text, const Work& work = {});

/// Whether a value of this kind may have any number of items: a thread that must not wait reads it elsewhere.
constexpr bool isLongList(FieldKind kind) {
  return kind == FieldKind::Indices || kind == FieldKind::Numbers;
}

/// The same number several times: "64 x 20018".
struct RepeatedIndex {
  std::int64_t count = 0;
  std::int64_t index = 0;
};

/// What such a text means, with or without spaces around the x; nothing for another text or for zero times.
std::optional<RepeatedIndex> repeatedIndex(std::string_view text);

}  // namespace shardlens
