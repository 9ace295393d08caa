// SPDX-License-Identifier: Apache-2.0
// resources/doc/samplers.md is the registry, written out for people. Run this test with SHARDLENS_UPDATE=1 to write it
// anew after a sampler or a parameter was added.
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/field.h"
#include "tests/core/selftest/recorded_rows.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>

using namespace shardlens;

namespace {

const std::string kFile = test::sourceDir() + "/resources/doc/samplers.md";

const char* const kIntroduction =
    "# Samplers\n\n"
    "This page lists every sampler that a spec can name in `sampler.type`; the test `samplers_pages` writes it from "
    "`core/sampling/registry.cpp`.\n"
    "Each sampler gives the same indices as the framework's own class, and raises what that class raises. \"Compared "
    "with\" names the classes whose\n"
    "recorded outputs judge it, with their numbers of rows: `shardlens selftest --vectors tests/vectors`.\n";

std::string kindText(const Field& field) {
  switch (field.kind) {
    case FieldKind::Bool:
      return "true, false";
    case FieldKind::Choice:
      return join(field.choices, ", ");
    case FieldKind::IntOrName:
      return "whole number, " + join(field.choices, ", ");
    case FieldKind::Int:
      return "whole number";
    case FieldKind::Float:
      return "number";
    case FieldKind::Text:
      return "text";
    case FieldKind::IntOrList:
      return "whole number or list of them";
    case FieldKind::Indices:
      return "list of whole numbers";
    case FieldKind::Numbers:
      return "list of numbers" + (field.choices.empty() ? "" : ", " + join(field.choices, ", "));
    case FieldKind::Lists:
      return "list of lists of numbers";
    case FieldKind::Records:
      return "list of records";
  }
  return {};
}

std::string parameterTable(const SamplerInfo& info) {
  if (info.parameters.empty()) return {};
  std::string out = "| parameter | values | default | |\n|---|---|---|---|\n";
  for (const Field& field : info.parameters) {
    out += "| `" + field.key() + "` | " + kindText(field) + " | `" + valueText(field.fallback) + "` | " + field.help +
           " |\n";
  }
  return out + "\n";
}

std::string quoted(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back("`" + name + "`");
  return join(out, ", ");
}

using Judges = std::map<std::string, std::int64_t>;

std::string judgesText(const Judges& judges) {
  if (judges.empty()) return "No recordings of its own.\n";
  std::vector<std::string> out;
  for (const auto& [name, rows] : judges) out.push_back("`" + name + "` (" + grouped(rows) + ")");
  return "Compared with " + join(out, ", ") + ".\n";
}

std::string section(const SamplerInfo& info, const Judges& judges) {
  std::string out = "## " + info.type + "\n\n" + info.summary + "\n\n" + parameterTable(info);
  if (!info.reads.empty()) out += "Reads " + quoted(info.reads) + ".\n\n";
  for (const std::string& pitfall : info.pitfalls) out += "- " + pitfall + "\n";
  return out + (info.pitfalls.empty() ? "" : "\n") + judgesText(judges);
}

std::string page(const selftest::Summary& summary) {
  std::string out = kIntroduction;
  for (const SamplerInfo& info : sampling::catalogue()) {
    const auto judges = summary.types.find(info.type);
    out += "\n" + section(info, judges == summary.types.end() ? Judges{} : judges->second);
  }
  return out;
}

}  // namespace

TEST_CASE("the page of samplers is the one of the registry") {
  const std::string wanted = page(test::recordedRows());
  if (std::getenv("SHARDLENS_UPDATE") != nullptr) test::spill(kFile, wanted);
  INFO("write it anew with SHARDLENS_UPDATE=1 ctest --preset dev -R samplers_pages");
  CHECK((test::slurp(kFile) == wanted));
}
