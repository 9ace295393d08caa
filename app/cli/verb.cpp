// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/collect/run_folder.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace shardlens::cli {
namespace {

/// Where the text of an error is wanted as well; empty: nowhere.
std::string& failureFile() {
  static std::string path;
  return path;
}

}  // namespace

void heedFailureVariable() {
  const char* const path = std::getenv(kFailureVariable);
  if (path == nullptr) return;
  failureFile() = path;
  (void)unsetenv(kFailureVariable);
}

void becomeRecorder() {
  // Who reads our output may go at any time (`| head`), and files may be limited in size.
  for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
  for (const char* const name : {"SHARDLENS_AGENT", "SHARDLENS_RINGS", "SHARDLENS_PROBE"}) (void)unsetenv(name);
}

int fail(const Error& error) {
  const std::string text = printable(error.text());
  std::fprintf(stderr, "shardlens: %s\n", text.c_str());
  if (!failureFile().empty()) (void)writeFile(failureFile(), text + "\n");
  return exitCode(error.code);
}

int fail(const Issues& issues) {
  for (const Error& issue : issues) (void)fail(issue);
  return issues.empty() ? kFine : exitCode(issues.front().code);
}

}  // namespace shardlens::cli
