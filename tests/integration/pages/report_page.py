# SPDX-License-Identifier: Apache-2.0
"""Runs a real job with a slow rank, and opens the page of `shardlens report` in a headless Chromium: it must be drawn, ask nothing of a
network, and say what `shardlens replay` says.

Exits 77, which ctest reports as skipped, only when there is no Chromium or no mpirun.
"""

import collections
import html.parser
import json
import os
import shutil
import subprocess
import sys
import tempfile

SHARDLENS, EXAMPLES = sys.argv[1:3]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if CHROMIUM is None:
    print("SKIPPED: there is no chromium here (Debian: apt-get install chromium), so no page was opened")
    sys.exit(77)
if shutil.which("mpirun") is None:
    print("SKIPPED: there is no mpirun here, so no job was run")
    sys.exit(77)

failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAILED: " + message)


class Page(html.parser.HTMLParser):
    """How many elements of each kind and class there are, and all text."""

    def __init__(self, text):
        super().__init__()
        self.count, self.text = collections.Counter(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.count[tag] += 1
        for name in (dict(attributes).get("class") or "").split():
            self.count["." + name] += 1

    def handle_data(self, data):
        self.text += data


def opened(page, size):
    command = [CHROMIUM, "--headless", "--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage",
               "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
               "--user-data-dir=" + os.path.join(os.path.dirname(page), "profile"), "--window-size=" + size, "--dump-dom", "file://" + page]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    check("CONSOLE" not in done.stderr, "the page at %s wrote to the console: %s" % (size, done.stderr[-600:]))
    return Page(done.stdout)


with tempfile.TemporaryDirectory() as folder:
    recording, page = os.path.join(folder, "run.slrun"), os.path.join(folder, "report.html")
    command = [SHARDLENS, "run", os.path.join(EXAMPLES, "slow-rank.yaml"), "--run-file", recording]
    run = subprocess.run(command, env=dict(os.environ, SHARDLENS_RUNS=folder), capture_output=True, text=True)
    check(run.returncode == 0, "the job failed: " + run.stderr[-600:])
    replay = json.loads(subprocess.run([SHARDLENS, "replay", recording, "--format", "json"], capture_output=True, text=True).stdout)
    made = subprocess.run([SHARDLENS, "report", recording, "-o", page], capture_output=True, text=True)
    check(made.returncode == 0, "report: " + made.stderr)
    check(os.path.getsize(page) < 2000000, "the page takes %d bytes" % os.path.getsize(page))
    for size in ("1280,800", "400,800"):
        seen = opened(page, size)
        check(seen.count["svg"] == 1 and seen.count[".rowless"] == 4, "%d rows are drawn" % seen.count[".rowless"])
        check(seen.count["path"] >= 8, "%d paths are drawn" % seen.count["path"])
        check(seen.count["script"] == 0, "there are scripts")
        check(seen.count["tr"] == 5, "%d rows in the table" % seen.count["tr"])
        for verdict in replay["verdicts"]:
            check(verdict["title"] in seen.text and verdict["message"] in seen.text, "the page does not say: " + verdict["title"])
    check("Every planned batch was read and matches the plan" in seen.text, "the page has no proof")
    again = subprocess.run([SHARDLENS, "report", recording, "-o", page], capture_output=True, text=True)
    check(again.returncode == 2 and "--force" in again.stderr, "an existing page is overwritten unasked")
print("%d failures" % len(failures))
sys.exit(1 if failures else 0)
