// SPDX-License-Identifier: Apache-2.0
#include "app/cli/junit.h"

#include "core/base/html.h"

#include <algorithm>
#include <cstdint>

namespace shardlens::cli {
namespace {

void writeCase(Output& out, const std::string& suite, const JunitCase& one) {
  out << "    <testcase classname=\"" << suite << "\" name=\"" << htmlText(one.name) << "\">\n";
  if (one.failure.empty()) {
    out << "      <system-out>" << htmlText(one.body) << "</system-out>\n";
  } else {
    out << "      <failure type=\"" << htmlText(one.failure) << "\" message=\"" << htmlText(one.message) << "\">"
        << htmlText(one.body) << "</failure>\n";
  }
  out << "    </testcase>\n";
}

}  // namespace

void writeJunit(Output& out, const std::string& suite, const std::vector<JunitCase>& cases) {
  const std::string name = htmlText(suite);
  const auto failures = std::ranges::count_if(cases, [](const JunitCase& one) { return !one.failure.empty(); });
  const auto counts = [&](Output& to) -> Output& {
    return to << "tests=\"" << static_cast<std::int64_t>(cases.size()) << "\" failures=\""
              << static_cast<std::int64_t>(failures) << "\" errors=\"0\"";
  };
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ";
  counts(out) << ">\n  <testsuite name=\"" << name << "\" ";
  counts(out) << " skipped=\"0\">\n";
  for (const JunitCase& one : cases) writeCase(out, name, one);
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace shardlens::cli
