// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

namespace {

unsigned cases_run = 0;

/// Counts the cases that the filters let through.
struct Counter : doctest::IReporter {
  explicit Counter(const doctest::ContextOptions& /*options*/) {}
  void report_query(const doctest::QueryData& /*data*/) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override { cases_run = stats.numTestCasesPassingFilters; }
  void test_case_start(const doctest::TestCaseData& /*data*/) override {}
  void test_case_reenter(const doctest::TestCaseData& /*data*/) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& /*stats*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*signature*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*data*/) override {}
  void log_message(const doctest::MessageData& /*data*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*data*/) override {}
};

}  // namespace

REGISTER_LISTENER("counter", 1, Counter);

// A test that names a source which holds no case must fail: doctest itself calls that a success.
int main(int argc, char** argv) {
  const shardlens::test::TempFolder runs;  // else what tests record would be listed in the home of their user
  setenv("SHARDLENS_RUNS", runs.path().c_str(), 1);
  doctest::Context context(argc, argv);
  const int code = context.run();
  if (context.shouldExit() || code != 0 || cases_run > 0) return code;
  std::fputs("no test case matches the filters\n", stderr);
  return 1;
}
