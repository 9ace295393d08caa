// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace shardlens::test {

/// Everything in which `document` breaks resources/schemas/<name>, one line each; empty when it holds. A schema that
/// cannot be read is such a line too. Link shardlens_test_schema.
std::string schemaProblems(const nlohmann::json& document, const std::string& name);

/// The same for a JSON text, which may itself be broken.
std::string schemaProblemsOfText(const std::string& text, const std::string& name);

}  // namespace shardlens::test
