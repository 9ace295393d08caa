# SPDX-License-Identifier: Apache-2.0
"""Draws specs at random and compares `shardlens plan` with the real torch.utils.data.DataLoader, batch for batch.

Every run draws anew; its seed is printed, and --seed repeats it. A spec that differs is shrunk and printed. Exits 77, which
ctest reports as skipped, only when torch cannot be imported.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import warnings

try:
    import torch
    from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, SequentialSampler, SubsetRandomSampler
except ImportError as error:
    print("SKIPPED: this Python has no torch (%s), so nothing was compared" % error)
    sys.exit(77)

RELEASE = ".".join(torch.__version__.split(".")[:2])
SEEDS = [0, 1, 42, -1, -12345, 2**31, 2**32 - 1, 2**32, 2**40 + 7, 2**63 - 1, -(2**63)]
SIZES = [0, 1, 2, 3, 5, 7, 8, 16, 31, 64, 100, 257]


class Numbers:
    """A dataset whose sample i is i."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return index


# --- drawing ---------------------------------------------------------------------------------------------------------


def draw_generator(rng):
    return {"generator": rng.choice(["none", "none", "sampler", "loader"]), "generator_seed": rng.choice(SEEDS)}


def draw_distributed(rng, spec):
    sampler = {"shuffle": rng.random() < 0.8, "seed": rng.choice(SEEDS), "drop_last": rng.random() < 0.5,
               "set_epoch": rng.random() < 0.7}
    if rng.random() < 0.3:
        sampler["num_replicas"] = rng.choice(["world_size", "ranks_per_node", "nodes", rng.randint(1, 6)])
        sampler["rank"] = rng.choice(["rank", "local_rank", "node", rng.randint(0, 3)])
    return sampler


def draw_random(rng, spec):
    sampler = {"replacement": rng.random() < 0.4, **draw_generator(rng)}
    if rng.random() < 0.5:
        sampler["num_samples"] = rng.choice([1, 3, 32, 33, 100, spec["dataset"]["size"] * 2, 0, -1])
    return sampler


def draw_sequential(rng, spec):
    return {}


def draw_subset(rng, spec):
    size = spec["dataset"]["size"]
    return {"indices": [rng.randrange(size) for _ in range(rng.randint(0, 40))] if size else [], **draw_generator(rng)}


DRAWS = {"torch.DistributedSampler": draw_distributed, "torch.RandomSampler": draw_random,
         "torch.SequentialSampler": draw_sequential, "torch.SubsetRandomSampler": draw_subset}


def draw(rng):
    workers = rng.random() < 0.06
    spec = {
        "shardlens": 1,
        "dataset": {"size": rng.choice(SIZES)},
        "world": {"nodes": rng.randint(1, 1 if workers else 3), "ranks_per_node": rng.randint(1, 2 if workers else 4)},
        "loader": {"batch_size": rng.choice([1, 2, 3, 4, 7, 32]), "num_workers": 2 if workers else 0,
                   "drop_last": rng.random() < 0.5, "persistent_workers": workers and rng.random() < 0.5},
        "seeds": {"base": rng.choice(SEEDS[:-2]), "rule": rng.choice(["same", "base+rank", "base+local_rank",
                                                                      "base+rank+epoch"])},
        "framework": {"torch": RELEASE if RELEASE in ("1.13", "2.6") else "2.9"},
        "epochs": rng.randint(1, 3),
    }
    kind = rng.choice(["torch.DistributedSampler"] * 3 + ["torch.RandomSampler"] * 3 +
                      ["torch.SequentialSampler", "torch.SubsetRandomSampler"])
    spec["sampler"] = {"type": kind, **DRAWS[kind](rng, spec)}
    return spec


# --- torch -----------------------------------------------------------------------------------------------------------


class Job:
    """One rank of the job that the spec describes, as a training script would write it."""

    def __init__(self, spec, rank):
        self.spec, self.rank = spec, rank
        self.local_rank = rank % spec["world"]["ranks_per_node"]
        self.node = rank // spec["world"]["ranks_per_node"]
        self.world_size = spec["world"]["nodes"] * spec["world"]["ranks_per_node"]

    def seed(self, epoch):
        base, rule = self.spec["seeds"]["base"], self.spec["seeds"]["rule"]
        return base + {"same": 0, "base+rank": self.rank, "base+local_rank": self.local_rank,
                       "base+rank+epoch": self.rank + epoch}[rule]

    def named(self, key, default):
        value = self.spec["sampler"].get(key, default)
        names = {"world_size": self.world_size, "ranks_per_node": self.spec["world"]["ranks_per_node"],
                 "nodes": self.spec["world"]["nodes"], "rank": self.rank, "local_rank": self.local_rank, "node": self.node}
        return names.get(value, value)

    def generators(self):
        """The generator for the sampler and the one for the loader."""
        use = self.spec["sampler"].get("generator", "none")
        generator = None if use == "none" else torch.Generator().manual_seed(self.spec["sampler"]["generator_seed"])
        return generator, generator if use == "loader" else None

    def sampler(self, dataset, generator):
        sampler = self.spec["sampler"]
        if sampler["type"] == "torch.DistributedSampler":
            return DistributedSampler(dataset, num_replicas=self.named("num_replicas", "world_size"),
                                      rank=self.named("rank", "rank"), shuffle=sampler["shuffle"], seed=sampler["seed"],
                                      drop_last=sampler["drop_last"])
        if sampler["type"] == "torch.RandomSampler":
            return RandomSampler(dataset, replacement=sampler["replacement"], num_samples=sampler.get("num_samples"),
                                 generator=generator)
        if sampler["type"] == "torch.SubsetRandomSampler":
            return SubsetRandomSampler(sampler["indices"], generator=generator)
        return SequentialSampler(dataset)

    def batches(self):
        """The batches of every epoch."""
        torch.manual_seed(self.seed(0))
        dataset = Numbers(self.spec["dataset"]["size"])
        for_sampler, for_loader = self.generators()
        sampler = self.sampler(dataset, for_sampler)
        loader = self.spec["loader"]
        epochs = []
        data = DataLoader(dataset, sampler=sampler, batch_size=loader["batch_size"], num_workers=loader["num_workers"],
                          drop_last=loader["drop_last"], persistent_workers=loader["persistent_workers"],
                          generator=for_loader, collate_fn=list)
        for epoch in range(self.spec["epochs"]):
            if self.spec["seeds"]["rule"] == "base+rank+epoch":
                torch.manual_seed(self.seed(epoch))
            if self.spec["sampler"].get("set_epoch"):
                sampler.set_epoch(epoch)
            epochs.append([batch for batch in data])
        return epochs


def from_torch(spec):
    """[rank][epoch] batches, or "Type: message" of the first rank that raises."""
    try:
        return [Job(spec, rank).batches() for rank in range(spec["world"]["nodes"] * spec["world"]["ranks_per_node"])]
    except (ValueError, TypeError, RuntimeError, ZeroDivisionError) as error:
        return "%s: %s" % (type(error).__name__, error)


# --- ShardLens -------------------------------------------------------------------------------------------------------


def from_shardlens(program, spec):
    """The same, out of `shardlens plan`; JSON is YAML, so the spec is handed over as it is."""
    with tempfile.NamedTemporaryFile("w", prefix="shardlens-test-", suffix=".yaml") as file:
        json.dump(spec, file)
        file.flush()
        try:
            done = subprocess.run([program, "plan", file.name, "--format", "json"], text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=60)
        except subprocess.TimeoutExpired:
            return "no answer within a minute"
    if done.returncode != 0:
        return done.stderr.strip()
    plan = json.loads(done.stdout)
    ranks = [[] for _ in range(plan["world_size"])]
    for epoch in plan["epochs"]:
        for rank in epoch["ranks"]:
            ranks[rank["rank"]].append(rank["batches"])
    return ranks


def compared(program, spec):
    """Both answers, and whether they agree. An exception of torch must be named by ShardLens, word for word."""
    wanted, got = from_torch(spec), from_shardlens(program, spec)
    agree = isinstance(got, str) and wanted in got if isinstance(wanted, str) else wanted == got
    return {"torch": wanted, "shardlens": got}, agree


def differs(program, spec):
    return not compared(program, spec)[1]


# --- shrinking -------------------------------------------------------------------------------------------------------


def smaller(value):
    """Simpler values to try in the place of this one."""
    if isinstance(value, bool):
        return [False] if value else []
    if isinstance(value, int):
        return [number for number in (0, 1, value // 2, value - 1) if abs(number) < abs(value)]
    if isinstance(value, list):
        return [value[: len(value) // 2], value[1:], value[:-1]] if value else []
    return {"base+rank": ["same"], "base+local_rank": ["same"], "base+rank+epoch": ["same"], "sampler": ["none"],
            "loader": ["none"]}.get(value, [])


def variants(spec):
    for section, content in spec.items():
        if section in ("shardlens", "framework"):
            continue
        if not isinstance(content, dict):
            for value in smaller(content):
                yield {**spec, section: value}
            continue
        for key, old in content.items():
            for value in smaller(old) if key != "type" else []:
                yield {**spec, section: {**content, key: value}}


def is_sound(spec):
    """What ShardLens itself refuses before any framework is asked; shrinking must not end there."""
    return (spec["epochs"] >= 1 and spec["loader"]["batch_size"] >= 1 and min(spec["world"].values()) >= 1 and
            spec["sampler"].get("num_replicas", 1) != 0 and
            all(index < spec["dataset"]["size"] for index in spec["sampler"].get("indices", [])))


def shrunk(program, spec, attempts=300):
    """A simpler spec that still differs."""
    found = True
    while found and attempts > 0:
        found = False
        for variant in variants(spec):
            attempts -= 1
            if is_sound(variant) and differs(program, variant):
                spec, found = variant, True
                break
            if attempts <= 0:
                break
    return spec


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the shardlens to test")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # torch warns of more workers than cores
    torch.set_num_threads(1)
    print("torch %s, %d specs, --seed %d" % (torch.__version__, arguments.cases, arguments.seed), flush=True)
    rng = random.Random(arguments.seed)
    raised = 0
    for case in range(arguments.cases):
        spec = draw(rng)
        answers, agree = compared(arguments.program, spec)
        if not agree:
            spec = shrunk(arguments.program, spec)
            print("case %d differs; the simplest spec that does:\n%s" % (case, json.dumps(spec)))
            print(json.dumps(compared(arguments.program, spec)[0], indent=1))
            return 1
        raised += isinstance(answers["torch"], str)
    print("%d specs agree, %d of them by raising the same exception" % (arguments.cases, raised))
    return 0


if __name__ == "__main__":
    sys.exit(main())
