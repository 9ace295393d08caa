# SPDX-License-Identifier: Apache-2.0
"""Stops real DataLoaders at random, resumes them as scripts do, and compares with what `shardlens resume` counts.

The specs and the loaders are those of torch_differential.py. Each run draws the same; --seed, or SHARDLENS_TEST_SEED, draws others.
"""

import argparse
import collections
import itertools
import json
import os
import random
import sys

sys.dont_write_bytecode = True  # the sources stay as they are
import torch_differential  # noqa: E402: exits 77 without torch
import spec_draws  # noqa: E402
import torch  # noqa: E402


def draw(rng):
    """A spec that torch takes, and a point to stop it at."""
    while True:
        spec = spec_draws.draw(rng)
        spec["loader"].update(num_workers=0, persistent_workers=False)
        spec["seeds"]["rule"] = rng.choice(["same", "base+rank"])
        if spec["sampler"]["type"] == "torch.IterableDataset" or "num_replicas" in spec["sampler"]:
            continue
        planned = torch_differential.from_torch(spec)
        if isinstance(planned, str):
            continue
        epoch = rng.randrange(spec["epochs"])
        steps = max(len(rank[epoch]["batches"]) for rank in planned)
        world = {"nodes": 1, "ranks_per_node": rng.randint(1, 6)} if rng.random() < 0.5 else dict(spec["world"])
        return spec, {"epoch": epoch, "at": rng.randint(0, steps), "world": world}


class Run:
    """One rank of a run, at the beginning of an epoch."""

    def __init__(self, spec, rank, epochs_drawn=0):
        self.job = torch_differential.Job(spec, rank)
        torch.manual_seed(self.job.seed(0))
        for_sampler, for_loader = self.job.generators()
        dataset, self.sampler = self.job.data(for_sampler)
        loader = spec["loader"]
        self.loader = torch.utils.data.DataLoader(dataset, sampler=self.sampler, batch_size=loader["batch_size"],
                                                  drop_last=loader["drop_last"], generator=for_loader, collate_fn=list)
        for _ in range(epochs_drawn):
            collections.deque(self.loader, maxlen=0)

    def batches(self, epoch=None, skip=0):
        """The batches of an epoch behind the first `skip`; with `epoch` the sampler is told."""
        if epoch is not None and self.job.spec["sampler"].get("set_epoch"):
            self.sampler.set_epoch(epoch)
        return [[index for index, _, _ in batch] for batch in itertools.islice(self.loader, skip, None)]


def ranks_of(spec):
    return range(spec["world"]["nodes"] * spec["world"]["ranks_per_node"])


def state_inside(spec, rank, point):
    """What torch.get_rng_state() gives after the last step before the stop; None when no step was taken."""
    run = Run(spec, rank, point["epoch"])
    state = None
    for _ in itertools.islice(run.loader, point["at"]):
        state = torch.get_rng_state()
    return state


def restored(spec, resumed, rank, point):
    state = state_inside(spec, rank, point)
    run = Run(resumed, rank)
    torch.set_rng_state(state)
    return run.batches(skip=point["at"])


def from_torch(spec, point):
    """By way, the batches of every resumed rank; and those of the stopped epoch."""
    epoch, at = point["epoch"], point["at"]
    resumed = {**spec, "world": point["world"]}
    numbered = spec["sampler"]["type"] == "torch.DistributedSampler"
    drawn = 0 if numbered else epoch
    ways = {
        "skip-batches": [Run(resumed, rank, drawn).batches(epoch, at) for rank in ranks_of(resumed)],
        "restart-epoch": [Run(resumed, rank, drawn).batches(epoch) for rank in ranks_of(resumed)],
        "forgotten-set-epoch" if numbered else "seeded-again":
            [Run(resumed, rank).batches(skip=at) for rank in ranks_of(resumed)],
    }
    if resumed["world"] == spec["world"] and at > 0:
        ways["restored-rng"] = [restored(spec, resumed, rank, point) for rank in ranks_of(spec)]
    return [Run(spec, rank, drawn).batches(epoch) for rank in ranks_of(spec)], ways


def counted(batches):
    return collections.Counter(index for rank in batches for batch in rank for index in batch)


def judged(planned, resumed, at):
    """What comes of one way, by the words that `shardlens resume --format json` uses."""
    trained, whole, after = counted([rank[:at] for rank in planned]), counted(planned), counted(resumed)
    repeated = {i: max(0, after[i] - max(0, whole[i] - trained[i])) for i in after if trained[i]}
    lost = sorted(i for i in whole if not trained[i] and not after[i])
    return {"samples": sum(after.values()), "repeated": sum(repeated.values()), "lost": len(lost), "lost_ids": lost,
            "repeated_ids": sorted(i for i, times in repeated.items() if times),
            "first_batches": [batch for rank in resumed[:8] for batch in rank[:4]]}


def from_shardlens(program, spec, point):
    world = "%dx%d" % (point["world"]["nodes"], point["world"]["ranks_per_node"])
    code, out, error = torch_differential.asked(program, "resume", spec, "--at", str(point["at"]), "--epoch",
                                                str(point["epoch"]), "--world", world, "--format", "json")
    if code != 0:
        return {"error": error}
    ways = {}
    for way in json.loads(out)["ways"]:
        outcome = way["outcome"] or {}
        if outcome:
            outcome["first_batches"] = [batch["samples"] for batch in outcome["first_batches"]]
        ways[way["id"]] = outcome
    return ways


def compare(program, spec, point):
    """How many ways were compared, and the first that differs."""
    planned, ways = from_torch(spec, point)
    got = from_shardlens(program, spec, point)
    compared = 0
    for way, resumed in ways.items():
        if way not in got and "error" not in got:
            continue  # an order that never changes has nothing to forget
        wanted = judged(planned, resumed, point["at"])
        mine = {key: got.get(way, {}).get(key) for key in wanted}
        compared += 1
        if mine != wanted:
            return compared, {"way": way, "torch": wanted, "shardlens": mine, "error": got.get("error")}
    return compared, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the shardlens to test")
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SHARDLENS_TEST_SEED", "20240229")))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    print("torch %s, --seed %d" % (torch.__version__, arguments.seed), flush=True)
    rng = random.Random(arguments.seed)
    compared = 0
    for _ in range(arguments.cases):
        spec, point = draw(rng)
        ways, difference = compare(arguments.program, spec, point)
        compared += ways
        if difference is not None:
            print("differs:\n%s\n%s\n%s" % (json.dumps(spec), json.dumps(point), json.dumps(difference)))
            return 1
    print("%d ways of %d stopped runs agree" % (compared, arguments.cases))
    return 0 if compared >= 2 * arguments.cases else 1


if __name__ == "__main__":
    sys.exit(main())
