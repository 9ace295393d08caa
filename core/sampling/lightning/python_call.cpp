// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/python_call.h"

#include "core/base/text.h"
#include "core/sampling/python.h"

#include <algorithm>

namespace shardlens::sampling {
namespace {

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string inQuotes(const std::string& name) {
  return "'" + name + "'";
}

/// 'a' and 'b'; 'a', 'b', and 'c'.
std::string enumerated(std::span<const std::string> names) {
  std::vector<std::string> parts;
  std::ranges::transform(names, std::back_inserter(parts), inQuotes);
  if (parts.size() < 2) return join(parts, "");
  if (parts.size() == 2) return parts[0] + " and " + parts[1];
  parts.back() = "and " + parts.back();
  return join(parts, ", ");
}

PyCallOutcome typeError(PyMisfit misfit, const std::string& class_name, const std::string& what) {
  return {misfit, raised("TypeError", class_name + ".__init__() " + what)};
}

PyCallOutcome checkKeyword(const std::string& class_name, const PySignature& signature, std::size_t positional,
                           const std::string& keyword) {
  const auto found = std::ranges::find(signature.parameters, keyword, &PySignature::Parameter::name);
  if (found == signature.parameters.end()) {
    if (signature.var_keywords) return {};
    return typeError(PyMisfit::UnexpectedKeyword, class_name,
                     "got an unexpected keyword argument " + inQuotes(keyword));
  }
  const auto place = static_cast<std::size_t>(found - signature.parameters.begin());
  if (place >= positional) return {};
  return typeError(PyMisfit::GivenTwice, class_name, "got multiple values for argument " + inQuotes(keyword));
}

/// "takes from 1 to 3 positional arguments but 4 were given": self counts on both sides.
std::string tooMany(const PySignature& signature, std::size_t positional) {
  const auto required =
      static_cast<std::size_t>(std::ranges::count_if(signature.parameters, &PySignature::Parameter::required));
  const std::size_t most = signature.parameters.size() + 1;
  const bool range = required + 1 < most;
  return std::string("takes ") + (range ? "from " + std::to_string(required + 1) + " to " : "") + std::to_string(most) +
         " positional argument" + (most == 1 && !range ? "" : "s") + " but " + std::to_string(positional + 1) +
         (positional == 0 ? " was given" : " were given");
}

}  // namespace

bool PySignature::has(const std::string& name) const {
  return std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
}

bool PyCall::gives(const std::string& name) const {
  return contains(positional, name) || contains(keywords, name);
}

PyCallOutcome checkCall(const std::string& class_name, const PySignature& signature, std::size_t positional,
                        std::span<const std::string> keywords) {
  for (const std::string& keyword : keywords) {
    auto outcome = checkKeyword(class_name, signature, positional, keyword);
    if (outcome.misfit != PyMisfit::None) return outcome;
  }
  if (positional > signature.parameters.size())
    return typeError(PyMisfit::TooMany, class_name, tooMany(signature, positional));
  std::vector<std::string> missing;
  for (std::size_t place = positional; place < signature.parameters.size(); ++place) {
    const auto& parameter = signature.parameters[place];
    if (parameter.required && !contains(keywords, parameter.name)) missing.push_back(parameter.name);
  }
  if (missing.empty()) return {};
  return typeError(PyMisfit::Missing, class_name,
                   "missing " + std::to_string(missing.size()) + " required positional argument" +
                       (missing.size() == 1 ? "" : "s") + ": " + enumerated(missing));
}

std::string pyList(std::span<const std::string> names) {
  std::vector<std::string> parts;
  std::ranges::transform(names, std::back_inserter(parts), inQuotes);
  return "[" + join(parts, ", ") + "]";
}

}  // namespace shardlens::sampling
