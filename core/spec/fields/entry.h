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

/// The row of a field whose value is the member at `Path`; its fallback is what a fresh spec holds there.
template <auto... Path>
Entry row(Field field) {
  using Member = std::remove_cvref_t<decltype(memberOf<Path...>(std::declval<PipelineSpec&>()))>;
  const PipelineSpec fresh;
  field.fallback = memberOf<Path...>(fresh);
  return {std::move(field), [](const PipelineSpec& spec) { return Value(memberOf<Path...>(spec)); },
          [](PipelineSpec& spec, const Value& value) { memberOf<Path...>(spec) = std::get<Member>(value); }};
}

/// The whole table, in the order of the file: every key that does not depend on the sampler's type.
const std::vector<Entry>& entries();

/// The row of the field at `path`, or null.
const Entry* findEntry(const std::string& path);

/// The rows of each section, in the order of the file. One source file each, beside this one.
std::vector<Entry> dataset();
std::vector<Entry> world();
std::vector<Entry> loader();
std::vector<Entry> seeds();
std::vector<Entry> framework();
std::vector<Entry> run();

}  // namespace shardlens::fields
