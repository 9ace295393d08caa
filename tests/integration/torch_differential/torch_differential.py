# SPDX-License-Identifier: Apache-2.0
"""Draws specs at random and compares `shardlens plan` with the real torch.utils.data.DataLoader, batch for batch.

So are worker ids and seeds, and calls of the functions below (torch_rows.py). Each run draws the same;
--seed, or SHARDLENS_TEST_SEED, draws others. What differs is printed, and once more shrunk to the simplest that still does. Exits 77, which ctest reports
as skipped, only when torch cannot be imported.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings

try:
    import torch
    from torch.utils.data import (DataLoader, DistributedSampler, IterableDataset, RandomSampler, SequentialSampler,
                                  SubsetRandomSampler, WeightedRandomSampler, get_worker_info)
except ImportError as error:
    print("SKIPPED: this Python has no torch (%s), so nothing was compared" % error)
    sys.exit(77)

sys.dont_write_bytecode = True  # the sources stay as they are
import spec_draws  # noqa: E402: they import torch
import torch_rows  # noqa: E402


def seen(index):
    """A sample as it arrives: its index, the worker that loaded it (-1: the rank itself) and that worker's seed."""
    worker = get_worker_info()
    return (index, -1, None) if worker is None else (index, worker.id, torch.initial_seed() % 2**64)


class Numbers:
    """A dataset whose sample i is i."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return seen(index)


class Stream(IterableDataset):
    """The same as a stream, which ranks and workers divide as the spec says."""

    def __init__(self, indices, worker_split):
        super().__init__()
        self.indices, self.worker_split = indices, worker_split

    def __iter__(self):
        worker = get_worker_info()
        indices = self.indices
        if worker is not None and self.worker_split == "stride":
            indices = indices[worker.id::worker.num_workers]
        if worker is not None and self.worker_split == "contiguous":
            part = -(-len(indices) // worker.num_workers)
            indices = indices[worker.id * part:(worker.id + 1) * part]
        return map(seen, indices)


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
        names = {"world_size": self.world_size, "nodes * ranks_per_node": self.world_size,
                 "ranks_per_node": self.spec["world"]["ranks_per_node"],
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
        if sampler["type"] == "torch.WeightedRandomSampler":
            weights = sampler["weights"]
            if isinstance(weights, str):
                weights = torch_rows.named_weights(weights, len(dataset))
            return WeightedRandomSampler(weights, sampler.get("num_samples", len(weights)), sampler["replacement"],
                                         generator=generator)
        return SequentialSampler(dataset)

    def data(self, generator):
        """What is loaded, and by which sampler."""
        size, sampler = self.spec["dataset"]["size"], self.spec["sampler"]
        if sampler["type"] != "torch.IterableDataset":
            dataset = Numbers(size)
            return dataset, self.sampler(dataset, generator)
        divides = sampler["world_split"] == "stride"
        return Stream(range(self.rank, size, self.world_size) if divides else range(size), sampler["worker_split"]), None

    def epochs(self):
        """Of every epoch the batches, each with its worker, and the seeds of the workers that loaded any."""
        torch.manual_seed(self.seed(0))
        for_sampler, for_loader = self.generators()
        dataset, sampler = self.data(for_sampler)
        loader = self.spec["loader"]
        data = DataLoader(dataset, sampler=sampler, batch_size=loader["batch_size"], num_workers=loader["num_workers"],
                          drop_last=loader["drop_last"], persistent_workers=loader["persistent_workers"],
                          generator=for_loader, collate_fn=list)
        out = []
        for epoch in range(self.spec["epochs"]):
            if self.spec["seeds"]["rule"] == "base+rank+epoch":
                torch.manual_seed(self.seed(epoch))
            if self.spec["sampler"].get("set_epoch"):
                sampler.set_epoch(epoch)
            batches, seeds = [], {}
            for batch in data:
                _, worker, seed = batch[0]
                batches.append([worker, [index for index, _, _ in batch]])
                if seed is not None:
                    seeds[worker] = seed
            out.append({"batches": batches, "seeds": seeds})
        return out


def from_torch(spec):
    """[rank][epoch] batches and seeds, or "Type: message" of the first rank that raises."""
    try:
        return [Job(spec, rank).epochs() for rank in range(spec["world"]["nodes"] * spec["world"]["ranks_per_node"])]
    except (ValueError, TypeError, RuntimeError, ZeroDivisionError) as error:
        # An empty tensor is refused by its max() or by its min(): which one C++ asks first is the compiler's choice, and
        # Debian's 1.13 and 2.6 differ in it.
        return ("%s: %s" % (type(error).__name__, error)).replace("Error: min(): Expected", "Error: max(): Expected")


# --- ShardLens -------------------------------------------------------------------------------------------------------


def asked(program, verb, spec, *options):
    """Exit code, standard output and error of a verb; JSON is YAML, so the spec is handed over as it is."""
    with tempfile.NamedTemporaryFile("w", prefix="shardlens-test-", suffix=".yaml") as file:
        json.dump(spec, file)
        file.flush()
        try:
            done = subprocess.run([program, verb, file.name, *options], text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=300)
        except subprocess.TimeoutExpired:
            return 1, "", "no answer within a minute"
    return done.returncode, done.stdout, done.stderr


def from_shardlens(program, spec):
    """The same, out of `shardlens plan` and, for the workers' seeds, `shardlens audit`."""
    world = spec["world"]["nodes"] * spec["world"]["ranks_per_node"]
    code, out, error = asked(program, "plan", spec, "--format", "csv")
    if code != 0:
        return error.strip()
    ranks = [[{"batches": [], "seeds": {}} for _ in range(spec["epochs"])] for _ in range(world)]
    for row in csv.DictReader(out.splitlines()):
        if not row["step"]:
            continue  # dropped
        batches = ranks[int(row["rank"])][int(row["epoch"])]["batches"]
        if int(row["step"]) == len(batches):
            batches.append([int(row["worker"]), []])
        batches[-1][1].append(int(row["sample"]))
    if spec["loader"]["num_workers"] > 0:
        _, out, _ = asked(program, "audit", spec, "--format", "json", "--epochs", str(spec["epochs"]))
        for row in json.loads(out)["seeds"]["rows"] if out else []:
            if row["worker"] >= 0:
                ranks[row["rank"]][row["epoch"]]["seeds"][row["worker"]] = int(row["seed"])
    return ranks


def same(wanted, got):
    """Whether all batches are equal, and the seeds of those workers that loaded any."""
    return len(wanted) == len(got) and all(
        a["batches"] == b["batches"] and all(b["seeds"].get(worker) == seed for worker, seed in a["seeds"].items())
        for mine, theirs in zip(wanted, got) for a, b in zip(mine, theirs))


def compared(program, spec):
    """Both answers, and whether they agree. An exception of torch must be named by ShardLens, word for word."""
    wanted, got = from_torch(spec), from_shardlens(program, spec)
    if isinstance(wanted, str):
        agree = isinstance(got, str) and wanted in got
    else:
        agree = not isinstance(got, str) and same(wanted, got)
    return {"torch": wanted, "shardlens": got}, agree


# --- shrinking -------------------------------------------------------------------------------------------------------


def smaller(value):
    """Simpler values to try in the place of this one."""
    if isinstance(value, bool):
        return [False] if value else []
    if isinstance(value, int):
        return [number for number in (0, 1, value // 2, value - 1) if abs(number) < abs(value)]
    if isinstance(value, dict):
        return [{**value, key: item} for key, old in value.items() for item in smaller(old)]
    if isinstance(value, float):
        return [] if value in (0.0, 1.0) else [1.0, 0.0]
    if isinstance(value, list):
        shorter = [value[: len(value) // 2], value[1:], value[:-1]] if value else []
        return shorter + [value[:i] + [item] + value[i + 1:] for i, old in enumerate(value) for item in smaller(old)]
    return {"base+rank": ["same"], "base+local_rank": ["same"], "base+rank+epoch": ["same"], "sampler": ["none"],
            "loader": ["none"], "stride": ["none", "duplicate"], "contiguous": ["duplicate"], "ramp": ["uniform"],
            "inverse": ["uniform"], "long_tail": ["uniform"], "zeros_mixed": ["uniform"]}.get(value, [])


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
    sampler, size = spec["sampler"], spec["dataset"]["size"]
    listed = sampler["weights"] if isinstance(sampler.get("weights"), list) else []
    return (spec["epochs"] >= 1 and spec["loader"]["batch_size"] >= 1 and min(spec["world"].values()) >= 1 and
            sampler.get("num_replicas", 1) != 0 and sampler.get("world_split") != "duplicate" and
            sampler.get("worker_split") != "none" and len(listed) <= size and
            (torch_rows.FOLLOWS_ALL or sampler.get("num_samples") != 1) and
            all(index < size for index in sampler.get("indices", [])))


def shrunk(case, differs, attempts=300):
    """A simpler case that still differs."""
    found = True
    while found and attempts > 0:
        found = False
        for variant in variants(case):
            attempts -= 1
            if differs(variant):
                case, found = variant, True
                break
            if attempts <= 0:
                break
    return case


def spec_differs(program, spec):
    return is_sound(spec) and not compared(program, spec)[1]


def compare_specs(program, rng, cases):
    """Whether `cases` specs agree; says what does not."""
    raised = 0
    for case in range(cases):
        spec = spec_draws.draw(rng)
        answers, agree = compared(program, spec)
        raised += isinstance(answers["torch"], str)
        if agree:
            continue
        print("case %d differs:\n%s" % (case, json.dumps(spec)))
        spec = shrunk(spec, lambda variant: spec_differs(program, variant))
        print("the simplest spec that does:\n%s" % json.dumps(spec))
        for name, answer in compared(program, spec)[0].items():
            print("%s: %s" % (name, json.dumps(answer)))
        return False
    print("%d specs agree, %d of them by raising the same exception" % (cases, raised))
    return True


def compare_rows(program, rng, cases):
    """The same for calls of bare functions."""
    calls = [call for call in (torch_rows.draw(rng) for _ in range(cases)) if torch_rows.row_of(call) is not None]
    report = torch_rows.judged(program, [torch_rows.row_of(call) for call in calls])
    if report["passed"] == len(calls):
        print("%d calls agree" % len(calls))
        return True
    bad = next(call for call in calls if torch_rows.differs(program, call))
    print("a call differs:\n%s" % json.dumps(bad))
    bad = shrunk(bad, lambda variant: torch_rows.differs(program, variant))
    row = torch_rows.row_of(bad)
    print("the simplest call that does:\n%s\n%s" % (json.dumps(row), json.dumps(torch_rows.judged(program, [row]))))
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the shardlens to test")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SHARDLENS_TEST_SEED", "20240229")))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # torch warns of more workers than cores
    torch.set_num_threads(1)
    print("torch %s, --seed %d" % (torch.__version__, arguments.seed), flush=True)
    rng = random.Random(arguments.seed)
    agree = (compare_rows(arguments.program, rng, arguments.cases) and
             compare_specs(arguments.program, rng, arguments.cases))
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
