# SPDX-License-Identifier: Apache-2.0
"""attack_pool.py SHARDLENS [--seed S] [--cases N] [--case SEED] [--limit S] [--keep FOLDER] [--words]: whether anything false is said of training
programs that are drawn at random, with faults or without. Each case is attacked.py with parts drawn from a seed of its own: S, S + 1, and so on. It
is recorded with `run`, and what the other commands say of the recording is held against what its loops wrote down themselves. Silence is allowed. Each
falsehood is told at once, with its case. The last line is a summary as JSON. Exit status 1 where anything false was said or a case was not over in
its time, 77 and a line on stdout where torch is missing."""
import argparse
import collections
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..", "support"))
from torch_jobs import SKIPPED, free_port, has_torch, ranks, torchrun

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attacked.py")
UNEVEN = ("longer", "reads_twice", "skips_samples", "skips_batch")
DEADLY = ("exits", "killed", "dies_last", "raises", "sample_raises")
FAULTS = ["none"] * 6 + ["forgets_set_epoch", "other_seed", "longer", "same_shard", "reads_twice", "skips_samples", "skips_batch", "mutated", "grows", *DEADLY]


def draw(dice):
    """A case, as attacked.py takes it."""
    fault = dice.choice(FAULTS)
    world = dice.choice([1, 2, 2, 3])
    data = dice.choice(["plain"] * 5 + ["subset", "rank_subset", "epoch_subset", "split", "concat", "stream"])
    if fault in ("reads_twice", "skips_samples"):
        sampler = "own"
    elif fault in ("forgets_set_epoch", "same_shard"):
        sampler = dice.choice(["distributed", "own"])
    else:
        sampler = dice.choice(["distributed"] * 4 + ["own", "own", "random", "shuffle", "weighted", "indices", "sequential"])
    workers = dice.choice([0, 0, 0, 2])
    gloo = world > 1 and dice.random() < 0.4
    epochs = dice.choice([1, 2, 2, 3])
    launcher = dice.choice(["fork"] * 6 + ["shell"] * 2 + ["torchrun"]) if world > 1 else ""
    return {
        "fault": fault, "world": world, "rank": dice.randrange(world), "data": data, "sampler": sampler, "workers": workers, "gloo": gloo,
        "epochs": epochs, "size": dice.choice([dice.randrange(6, 20), dice.randrange(20, 70)]), "batch": dice.choice([1, 2, 3, 4, 5, 8]),
        "meets": gloo and dice.random() < 0.5, "launcher": launcher, "persistent": dice.random() < 0.5,
        "drop_last": dice.random() < 0.3, "sampler_drops": dice.random() < 0.3, "shuffles": dice.random() < 0.8, "seed": dice.choice([0, 0, 3]),
        "own_shuffles": dice.random() < 0.6, "own_strides": dice.random() < 0.5, "batch_sampler": dice.random() < 0.15,
        "rank_split": dice.random() < 0.6, "worker_split": dice.random() < 0.6, "divides": dice.random() < 0.5, "divisor": dice.choice([1, 1, 2]),
        "generator": dice.choice(["none", "seeded", "seeded", "per_rank"]), "torch_seed": dice.choice(["none", "same", "same", "per_rank"]),
        "python_seed": dice.choice([None, None, 30]), "set_epoch": dice.choice(["called"] * 5 + ["forgotten", "constant", "ahead", "double"]),
        "validates": dice.choice(["never", "never", "before", "after", "inside", "on_train"]), "held_out": dice.randrange(3, 15), "again": dice.random() < 0.12,
        "accumulates": dice.choice([1, 1, 1, 2, 3]), "at": dice.randrange(0, 4), "mutates_all": dice.random() < 0.5,
        "breaks": dice.choice([0, 0, 0, 0, 1, 2, 3]), "break_epoch": dice.choice([-1, 0, epochs - 1]), "break_all": dice.random() < 0.6,
        "looks": dice.choice([""] * 8 + ["all", "one"]), "restarts": dice.choice([""] * 7 + ["same", "two"]), "resumes_at": dice.choice([0, 1, epochs]),
        "forwards": dice.choice([0] * 6 + [1, 2]), "held_out_divided": dice.random() < 0.3,
        "backwards": dice.choice([1, 1, 2]), "breaks_before": dice.random() < 0.5, "clears": dice.choice(["step", "step", "top", "epoch"]),
    }  # fmt: skip


class Pass:
    """What one loop over a loader wrote down."""

    def __init__(self, facts):
        self.loop, self.first, self.told, self.calls, self.size = facts["pass_of"], facts["first"], facts["told"], facts["calls"], facts["size"]
        self.below, self.torch_seed, self.states = facts["below"], facts["torch_seed"], facts["states"]
        self.batches, self.workers = [], set()
        self.left = self.end = False
        self.backwards = 0

    @property
    def ids(self):
        return [one for batch in self.batches for one in batch]

    def epochs_in(self, planned, rank):
        """Those whose batches on this rank begin with these."""
        return [epoch for epoch, by_rank in planned.items() if by_rank.get(rank, [])[: len(self.batches)] == self.batches]

    def to_positions(self):
        """In its Subset."""
        places = {sample: place for place, sample in enumerate(self.below or range(self.size))}
        self.batches = [[places[one] for one in batch] for batch in self.batches]
        self.below = None


class Rank:
    """What a process wrote down."""

    def __init__(self, path, is_whole):
        self.passes, self.steps, self.ended, self.process = [], [], None, 0
        pending, now = [], None
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        for facts in lines:
            if "process" in facts:
                self.process = facts["process"]
            elif "pass_of" in facts:
                now = Pass(facts)
                self.passes.append(now)
            elif "batch" in facts:
                now.batches.append(facts["batch"])
                now.workers |= set(facts["workers"])
            elif "backward" in facts:
                now.backwards += 1
                if pending[-1:] != [(now, len(now.batches) - 1)]:
                    pending.append((now, len(now.batches) - 1))
            elif "step" in facts:
                self.steps.append(pending)
                pending = []
            elif "cleared" in facts:
                pending = []
            elif "left" in facts:
                now.left = facts["left"]
            elif "end" in facts:
                now.end = True
            elif "again" in facts:  # of a loop within a loop
                now = next(one for one in reversed(self.passes) if one.loop == "train")
            elif "bye" in facts or "raised" in facts:
                self.ended = "bye" if "bye" in facts else "raised"
        # Its end is recorded, and with it all that it read.
        self.is_exact = self.ended is not None and is_whole

    def of(self, first):
        """The passes over loaders that were first read in this loop."""
        return [one for one in self.passes if one.first == first]


def truth_of(folder, case):
    """[start][rank]"""
    is_whole = not (case["launcher"] == "torchrun" and case["fault"] in (*DEADLY, "skips_batch", "longer", "reads_twice", "skips_samples", "grows"))
    starts = collections.defaultdict(dict)
    for name in sorted(os.listdir(folder)):
        start, rank = name.split(".")[0].split("-")
        starts[int(start)][int(rank)] = Rank(os.path.join(folder, name), is_whole)
    return starts


LOOPS = {"train": "training", "val": "validation", "look": "look"}


def site_of(loop):
    with open(PROGRAM) as file:
        return next(number for number, line in enumerate(file, 1) if line.endswith("# %s\n" % loop))


def numbers(text):
    """Of "ranks 0 to 3", "ranks 0, 1 and 3", "rank 2"."""
    found = []
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def count(text):
    return int(re.sub(r"\D", "", text))


class Attack:
    """A case, and what false was said of it."""

    def __init__(self, shardlens, seed, limit):
        self.shardlens, self.seed, self.limit = shardlens, seed, limit
        self.case = draw(random.Random(seed))
        self.false = []  # (kind, claim, truth)
        self.unchecked, self.words = collections.Counter(), []
        self.checked = 0
        self.folder = tempfile.TemporaryDirectory(prefix="shardlens-attack-")
        self.path = self.folder.name

    def command(self, start):
        case = self.case
        words = [PROGRAM, json.dumps(case)]
        if case["launcher"] == "torchrun":
            command = torchrun(case["world"], *words)
        elif case["world"] == 1:
            command = [sys.executable, *words]
        elif case["launcher"] == "fork":
            size = str(case["world"])
            command = ["env", "FORKS=1", "WORLD_SIZE=" + size, "LOCAL_WORLD_SIZE=" + size, "MASTER_PORT=%d" % free_port(), sys.executable, *words]
        else:
            command = ranks(case["world"], *words)
        return ["env", "START=%d" % start, *command]

    def tell(self, *arguments):
        """What the command says as text, then as JSON; none where it has no answer."""
        done = [self.run([self.shardlens, *arguments, *more]) for more in ((), ("--format", "json"))]
        for one in done:
            if one.returncode not in (0, 1, 2):
                self.false.append(("crash", " ".join(arguments), "exit status %d: %s" % (one.returncode, one.stderr[-500:])))
        if done[0].returncode == 2:
            return " ".join((done[0].stdout + done[0].stderr).split()), None
        return " ".join((done[0].stdout + done[0].stderr).split()), json.loads(done[1].stdout)

    def run(self, command):
        environment = dict(os.environ, TRUTH=os.path.join(self.path, "truth"), OMP_NUM_THREADS="1", MASTER_ADDR="127.0.0.1", HOME=self.path)
        job = subprocess.Popen(command, cwd=self.path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            out, error = job.communicate(timeout=self.limit)
            return subprocess.CompletedProcess(command, job.returncode, out, error)
        finally:
            try:
                os.killpg(job.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            job.communicate()

    def record(self):
        os.mkdir(os.path.join(self.path, "truth"))
        starts = [self.command(start) for start in range(2 if self.case["restarts"] else 1)]
        if self.case["restarts"] == "same":
            starts = [["sh", "-c", "; ".join(shlex.join(one) for one in starts)]]
        self.runs = ["run-%d.slrun" % number for number in range(len(starts))]
        self.printed = [self.run([self.shardlens, "run", "--grace", "2", "--run-file", name, "--", *one]) for name, one in zip(self.runs, starts)]

    def claim(self, kind, said, true):
        self.checked += 1
        if said != true:
            self.false.append((kind, said, true))

    def hold(self, kind, is_true, said, true):
        self.checked += 1
        if not is_true:
            self.false.append((kind, said, true))

    def judge(self):
        starts = truth_of(os.path.join(self.path, "truth"), self.case)
        for number, name in enumerate(self.runs):
            Recording(self, name, starts if self.case["restarts"] == "same" else {0: starts[number]}).judge()
        if len(self.runs) == 2:
            Continued(self, starts).judge()


class Recording:
    """What is said of one recording."""

    def __init__(self, attack, name, starts):
        self.attack, self.name, self.starts, self.case = attack, name, starts, attack.case

    def judge_end(self):
        """Who is said to have died, or to have called something else."""
        _, said = self.attack.tell("replay", self.name)
        case = self.case
        is_even = case["data"] not in ("stream", "rank_subset") and not case["breaks"] and case["sampler"] != "indices"
        self.judge_status(is_even)
        for one in said["verdicts"] if said else []:
            if one["kind"] in ("dead", "mismatch") and one["rank"] >= 0:
                text = one["title"] + ": " + one["message"]
                self.attack.hold("replay", case["fault"] != "none" or not is_even or bool(self.with_fewest()), text, "nothing is wrong")
                if case["fault"] in DEADLY or (case["fault"] in UNEVEN and is_even and one["kind"] == "mismatch"):
                    is_right = case["rank"] in one["ranks"] or (one["kind"] == "mismatch" and set(one["ranks"]) == self.with_fewest())
                    self.attack.hold("replay", is_right, text, "rank %d is to blame" % case["rank"])
                elif one["kind"] == "dead":  # such as those that wait for a rank that has left
                    ends = {rank: facts.ended for start in self.starts.values() for rank, facts in start.items() if facts.ended != "bye"}
                    self.attack.hold("replay", set(one["ranks"]) <= set(ends), text, "these did not come to their end: %s" % ends)
                break

    def with_fewest(self):
        """The ranks that read fewer batches than others in their first training pass."""
        reads = [{number: len(rank.of("train")[0].batches) for number, rank in start.items() if rank.of("train")} for start in self.starts.values()]
        return {number for read in reads for number, count in read.items() if count < max(read.values())}

    def judge_status(self, is_even):
        """That the recorded program ended as it would alone."""
        case, done = self.case, self.attack.printed[self.attack.runs.index(self.name)]
        is_signal = case["fault"] in ("killed", "dies_last") and done.returncode == 128 + signal.SIGKILL
        self.attack.hold("run status", 0 <= done.returncode <= 128 or is_signal, done.returncode, done.stderr[-500:])
        raises = case["looks"] or (case["meets"] and (not is_even or case["sampler"] == "own"))  # a look may find no batch, a rank none to meet
        if case["fault"] == "none" and not raises:
            ends = {rank: facts.ended for start in self.starts.values() for rank, facts in start.items()}
            if case["gloo"] and "terminate called without an active exception" in done.stderr and set(ends.values()) == {"bye"}:
                self.attack.unchecked["gloo aborted at the interpreter's end, as it does without a probe"] += 1
                return
            self.attack.hold("run status", done.returncode == 0 and set(ends.values()) == {"bye"}, done.returncode, "%s %s" % (ends, done.stderr[-500:]))

    def judge(self):
        self.judge_end()
        text, said = self.attack.tell("capture", self.name)
        self.attack.words.append(text)
        if said is None:
            has_batch = any(one.batches for start in self.starts.values() for rank in start.values() for one in rank.passes if rank.is_exact)
            self.attack.hold("capture", not has_batch, text, "batches were read")
            return
        beside = collections.Counter(loader["site"] for loader in said["loaders"])
        for loader in said["loaders"]:
            notes, start = " ".join(loader["notes"]), 0
            if found := re.search(r"This is start (\d+)", notes):
                start = int(found[1]) - 1
            if found := re.search(r"this one is process (\d+)", notes):
                start = next(number for number, start in self.starts.items() for rank in start.values() if rank.process == int(found[1]))
            name = next(name for name, loop in LOOPS.items() if loader["site"].endswith(":%d" % site_of(loop)))
            place = re.search(r"# Loader (\d+) of \d+ that", loader["spec"] or "")
            sizes = {one.size for rank in self.starts[start].values() for one in rank.of(name)}
            if beside[loader["site"]] > len(self.starts) and (not place or len(sizes) < beside[loader["site"]]):  # whose is which pass?
                self.attack.unchecked["loader beside another one"] += 1
            elif self.case["data"] == "stream" and self.case["again"] and self.case["looks"] == "one":  # no lengths tell which epoch a rank's second one is of
                self.attack.unchecked["streams of which one rank looked at the first"] += 1
            elif self.case["again"] and self.case["looks"] == "one" and not all(rank.of("train")[0].backwards for rank in self.starts[start].values() if rank.of("train")):
                self.attack.unchecked["a first loader that one rank looked at, and none trained on"] += 1
            else:
                Loader(self.attack, self.name, self.starts[start], name, loader, int(place[1]) - 1 if place else None).judge()


class Loader:
    """What is said of a loader, beside its true passes."""

    def __init__(self, attack, run, ranks_of_start, name, said, place):
        self.attack, self.run, self.ranks, self.name, self.said, self.case = attack, run, ranks_of_start, name, said, attack.case
        self.passes = {rank: facts.of(name) for rank, facts in self.ranks.items()}
        if name != "val":  # some ranks may have begun with a look
            other = {"train": "look", "look": "train"}[name]
            self.passes = {rank: passes or (facts.of(other) if rank in said["ranks"] else [])
                           for (rank, facts), passes in zip(self.ranks.items(), self.passes.values())}  # fmt: skip
            if self.case["looks"] == "one" and len({len(passes) for passes in self.passes.values()}) > 1:
                self.passes = {rank: facts.of("look") + facts.of("train") for rank, facts in self.ranks.items() if rank in said["ranks"]}
        notes = " ".join(said["notes"])
        self.skips_looks = "single batch out of this loader" in notes
        if self.skips_looks:
            self.passes = {rank: [one for one in passes if one.loop != "look" or not one.batches] for rank, passes in self.passes.items()}
        if place is not None:  # of several that this loop reads: their datasets differ in length
            sizes = list(dict.fromkeys(one.size for passes in self.passes.values() for one in passes))
            size = sizes[min(place, len(sizes) - 1)]
            self.passes = {rank: [one for one in passes if one.size == size] for rank, passes in self.passes.items()}
        self.passes = {rank: passes for rank, passes in self.passes.items() if passes}
        self.is_exact = all(one.is_exact for one in self.ranks.values())

    def at(self, index):
        """{rank: pass}"""
        return {rank: passes[index] for rank, passes in self.passes.items() if index < len(passes)}

    def tell(self, *arguments):
        return self.attack.tell(*arguments, "--loader", self.said["name"])

    def judge(self):
        batches = sum(len(one.batches) for passes in self.passes.values() for one in passes)
        if self.is_exact:
            self.attack.claim("capture batches", self.said["batches"], batches)
        else:
            self.attack.hold("capture batches", self.said["batches"] <= batches, self.said["batches"], batches)
        readers = sorted(self.passes)
        if self.is_exact:
            self.attack.claim("capture ranks", self.said["ranks"], readers)
        for finding in self.said["findings"]:
            self.judge_finding(finding)
        if self.case["data"] == "stream" and self.name != "val":
            for note in self.said["notes"]:
                self.judge_contents(note)
            return
        self.judge_plan()
        self.judge_audit()
        self.judge_find()
        if self.name != "val":
            self.judge_at()
            case = self.case
            is_plain = case["data"] in ("plain", "concat") and not case["looks"] and case["validates"] != "on_train"
            if case["sampler"] == "distributed" and is_plain:
                self.judge_design()
        self.judge_verify()

    # --- findings of the recording
    def judge_finding(self, text):
        for pattern, check in FINDINGS:
            if found := re.search(pattern, text):
                return check(self, text, found)
        self.attack.unchecked["finding: " + re.sub(r"\d+", "N", text)[:50]] += 1

    def hold(self, kind, is_true, text, true):
        self.attack.hold("finding " + kind, is_true, text, true)

    def batches_at(self, index):
        return {rank: one.batches for rank, one in self.at(index).items()}

    def judge_same_batches(self, text, found):
        index = int(found[1])
        batches, who = self.batches_at(index), found[2] + found[3]
        for group in re.split(" read the same batches|, and so do ", who):
            own = [batches.get(rank) for rank in numbers(group)]
            self.hold("same batches", all(one and one == own[0] for one in own), text, batches)
        if seed := re.search(r"torch seed (\d+)", text):
            seeds = {rank: one.torch_seed for rank, one in self.at(index).items()}
            self.hold("torch seed", set(seeds.values()) == {int(seed[1])}, text, seeds)

    def epochs_of(self, rank):
        passes = self.passes[rank]
        trained = [one for one in passes if one.backwards]
        return trained or [one for one in passes if one.end]

    def judge_one_order(self, text, found):
        """All epochs of some ranks have one order."""
        end = 0
        for one in re.finditer(r"(?:on (ranks? [^:,]*))?(?:, and always with (\d+))?: all (\d+) epochs have the order of epoch (\d+)(, as far)?", text):
            before, end = text[end : one.start()], one.end()
            for rank in numbers(one[1]) if one[1] else self.passes:
                passes = self.epochs_of(rank)
                if not self.ranks[rank].is_exact or (not one[1] and len(passes) < 2):
                    continue
                batches = [each.batches for each in passes]
                alike = all(each[: len(batches[0])] == batches[0][: len(each)] for each in batches) if one[5] else all(each == batches[0] for each in batches)
                self.hold("one order", alike and len(passes) == int(one[3]), text, "rank %d: %s" % (rank, batches))
                self.hold("order of epoch", passes[0].told == int(one[4]), text, "rank %d was told %s" % (rank, passes[0].told))
                if "never called" in before:
                    self.hold("set_epoch", not any(each.calls for each in passes), text, "it was called on rank %d" % rank)

    def judge_again(self, text, found):
        passes = self.passes[int(found[1])]
        for one, first, of in re.findall(r"pass (\d+) has the (first )?batches of pass (\d+) again", text):
            now, earlier = passes[int(one)].batches, passes[int(of)].batches
            self.hold("again", now == earlier[: len(now)] if first else now == earlier, text, [now, earlier])

    def judge_contents(self, text):
        found = re.match(r"Pass (\d+), by content: ([\d ]+) batch(?:es)?(?: with ([\d ]+) samples?)? on (ranks? [^:,]*)(.*)", text)
        if not found or not self.is_exact or not found[3]:
            return
        ids = {rank: one.ids for rank, one in self.at(int(found[1])).items()}
        all_ids = [one for own in ids.values() for one in own]
        shared = sum(ranks > 1 for ranks in collections.Counter(one for own in ids.values() for one in set(own)).values())
        self.hold("contents", count(found[3]) == len(all_ids), text, ids)
        if "no two alike" in found[5]:
            self.hold("contents", len(set(all_ids)) == len(all_ids), text, ids)
        repeated = sum(len(own) - len(set(own)) for own in ids.values())
        known = {r"([\d ]+) different": len(set(all_ids)), r"([\d ]+) of them on several ranks": shared, r"([\d ]+) repeats? what": repeated}
        for pattern, true in known.items():
            if one := re.search(pattern, found[5]):
                self.hold("contents", count(one[1]) == true, text, ids)

    def judge_equal_data(self, text, found):
        ids = {rank: sorted(one.ids) for rank, one in self.at(int(found[1])).items()}
        for group in re.split(r"(?: got equal data)?, (?:and )?so did ", found[2]):
            own = [ids.get(rank) for rank in numbers(group)]
            self.hold("equal data", all(one and one == own[0] for one in own), text, ids)

    def judge_equal_workers(self, text, found):
        times = collections.Counter(self.at(int(found[1]))[int(found[2])].ids)
        self.hold("equal workers", all(one % int(found[3]) == 0 for one in times.values()), text, times)

    def judge_apart(self, text, found):
        for who, epoch in re.findall(r"(ranks? [\d ,andto]*?) reads? epoch (\d+)", found[2]):
            for rank in numbers(who):
                self.hold("epochs apart", self.passes[rank][int(found[1])].told == int(epoch), text, "rank %d was told another one" % rank)

    def judge_unequal(self, text, found):
        passes = self.at(int(found[1]))
        true = {rank: (len(one.batches), "end" if one.end else one.left) for rank, one in passes.items()}
        if one := re.match(r"(.*?) (ended|left it) after (\d+) batch(?:es)?, and (.*?) had (up to )?(\d+)", found[2]):
            for rank in numbers(one[1]):
                if self.ranks[rank].is_exact:
                    self.hold("ended early", true[rank][0] == int(one[3]) and (one[2] == "left it" or passes[rank].end or self.case["workers"]), text, true)
            for rank in numbers(one[4]):
                self.hold("had more", len(passes[rank].batches) >= int(one[3]), text, true)
        elif one := re.match(r"(ranks? \D*[\d ,andto]*?) (\d+), (ranks? [\d ,andto]*?) (\d+)\.", found[2]):
            for who, batches in ((one[1], one[2]), (one[3], one[4])):
                for rank in numbers(who):
                    self.hold("unequal", true[rank][0] == int(batches) if passes[rank].end else true[rank][0] <= int(batches), text, true)
        else:
            self.attack.unchecked["unequal: " + found[2][:60]] += 1

    def judge_workers(self, text, found):
        if self.case["data"] == "stream":  # which does not say its seeds
            return
        seeds, base = {rank: sorted(self.passes[rank][0].workers) for rank in numbers(found[1]) if rank in self.passes}, int(found[2])
        self.hold("worker seeds", all(base <= one < base + self.case["workers"] for own in seeds.values() for one in own), text, seeds)

    def judge_worker_passes(self, text, found):
        if self.case["data"] == "stream":
            return
        passes = self.passes[int(found[1])]
        seeds = [sorted(passes[int(found[group])].workers) for group in (2, 3)]
        self.hold("seeds of passes", all(0 <= one - int(found[4]) < self.case["workers"] for own in seeds for one in own), text, seeds)

    def judge_states(self, text, found):
        states = {rank: self.passes[rank][0].states[found[1]] for rank in numbers(found[2]) if rank in self.passes}
        self.hold("states", len(set(states.values())) == 1, text, states)

    # --- plan
    def fits(self, kind, planned, is_recorded):
        """{epoch: {rank: batches}} holds every pass in its place."""
        for rank, passes in self.passes.items():
            exact = self.ranks[rank].is_exact
            for index, one in enumerate(passes):
                if is_recorded:
                    batches = planned.get(index, {}).get(rank, [])
                    if exact:
                        self.attack.claim(kind, batches, one.batches)
                    else:
                        self.attack.hold(kind, batches == one.batches[: len(batches)], batches, one.batches)
                    continue
                self.attack.hold(kind, one.epochs_in(planned, rank) or not exact, "no epoch with pass %d of rank %d" % (index, rank), one.batches)

    def judge_plan(self):
        text, plan = self.tell("plan", self.run)
        self.planned = None
        self.attack.words.append(text[:600])
        if plan is None:
            return
        self.planned = {epoch["epoch"]: {rank["rank"]: rank["batches"] for rank in epoch["ranks"]} for epoch in plan["epochs"]}
        if "ids are positions" in text:
            for passes in self.passes.values():
                for one in passes:
                    one.to_positions()
        if self.said["proven"]:
            self.fits("plan", self.planned, self.said["recorded"])
        if (more := re.search(r"([\d ]+) more batch(?:es)? that it plans w", text)) and self.is_exact and self.said["proven"]:
            unread = self.count_unread()
            if unread is not None:
                self.attack.claim("plan not read", count(more[1]), unread)

    def count_unread(self):
        """How many planned batches were not read; none where a pass has the batches of several epochs, and may be of any of them."""
        unread = sum(len(by_rank.get(rank, [])) for by_rank in self.planned.values() for rank in self.passes)
        for rank, passes in self.passes.items():
            read = collections.Counter()
            for one in (each for each in passes if each.batches):
                fits = one.epochs_in(self.planned, rank)
                if len(fits) != 1:
                    return None
                read[fits[0]] = max(read[fits[0]], len(one.batches))
            unread -= sum(read.values())
        return unread

    # --- audit
    def judge_audit(self):
        text, audit = self.tell("audit", self.run)
        self.attack.words.append(text)
        if audit is None:
            return
        if audit["recorded"]:
            for one in audit["recorded"]["passes"]:
                self.judge_pass(one)
            never, size = audit["recorded"]["never_read"], audit["recorded"]["dataset_size"]
            read = {one for passes in self.passes.values() for each in passes for one in each.ids}
            if size is not None and self.is_exact:
                self.attack.claim("never read", never, len(set(range(size)) - read))
        for one in re.finditer(r"Pass (\d+): (.*?)(?= Pass \d+:| Not in any| and \d+ more pass|$)", text):
            self.judge_ends(int(one[1]), one[2][:600])
        Audited(self, audit, text).judge()

    def judge_pass(self, said):
        passes = self.at(said["pass"])
        if not passes or not all(self.ranks[rank].is_exact for rank in passes):
            return
        ids = {rank: one.ids for rank, one in passes.items()}
        all_ids = [one for own in ids.values() for one in own]
        by_sample = collections.Counter(one for own in ids.values() for one in set(own))
        self.attack.claim("pass ranks", said["ranks"], sorted(passes))
        self.attack.claim("pass batches", said["batches"], sum(len(one.batches) for one in passes.values()))
        self.attack.claim("pass items", said["items"], len(all_ids))
        self.attack.claim("pass samples", said["samples"], len(set(all_ids)))
        self.attack.claim("pass shared", said["shared"], sum(ranks > 1 for ranks in by_sample.values()))
        self.attack.claim("pass repeated", said["repeated"], sum(len(own) - len(set(own)) for own in ids.values()))
        for rank in said["left"]:
            self.attack.hold("pass left", rank in passes and not passes[rank].end, "rank %d left pass %d" % (rank, said["pass"]), "it did not")
        now = {rank: one.batches for rank, one in passes.items()}
        if said["same_as"] is not None:
            self.attack.claim("pass same as", {rank: one.batches for rank, one in self.at(said["same_as"]).items()}, now)

    def judge_ends(self, index, text):
        """How the pass ended, as text."""
        passes = self.at(index)
        for who, what in re.findall(r"(Ranks? [\d ,andto]+?) (left it there|got none\.|got no more of it|asked for another batch and got none)", text):
            for rank in numbers(who):
                one = passes.get(rank)
                if one is not None and self.ranks[rank].is_exact:
                    self.attack.hold("pass ends", not one.batches if what == "got none." else not one.end, text, one.batches)

    # --- find
    def judge_find(self):
        read = sorted({one for passes in self.passes.values() for each in passes for one in each.ids})
        dice = random.Random(self.attack.seed)
        for sample in dice.sample(range(self.case["size"]), 2) + read[-1:]:
            text, found = self.tell("find", self.run, str(sample))
            if found is None or not self.said["proven"] or not self.planned:
                continue
            seen = {(epoch["epoch"], one["rank"], one["step"], one["item"]) for epoch in found["epochs"] for one in epoch["seen"]}
            true = {(epoch, rank, step, item) for epoch, by_rank in self.planned.items() for rank, batches in by_rank.items()
                    for step, batch in enumerate(batches) for item, one in enumerate(batch) if one == sample}  # fmt: skip
            self.attack.claim("find", sorted(seen), sorted(true))  # and the plan is held against the truth

    # --- at
    def judge_at(self):
        if self.case["backwards"] == 2 and (self.case["forwards"] or self.case["fault"] == "skips_batch"):
            self.attack.unchecked["at: none on one batch and two on the next count as one on each"] += 1  # as in loops that get both first
            return
        true = {}  # rank: of each step, the batches as (pass, batch)
        for rank, passes in self.passes.items():
            places = {id(one): index for index, one in enumerate(passes)}
            true[rank] = [[(places[id(one)], batch) for one, batch in step if id(one) in places] for step in self.ranks[rank].steps]
            true[rank] = [step for step in true[rank] if step]
        most = max(map(len, true.values()), default=0)
        for step in {0, most // 2, max(0, most - 1)}:
            text, at = self.tell("at", self.run, "--step", str(step))
            if at is None:
                continue
            self.attack.words += at["notes"] + [at["meaning"]]
            for said in at["ranks"] if at["known_by"] == "recorded" else []:
                steps, passes = true[said["rank"]], self.passes[said["rank"]]
                if not self.ranks[said["rank"]].is_exact:
                    continue
                self.attack.claim("at steps", said["steps"], len(steps))
                if step < len(steps):
                    self.attack.claim("at batches", [(one["pass"], one["batch"]) for one in said["micro_batches"]], steps[step])
                    samples = [one["samples"] for one in said["micro_batches"]]
                    if None not in samples:
                        self.attack.claim("at samples", samples, [passes[index].batches[batch] for index, batch in steps[step]])

    # --- verify
    def judge_verify(self):
        if not self.said["spec"]:
            return
        path = os.path.join(self.attack.path, "captured.yaml")
        with open(path, "w") as file:
            file.write(self.said["spec"])
        text, plan = self.attack.tell("plan", path)
        if plan is None:
            return
        planned = {epoch["epoch"]: {rank["rank"]: rank["batches"] for rank in epoch["ranks"]} for epoch in plan["epochs"]}
        if self.said["proven"]:
            self.fits("spec", planned, self.said["recorded"])
        text, verified = self.tell("verify", path, self.run)
        self.attack.words.append(text)
        if verified is None:
            return
        total = sum(len(batches) for by_rank in planned.values() for batches in by_rank.values())
        read = sum(len(one.batches) for passes in self.passes.values() for one in passes)
        trained = sum(len(one.batches) for passes in self.passes.values() for one in [each for each in passes if each.backwards] or passes)
        if verified["result"] == "match" and self.is_exact:
            self.attack.hold("verify match", total <= read, total, read)
            self.fits("verify match", planned, self.said["recorded"])
        if verified["result"] == "mismatch" and self.said["proven"]:
            self.attack.hold("verify mismatch", total > trained, text, "all %d batches are as planned" % trained)


    # --- verify with the design that a team would have in mind
    def judge_design(self):
        case = self.case
        path = os.path.join(self.attack.path, "design.yaml")
        epochs = case["epochs"] + max(each.told or 0 for passes in self.passes.values() for each in passes[:1])
        with open(path, "w") as file:
            file.write(DESIGN.format(**{name: json.dumps(value) for name, value in case.items()}, last=epochs))
        _, plan = self.attack.tell("plan", path)
        planned = {epoch["epoch"]: {rank["rank"]: rank["batches"] for rank in epoch["ranks"]} for epoch in plan["epochs"]}
        text, said = self.tell("verify", path, self.run)
        self.attack.words.append(text)
        if said is None or not self.is_exact:
            return
        first = min((passes[0].told for passes in self.passes.values()), default=0) if case["restarts"] else 0
        pairs = [(planned.get(first + index, {}).get(rank), one.batches) for rank, passes in self.passes.items() for index, one in enumerate(passes)]
        obeys = all(wanted is not None and wanted[: len(read)] == read for wanted, read in pairs)
        if said["result"] == "match":
            self.attack.hold("design match", obeys and len(self.passes) == case["world"], text, pairs)
        if said["result"] == "mismatch":
            sizes = {one.size for passes in self.passes.values() for one in passes}
            whole = sizes == {case["size"]} and all(wanted == read for wanted, read in pairs)
            self.attack.hold("design mismatch", not (obeys and whole), text, pairs)
        at = said["first_difference"]
        if at is not None and at["epoch"] >= 0:
            wanted = planned.get(at["epoch"], {}).get(at["rank"], [])
            read = [one.batches for one in self.passes.get(at["rank"], [])]
            step = at["step"]
            is_so = at["epoch"] - first >= len(read) or step >= len(wanted) or any(step >= len(one) or one[step] != wanted[step] for one in read) or not read
            self.attack.hold("design difference", is_so, at, [wanted, read])


DESIGN = """shardlens: 2
name: design
dataset: {{size: {size}}}
world: {{nodes: 1, ranks_per_node: {world}}}
loader: {{batch_size: {batch}, num_workers: {workers}, drop_last: {drop_last}}}
sampler: {{type: torch.DistributedSampler, shuffle: {shuffles}, seed: {seed}, drop_last: {sampler_drops}, set_epoch: true,
  num_replicas: world_size, rank: rank}}
framework: {{torch: "1.13", torch_mkl: false}}
epochs: {last}
"""
FINDINGS = [
    (r"In pass (\d+) of this stream, (ranks .*?) got equal data", Loader.judge_equal_data),
    (r"In pass (\d+) of this stream, each sample that rank (\d+) got came (\d+) times", Loader.judge_equal_workers),
    (r"In pass (\d+) of this loader, (ranks? [^;:.]*? read the same batches)([^;:.]*)", Loader.judge_same_batches),
    (r"epochs have the order of epoch", Loader.judge_one_order),
    (r"On rank (\d+), pass \d+ has the", Loader.judge_again),
    (r"In pass (\d+) of this loader, (.*), as their samplers report", Loader.judge_apart),
    (r"Ranks have unequal numbers of batches in pass (\d+): (.*)", Loader.judge_unequal),
    (r"worker w has the same seed on (.*?), base_seed (\d+)", Loader.judge_workers),
    (r"The workers of rank (\d+) have the same seeds in passes (\d+) and (\d+), base_seed (\d+)", Loader.judge_worker_passes),
    (r"(Python's random|NumPy's global generator) has the same state on (.*?) when pass 0 begins", Loader.judge_states),
]


class Audited:
    """The findings of an audit."""

    def __init__(self, loader, audit, text):
        self.loader, self.audit, self.text, self.attack = loader, audit, text, loader.attack

    def judge(self):
        self.epochs = [one["epoch"] for one in self.audit["coverage"]]
        self.passes = {epoch: self.of_epoch(epoch) for epoch in self.epochs}
        known = all(found is not None for found in self.passes.values()) and self.epochs and self.loader.is_exact
        if known:
            for one in self.audit["coverage"]:
                self.judge_coverage(one)
        for finding in self.audit["findings"]:
            self.attack.words.append("[%s] %s %s" % (finding["code"], finding["title"], finding["message"]))
            check = getattr(self, "judge_" + finding["code"].replace("-", "_"), None)
            if finding["code"].startswith("run-"):
                self.loader.judge_finding(finding["message"])
            elif check is None:
                self.attack.unchecked[finding["code"]] += 1
            elif known:
                check(finding)

    def of_epoch(self, epoch):
        """{rank: batches} that were truly read of an epoch of the spec; none where it is not clear which passes those are."""
        loader, found = self.loader, {}
        if loader.said["recorded"] or "recorded batches; counted" in self.text:
            return {rank: one.batches for rank, one in loader.at(epoch).items()}
        planned = (loader.planned or {}).get(epoch, {})
        for rank, passes in loader.passes.items():
            fits = [one for one in passes if one.batches == planned.get(rank)]
            if not fits:
                return None
            found[rank] = fits[0].batches
        return found

    def judge_coverage(self, said):
        ids = collections.Counter(one for batches in self.passes[said["epoch"]].values() for batch in batches for one in batch)
        self.attack.claim("coverage handed out", said["handed_out"], sum(ids.values()))
        self.attack.claim("coverage seen", said["seen"], len(ids))
        self.attack.claim("coverage missing", said["missing"], said["dataset_size"] - len(ids))
        self.attack.claim("coverage duplicated", said["duplicated"], sum(times > 1 for times in ids.values()))

    def ids(self, epoch):
        return {rank: [one for batch in batches for one in batch] for rank, batches in self.passes[epoch].items()}

    def repeats(self, epoch):
        """Of samples that several ranks read."""
        return sum(ranks > 1 for ranks in collections.Counter(one for own in self.ids(epoch).values() for one in set(own)).values())

    def judge_ok_coverage(self, finding):
        for epoch in self.epochs:
            ids = [one for own in self.ids(epoch).values() for one in own]
            size = max((one.size for passes in self.loader.passes.values() for one in passes))
            below = {one for passes in self.loader.passes.values() for each in passes for one in each.below or []}
            self.attack.hold("ok-coverage", set(ids) >= (below or set(range(size))), finding["message"], "epoch %d: %s" % (epoch, sorted(ids)))
            if "exactly once" in finding["message"]:
                self.attack.hold("ok-coverage once", len(ids) == len(set(ids)), finding["message"], "epoch %d: %s" % (epoch, sorted(ids)))

    def judge_ok_disjoint(self, finding):
        if "padding aside" not in finding["title"]:
            for epoch in self.epochs:
                self.attack.hold("ok-disjoint", self.repeats(epoch) == 0, finding["title"], self.ids(epoch))

    def judge_ok_lockstep(self, finding):
        for epoch in self.epochs:
            counts = {len(batches) for batches in self.passes[epoch].values()}
            self.attack.hold("ok-lockstep", len(counts) == 1, finding["message"], self.passes[epoch])

    def judge_ok_reshuffled(self, finding):
        all_ = [json.dumps(self.passes[epoch], sort_keys=True) for epoch in self.epochs]
        self.attack.hold("ok-reshuffled", len(set(all_)) == len(all_), finding["message"], all_)

    def judge_epochs_repeat(self, finding):
        all_ = [json.dumps(self.passes[epoch], sort_keys=True) for epoch in self.epochs]
        self.attack.hold("epochs-repeat", len(set(all_)) < len(all_), finding["message"], all_)
        if "All" in finding["message"] or "have the same batches" in finding["message"]:
            self.attack.hold("epochs-repeat", len(set(all_)) == 1, finding["message"], all_)


    def judge_unequal_batches(self, finding):
        counts = [{len(batches) for batches in self.passes[epoch].values()} for epoch in self.epochs]
        self.attack.hold("unequal-batches", any(len(one) > 1 for one in counts), finding["message"], counts)

    def judge_not_shuffled(self, finding):
        all_ = [json.dumps(self.passes[epoch], sort_keys=True) for epoch in self.epochs]
        self.attack.hold("not-shuffled", len(set(all_)) == 1, finding["message"], all_)
        for own in self.ids(self.epochs[0]).values():
            self.attack.hold("not-shuffled", own == sorted(own) or "except" in finding["message"], finding["message"], own)

    def judge_ranks_identical_order(self, finding):
        if found := re.match(r"Ranks ([\d ,andto]*?) share (?:all )?(?:\d|their|both)", finding["message"]):
            named = re.search(r"This (?:happens in|is for|was counted in) epochs? ([\d ,andto]+)", finding["message"])
            for epoch in numbers(named[1]) if named else self.epochs:
                sets = {rank: set(own) for rank, own in self.ids(epoch).items()}
                own = [sets[rank] for rank in numbers(found[1])]
                self.attack.hold(finding["code"], all(one == own[0] for one in own), finding["message"], "epoch %d: %s" % (epoch, sets))
        else:
            self.attack.unchecked["share: " + finding["message"][:60]] += 1

    def judge_ranks_share_samples(self, finding):
        if found := re.match(r"(In every epoch|In epoch (\d+)).*?, ([\d ]+) of ([\d ]+) items? repeats? what another", finding["message"]):
            for epoch in [int(found[2])] if found[2] else self.epochs:
                ids = self.ids(epoch)
                again = sum(times - 1 for times in collections.Counter(one for own in ids.values() for one in set(own)).values())
                self.attack.claim("ranks-share-samples", (count(found[3]), count(found[4])), (again, sum(map(len, ids.values()))))
        else:
            self.judge_ranks_identical_order(finding)

    def judge_samples_left_out(self, finding):
        if found := re.match(r"(In every epoch|In epoch (\d+)), ([\d ]+) of ([\d ]+) samples? reach(?:es)? no rank(?! for this reason)", finding["message"]):
            for one in self.audit["coverage"]:
                if not found[2] or one["epoch"] == int(found[2]):
                    self.attack.claim("samples-left-out", (count(found[3]), count(found[4])), (one["missing"], one["dataset_size"]))

    def judge_never_seeded(self, finding):
        self.attack.claim("never-seeded", "none", self.loader.case["torch_seed"])

    def seeds(self):
        return [passes[0].torch_seed for passes in self.loader.passes.values()]

    def judge_seeds_collide_ranks(self, finding):
        self.attack.hold("seeds-collide-ranks", len(set(self.seeds())) < len(self.seeds()), finding["message"], self.seeds())

    def judge_ok_seeds(self, finding):
        self.attack.hold("ok-seeds", len(set(self.seeds())) == len(self.seeds()), finding["message"], self.seeds())

    def judge_short_last_batch(self, finding):
        batches = [batch for epoch in self.epochs for own in self.passes[epoch].values() for batch in own]
        size = 5 if self.loader.name == "val" and self.loader.case["validates"] != "on_train" else self.loader.case["batch"]
        self.attack.hold("short-last-batch", any(len(batch) < size for batch in batches), finding["message"], batches)


class Continued:
    """What `verify --continues` and `diff` say of two recordings."""

    def __init__(self, attack, starts):
        self.attack, self.starts = attack, starts

    def judge(self):
        exact = all(rank.is_exact for start in self.starts.values() for rank in start.values())
        case = self.attack.case
        # A loader that a look reads first is the training's as well; that of a later epoch may then be shown as another one.
        is_one = not case["looks"] or not (case["again"] or case["data"] == "epoch_subset")
        every = [{rank: [one for one in facts.passes if one.first != "val"] for rank, facts in start.items()} for start in self.starts.values()]
        before, after = ({rank: [one for one in own if one.loop != "look"] for rank, own in start.items()} for start in every)
        text, said = self.attack.tell("diff", *self.attack.runs, "--loader", "train")
        self.attack.words.append(text)
        if said is not None and said["same_order"] and exact and is_one and "plans" not in text:
            self.attack.claim("diff", *({rank: [one.batches for one in own] for rank, own in start.items()} for start in (before, after)))
        text, said = self.attack.tell("verify", "--continues", *self.attack.runs, "--loader", "train")
        self.attack.words.append(text)
        if said is None or not exact:
            return
        for one in said["ranks"]:
            own = every[1][one["rank"]]
            self.attack.hold("continues", one["batches"] <= sum(len(each.batches) for each in own), one, [each.batches for each in own])
        # A look of a rank that died before it went further counts as a pass.
        if not is_one or (case["looks"] and case["fault"] in DEADLY) or case["data"] in ("split", "subset", "rank_subset"):
            return
        passes = [[one for own in start.values() for one in own] for start in (before, after)]
        told = [[one.told for one in own] for own in passes]
        if None in told[0] + told[1] or "do not show which epoch" in text or "that is not counted here" in text:
            return
        if "B begins the next one" in text:
            self.attack.hold("continues next", max(told[0]) < min(told[1]), text, told)
        for one in said["epochs"]:
            read = [{sample for each in own if each.told == one["epoch"] for sample in each.ids} for own in passes]
            true = {"read_before": len(read[0]), "repeated": len(read[0] & read[1]), "read_first": len(read[1] - read[0])}
            self.attack.claim("continues epoch %d" % one["epoch"], {name: one[name] for name in true}, true)


def run_cases(options, seeds):
    kinds, unchecked, words, failed = collections.Counter(), collections.Counter(), collections.Counter(), 0
    checked = 0
    for seed in seeds:
        attack = Attack(options.shardlens, seed, options.limit)
        try:
            attack.record()
            attack.judge()
        except (KeyError, IndexError, TypeError, ValueError) as error:
            traceback.print_exc(file=sys.stdout)
            attack.false.append(("not judged", type(error).__name__, str(error)))
        except subprocess.TimeoutExpired as error:
            attack.false.append(("time", "not over in %.0f s" % options.limit, " ".join(error.cmd[:3])))
        if options.keep:
            shutil.copytree(attack.path, os.path.join(options.keep, str(seed)))
        attack.folder.cleanup()
        checked += attack.checked
        unchecked.update(attack.unchecked)
        kinds.update({kind for kind, _, _ in attack.false})
        failed += bool(attack.false)
        for text in attack.words:
            words.update(re.sub(r"\d+", "N", one) for one in re.split(r"(?<=[.:]) (?=[A-Z\[])", text))
        for kind, said, true in attack.false[:4]:
            print("FALSE %d (--case %d), %s: said %s; true: %s" % (seed, seed, kind, str(said)[:600], str(true)[:600]), flush=True)
        if attack.false:
            print("  " + json.dumps(attack.case), flush=True)
    if options.words:
        for text, times in sorted(words.items()):
            print("%4d %s" % (times, text))
    return {"cases": len(seeds), "failed": failed, "kinds": dict(kinds), "claims": checked, "unchecked": dict(unchecked)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shardlens", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of the first case")
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--case", type=int, help="only the case with this seed")
    parser.add_argument("--limit", type=float, default=300, help="seconds of a command")
    parser.add_argument("--keep", help="folder for the cases' folders")
    parser.add_argument("--words", action="store_true", help="prints the sentences that were said")
    options = parser.parse_args()
    said = run_cases(options, [options.case] if options.case is not None else range(options.seed, options.seed + options.cases))
    print(json.dumps(said))
    return 1 if said["failed"] else 0


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    sys.exit(main())
