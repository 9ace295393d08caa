// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

namespace shardlens::sampling {

/// The parameters of a Python constructor, without self; each may be given by its place or its name.
struct PySignature {
  struct Parameter {
    std::string name;
    bool required = false;
  };
  std::vector<Parameter> parameters;
  bool var_keywords = false;  ///< it takes **kwargs

  [[nodiscard]] bool has(const std::string& name) const;
};

/// How a script called a constructor: the names that its positional arguments fall on, and its keywords.
struct PyCall {
  std::vector<std::string> positional;
  std::vector<std::string> keywords;

  [[nodiscard]] bool gives(const std::string& name) const;
};

/// How arguments do not fit a constructor, in the order in which CPython looks.
enum class PyMisfit { None, UnexpectedKeyword, GivenTwice, TooMany, Missing };

/// What comes of a call: the misfit, and the TypeError that CPython (3.11 to 3.13) raises for it, without its
/// suggestions of similar names.
struct PyCallOutcome {
  PyMisfit misfit = PyMisfit::None;
  Error error = {};  ///< empty where there is no misfit
};

/// Calls class_name(*positional, **keywords).
PyCallOutcome checkCall(const std::string& class_name, const PySignature& signature, std::size_t positional,
                        std::span<const std::string> keywords);

/// ['a', 'b']: repr() of a list of names.
std::string pyList(std::span<const std::string> names);

}  // namespace shardlens::sampling
