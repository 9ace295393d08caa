// SPDX-License-Identifier: Apache-2.0
// resources/schemas/spec.schema.json is what editors check spec files with. It follows from the field table; run this
// test with SHARDLENS_UPDATE=1 to write it anew after a field or a sampler was added.
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/spec_writer.h"
#include "core/yaml/tree.h"
#include "tests/core/spec/blend.h"
#include "tests/core/yaml/random_spec.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace shardlens;
using Json = nlohmann::ordered_json;

namespace {

const std::string kFile = test::sourceDir() + "/resources/schemas/spec.schema.json";

void addRange(Json& json, const Field& field) {
  if (field.min != std::numeric_limits<std::int64_t>::min()) json["minimum"] = field.min;
  if (field.max != std::numeric_limits<std::int64_t>::max()) json["maximum"] = field.max;
}

Json integerOf(const Field& field) {
  Json json = {{"type", "integer"}};
  addRange(json, field);
  return json;
}

Json indicesOf(const Field& field) {
  const Json index = integerOf(field);
  const Json range = {{"type", "array"}, {"items", {{"type", "integer"}}}, {"minItems", 2}, {"maxItems", 2}};
  const Json repeated = {{"type", "string"}, {"pattern", "^[0-9]+ *x *-?[0-9]+$"}};
  return {{"oneOf",
           {{{"type", "array"}, {"items", {{"oneOf", {index, repeated}}}}},
            repeated,
            {{"type", "object"},
             {"required", {"range"}},
             {"additionalProperties", false},
             {"properties", {{"range", range}}}}}}};
}

Json fieldSchema(const Field& field);

Json recordOf(const Field& field) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& item : field.items) {
    properties[item.path] = fieldSchema(item);
    if (item.required) required.push_back(item.path);
  }
  return {{"type", "object"}, {"required", required}, {"additionalProperties", false}, {"properties", properties}};
}

struct AsJson {
  template <class Plain>
  Json operator()(const Plain& value) const {
    return value;
  }
  template <class Item>
  Json operator()(const SharedList<Item>& list) const {
    return list.items();
  }
  Json operator()(const RecordList& list) const {
    REQUIRE(list.empty());
    return Json::array();
  }
};

Json kindOf(const Field& field) {
  switch (field.kind) {
    case FieldKind::Bool:
      return {{"type", "boolean"}};
    case FieldKind::Int:
      return integerOf(field);
    case FieldKind::Float: {
      Json json = {{"type", "number"}};
      addRange(json, field);
      return json;
    }
    case FieldKind::Choice:
      return {{"enum", field.choices}};
    case FieldKind::IntOrName:
      return {{"oneOf", {integerOf(field), {{"enum", field.choices}}}}};
    case FieldKind::IntOrList:
      return {{"oneOf", {integerOf(field), indicesOf(field)}}};
    case FieldKind::Indices:
      return indicesOf(field);
    case FieldKind::Numbers: {
      Json number = {{"type", "number"}};
      addRange(number, field);
      const Json list = {{"type", "array"}, {"items", number}};
      return field.choices.empty() ? list : Json{{"oneOf", {list, {{"enum", field.choices}}}}};
    }
    case FieldKind::Lists: {
      Json number = {{"type", "number"}};
      addRange(number, field);
      return {{"type", "array"}, {"items", {{"type", "array"}, {"minItems", 1}, {"items", number}}}};
    }
    case FieldKind::Records:
      return {{"type", "array"}, {"maxItems", kMostRecords}, {"items", recordOf(field)}};
    case FieldKind::Text:
      break;
  }
  return {{"type", "string"}};
}

Json fieldSchema(const Field& field) {
  Json json = kindOf(field);
  if (!field.required)
    json["default"] = field.kind == FieldKind::Lists ? Json::array() : std::visit(AsJson(), field.fallback);
  if (!field.help.empty()) json["description"] = field.unit.empty() ? field.help : field.help + " (" + field.unit + ")";
  return json;
}

Json sectionSchema(const yaml::LayoutItem& section);

Json itemSchema(const yaml::LayoutItem& item) {
  return item.field == nullptr ? sectionSchema(item) : fieldSchema(*item.field);
}

Json sectionSchema(const yaml::LayoutItem& section) {
  Json properties = Json::object();
  for (const yaml::LayoutItem& child : section.children) properties[child.key] = itemSchema(child);
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

/// One alternative for each sampler: its own type and its own parameters.
Json samplerSchema(SamplerCatalogue catalogue) {
  Json alternatives = Json::array();
  for (const SamplerInfo& info : catalogue) {
    PipelineSpec spec;
    spec.sampler.type = info.type;
    Json json = sectionSchema(*yaml::layoutOf(spec, catalogue).find("sampler"));
    json["properties"]["type"] = {{"const", info.type}};
    if (info.type != PipelineSpec{}.sampler.type) json["required"] = {"type"};
    json["description"] = info.summary;
    alternatives.push_back(json);
  }
  return {{"oneOf", alternatives}};
}

Json specSchema() {
  Json json = {
      {"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "ShardLens spec"}, {"required", {"shardlens"}}};
  json.update(sectionSchema(yaml::layoutOf(PipelineSpec{}, sampling::catalogue())));
  Json properties = {{"shardlens", {{"const", yaml::kVersion}, {"description", "Version of the file format."}}}};
  properties.update(json["properties"]);
  properties["sampler"] = samplerSchema(sampling::catalogue());
  json["properties"] = properties;
  return json;
}

/// What a JSON reader of YAML 1.2 makes out of the tree.
nlohmann::json asJson(const yaml::TreeNode& node) {
  nlohmann::json out;
  if (node.kind == yaml::TreeNode::Kind::Sequence) {
    out = nlohmann::json::array();
    for (const yaml::TreeNode& item : node.items) out.push_back(asJson(item));
  } else if (node.kind == yaml::TreeNode::Kind::Map) {
    out = nlohmann::json::object();
    for (std::size_t i = 0; i < node.items.size(); i += 2) out[node.items[i].text] = asJson(node.items[i + 1]);
  } else if (node.kind == yaml::TreeNode::Kind::Scalar) {
    out = node.quoted ? nlohmann::json(node.text) : nlohmann::json::parse(node.text, nullptr, false);
    if (out.is_discarded()) out = node.text;
  }
  return out;
}

std::string problems(const std::string& text) {
  const yaml::Tree tree = yaml::parseTree(text, yaml::Lines(text, {}));
  REQUIRE(tree.issues.empty());
  return test::schemaProblems(asJson(tree.root), "spec.schema.json");
}

}  // namespace

TEST_CASE("the schema of spec files is the one of the field table") {
  const std::string wanted = specSchema().dump(1) + "\n";
  if (std::getenv("SHARDLENS_UPDATE") != nullptr) test::spill(kFile, wanted);
  INFO("write it anew with SHARDLENS_UPDATE=1 test_yaml_schema");
  CHECK((test::slurp(kFile) == wanted));
}

TEST_CASE("the schema takes every spec that ShardLens writes, and refuses what it refuses") {
  test::RandomSpec specs(sampling::catalogue(), 3);
  for (int i = 0; i < 200; ++i) {
    const std::string text = yaml::writeSpec(specs.next(), sampling::catalogue());
    CAPTURE(text);
    CHECK(problems(text) == "");
  }
  for (const char* bad :
       {"{}", "shardlens: 1", "shardlens: 3", "shardlens: 2\nepoch: 2", "shardlens: 2\nepochs: 0",
        "shardlens: 2\nworld: 8", "shardlens: 2\nloader: {drop_last: 1}", "shardlens: 2\nseeds: {rule: rank}",
        "shardlens: 2\nsampler: {type: none}", "shardlens: 2\nsampler: {shufle: true}",
        "shardlens: 2\nrun: {delays: [{rank: -1, ms: 1}]}"}) {
    CAPTURE(bad);
    CHECK(problems(bad) != "");
  }
}

TEST_CASE("a list of records that a sampler takes is in the schema with its keys") {
  const Json schema = samplerSchema(test::blends())["oneOf"][0]["properties"]["streams"];
  CHECK(schema["type"] == "array");
  CHECK(schema["default"] == Json::array());
  CHECK(schema["description"] == "What is blended.");
  const Json record = schema["items"];
  CHECK(record["required"] == Json{"name", "proportion"});
  CHECK(record["additionalProperties"] == false);
  CHECK(record["properties"]["proportion"] == Json{{"type", "number"}, {"minimum", 0}, {"maximum", 100}});
  CHECK(record["properties"]["repeat"]["default"] == 1);
}
