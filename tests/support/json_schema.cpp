// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_schema.h"

#include "tests/support/places.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <exception>
#include <fstream>

namespace shardlens::test {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

std::string problems(const nlohmann::json& document, const std::string& name) {
  const nlohmann::json definition =
      nlohmann::json::parse(std::ifstream(test::sourceDir() + "/resources/schemas/" + name));
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(definition), schema);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(schema, Adapter(document), &results)) return "";
  std::string out;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& step : error.context) out += step;
    out += ": " + error.description + "\n";
  }
  return out.empty() ? "invalid\n" : out;
}

}  // namespace

std::string schemaProblems(const nlohmann::json& document, const std::string& name) {
  try {
    return problems(document, name);
  } catch (const std::exception& exception) {
    return name + ": " + exception.what() + "\n";
  }
}

std::string schemaProblemsOfText(const std::string& text, const std::string& name) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  return document.is_discarded() ? "this is no JSON: " + text.substr(0, 80) + "\n" : schemaProblems(document, name);
}

}  // namespace shardlens::test
