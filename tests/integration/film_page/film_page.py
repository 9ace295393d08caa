# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `shardlens film` in a headless Chromium and checks what they say of themselves against `shardlens plan`.

The pages write what they draw into data- attributes of their root: the moment, the cells drawn, the numbers on the chips, errors
of scripts, requests that their policy stopped. Exits 77, which ctest reports as skipped, only when there is no Chromium.
"""

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

SIZES = ("1280,800", "400,800", "1920,1080")
LOG = ("--disable-gpu", "--no-sandbox", "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage",
       "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr")
failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAILED: " + message)


class Root(html.parser.HTMLParser):
    """The attributes of <html>, and the text of elements by their id."""

    def __init__(self, text):
        super().__init__()
        self.attributes, self.texts, self.open = {}, {}, []
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.scripts += tag == "script"
        if tag == "html":
            self.attributes = attributes
        if tag not in ("meta", "link", "input", "br", "path"):
            self.open.append(attributes.get("id"))

    def handle_endtag(self, tag):
        if self.open:
            self.open.pop()

    def handle_data(self, data):
        for name in self.open:
            if name:
                self.texts[name] = self.texts.get(name, "") + data


def opened(page, moment="", size="1280,800"):
    """The page's root after its script has run at that moment, held against what every page must do."""
    with tempfile.TemporaryDirectory() as profile:
        command = [CHROMIUM, "--headless", *LOG, "--user-data-dir=" + profile, "--window-size=" + size, "--virtual-time-budget=1500",
                   "--dump-dom", "file://" + page + moment]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    root = Root(done.stdout)
    name = "%s%s at %s" % (os.path.basename(page), moment, size)
    check(root.attributes.get("data-ready") == "1", name + " did not draw: " + done.stdout[:300] + done.stderr[-600:])
    check("data-error" not in root.attributes, name + " has an error: " + str(root.attributes.get("data-error")))
    check("data-blocked" not in root.attributes, name + " asked for " + str(root.attributes.get("data-blocked")))
    check("CONSOLE" not in done.stderr, name + " wrote to the console: " + done.stderr[-600:])
    return root


def film(spec, page, *options):
    subprocess.run([SHARDLENS, "film", spec, "-o", page, "--force", *options], check=True, capture_output=True)


def planned(spec):
    return json.loads(subprocess.run([SHARDLENS, "plan", spec, "--format", "json"], check=True, capture_output=True).stdout)


def numbers(plan, epoch, steps):
    """What stands on the chips when so many steps are dealt: step by step, in each rank by rank."""
    ranks = plan["epochs"][epoch]["ranks"]
    return [str(i) for step in range(steps) for rank in ranks if step < len(rank["batches"]) for i in rank["batches"][step]]


def check_small(folder):
    spec, page = os.path.join(EXAMPLES, "distributed-sampler.yaml"), os.path.join(folder, "small.html")
    film(spec, page)
    plan = planned(spec)
    ranks, steps = plan["world_size"], len(plan["epochs"][0]["ranks"][0]["batches"])
    # step, steps that have landed, samples in flight
    for step, landed, flying in ((0, 0, 0), (1, 1, 0), (1.05, 1, 4), (1.4, 1, 4), (1.7, 2, 0), (steps, steps, 0)):
        for epoch in (0, 1):
            root = opened(page, "#epoch=%d&step=%s&paused" % (epoch, step))
            at = "epoch %d, step %s" % (epoch, step)
            check(root.attributes["data-numbers"].split() == numbers(plan, epoch, landed), at + ": other numbers on the chips")
            check(root.attributes["data-flights"] == str(flying), at + ": %s fly" % root.attributes["data-flights"])
            check(root.attributes["data-drawn"] == str(ranks * steps), at + ": %s cells drawn" % root.attributes["data-drawn"])
            check(root.attributes["data-mode"] == "chips", at + ": no chips")
    for size in SIZES:
        root = opened(page, "#step=2&paused", size)
        check(set(root.attributes["data-numbers"].split()) <= set(numbers(plan, 0, 2)), "another number at " + size)


def check_large(folder):
    spec, page = os.path.join(EXAMPLES, "shard-local-rank.yaml"), os.path.join(folder, "large.html")
    film(spec, page)
    check(os.path.getsize(page) < 2000000, "the page takes %d bytes" % os.path.getsize(page))
    for size in SIZES:
        root = opened(page, "#epoch=1&step=20.4&paused", size)
        check(root.attributes["data-mode"] == "ribbons", size + ": no ribbons")
        check(root.attributes["data-rows"] == "8", size + ": %s rows" % root.attributes["data-rows"])
        check(root.attributes["data-flights"] != "0", size + ": no ribbon is drawn")
        check(root.attributes["data-cells"] == "99984", size + ": %s cells" % root.attributes["data-cells"])
    check("handed out more than once" in root.attributes["data-legend"], "the legend says nothing of duplicates")
    check("4\u202f166 of 10\u202f010" in root.texts["leftout"], "what is left out is not said")
    # 20 steps of 8 ranks, each sample by two of them, and what has landed of the next
    check("of 1\u202f281\u202f167 samples handed out" in root.texts["counts"], "no counts: " + root.texts.get("counts", ""))
    playing = opened(page, "#step=0&speed=epoch&paused")
    check(playing.attributes["data-mode"] == "still", "an epoch a second is followed by eye")


def check_injection(folder):
    spec, page = os.path.join(folder, "evil.yaml"), os.path.join(folder, "evil.html")
    name = "</script><script>document.documentElement.dataset.evil = 1</script><img src=x onerror=alert(1)>"
    with open(spec, "w", encoding="utf-8") as out:
        out.write("shardlens: 2\nname: %s\ndataset: {size: 12}\n" % json.dumps(name))
    film(spec, page)
    root = opened(page, "#paused")
    check("data-evil" not in root.attributes, "a name ran as a script")
    check(root.scripts == 3, "there are %d scripts" % root.scripts)


def check_shapes(folder):
    """Designs at the edges draw, too."""
    page = os.path.join(folder, "shape.html")
    for shape in ("dataset: {size: 1}", "dataset: {size: 0}", "dataset: {size: 1000}\nworld: {nodes: 2, ranks_per_node: 4}\nloader: {batch_size: 16}",
                  "dataset: {size: 100000}\nworld: {nodes: 8, ranks_per_node: 8}\nloader: {batch_size: 16}",
                  "dataset: {size: 200000}\nworld: {nodes: 128, ranks_per_node: 8}\nloader: {batch_size: 16}"):
        spec = os.path.join(folder, "shape.yaml")
        with open(spec, "w", encoding="utf-8") as out:
            out.write("shardlens: 2\nname: shape\nepochs: 4\n%s\n" % shape)
        if subprocess.run([SHARDLENS, "plan", spec, "--epoch", "0", "--rank", "0"], capture_output=True).returncode != 0:
            continue
        film(spec, page)
        for moment in ("#step=0&paused", "#step=0.4&paused", "#step=9999999&paused"):
            opened(page, moment)


with tempfile.TemporaryDirectory() as work:
    for checks in (check_small, check_large, check_injection, check_shapes):
        checks(work)
print("%d failures" % len(failures))
sys.exit(1 if failures else 0)
