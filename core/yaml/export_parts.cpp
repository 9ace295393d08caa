// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_parts.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field_table.h"
#include "core/yaml/export_words.h"
#include "core/yaml/spec_layout.h"

#include <algorithm>

namespace shardlens::yaml {
namespace {

/// Fields that decide what a rank reads even where they hold their defaults.
bool matters(const PipelineSpec& spec, const Field& field) {
  const std::string section = field.section();
  if (section == "sampler") return field.path == "sampler.type" || spec.sampler.parameters.contains(field.key());
  const bool main_loader_key =
      section == "loader" && field.key() != "prefetch_factor" && field.key() != "persistent_workers";
  return main_loader_key || section == "seeds" || section == "world" || field.path == "epochs" ||
         getValue(spec, field) != field.fallback;
}

/// "loader {batch_size: 2, num_workers: 0}, epochs: 2": the fields by section, in their order.
std::string listed(const PipelineSpec& spec, const std::vector<const Field*>& fields) {
  std::vector<std::string> parts;
  std::string section;
  for (const Field* field : fields) {
    const std::string entry = field->key() + ": " + valueText(getValue(spec, *field));
    if (field->section().empty()) {
      parts.push_back(entry);
    } else if (!parts.empty() && field->section() == section) {
      parts.back().insert(parts.back().size() - 1, ", " + entry);
    } else {
      parts.push_back(field->section() + " {" + entry + "}");
    }
    section = field->section();
  }
  return join(parts, ", ");
}

bool isHostName(const std::string& name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_' || c == ':';
  });
}

}  // namespace

std::string oneLine(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  // Readers that follow Unicode also end a line at U+0085, U+2028 and U+2029.
  for (const std::string_view separator : {"\u0085", "\u2028", "\u2029"}) {
    for (std::size_t i = out.find(separator); i != std::string::npos; i = out.find(separator, i))
      out.replace(i, separator.size(), " ");
  }
  return out;
}

std::string auditComment(const ExportContext& context) {
  if (context.audit_errors.empty()) return {};
  std::string out = "# The audit of this spec found errors:\n";
  for (const std::string& error : context.audit_errors) out += "#   " + oneLine(error) + "\n";
  return out;
}

std::string inTheScript(const PipelineSpec& spec, const std::string& script) {
  return hasPyTorchCode(spec) ? words::scriptLikePyTorch(script) : words::scriptWithoutCode(script, spec.sampler.type);
}

std::string shellWord(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shellArgument(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._/+:@%-").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), plain) ? std::string(text) : shellWord(text);
}

std::vector<std::string> notCarried(const PipelineSpec& spec, SamplerCatalogue catalogue,
                                    const std::set<std::string>& carried, const std::string& reason) {
  std::vector<const Field*> by_script;
  std::vector<const Field*> by_run;
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->path == "name" || field->path == "dataset.size" || field->path == "framework.torch") continue;
    if (carried.contains(field->path) || !matters(spec, *field)) continue;
    (field->path.starts_with("run.") ? by_run : by_script).push_back(field);
  }
  std::vector<std::string> sentences;
  if (!by_script.empty()) sentences.push_back(words::notIncluded(listed(spec, by_script), reason));
  if (!carried.contains("dataset.size")) sentences.push_back(words::datasetDecides(spec.dataset.size));
  if (!carried.contains("framework.torch")) sentences.push_back(words::installedTorch(spec.framework.torch));
  if (!by_run.empty()) sentences.push_back(words::rankProgramsOnly(listed(spec, by_run)));
  return sentences;
}

std::string plainCounted(std::int64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

Issues hostProblems(const ExportContext& context) {
  Issues problems;
  for (const std::string& host : context.hosts) {
    if (isHostName(host)) continue;
    problems.push_back(Error{ErrorCode::Usage,
                             filled(worded("export", "'%1' is not a host name."), oneLine(host)),
                             {},
                             worded("export", "give one name or address per node")});
  }
  return problems;
}

std::string hostName(const PipelineSpec& spec, const ExportContext& context, std::int64_t index) {
  if (static_cast<std::size_t>(index) < context.hosts.size()) return context.hosts[static_cast<std::size_t>(index)];
  return spec.world.nodes == 1 ? "localhost" : "node" + std::to_string(index);
}

}  // namespace shardlens::yaml
