// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <functional>
#include <memory>

namespace CLI {
class App;
}

namespace shardlens::cli {

/// What a verb does once its arguments are parsed.
using Action = std::function<int()>;

/// Declares one verb's subcommand with its options on `app` and sets `chosen` when the user picks it. One function a
/// verb, one file a function; the list is in main.cpp.
using AddVerb = void (*)(CLI::App& app, Action& chosen);

void addPlan(CLI::App& app, Action& chosen);
void addAt(CLI::App& app, Action& chosen);
void addFind(CLI::App& app, Action& chosen);
void addDiff(CLI::App& app, Action& chosen);
void addLens(CLI::App& app, Action& chosen);
void addResume(CLI::App& app, Action& chosen);
void addAudit(CLI::App& app, Action& chosen);
void addCheck(CLI::App& app, Action& chosen);
void addExport(CLI::App& app, Action& chosen);
void addImport(CLI::App& app, Action& chosen);
void addFilm(CLI::App& app, Action& chosen);
void addEnv(CLI::App& app, Action& chosen);
void addWatch(CLI::App& app, Action& chosen);
void addRun(CLI::App& app, Action& chosen);
void addRehearse(CLI::App& app, Action& chosen);
void addCapture(CLI::App& app, Action& chosen);
void addReplay(CLI::App& app, Action& chosen);
void addReport(CLI::App& app, Action& chosen);
void addVerify(CLI::App& app, Action& chosen);
void addSamplers(CLI::App& app, Action& chosen);
void addSelftest(CLI::App& app, Action& chosen);

/// Takes kFailureVariable out of the environment, and obeys it from here on.
void heedFailureVariable();
/// Before this process starts a job and records it: a write that fails does not end it, and what `shardlens env` set
/// for jobs that others record is gone.
void becomeRecorder();
/// Prints "shardlens: <error>" on stderr, one line each, and gives the exit code of the first.
int fail(const Error& error);
int fail(const Issues& issues);

}  // namespace shardlens::cli
