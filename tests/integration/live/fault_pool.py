# SPDX-License-Identifier: Apache-2.0
"""fault_pool.py SHARDLENS [--grid | --cases N] [--healthy N] [--seed S] [--kinds A,B] [--worlds 2,4] [--limit S] [--patience S] [--keep FOLDER]: how
well `run -- torchrun` names the rank that is to blame, and what for. Each case is a DDP program that nobody changed (faulty.py), drawn at random: a kind
of fault, its rank and step, the size of the world. --grid takes every kind on the first, the middle and the last rank of every world, and draws the rest.
What the recording says is read while the job runs, until the right verdict has stood or the time of a case is over, and once more after the end. The last
line is the score as JSON. Exit status 1 where the goals are missed, 77 and a line on stdout where torch is missing."""
import argparse
import itertools
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

from live_jobs import HERE, PATIENCE_S, Job
from torch_jobs import SKIPPED, has_torch, torchrun

PROGRAM = os.path.join(HERE, "faulty.py")
LEAST_RIGHT, MOST_MEDIAN_S = 0.95, 3.0  # the goals; and none may be wrong
HEALTHY_OF_ONE_FALSE = 100
CORES = len(os.sched_getaffinity(0))
LIMIT_S = 30  # of a case, after its fault: what is judged by time. Where ranks share cores it is longer, as is the patience
STANDS_S, MOST_STANDS_S = 1, 4  # where the cause is known, and where it may be told yet
LONG_S = 1.9  # of a step: long enough for samples of its code, and shorter than a stall
LOOK_S, LOOKS_BEFORE = 0.2, 5  # before the fault every fifth time
KINDS = {  # the verdict that says it, and what its words then hold
    "killed": ("dead", "died"),
    "stopped": ("stalled", "stopped by a signal"),
    "slow_compute": ("straggler", "computing"),
    "slow_line": ("straggler", "in delay() at faulty.py:"),
    "slow_load": ("straggler", "loading"),
    "slow_worker": ("straggler", "loading"),
    "missing": ("mismatch", "different collectives|different sizes|different orders"),
    "extra": ("mismatch", "different collectives|different sizes|different orders"),
    "size": ("mismatch", "different sizes"),
    "order": ("mismatch", "different collectives|different sizes|different orders"),
    "uneven": ("mismatch", "ran out of batches"),
    "raised": ("mismatch|dead", "handles an exception|gave up"),
    "stuck": ("stalled", "makes no progress"),
}
HEALTHY = "healthy"
ACCUSING = ("straggler", "stalled", "mismatch", "dead")


def places(world):
    """The ranks that are to blame in turn."""
    return sorted({0, world // 2, world - 1})


def draw(dice, kind, worlds):
    """A case, as faulty.py takes it."""
    world = dice.choice(worlds)
    operations = dice.sample(["all_reduce", "barrier", "broadcast", "all_gather"], 2 if kind == "order" else dice.choice([1, 1, 2]))
    if kind == "size":  # of the others the size says nothing, or ranks may give different ones
        operations = ["all_reduce"]
    step = dice.randrange(12, 32)
    if kind in ("missing", "size", "order"):
        step = step // 4 * 4 + 3  # in which ranks talk
    return {
        "kind": kind,
        "world": world,
        "rank": -1 if kind == HEALTHY else dice.choice([0, world // 2, world - 1]),
        "step": step,
        "epochs": 4 if kind == HEALTHY else 1000,
        "place": dice.choice(["before", "after"]),
        "operations": operations,
        "sizes": dice.choice([[1, 1000], [1000, 1], [1000, 900]]) if kind == "size" else [1, 1],
        "extra": dice.choice(["all_reduce", "barrier", "broadcast", "all_gather"]),
        "after_epoch": dice.choice(["barrier", "all_reduce"]),
        "handler": dice.choice(["none", "barrier", "monitored_barrier", "all_gather_object"]),
        "norm": dice.random() < 0.3,
        "delay_s": dice.choice([0.1, 0.2, 0.4]) * (2 if kind == "slow_worker" else 1) if kind != "slow_line" else LONG_S,
        "burns": dice.random() < 0.5,
        "sleeps": dice.random() < 0.5,
        "workers": dice.choice([0, 2]) if kind == HEALTHY else 2 if kind == "slow_worker" else 0,
    }


def drawn(dice, given):
    """The cases with a fault."""
    if given.grid:
        for kind, world in itertools.product(given.kinds, given.worlds):
            for rank in places(world):
                yield dict(draw(dice, kind, [world]), rank=rank)
    else:
        for number in range(given.cases):
            yield draw(dice, given.kinds[number % len(given.kinds)], given.worlds)


class Faulty(Job):
    """A case under `shardlens run -- torchrun`."""

    def __init__(self, case):
        self.case = case
        super().__init__(json.dumps(case), case["world"])

    def command(self, fault, count):
        return ["--grace", "2", "--", *torchrun(count, PROGRAM, fault)]

    def fault_ns(self):
        try:
            with open(os.path.join(self.path, "fault")) as file:
                return int(file.read())
        except FileNotFoundError:
            return None


def reason(recorded):
    """What is said where nobody is blamed."""
    if not recorded:
        return "nothing could be read"
    said = [one["title"] + ": " + one["message"] for one in recorded["verdicts"]]
    return "; ".join(said) or recorded["note"] or "no verdict"


def accusation(recorded):
    """The first verdict that blames ranks: those after it may come of what it says."""
    found = [one for one in recorded["verdicts"] if one["kind"] in ACCUSING and one["rank"] >= 0] if recorded else []
    return found[0] if found else None


class Watched:
    """What was said of a case, from its first record to its end."""

    def __init__(self, case):
        self.case = case
        self.took_s = None  # from the fault to the first right verdict
        self.has_cause = False  # said with it, or later
        self.wrong = None  # the first verdict that blames others
        self.last = None  # verdict that blames anybody, at the end
        self.reason = None  # why nobody is blamed, at the end
        self.broken = None  # why the case says nothing of ShardLens, or not all of it

    def look(self, recorded, fault_ns):
        """True while the culprit is named."""
        self.last = said = accusation(recorded)
        self.reason = reason(recorded) if said is None else None
        if said is None:
            return False
        # Before the fault nobody is to blame.
        if fault_ns is None or said["ranks"] != [self.case["rank"]]:
            self.wrong = self.wrong or said
            return False
        if self.took_s is None:
            self.took_s = (time.monotonic_ns() - fault_ns) / 1e9
        self.has_cause = self.has_cause or self.is_cause(said)
        return True

    def is_cause(self, said):
        kinds, words = KINDS[self.case["kind"]]
        text = said["title"] + " " + said["message"]
        return said["kind"] in kinds.split("|") and any(word in text for word in words.split("|"))

    @property
    def is_right(self):
        return self.wrong is None and self.took_s is not None and self.last is not None

    def text(self):
        case = ", ".join("%s %s" % (name, self.case[name]) for name in ("kind", "rank", "world", "step"))
        said = self.wrong or self.last
        if self.broken:
            case += " (%s)" % self.broken
        how = "WRONG" if self.wrong else "silent" if not self.is_right else "right" if self.has_cause else "right rank, other cause"
        took = "" if self.took_s is None else " after %.1f s" % self.took_s
        return "%s: %s%s: %s" % (case, how, took, self.reason if said is None else said["title"] + ": " + said["message"])


def watch(job, watched, limit_s, patience_s):
    """Reads the recording until the verdict has stood, the program has ended, or its time is over."""
    patience = time.monotonic() + patience_s
    right_since = None
    looks = 0
    while job.process.poll() is None:
        fault_ns = job.fault_ns()  # before the recording is read: what that holds may be of a later moment
        now = time.monotonic()
        limit = patience if fault_ns is None else fault_ns / 1e9 + limit_s
        stands_s = STANDS_S if watched.has_cause else MOST_STANDS_S
        if fault_ns is None and now > patience:
            watched.broken = "not over after %.0f s" % patience_s
        if now > limit or (right_since is not None and now - right_since >= stands_s):
            break
        if fault_ns is not None or looks % LOOKS_BEFORE == 0:
            is_right = watched.look(job.replay(), fault_ns)
            right_since = (right_since or now) if is_right else None
        looks += 1
        time.sleep(LOOK_S)
    job.end()
    watched.look(job.replay(), job.fault_ns())
    if job.fault_ns() is None and job.case["kind"] != HEALTHY:
        watched.broken = watched.broken or "the fault never came"
        print(watched.broken + ":\n" + job.printed(), flush=True)


def run(case, given, number):
    """One case that cannot be watched to its end does not take the others with it."""
    job, watched = Faulty(case), Watched(case)
    try:
        try:
            turns = max(1, case["world"] / CORES)
            watch(job, watched, (given.limit or LIMIT_S) * turns, given.patience * turns)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            watched.broken = "%s: %s" % (type(error).__name__, error)
        if given.keep:
            shutil.copytree(job.path, os.path.join(given.keep, "%03d-%s" % (number, case["kind"])))
    finally:
        job.close()
    return watched


class BusyLoops:
    """Beside a job."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(self.count)]

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def counts(some):
    right = [one for one in some if one.is_right]
    took = [one.took_s for one in right]
    cause = sum(one.has_cause for one in right)
    return {"cases": len(some), "rank": len(right), "cause": cause, "other_cause": len(right) - cause,
            "wrong": sum(one.wrong is not None for one in some), "silent": sum(one.wrong is None and not one.is_right for one in some),
            "median_s": statistics.median(took) if took else None, "worst_s": max(took, default=None)}  # fmt: skip


def row(name, some):
    *numbers, median, worst = counts(some).values()
    times = ["-" if one is None else "%.1f" % one for one in (median, worst)]
    return "%-14s %5d %6d %6d %6d %6d %7d  %6s %7s" % (name, *numbers, *times)


def table(all_):
    lines = ["%-14s %5s %6s %6s %6s %6s %7s  %6s %7s" % ("fault", "cases", "rank", "cause", "other", "wrong", "silent", "median", "worst s")]
    kinds = [kind for kind in KINDS if any(one.case["kind"] == kind for one in all_)]
    lines += [row(kind, [one for one in all_ if one.case["kind"] == kind]) for kind in kinds]
    worlds = sorted({one.case["world"] for one in all_})
    lines += [row("world %d" % world, [one for one in all_ if one.case["world"] == world]) for world in worlds]
    return "\n".join([*lines, row("all", all_)])


def score(faulty, healthy, given):
    """How well the ranks were named, and whether that meets the goals: as it is printed in JSON."""
    all_, accused = counts(faulty), sum(one.wrong is not None for one in healthy)
    allowed = max(1, len(healthy) // HEALTHY_OF_ONE_FALSE)
    is_named = all_["rank"] >= LEAST_RIGHT * all_["cases"] and all_["wrong"] == 0
    is_soon = all_["median_s"] is None or all_["median_s"] <= MOST_MEDIAN_S or given.limit is not None
    met = is_named and is_soon and accused <= allowed and not any(one.broken for one in healthy)
    kinds = {kind: counts([one for one in faulty if one.case["kind"] == kind]) for kind in given.kinds}
    return {"seed": given.seed, "met": met, "faulty": all_, "kinds": kinds, "broken": sum(one.broken is not None for one in [*faulty, *healthy]),
            "healthy": {"cases": len(healthy), "accused": accused, "allowed": allowed}}  # fmt: skip


def score_text(said):
    faulty, healthy = said["faulty"], said["healthy"]
    named = "right rank in %d of %d (goal: %.0f %%), for the right cause in %d; wrong in %d (0), silent in %d" % (
        faulty["rank"], faulty["cases"], 100 * LEAST_RIGHT, faulty["cause"], faulty["wrong"], faulty["silent"])  # fmt: skip
    times = "no time" if faulty["median_s"] is None else "median %.1f s (%.0f s), worst %.1f s" % (faulty["median_s"], MOST_MEDIAN_S, faulty["worst_s"])
    falsely = "accusations in %d of %d healthy runs (%d)" % (healthy["accused"], healthy["cases"], healthy["allowed"])
    return "score: %s; %s; %s: %s" % (named, times, falsely, "met" if said["met"] else "MISSED")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--grid", action="store_true", help="every kind on the first, middle and last rank of every world, instead of --cases")
    parser.add_argument("--cases", type=int, default=3 * len(KINDS))
    parser.add_argument("--healthy", type=int, default=6, help="runs without a fault; every second one beside busy loops")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS))
    parser.add_argument("--worlds", type=lambda text: [int(one) for one in text.split(",")], default=[2, 4, 8])
    parser.add_argument("--limit", type=float, help="seconds of a case after its fault; how soon a rank is named is then not judged")
    parser.add_argument("--patience", type=float, default=PATIENCE_S, help="seconds until the fault of a case, or the end of one without")
    parser.add_argument("--keep", help="folder for the jobs' folders")
    given = parser.parse_args()
    if unknown := set(given.kinds) - set(KINDS):
        parser.error("no such kind: %s; these are: %s" % (", ".join(sorted(unknown)), ", ".join(KINDS)))
    print("seed %d" % given.seed, flush=True)
    dice = random.Random(given.seed)
    faulty, healthy = [], []
    for number, case in enumerate(drawn(dice, given)):
        faulty.append(run(case, given, number))
        print("%d: %s" % (number, faulty[-1].text()), flush=True)
    for number in range(given.healthy):
        case = draw(dice, HEALTHY, given.worlds)
        is_busy = number % 2 == 1
        with BusyLoops(CORES if is_busy else 0):
            healthy.append(run(case, given, len(faulty) + number))
        said = healthy[-1].wrong
        blamed = "%s: %s" % (said["title"], said["message"]) if said else "nobody is blamed"
        broken = " (%s)" % healthy[-1].broken if healthy[-1].broken else ""
        print("healthy, world %d%s%s: %s" % (case["world"], ", busy" if is_busy else "", broken, blamed), flush=True)
    print(table(faulty))
    said = score(faulty, healthy, given)
    print(score_text(said))
    print(json.dumps(said))
    return 0 if said["met"] else 1


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    sys.exit(main())
