// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/report.h"

#include "core/base/text.h"
#include "core/sampling/registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardlens::selftest {
namespace {

std::string left(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string right(std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), ' ') + digits;
}

nlohmann::ordered_json numbers(const OutcomeCounts& tally) {
  return {{"passed", tally.passed}, {"failed", tally.failed}, {"unsupported", tally.unsupported}};
}

/// Which samplers that a spec can name these rows say nothing about; empty when they judge none or all.
std::string notJudged(const Summary& summary) {
  std::vector<std::string> missing;
  for (const SamplerInfo& info : sampling::catalogue()) {
    if (summary.types.count(info.type) == 0) missing.push_back(info.type);
  }
  if (missing.empty() || summary.types.empty()) return {};
  return "no row judges a plan of " + join(missing, ", ") + "\n";
}

}  // namespace

std::string textReport(const Summary& summary) {
  std::string out;
  for (const Failure& failure : summary.failures) {
    out += failure.file + ":" + std::to_string(failure.line) + ": " + failure.why + "\n";
  }
  if (summary.total.failed > static_cast<std::int64_t>(summary.failures.size())) {
    out += "... and " + std::to_string(summary.total.failed - static_cast<std::int64_t>(summary.failures.size())) +
           " more\n";
  }
  std::size_t first = 9;
  std::size_t second = 7;
  for (const auto& [name, tally] : summary.classes) {
    first = std::max(first, name.first.size());
    second = std::max(second, name.second.size());
  }
  out += (out.empty() ? "" : "\n") + left("framework", first) + "  " + left("sampler", second) +
         "   passed   failed  unsupported\n";
  for (const auto& [name, tally] : summary.classes) {
    out += left(name.first, first) + "  " + left(name.second, second) + right(tally.passed, 9) +
           right(tally.failed, 9) + right(tally.unsupported, 13) + "\n";
  }
  return out + notJudged(summary) + std::to_string(summary.total.passed) + " passed, " +
         std::to_string(summary.total.failed) + " failed, " + std::to_string(summary.total.unsupported) +
         " unsupported\n";
}

std::string jsonReport(const Summary& summary) {
  nlohmann::ordered_json report = numbers(summary.total);
  report["samplers"] = nlohmann::ordered_json::array();
  for (const auto& [name, tally] : summary.classes) {
    nlohmann::ordered_json row = {{"framework", name.first}, {"sampler", name.second}};
    row.update(numbers(tally));
    report["samplers"].push_back(row);
  }
  report["failures"] = nlohmann::ordered_json::array();
  for (const Failure& failure : summary.failures) {
    report["failures"].push_back({{"file", failure.file}, {"line", failure.line}, {"difference", failure.why}});
  }
  return report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace shardlens::selftest
