// SPDX-License-Identifier: Apache-2.0
#include "core/capture/probe_reader.h"
#include "core/capture/recognise.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace shardlens::capture {
namespace {

using nlohmann::json;

constexpr int kMostNested = 8;

/// A JSON object; discarded when the text is something else.
json objectOf(std::string_view text) {
  json parsed = json::parse(text.begin(), text.end(), nullptr, false);
  return parsed.is_object() ? parsed : json(json::value_t::discarded);
}

const json* member(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

template <class T>
std::optional<T> get(const json& object, const char* key) {
  const json* const value = member(object, key);
  if (value == nullptr) return std::nullopt;
  if constexpr (std::is_same_v<T, bool>) return value->is_boolean() ? std::optional<T>(value->get<T>()) : std::nullopt;
  if constexpr (std::is_same_v<T, std::string>)
    return value->is_string() ? std::optional<T>(value->get<T>()) : std::nullopt;
  if constexpr (std::is_same_v<T, std::int64_t>) {
    const bool fits = value->is_number_integer() &&
                      (!value->is_number_unsigned() || value->get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
    return fits ? std::optional<T>(value->get<T>()) : std::nullopt;
  }
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return value->is_number_integer() ? std::optional<T>(value->get<T>()) : std::nullopt;
  return std::nullopt;
}

std::optional<GeneratorFacts> generatorOf(const json* object) {
  if (object == nullptr || !object->is_object()) return std::nullopt;
  const auto seed = get<std::uint64_t>(*object, "seed");
  if (!seed) return std::nullopt;
  return GeneratorFacts{*seed, get<bool>(*object, "is_fresh")};
}

std::optional<GeneratorState> stateOf(const json* generators, const char* key) {
  const json* const object = generators == nullptr ? nullptr : member(*generators, key);
  if (object == nullptr || !object->is_object()) return std::nullopt;
  GeneratorState state;
  state.place = get<std::int64_t>(*object, "place").value_or(0);
  const json* const next = member(*object, "next");
  for (std::size_t i = 0; next != nullptr && next->is_array() && i < std::min<std::size_t>(next->size(), 4); ++i) {
    if ((*next)[i].is_number_unsigned()) state.next.push_back((*next)[i].get<std::uint32_t>());
  }
  return state;
}

SamplerFacts::Plain plainOf(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::monostate{};
}

std::vector<double> numbersOf(const json& list) {
  std::vector<double> numbers;
  for (const json& item : list) {
    if (!item.is_number()) return {};
    numbers.push_back(item.get<double>());
  }
  return numbers;
}

/// Of batches in a pass; nothing where the file says none, or what cannot be.
std::optional<std::vector<std::int64_t>> placesOf(const json* list, std::int64_t handed) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (list == nullptr || !list->is_array() || handed > kMost) return std::nullopt;
  std::vector<std::int64_t> places;
  for (const json& item : *list) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > std::uint64_t{kMost}) return std::nullopt;
    places.push_back(item.get<std::int64_t>());
  }
  return places;
}

std::optional<SamplerFacts> samplerOf(const json* object, int depth = 0) {
  if (object == nullptr || !object->is_object() || depth > kMostNested) return std::nullopt;
  SamplerFacts facts;
  facts.type = get<std::string>(*object, "class").value_or("");
  const auto each = [object](const char* key, const auto& use) {
    const json* const found = member(*object, key);
    if (found == nullptr || !found->is_object()) return;
    for (const auto& item : found->items()) use(item.key(), item.value());
  };
  each("values", [&](const std::string& key, const json& value) { facts.values[key] = plainOf(value); });
  each("lists", [&](const std::string& key, const json& value) {
    if (value.is_array()) facts.lists[key] = numbersOf(value);
  });
  each("generators", [&](const std::string& key, const json& value) {
    if (auto generator = generatorOf(&value)) facts.generators[key] = *generator;
  });
  each("samplers", [&](const std::string& key, const json& value) {
    if (auto inner = samplerOf(&value, depth + 1)) facts.samplers[key] = *std::move(inner);
  });
  return facts;
}

DatasetMarks marksOf(const json& dataset) {
  DatasetMarks marks;
  const json* const attributes = member(dataset, "attributes");
  if (attributes == nullptr || !attributes->is_object()) return marks;
  for (const auto& item : attributes->items()) {
    if (item.value().is_string()) marks[item.key()] = item.value().get<std::string>();
  }
  return marks;
}

std::shared_ptr<const SubsetFacts> subsetOf(const json* object) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto made = std::make_shared<SubsetFacts>();
  SubsetFacts& facts = *made;
  facts.type = get<std::string>(*object, "class").value_or("");
  facts.length = get<std::int64_t>(*object, "length");
  facts.marks = marksOf(*object);
  facts.digest = get<std::string>(*object, "digest").value_or("");
  const json* const indices = member(*object, "indices");
  const std::int64_t length = std::max<std::int64_t>(0, facts.length.value_or(0));
  if (indices == nullptr || !indices->is_array()) return made;
  const auto is_id = [&](const json& item) {
    return item.is_number_unsigned() && item.get<std::uint64_t>() < static_cast<std::uint64_t>(length);
  };
  if (!std::ranges::all_of(*indices, is_id)) return made;
  for (const json& item : *indices) facts.indices.push_back(item.get<SampleIndex>());
  return made;
}

/// With batch_size=None, each item of the sampler is loaded as it is: that of a batch sampler is a batch.
void unwrapBatches(LoaderFacts& facts) {
  if (facts.batch_size || facts.batch_sampler || !facts.sampler) return;
  if (!cutsBatches(facts.sampler->type) && !makesBatches(facts.sampler->type)) return;
  facts.batch_sampler = std::move(facts.sampler);
  facts.sampler.reset();
  facts.is_unwrapped = true;
}

}  // namespace

void readProcess(std::string_view message, ProcessFacts& facts) {
  const json object = objectOf(message);
  facts.host = get<std::string>(object, "host").value_or("");
  facts.pid = get<std::int64_t>(object, "pid").value_or(0);
  facts.script = get<std::string>(object, "script").value_or("");
  facts.begun_ns = get<std::int64_t>(object, "begun_ns").value_or(0);
  facts.torch = get<std::string>(object, "torch").value_or("");
  facts.torchdata = get<std::string>(object, "torchdata").value_or("");
  facts.mkl = get<bool>(object, "mkl");
  const json* const environment = member(object, "environment");
  if (environment == nullptr || !environment->is_object()) return;
  for (const auto& item : environment->items()) {
    if (item.value().is_string()) facts.environment[item.key()] = item.value().get<std::string>();
  }
}

std::optional<LoaderFacts> readLoader(std::string_view message) {
  const json object = objectOf(message);
  const auto number = get<std::int64_t>(object, "loader");
  if (!number) return std::nullopt;
  LoaderFacts facts;
  facts.number = *number;
  facts.site = get<std::string>(object, "site").value_or("");
  facts.own_site = get<std::string>(object, "own_site").value_or("");
  if (const json* const dataset = member(object, "dataset")) {
    facts.dataset_type = get<std::string>(*dataset, "class").value_or("");
    facts.is_iterable = get<bool>(*dataset, "is_iterable").value_or(false);
    facts.dataset_length = get<std::int64_t>(*dataset, "length");
    facts.dataset_marks = marksOf(*dataset);
    facts.subset = subsetOf(member(*dataset, "subset"));
  }
  facts.batch_size = get<std::int64_t>(object, "batch_size");
  facts.drop_last = get<bool>(object, "drop_last").value_or(false);
  facts.num_workers = get<std::int64_t>(object, "num_workers").value_or(0);
  facts.prefetch_factor = get<std::int64_t>(object, "prefetch_factor");
  facts.persistent_workers = get<bool>(object, "persistent_workers").value_or(false);
  facts.in_order = get<bool>(object, "in_order").value_or(true);
  facts.worker_init_fn = get<std::string>(object, "worker_init_fn").value_or("");
  facts.worker_init_release = get<std::string>(object, "worker_init_release").value_or("");
  facts.generator = generatorOf(member(object, "generator"));
  facts.sampler = samplerOf(member(object, "sampler"));
  facts.batch_sampler = samplerOf(member(object, "batch_sampler"));
  facts.shares_generator = get<bool>(object, "shares_generator").value_or(false);
  facts.dispatcher = samplerOf(member(object, "dispatcher"));
  unwrapBatches(facts);
  return facts;
}

std::optional<PassFacts> readPass(std::string_view message) {
  const json object = objectOf(message);
  const auto number = get<std::int64_t>(object, "pass");
  if (!number) return std::nullopt;
  PassFacts facts;
  facts.number = *number;
  facts.loader = get<std::int64_t>(object, "loader").value_or(-1);
  facts.time_ns = get<std::int64_t>(object, "time_ns").value_or(0);
  facts.has_set_epoch = get<bool>(object, "has_set_epoch").value_or(false);
  facts.epoch = get<std::int64_t>(object, "epoch");
  facts.set_epoch_calls = get<std::int64_t>(object, "set_epoch_calls").value_or(0);
  facts.torch_seed = get<std::uint64_t>(object, "torch_seed").value_or(0);
  facts.torch_seeded = get<bool>(object, "torch_seeded");
  facts.numpy = stateOf(member(object, "generators"), "numpy");
  facts.random = stateOf(member(object, "generators"), "random");
  facts.grad = get<bool>(object, "grad").value_or(true);
  if (const json* const place = member(object, "distributed")) {
    const auto rank = get<std::int64_t>(*place, "rank");
    const auto world_size = get<std::int64_t>(*place, "world_size");
    if (rank && world_size) facts.distributed = RankPlace{*rank, *world_size};
  }
  return facts;
}

std::optional<PassFacts> readPassNews(std::string_view message) {
  const json object = objectOf(message);
  const auto number = get<std::int64_t>(object, "pass");
  if (!number) return std::nullopt;
  PassFacts facts;
  facts.number = *number;
  facts.drawn = get<std::int64_t>(object, "drawn").value_or(0);
  facts.handed = get<std::int64_t>(object, "handed");
  facts.failed = placesOf(member(object, "failed"), facts.handed.value_or(0));
  facts.open = get<bool>(object, "open");
  facts.beside = get<std::int64_t>(object, "beside");
  facts.exhausted = get<bool>(object, "exhausted").value_or(false);
  facts.ended = get<bool>(object, "ended").value_or(false);
  if (get<bool>(object, "quiet").value_or(false)) facts.quiet = get<bool>(object, "asking").value_or(false);
  facts.grad_at_end = get<bool>(object, "grad");
  facts.backwards = get<std::int64_t>(object, "backwards").value_or(0);
  facts.order_seed = get<std::uint64_t>(object, "order_seed");
  facts.base_seed = get<std::uint64_t>(object, "base_seed");
  return facts;
}

std::int64_t readEndTime(std::string_view message) {
  return get<std::int64_t>(objectOf(message), "time_ns").value_or(0);
}

void readTrouble(std::string_view message, ProcessFacts& facts) {
  const json object = objectOf(message);
  facts.troubles = get<std::int64_t>(object, "count").value_or(1);
  facts.first_trouble = get<std::string>(object, "first").value_or("");
}

}  // namespace shardlens::capture
