// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_options.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/yaml/export_parts.h"

#include <algorithm>
#include <charconv>

namespace shardlens::yaml {
namespace {

using K = ExportOption::Kind;

constexpr std::int64_t kMostGpus = 1'000'000;

bool isInWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._:/@+,=-").find(c) != std::string_view::npos;
}

bool isNumber(const std::string& text) {
  std::int64_t number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() && number >= 0 && number <= kMostGpus;
}

Error refused(const ExportOption& option, const std::string& text, std::string hint) {
  return Error{ErrorCode::Usage,
               filled(worded("export", "--%1 %2 cannot be written into the files."), option.id, oneLine(text)),
               {},
               std::move(hint)};
}

Result<std::vector<std::string>> namesIn(const std::string& text) {
  std::vector<std::string> names = text.empty() ? std::vector<std::string>() : split(text, ',');
  if (std::ranges::find(names, std::string()) == names.end()) return names;
  return Error{ErrorCode::Usage,
               filled(worded("export", "--host %1 contains an empty name."), oneLine(text)),
               {},
               worded("export", "name each node")};
}

}  // namespace

std::span<const ExportOption> exportOptions() {
  using C = ExportContext;
  static const std::vector<ExportOption> kOptions = {
      {"script", K::Text, marked("export", "script"), marked("export", "training script in start commands"),
       &C::script},
      {"python", K::Text, marked("export", "interpreter"), marked("export", "Python interpreter in start commands"),
       &C::python},
      {"data-class", K::Text, marked("export", "data module"),
       marked("export", "class_path of the Lightning data module"), &C::data_class},
      {"host", K::Names, marked("export", "hosts"),
       marked("export", "names of the nodes, separated by commas, node 0 first"), nullptr},
      {"partition", K::Word, marked("export", "partition"), marked("export", "Slurm partition"), &C::partition},
      {"account", K::Word, marked("export", "account"), marked("export", "Slurm account"), &C::account},
      {"time", K::Time, marked("export", "time limit"),
       marked("export", "time limit as Slurm writes it, for example 2-00:00:00"), &C::time},
      {"gpus", K::Number, marked("export", "GPUs per node"),
       marked("export", "GPUs of each node; 0 for none; without it nothing is said of GPUs"), &C::gpus},
      {"image", K::Word, marked("export", "image"), marked("export", "container image"), &C::image},
  };
  return kOptions;
}

const ExportOption* findOption(std::string_view id) {
  const auto all = exportOptions();
  const auto found = std::find_if(all.begin(), all.end(), [id](const ExportOption& option) { return option.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::string optionText(const ExportContext& context, const ExportOption& option) {
  return option.text == nullptr ? join(context.hosts, ",") : context.*option.text;
}

Result<void> setOption(ExportContext& context, const ExportOption& option, const std::string& text) {
  if (option.text == nullptr) {
    auto names = namesIn(text);
    if (!names) return names.error();
    context.hosts = *std::move(names);
    return {};
  }
  if (option.kind == K::Word && !std::all_of(text.begin(), text.end(), isInWord))
    return refused(option, text, worded("export", "use letters, digits and . _ - : / @ + , ="));
  if (option.kind == K::Number && !text.empty() && !isNumber(text))
    return refused(option, text, worded("export", "give a whole number, 0 or more"));
  if (option.kind == K::Time && text.find_first_not_of("0123456789-:") != std::string::npos)
    return refused(option, text, worded("export", "write it as Slurm does: minutes, 1:30:00, or 2-00:00:00"));
  if (text.empty() && !(ExportContext{}.*option.text).empty())
    return refused(option, "''", worded("export", "name it"));
  if (oneLine(text) != text) return refused(option, text, worded("export", "write it on one line"));
  context.*option.text = text;
  return {};
}

}  // namespace shardlens::yaml
