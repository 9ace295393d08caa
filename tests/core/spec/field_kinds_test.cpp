// SPDX-License-Identifier: Apache-2.0
// What each kind of field takes, refuses, reads and shows.
#include "core/spec/field.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace shardlens;

namespace {

struct Kind {
  const char* name;
  Field field;
  std::vector<Value> good;   ///< each survives being shown and typed back
  std::vector<Value> wrong;  ///< of another kind, out of range, no choice
  std::vector<std::string> not_text;
};

const double kNaN = std::nan("");

// Not inlined: GCC 12 takes many lists inside one list for a wrong delete.
[[gnu::noinline]] Value ints(std::vector<std::int64_t> items) {
  return IndexList(std::move(items));
}

[[gnu::noinline]] Value reals(std::vector<double> items) {
  return NumberList(std::move(items));
}

std::vector<Kind> kinds() {
  using K = FieldKind;
  using T = std::string;
  const auto of = [](K kind, std::int64_t min, std::int64_t max, std::vector<T> choices = {}) {
    return Field{.path = "a.b", .kind = kind, .min = min, .max = max, .choices = std::move(choices)};
  };
  const auto n = [](std::int64_t number) { return Value(number); };
  std::vector<Kind> kinds;
  const auto add = [&kinds](const char* name, Field field, std::vector<Value> good, std::vector<Value> wrong,
                            std::vector<T> not_text) {
    kinds.push_back({name, std::move(field), std::move(good), std::move(wrong), std::move(not_text)});
  };
  add("Bool", of(K::Bool, 0, 0), {true, false}, {n(1), T("true")}, {"", "2", "maybe"});
  add("Int", of(K::Int, -5, 99), {n(-5), n(0), n(99)}, {n(-6), n(100), 1.0, T("1"), true}, {"", "x", "1.5", "100"});
  add("Float", of(K::Float, 0, 10), {0.0, 0.1, 10.0, 1e-300}, {-0.1, 10.5, kNaN, n(1), T("1")}, {"", "x", "nan", "11"});
  add("Choice", of(K::Choice, 0, 0, {"load", "compute"}), {T("load"), T("compute")}, {T("Load"), T(""), n(0)},
      {"", "lod"});
  add("Text", of(K::Text, 0, 0), {T("a b"), T(""), T("\u00e4: #")}, {n(1), true, ints({})}, {});
  add("IntOrName", of(K::IntOrName, 1, 8, {"none"}), {n(1), n(8), T("none")}, {n(0), T("nine"), 1.0},
      {"", "9", "nome"});
  add("IntOrList", of(K::IntOrList, 1, 8), {n(1), ints({2, 1}), ints({8})}, {n(0), ints({}), ints({9, 1}), T("2")},
      {"", "9", "2, 0", "x"});
  add("Indices", of(K::Indices, 0, 50), {ints({}), ints({50, 0, 0})}, {ints({51}), ints({-1}), reals({1}), n(1)},
      {"x", "1.5", "3..", "[51]"});
  add("Numbers", of(K::Numbers, 0, 5, {"uniform"}), {reals({}), reals({0.25, 5}), T("uniform")},
      {reals({5.5}), reals({kNaN}), ints({1}), T("unifrom")}, {"x", "[6]"});
  add("Lists", of(K::Lists, 0, 9), {T(""), T("[[0, 1], [9]]"), T("[[1.0, 2.5]]")},
      {T("[[10]]"), T("[[]]"), T("[1, [2]]"), ints({1})}, {"x", "[1", "[[1], 2]", "[[1], [10]]"});
  return kinds;
}

}  // namespace

TEST_CASE("each kind takes its own values, and what it shows can be typed back") {
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.name);
    for (const Value& value : kind.good) {
      CAPTURE(valueText(value));
      CHECK_FALSE(checkValue(kind.field, value));
      const auto back = parseValue(kind.field, valueText(value));
      REQUIRE(back);
      CHECK(*back == value);
    }
  }
}

TEST_CASE("each kind refuses what is of another kind, out of range or no choice, and says where") {
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.name);
    for (const Value& value : kind.wrong) {
      CAPTURE(valueText(value));
      const auto error = checkValue(kind.field, value);
      REQUIRE(error);
      CHECK(error->place.field == "a.b");
      CHECK_FALSE(error->message.empty());
    }
    for (const std::string& text : kind.not_text) {
      CAPTURE(text);
      CHECK_FALSE(parseValue(kind.field, text));
    }
  }
}

TEST_CASE("a list with a wrong item names the first one") {
  const Field indices{.path = "a.b", .kind = FieldKind::Indices, .min = 0, .max = 50};
  CHECK(checkValue(indices, IndexList{1, 51, 99})->message == "item 1 is 51: each must be from 0 to 50.");
  const Field numbers{.path = "a.b", .kind = FieldKind::Numbers, .min = 0, .max = 5};
  CHECK(checkValue(numbers, NumberList{1, 2, kNaN})->message.find("item 2 is") == 0);
}

TEST_CASE("a long list is shown cut, with the number of its items") {
  CHECK(valueText(IndexList{1, 2, 3, 4, 5, 6, 7}) == "[1, 2, 3, 4, 5, 6, ... 7 items]");
  CHECK(valueText(NumberList{0.5}) == "[0.5]");
}

TEST_CASE("key and section are the ends of the path") {
  const Field deep{.path = "framework.lightning.stage"};
  CHECK(deep.key() == "stage");
  CHECK(deep.section() == "framework.lightning");
  CHECK(Field{.path = "epochs"}.section().empty());
  CHECK(itemField({.path = "run.delays"}, 3, {.path = "ms"}).path == "run.delays[3].ms");
}
