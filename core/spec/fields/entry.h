// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace shardlens::fields {

constexpr std::int64_t kMostSamples = 4'000'000'000;
constexpr std::int64_t kMostRanks = 100'000;

/// A row of the field table: a field with the place of its value inside the spec.
struct Entry {
  Field field;
  Value (*get)(const PipelineSpec&);
  void (*set)(PipelineSpec&, const Value&);
};

/// What a path of member pointers leads to: memberOf<&PipelineSpec::loader, &PipelineSpec::Loader::batch_size>(spec).
template <auto First, auto... Rest, class Object>
auto& memberOf(Object& object) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*First;
  } else {
    return memberOf<Rest...>(object.*First);
  }
}

/// The kind that the field names, or that a member of this type has; a text with choices is one of them.
template <class Member>
FieldKind kindOf(const Field& field) {
  if (field.kind != FieldKind::Int) return field.kind;
  if (std::is_same_v<Member, bool>) return FieldKind::Bool;
  if (std::is_same_v<Member, double>) return FieldKind::Float;
  if (std::is_same_v<Member, IndexList>) return FieldKind::Indices;
  if (std::is_same_v<Member, std::string>) return field.choices.empty() ? FieldKind::Text : FieldKind::Choice;
  return FieldKind::Int;
}

/// The row of a field whose value is the member at `Path`; its fallback is what a fresh spec holds there, and its kind
/// follows from the member's type.
template <auto... Path>
Entry row(Field field) {
  using Member = std::remove_cvref_t<decltype(memberOf<Path...>(std::declval<PipelineSpec&>()))>;
  const PipelineSpec fresh;
  field.kind = kindOf<Member>(field);
  field.fallback = memberOf<Path...>(fresh);
  return {std::move(field), [](const PipelineSpec& spec) { return Value(memberOf<Path...>(spec)); },
          [](PipelineSpec& spec, const Value& value) {
            if constexpr (std::is_same_v<Member, Value>) {
              memberOf<Path...>(spec) = value;
            } else {
              memberOf<Path...>(spec) = std::get<Member>(value);
            }
          }};
}

/// An item of a list of records: its field, whose path is the key alone, and its place in `Object`.
template <class Object>
struct Item {
  Field field;
  Value (*get)(const Object&);
  void (*set)(Object&, const Value&);
};

/// The item whose value is `Member` of an object; its fallback is what a fresh object holds there, and its kind follows
/// from the member's type.
template <auto Member, class Object>
Item<Object> item(Field field) {
  using Type = std::remove_cvref_t<decltype(std::declval<Object&>().*Member)>;
  const Object fresh;
  field.kind = kindOf<Type>(field);
  field.fallback = fresh.*Member;
  return {std::move(field), [](const Object& object) { return Value(object.*Member); },
          [](Object& object, const Value& value) {
            if constexpr (std::is_same_v<Type, Value>) {
              object.*Member = value;
            } else {
              object.*Member = std::get<Type>(value);
            }
          }};
}

/// The objects as records that say every key, and back.
template <class Object>
Value recordsOf(const std::vector<Object>& objects, const std::vector<Item<Object>>& items) {
  std::vector<Record> records;
  for (const Object& object : objects) {
    Record& record = records.emplace_back();
    for (const Item<Object>& item : items) record.values.emplace_back(item.field.path, item.get(object));
  }
  return RecordList(std::move(records));
}

template <class Object>
std::vector<Object> objectsOf(const Value& value, const std::vector<Item<Object>>& items) {
  std::vector<Object> objects;
  for (const Record& record : std::get<RecordList>(value)) {
    Object& object = objects.emplace_back();
    for (const Item<Object>& item : items) {
      if (const Value* given = record.find(item.field.path)) item.set(object, *given);
    }
  }
  return objects;
}

template <class Object>
std::vector<Field> fieldsOf(const std::vector<Item<Object>>& items) {
  std::vector<Field> fields;
  fields.reserve(items.size());
  for (const Item<Object>& item : items) fields.push_back(item.field);
  return fields;
}

/// The whole table, in the order of the file: every key that does not depend on the sampler's type.
const std::vector<Entry>& entries();

/// The row of the field at `path`, or null.
const Entry* findEntry(const std::string& path);

}  // namespace shardlens::fields
