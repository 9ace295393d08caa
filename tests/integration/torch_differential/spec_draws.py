# SPDX-License-Identifier: Apache-2.0
"""Specs drawn at random, for the samplers of the torch that is installed."""

import torch

import torch_rows

RELEASE = ".".join(torch.__version__.split(".")[:2])
SEEDS = [0, 1, 42, -1, -12345, 2**31, 2**32 - 1, 2**32, 2**40 + 7, 2**63 - 1, -(2**63)]
SIZES = [0, 1, 2, 3, 5, 7, 8, 16, 31, 64, 100, 257]


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


def draw_weighted(rng, spec):
    size = spec["dataset"]["size"]
    weights = rng.choice([*torch_rows.PATTERNS, [rng.choice([0.0, 0.5, 1.0, rng.random()]) for _ in range(size)]])
    sampler = {"weights": weights, "replacement": not torch_rows.FOLLOWS_ALL or rng.random() < 0.5, **draw_generator(rng)}
    if rng.random() < 0.5:
        sampler["num_samples"] = rng.choice([2, 3, 100, size // 2 + 2, 0, 1 if torch_rows.FOLLOWS_ALL else 5])
    return sampler


def draw_stream(rng, spec):
    return {"world_split": rng.choice(["none", "stride"]), "worker_split": rng.choice(["duplicate", "stride", "contiguous"])}


DRAWS = {"torch.DistributedSampler": draw_distributed, "torch.IterableDataset": draw_stream, "torch.RandomSampler": draw_random,
         "torch.SequentialSampler": draw_sequential, "torch.SubsetRandomSampler": draw_subset,
         "torch.WeightedRandomSampler": draw_weighted}


KINDS = (["torch.DistributedSampler"] * 3 + ["torch.RandomSampler"] * 3 + ["torch.WeightedRandomSampler"] * 2 +
         ["torch.IterableDataset", "torch.SequentialSampler", "torch.SubsetRandomSampler"])


def draw(rng):
    kind = rng.choice(KINDS)
    workers = rng.randint(1, 3) if rng.random() < (0.4 if kind == "torch.IterableDataset" else 0.06) else 0
    spec = {
        "shardlens": 1,
        "dataset": {"size": rng.choice(SIZES)},
        "world": {"nodes": rng.randint(1, 1 if workers else 3), "ranks_per_node": rng.randint(1, 2 if workers else 4)},
        "loader": {"batch_size": rng.choice([1, 2, 3, 4, 7, 32]), "num_workers": workers, "drop_last": rng.random() < 0.5,
                   "persistent_workers": workers > 0 and rng.random() < 0.5},
        "seeds": {"base": rng.choice(SEEDS[:-2]), "rule": rng.choice(["same", "base+rank", "base+local_rank",
                                                                      "base+rank+epoch"])},
        "framework": {"torch": RELEASE if RELEASE in ("1.13", "2.6") else "2.9",
                      "torch_mkl": torch.backends.mkl.is_available()},
        "epochs": rng.randint(1, 2 if workers else 3),
    }
    spec["sampler"] = {"type": kind, **DRAWS[kind](rng, spec)}
    return spec
