// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/arguments.h"

#include <string_view>
#include <utility>

namespace shardlens::sampling {
namespace {

bool isPositiveInt(const PyValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr && *number > 0;
}

/// bool() of Python.
bool isTrue(const PyValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number != 0;
  return std::holds_alternative<double>(value) ? std::get<double>(value) != 0
                                               : !std::holds_alternative<std::monostate>(value);
}

Error valueError(std::string message, std::string field = {}) {
  return raised("ValueError", std::move(message), std::move(field));
}

/// "(2, 1)", as Python shows a tuple.
std::string tupleText(const std::vector<std::int64_t>& numbers) {
  std::string text = "(";
  for (std::size_t i = 0; i < numbers.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

constexpr std::string_view kPrefetchesWithoutWorkers =
    "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing";

std::optional<double> numberOf(const PyValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

/// What Python says of comparing something else with an int by this operator.
Error notComparable(const char* comparison, const PyValue& value) {
  const std::string type = std::holds_alternative<std::monostate>(value) ? "NoneType" : "str";
  return raised("TypeError",
                "'" + std::string(comparison) + "' not supported between instances of '" + type + "' and 'int'",
                "loader.prefetch_factor");
}

/// torch 1.13, where the default was 2.
Result<void> checkOldPrefetch(const LoaderArguments& arguments) {
  const PyValue given = arguments.prefetch_factor.value_or(std::int64_t{2});
  const auto factor = numberOf(given);
  if (arguments.num_workers == 0 && factor != 2.0) {
    return valueError(std::string(kPrefetchesWithoutWorkers) + ".", "loader.prefetch_factor");
  }
  if (!factor) return notComparable(">", given);
  return *factor > 0 ? Result<void>() : raised("AssertionError", "", "loader.prefetch_factor");
}

Result<void> checkPrefetch(const LoaderArguments& arguments) {
  if (arguments.release == "1.13") return checkOldPrefetch(arguments);
  const PyValue given = arguments.prefetch_factor.value_or(PyValue());
  if (std::holds_alternative<std::monostate>(given)) return {};
  if (arguments.num_workers == 0) {
    return valueError(std::string(kPrefetchesWithoutWorkers) + ", otherwise set prefetch_factor to None.",
                      "loader.prefetch_factor");
  }
  const auto factor = numberOf(given);
  if (!factor) return notComparable("<", given);
  if (*factor >= 0) return {};
  return valueError("prefetch_factor option should be non-negative", "loader.prefetch_factor");
}

Result<void> checkWorkers(const LoaderArguments& arguments) {
  if (arguments.num_workers < 0) {
    return valueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
                      "loader.num_workers");
  }
  if (auto prefetch = checkPrefetch(arguments); !prefetch) return prefetch;
  if (arguments.persistent_workers && arguments.num_workers == 0) {
    return valueError("persistent_workers option needs num_workers > 0", "loader.persistent_workers");
  }
  return {};
}

}  // namespace

Result<void> checkBatchSampler(const PyValue& batch_size, const PyValue& drop_last) {
  if (!isPositiveInt(batch_size)) {
    return valueError("batch_size should be a positive integer value, but got batch_size=" + pyText(batch_size),
                      "loader.batch_size");
  }
  if (!std::holds_alternative<bool>(drop_last)) {
    return valueError("drop_last should be a boolean value, but got drop_last=" + pyText(drop_last),
                      "loader.drop_last");
  }
  return {};
}

Result<void> checkRandomSampler(std::int64_t size, const PyValue& replacement, const PyValue& num_samples) {
  if (!std::holds_alternative<bool>(replacement)) {
    return raised("TypeError", "replacement should be a boolean value, but got replacement=" + pyText(replacement),
                  "sampler.replacement");
  }
  const bool whole = std::holds_alternative<std::monostate>(num_samples);
  const PyValue count = whole ? PyValue(size) : num_samples;
  if (isPositiveInt(count)) return {};
  return valueError("num_samples should be a positive integer value, but got num_samples=" + pyText(count),
                    whole ? "dataset.size" : "sampler.num_samples");
}

Result<void> checkWeightedRandomSampler(const PyValue& num_samples, const PyValue& replacement,
                                        const std::vector<std::int64_t>& shape) {
  if (!isPositiveInt(num_samples)) {
    return valueError("num_samples should be a positive integer value, but got num_samples=" + pyText(num_samples),
                      "sampler.num_samples");
  }
  if (!std::holds_alternative<bool>(replacement)) {
    return valueError("replacement should be a boolean value, but got replacement=" + pyText(replacement),
                      "sampler.replacement");
  }
  if (shape.size() == 1) return {};
  return valueError("weights should be a 1d sequence but given weights have shape " + tupleText(shape),
                    "sampler.weights");
}

Error seedOverflow(std::string_view release, std::string field, std::string hint) {
  const bool old = release == "1.13" || release == "2.6";
  return old ? raised("RuntimeError", "Overflow when unpacking long", std::move(field), std::move(hint))
             : raised("ValueError", "Overflow when unpacking long long", std::move(field), std::move(hint));
}

Result<void> checkLoader(const LoaderArguments& arguments) {
  if (auto workers = checkWorkers(arguments); !workers) return workers;
  if (arguments.has_sampler && arguments.shuffle) {
    return valueError("sampler option is mutually exclusive with shuffle");
  }
  const bool drops = isTrue(arguments.drop_last);
  if (arguments.has_batch_sampler) {
    const bool plain = arguments.batch_size == PyValue(std::int64_t{1});
    if (plain && !arguments.shuffle && !arguments.has_sampler && !drops) return {};
    return valueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last");
  }
  if (!std::holds_alternative<std::monostate>(arguments.batch_size)) {
    return checkBatchSampler(arguments.batch_size, arguments.drop_last);
  }
  if (!drops) return {};
  return valueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last");
}

Result<void> checkLoader(const PipelineSpec& spec) {
  LoaderArguments arguments;
  arguments.batch_size = spec.loader.batch_size;
  arguments.drop_last = spec.loader.drop_last;
  arguments.has_sampler = true;
  arguments.num_workers = spec.loader.num_workers;
  if (spec.loader.num_workers > 0) arguments.prefetch_factor = spec.loader.prefetch_factor;
  arguments.release = spec.framework.torch;
  arguments.persistent_workers = spec.loader.persistent_workers;
  return checkLoader(arguments);
}

}  // namespace shardlens::sampling
