// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/rule_search.h"

namespace shardlens::capture {

LoaderAccount accountOf(const CapturedLoader& loader) {
  LoaderAccount account;
  account.title = words::loaderText(loader.job);
  if (loader.yaml) account.sampler = loader.spec.spec.sampler.type;
  account.checked = loader.yaml ? words::agreement(loader) : words::recorded(loader.job, loader.agreement);
  const auto add = [&account](const std::vector<std::string>& sentences) {
    account.remarks.insert(account.remarks.end(), sentences.begin(), sentences.end());
  };
  add(loader.yaml ? loader.reasons : loader.spec.problems);
  add(loader.job.remarks);
  add(words::rulesFound(loader.rules));
  for (const RunFinding& finding : loader.findings) account.findings.push_back(finding.text);
  account.is_plain = loader.isProven() && loader.reasons.empty();
  return account;
}

}  // namespace shardlens::capture
