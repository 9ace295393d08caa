# SPDX-License-Identifier: Apache-2.0
"""Draws calls of torch's bare functions at random and lets `shardlens selftest` judge what torch gave.

A call is what a reference row says of it: {"sampler": ..., "params": ...}; the answer makes it a row.
"""

import json
import math
import pathlib
import subprocess
import tempfile

import torch
from torch.utils.data import WeightedRandomSampler, random_split

SEEDS = [0, 1, 42, -1, 2**32, 2**40 + 7, -(2**63)]
PATTERNS = {
    "uniform": lambda i: 1.0,
    "ramp": lambda i: i + 1.0,
    "inverse": lambda i: 1 / (i + 1),
    "long_tail": lambda i: 1 / (i % 10 + 1) ** 2,
    "zeros_mixed": lambda i: 0.0 if i % 3 == 0 else (i % 5 + 1) / 7,
}
# With MKL, torch draws without replacement (and since 2.0 a single sample) from a stream that nobody can follow.
FOLLOWS_ALL = not torch.backends.mkl.is_available()


def named_weights(kind, size):
    return [PATTERNS[kind](i) for i in range(size)]


def is_followed(replacement, num_samples):
    return FOLLOWS_ALL or (replacement and num_samples != 1)


# --- drawing ---------------------------------------------------------------------------------------------------------


def draw_weights(rng):
    if rng.random() < 0.3:
        return {"kind": rng.choice(list(PATTERNS)), "n": rng.choice([1, 2, 33, 64, 1000])}
    odd = rng.choice([0.0, 0.0, 0.0, -1.0])  # rarely a weight that torch refuses
    return [odd if rng.random() < 0.1 else rng.choice([0.5, 1.0, 1 / 3, rng.random(), rng.random() * 1e6])
            for _ in range(rng.choice([0, 1, 2, 5, 5, 40]))]


def draw_multinomial(rng):
    replacement = not FOLLOWS_ALL or rng.random() < 0.5
    return {"weights": draw_weights(rng), "num_samples": rng.choice([2, 2, 5, 30, 1000, 1 if FOLLOWS_ALL else 3]),
            "replacement": replacement, "seed": rng.choice(SEEDS), "dtype": rng.choice(["float32", "float64"])}


def draw_weighted(rng):
    params = draw_multinomial(rng)
    del params["dtype"]
    if rng.random() < 0.2:
        params["num_samples"] = rng.choice([0, -1, 2.0, None, True])
    return params


def draw_randint(rng):
    low = rng.choice([0, 0, -5, -(2**40), 17])
    border = rng.choice([1, 10, 2**16, 2**28, 2**32, 2**62])
    return {"low": low, "high": low + max(0, border + rng.randint(-1, 1)), "size": rng.choice([0, 1, 12]),
            "seed": rng.choice(SEEDS)}


def draw_random_split(rng):
    size = rng.choice([0, 1, 7, 10, 101])
    cuts = sorted(rng.randint(0, 100) for _ in range(rng.randint(0, 3)))
    parts = [b - a for a, b in zip([0] + cuts, cuts + [100])]
    lengths = [part / 100 for part in parts] if rng.random() < 0.5 else [size * part // 100 for part in parts]
    if rng.random() < 0.6 and lengths and isinstance(lengths[0], int):
        lengths[0] += size - sum(lengths)
    if rng.random() < 0.1:
        lengths = rng.choice([[1], [1, 0], [1.5, -0.5], [12, -2], [-2, 12], []])
    return {"dataset_size": size, "lengths": lengths, "seed": rng.choice(SEEDS), "subset": 0}


DRAWS = {"multinomial": draw_multinomial, "WeightedRandomSampler": draw_weighted, "randint": draw_randint,
         "random_split": draw_random_split}


def draw(rng):
    name = rng.choice(list(DRAWS))
    return {"sampler": name, "params": DRAWS[name](rng)}


# --- torch -----------------------------------------------------------------------------------------------------------


def weights_given(params):
    weights = params["weights"]
    return named_weights(weights["kind"], weights["n"]) if isinstance(weights, dict) else weights


def indices_of(sampler, params):
    generator = torch.Generator().manual_seed(params["seed"])
    if sampler == "randint":
        return torch.randint(params["low"], params["high"], (params["size"],), generator=generator).tolist()
    if sampler == "random_split":
        subsets = random_split(range(params["dataset_size"]), params["lengths"], generator=generator)
        return list(subsets[params["subset"]].indices)
    weights = weights_given(params)
    if sampler == "multinomial":
        return torch.multinomial(torch.tensor(weights, dtype=getattr(torch, params["dtype"])), params["num_samples"],
                                 params["replacement"], generator=generator).tolist()
    return list(WeightedRandomSampler(weights, params["num_samples"], params["replacement"], generator=generator))


def row_of(call):
    """The reference row of this call, made by torch; None where it says nothing that ShardLens promises."""
    params = call["params"]
    if call["sampler"] == "random_split":
        lengths = params["lengths"]
        # Whether a sum comes to 1 is Python's business: it rounds otherwise since 3.12.
        if sum(lengths) != math.fsum(lengths) or (not lengths and params["dataset_size"] == 0):
            return None
    elif "weights" in params and not is_followed(params["replacement"], params["num_samples"]):
        return None
    # An empty tensor is refused by its max() or by its min(): which one C++ asks first is the compiler's choice, and
    # Debian's 1.13 and 2.6 differ in it.
    if params.get("weights") == [] and not torch.__version__.startswith("1."):
        return None
    row = {"framework": "torch", "version": torch.__version__, **call}
    try:
        return {**row, "indices": indices_of(**call)}
    except (ValueError, TypeError, RuntimeError) as error:
        return {**row, "error": {"type": type(error).__name__, "message": str(error)}}


# --- ShardLens -------------------------------------------------------------------------------------------------------


def judged(program, rows):
    """What `shardlens selftest` reports of the rows."""
    with tempfile.TemporaryDirectory(prefix="shardlens-test-") as folder:
        path = pathlib.Path(folder, "rows.jsonl")
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        done = subprocess.run([program, "selftest", "--vectors", folder, "--format", "json"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"passed": 0, "failed": len(rows), "unsupported": 0,
                "failures": [{"line": 1, "difference": "exit code %d: %s" % (done.returncode, done.stderr)}]}


def differs(program, call):
    row = row_of(call)
    return row is not None and judged(program, [row])["passed"] == 0
