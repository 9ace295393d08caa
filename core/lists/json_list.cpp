// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lists/list_reading.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardlens::lists {
namespace {

using nlohmann::json;

/// Hands the numbers of one array over as they are read: no tree of a hundred million nodes is built.
class NumbersOfArray : public nlohmann::json_sax<json> {
 public:
  NumbersOfArray(ItemSink& sink, const Work& work, std::size_t bytes) : sink_(sink), work_(work), bytes_(bytes) {}

  bool null() override { return refuse("null"); }
  bool boolean(bool value) override { return refuse(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return take(static_cast<std::int64_t>(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return value > kMost ? refuse(std::to_string(value)) : take(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return take(value); }
  bool string(string_t& value) override { return refuse(shownItem(value)); }
  bool binary(binary_t& /*value*/) override { return refuse(worded("list", "a binary value")); }
  bool start_object(std::size_t /*size*/) override {
    return stop(worded("list", "It holds an object: a list is one array of numbers."));
  }
  bool key(string_t& /*value*/) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*size*/) override {
    return ++depth_ == 1 || stop(worded("list", "It holds an array inside another: a list is one array of numbers."));
  }
  bool end_array() override { return --depth_ == 0; }
  bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& /*error*/) override {
    broken_at_ = position;
    return false;
  }

  [[nodiscard]] std::optional<std::size_t> brokenAt() const { return broken_at_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  template <class Number>
  bool take(Number number) {
    if (depth_ == 0) return stop(worded("list", "It is a single number: a list is one array of numbers."));
    sink_.take(number, {false, items_});
    return counted();
  }
  bool refuse(const std::string& value) {
    if (depth_ == 0) return stop(filled(worded("list", "It is %1: a list is one array of numbers."), value));
    sink_.refuse(filled(worded("list", "%1 is not a number that a list can hold."), value), {false, items_});
    return counted();
  }
  bool counted() {
    constexpr double kBytesOfItem = 8;  // a guess: the parser does not say where it is
    const double part = static_cast<double>(++items_) * kBytesOfItem / static_cast<double>(bytes_ + 1);
    return sink_.goesOn(std::min(part, 1.0), work_) && !sink_.isFull();
  }
  bool stop(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  ItemSink& sink_;
  const Work& work_;
  std::size_t bytes_;
  std::int64_t items_ = 0;
  int depth_ = 0;
  std::optional<std::size_t> broken_at_;
  std::string problem_;
};

}  // namespace

Result<void> readJson(std::string_view bytes, ItemSink& sink, const Work& work) {
  NumbersOfArray numbers(sink, work, bytes.size());
  json::sax_parse(bytes.begin(), bytes.end(), &numbers);
  if (work.stopped()) return cancelled();
  if (!numbers.problem().empty()) return Error{ErrorCode::BadInput, numbers.problem(), {}, ""};
  if (!numbers.brokenAt()) return {};
  const std::size_t at = std::min(*numbers.brokenAt(), bytes.size());
  const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return Error{ErrorCode::BadInput,
               filled(worded("list", "It is not JSON: line %1 cannot be read."), std::to_string(line)),
               {},
               ""};
}

}  // namespace shardlens::lists
