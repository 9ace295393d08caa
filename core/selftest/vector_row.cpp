// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/vector_row.h"

#include "core/sampling/torch/weights.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace shardlens::selftest {
namespace {

using nlohmann::json;

std::optional<std::uint64_t> bitsOfText(const std::string& text, int base) {
  const bool negative = !text.empty() && text.front() == '-';
  const char* const begin = text.data() + (negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t number = 0;
  const auto [stop, status] = std::from_chars(begin, end, number, base);
  if (status != std::errc{} || stop != end) return std::nullopt;
  return negative ? 0 - number : number;
}

std::optional<std::uint64_t> bitsOf(const json& value, int base) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return static_cast<std::uint64_t>(value.get<std::int64_t>());
  if (value.is_string()) return bitsOfText(value.get_ref<const std::string&>(), base);
  return std::nullopt;
}

std::optional<std::int64_t> integerOf(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return value.get<std::int64_t>();
}

std::optional<double> numberOf(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// Every item of a list by `read`, or nothing when one of them is of another type.
template <class T, class Read>
std::optional<std::vector<T>> listOf(const json* value, Read read) {
  if (value == nullptr || !value->is_array()) return std::nullopt;
  std::vector<T> list;
  list.reserve(value->size());
  for (const json& item : *value) {
    std::optional<T> one = read(item);
    if (!one) return std::nullopt;
    list.push_back(std::move(*one));
  }
  return list;
}

std::optional<std::vector<std::int64_t>> integersOf(const json& value) {
  return listOf<std::int64_t>(&value, integerOf);
}

/// {"range": [a, b]}: a .. b-1.
std::optional<std::vector<std::int64_t>> rangeOf(const json& value) {
  constexpr std::int64_t kMost = 100'000'000;
  const auto ends = value.size() == 1 && value.contains("range") ? integersOf(value["range"]) : std::nullopt;
  if (!ends || ends->size() != 2) return std::nullopt;
  const std::int64_t first = ends->front();
  const std::int64_t last = ends->back();
  if (first < -kMost || last > kMost || last < first) return std::nullopt;
  std::vector<std::int64_t> items(static_cast<std::size_t>(last - first));
  std::iota(items.begin(), items.end(), first);
  return items;
}

Error noRow(std::string why) {
  return Error::of(ErrorCode::BadInput, std::move(why));
}

using Shape = std::vector<std::int64_t>;

std::optional<RowWeights> ofPattern(const Fields& weights) {
  const auto kind = weights.text("kind");
  const auto n = weights.integer("n");
  const std::vector<std::string> known = sampling::weightsField().choices;
  if (!kind || !n || *n < 0 || !weights.onlyHas({"kind", "n"})) return std::nullopt;
  if (std::ranges::find(known, *kind) == known.end()) return std::nullopt;
  return RowWeights{*kind, *n};
}

std::optional<Shape> shapeOf(const json& value) {
  if (value.is_number()) return Shape{};
  if (!value.is_array()) return std::nullopt;
  std::optional<Shape> inner = Shape{};
  for (std::size_t i = 0; i < value.size(); ++i) {
    auto one = shapeOf(value[i]);
    if (!one || (i > 0 && one != inner)) return std::nullopt;
    inner = std::move(one);
  }
  inner->insert(inner->begin(), static_cast<std::int64_t>(value.size()));
  return inner;
}

}  // namespace

Fields::Fields() : Fields(json::object()) {}

Fields::Fields(json object) : object_(std::make_shared<const json>(std::move(object))) {}

const json* Fields::find(std::string_view key) const {
  const auto found = object_->find(key);
  return found == object_->end() ? nullptr : &*found;
}

bool Fields::has(std::string_view key) const {
  return find(key) != nullptr;
}

bool Fields::isNull(std::string_view key) const {
  const json* value = find(key);
  return value != nullptr && value->is_null();
}

std::optional<std::int64_t> Fields::integer(std::string_view key) const {
  const json* value = find(key);
  return value == nullptr ? std::nullopt : integerOf(*value);
}

std::optional<std::uint64_t> Fields::bits(std::string_view key, int base) const {
  const json* value = find(key);
  return value == nullptr ? std::nullopt : bitsOf(*value, base);
}

std::optional<double> Fields::number(std::string_view key) const {
  const json* value = find(key);
  return value == nullptr ? std::nullopt : numberOf(*value);
}

std::optional<bool> Fields::flag(std::string_view key) const {
  const json* value = find(key);
  return value != nullptr && value->is_boolean() ? std::optional(value->get<bool>()) : std::nullopt;
}

std::optional<std::string> Fields::text(std::string_view key) const {
  const json* value = find(key);
  return value != nullptr && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> Fields::integers(std::string_view key) const {
  const json* value = find(key);
  return value != nullptr && value->is_object() ? rangeOf(*value) : listOf<std::int64_t>(value, integerOf);
}

std::optional<std::vector<double>> Fields::numbers(std::string_view key) const {
  return listOf<double>(find(key), numberOf);
}

std::optional<std::vector<std::uint64_t>> Fields::words(std::string_view key, int base) const {
  return listOf<std::uint64_t>(find(key), [base](const json& item) { return bitsOf(item, base); });
}

std::optional<std::vector<std::vector<std::int64_t>>> Fields::lists(std::string_view key) const {
  return listOf<std::vector<std::int64_t>>(find(key), integersOf);
}

bool Fields::onlyHas(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, value] : object_->items()) {
    if (std::ranges::find(keys, key) == keys.end()) return false;
  }
  return true;
}

Result<VectorRow> readRow(std::string_view line) {
  json object = json::parse(line, nullptr, false);
  if (!object.is_object()) return noRow("the line is not a JSON object.");
  VectorRow row;
  row.fields = Fields(std::move(object));
  const auto framework = row.fields.text("framework");
  const auto sampler = row.fields.text("sampler");
  const json* params = row.fields.find("params");
  if (!framework || !sampler) return noRow("the row has no 'framework' and 'sampler'.");
  if (params == nullptr || !params->is_object()) return noRow("the row has no object 'params'.");
  row.framework = *framework;
  row.sampler = *sampler;
  row.version = row.fields.text("version").value_or("");
  row.params = Fields(*params);
  if (const json* error = row.fields.find("error")) {
    const Fields raised(error->is_object() ? *error : json::object());
    row.error = VectorRow::Raised{raised.text("type").value_or(""), raised.text("message").value_or("")};
  }
  return row;
}

std::optional<RowWeights> rowWeights(const Fields& params) {
  const json* weights = params.find("weights");
  if (weights == nullptr) return std::nullopt;
  if (weights->is_object()) return ofPattern(Fields(*weights));
  if (!weights->is_array()) return std::nullopt;
  std::vector<double> numbers;
  for (const json& weight : *weights) {
    if (!weight.is_number()) return std::nullopt;
    numbers.push_back(weight.get<double>());
  }
  const auto size = static_cast<std::int64_t>(numbers.size());
  return RowWeights{std::move(numbers), size};
}

std::optional<Shape> shapeOfWeights(const Fields& params) {
  const json* weights = params.find("weights");
  if (weights == nullptr) return std::nullopt;
  if (const auto plain = rowWeights(params)) return Shape{plain->size};
  return shapeOf(*weights);
}

std::optional<bool> usesMkl(const VectorRow& row) {
  if (!row.params.has("math_library")) return false;
  const auto library = row.params.text("math_library");
  if (library != "MKL" && library != "no MKL") return std::nullopt;
  return library == "MKL";
}

}  // namespace shardlens::selftest
