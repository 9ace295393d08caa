// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch_arguments.h"

#include <array>
#include <charconv>

namespace shardlens::sampling {
namespace {

std::string floatText(double number) {
  std::array<char, 32> text{};
  std::string out(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
  return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

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

Result<void> checkWorkers(const LoaderArguments& arguments) {
  const bool prefetches = !std::holds_alternative<std::monostate>(arguments.prefetch_factor);
  if (arguments.num_workers < 0) {
    return valueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
                      "loader.num_workers");
  }
  if (arguments.num_workers == 0 && prefetches) {
    return valueError(
        "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
        "multiprocessing, otherwise set prefetch_factor to None.",
        "loader.prefetch_factor");
  }
  if (arguments.persistent_workers && arguments.num_workers == 0) {
    return valueError("persistent_workers option needs num_workers > 0", "loader.persistent_workers");
  }
  return {};
}

}  // namespace

std::string pyText(const PyValue& value) {
  struct Visitor {
    std::string operator()(std::monostate /*none*/) const { return "None"; }
    std::string operator()(bool flag) const { return flag ? "True" : "False"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return floatText(number); }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Visitor{}, value);
}

Error raised(std::string type, std::string message, std::string field, std::string hint) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, std::move(field)}, std::move(hint),
               std::move(type)};
}

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
  arguments.persistent_workers = spec.loader.persistent_workers;
  return checkLoader(arguments);
}

}  // namespace shardlens::sampling
