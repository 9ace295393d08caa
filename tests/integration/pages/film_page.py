# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `shardlens film` in a headless Chromium and checks what they say of themselves against `shardlens plan`.

The pages write what they draw into data- attributes of their root: the moment, the cells drawn, the numbers on the chips, errors
of scripts, requests that their policy stopped. Exits 77, which ctest reports as skipped, only when there is no Chromium.
"""

import collections
import csv
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


def opened(page, moment="", size="1280,800", *flags):
    """The page's root after its script has run at that moment, held against what every page must do."""
    profile = os.path.join(os.path.dirname(page), "profile")
    command = [CHROMIUM, "--headless", *LOG, "--user-data-dir=" + profile, "--window-size=" + size, "--virtual-time-budget=1500",
               *flags, "--dump-dom", "file://" + page + moment]
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
    """The plan's items as dictionaries of numbers: epoch, rank, step, sample, padding."""
    text = subprocess.run([SHARDLENS, "plan", spec, "--format", "csv"], check=True, capture_output=True, text=True).stdout
    return [{key: int(value) for key, value in row.items()} for row in csv.DictReader(text.splitlines())]


def numbers(plan, epoch, steps):
    """What stands on the chips when so many steps are dealt, step by step and in each rank by rank; + marks padding, * a sample
    that is handed out more than once."""
    items = [row for row in plan if row["epoch"] == epoch]
    times = collections.Counter(row["sample"] for row in items if not row["padding"])
    mark = lambda row: "+" if row["padding"] else "*" if times[row["sample"]] > 1 else ""
    return [str(row["sample"]) + mark(row) for row in sorted(items, key=lambda row: (row["step"], row["rank"], row["item"])) if row["step"] < steps]


def check_small(folder):
    spec, page = os.path.join(EXAMPLES, "distributed-sampler.yaml"), os.path.join(folder, "small.html")
    film(spec, page)
    plan = planned(spec)
    ranks, steps = 1 + max(row["rank"] for row in plan), 1 + max(row["step"] for row in plan)
    # step, steps that have landed, samples in flight
    wanted = [(epoch, *rest) for epoch in (0, 1) for rest in ((0, 0, 0), (1, 1, 0), (1.05, 1, 4), (1.4, 1, 4), (1.7, 2, 0), (steps, steps, 0))]
    seen = moments(page, ["#epoch=%d&step=%s&paused" % (epoch, step) for epoch, step, _, _ in wanted])
    for (epoch, step, landed, flying), page_says in zip(wanted, seen):
        at = "epoch %d, step %s" % (epoch, step)
        check(page_says["numbers"].split() == numbers(plan, epoch, landed), at + ": other numbers on the chips")
        check(page_says["flights"] == str(flying), at + ": %s fly" % page_says["flights"])
        check(page_says["drawn"] == str(ranks * steps), at + ": %s cells drawn" % page_says["drawn"])
        check(page_says["mode"] == "chips", at + ": no chips")
    for size in SIZES:
        root = opened(page, "#step=2&paused", size)
        check(root.attributes["data-numbers"].split() == numbers(plan, 0, 2), "other numbers at " + size)


def check_marks(folder):
    """Padding, duplicates, ranks that run out: the marks on the chips at the end of each epoch, and the legend."""
    page, spec = os.path.join(folder, "marks.html"), os.path.join(folder, "marks.yaml")
    designs = (("world: {nodes: 2, ranks_per_node: 2}\nsampler: {type: torch.DistributedSampler, num_replicas: 2, rank: local_rank}", "handed out more than once"),
               ("world: {nodes: 1, ranks_per_node: 3}\nsampler: {type: torch.DistributedSampler, shuffle: true}", "padding"))
    for design, words in designs:
        with open(spec, "w", encoding="utf-8") as out:
            out.write("shardlens: 2\nname: marks\ndataset: {size: 13}\nepochs: 2\n%s\n" % design)
        film(spec, page)
        plan = planned(spec)
        for epoch, page_says in enumerate(moments(page, ["#epoch=%d&step=99&paused" % epoch for epoch in (0, 1)])):
            check(page_says["numbers"].split() == numbers(plan, epoch, 99), "other marks for " + design)
            check(words in page_says["legend"], "no '%s' in the legend: %s" % (words, page_says["legend"]))


# No frames come in virtual time: timers stand in for them.
FRAMES = "<script>window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);</script>"
USE = """<script>
  const root = document.documentElement, notes = [], later = (ms) => new Promise((done) => setTimeout(done, ms));
  const key = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
  const note = (what) => notes.push(what + '=' + root.dataset.epoch + ':' + root.dataset.step);
  (async () => {
    %s
    root.dataset.notes = notes.join(' | ');
  })();
</script></body>"""


def used(page, moment, script, size="1280,800"):
    """Opens the page with a script of ours at its end, which uses it; gives the notes that it took."""
    copy = page + ".used.html"
    with open(page, encoding="utf-8") as source, open(copy, "w", encoding="utf-8") as out:
        out.write(source.read().replace("<style>", FRAMES + "<style>").replace("</body>", USE % script))
    root = opened(copy, moment, size, "--virtual-time-budget=8000")
    return [note for note in root.attributes.get("data-notes", "").split(" | ") if note]


def moments(page, hashes, size="1280,800"):
    """What the page says of itself at each of these moments, one after the other in one browser."""
    notes = used(page, hashes[0], """
        for (const hash of %s) { location.hash = hash; await later(120); notes.push(JSON.stringify({ ...root.dataset, notes: '' })); }""" % json.dumps(hashes),
        size)
    check(len(notes) == len(hashes), "%s was seen at %d of %d moments" % (os.path.basename(page), len(notes), len(hashes)))
    return [json.loads(note) for note in notes]


def by_name(notes):
    return dict(note.split("=") for note in notes)


def check_use(folder):
    """Keys, buttons, findings, the pointer, and what the browser prefers."""
    page = os.path.join(folder, "large.html")
    film(os.path.join(EXAMPLES, "shard-local-rank.yaml"), page, "--steps", "40")
    notes = by_name(used(page, "#step=3&paused", """
        key('ArrowRight'); await later(700); note('right');
        key('End'); await later(100); note('end');
        key('ArrowLeft'); await later(100); note('left');
        key('PageDown'); await later(100); note('pagedown');
        key(' '); await later(1500); key(' '); await later(400); note('space');
        document.querySelector('.finding button').click(); await later(100); note('finding');
        document.querySelector('#theme').click(); notes.push('dark=' + root.classList.contains('dark'));
        const canvas = document.querySelector('#canvas').getBoundingClientRect();
        document.querySelector('#canvas').dispatchEvent(new PointerEvent('pointermove', { clientX: canvas.left + 140, clientY: canvas.top + 125 }));
        notes.push('tip=' + document.querySelector('#tip').textContent.split('\\n')[0]);"""))
    for what, place in (("right", "0:4"), ("end", "0:40"), ("left", "0:39"), ("pagedown", "1:0"), ("finding", "0:1"), ("dark", "true")):
        check(notes.get(what) == place, "%s leads to %s, not %s" % (what, notes.get(what), place))
    epoch, step = notes.get("space", "1:0").split(":")
    check(epoch == "1" and 0 < float(step) < 40 and float(step) == int(float(step)), "Space plays to " + notes.get("space", "nowhere"))
    check(notes.get("tip", "").startswith("rank 0, node 0, epoch 0, step 0"), "the tip says " + notes.get("tip", "nothing"))
    small = os.path.join(folder, "padded.html")
    with open(os.path.join(folder, "padded.yaml"), "w", encoding="utf-8") as out:
        out.write("shardlens: 2\nname: padded\ndataset: {size: 13}\nworld: {nodes: 1, ranks_per_node: 3}\n")
    film(os.path.join(folder, "padded.yaml"), small)
    notes = by_name(used(small, "#paused", "document.querySelector('.finding button').click(); await later(100); note('finding');"))
    check(notes.get("finding") == "0:3", "the finding about padding leads to %s, not to the end of the epoch" % notes.get("finding"))
    notes = by_name(used(small, "#step=2&paused", """
        key(' '); await later(2500); key(' '); await later(300); note('on');
        key('l'); key('End'); key(' '); await later(1500); key(' '); await later(300); note('again');"""))
    check(notes.get("on", "").startswith("1:"), "played over the end of epoch 0 it is at " + notes.get("on", "no place"))
    check(notes.get("again", "").startswith("0:"), "played in a loop over the end it is at " + notes.get("again", "no place"))
    for flag, words in (("0", "dark"), ("1", "")):
        root = opened(page, "#paused", "1280,800", "--blink-settings=preferredColorScheme=" + flag)
        check(root.attributes.get("class", "") == words, "preferring %s it is '%s'" % (words or "light", root.attributes.get("class")))
    still = opened(page, "#step=3", "1280,800", "--force-prefers-reduced-motion")
    check(still.attributes.get("data-mode") == "still" and still.attributes["data-step"] == "3", "motion is not reduced")


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
    check("first 4\u202f166 of the 10\u202f010 steps of each epoch" in root.texts["leftout"], "what is left out is not said")
    # 20 steps of 8 ranks, each sample by two of them, and what has landed of the next
    check("of 1\u202f281\u202f167 samples handed out" in root.texts["counts"], "no counts: " + root.texts.get("counts", ""))
    check("epoch 1 (2nd of 90)" in root.texts["counts"], "the place of the epoch is not said: " + root.texts["counts"])
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
        moments(page, ["#step=0&paused", "#step=0.4&paused", "#step=9999999&paused"])


with tempfile.TemporaryDirectory() as work:
    for checks in (check_small, check_marks, check_large, check_use, check_injection, check_shapes):
        checks(work)
print("%d failures" % len(failures))
sys.exit(1 if failures else 0)
