# SPDX-License-Identifier: Apache-2.0
"""rehearse_pool.py SHARDLENS [--seed S] [--cases N] [--lists] [--seconds T] [--keep FOLDER]: whether real MPI ranks come to a standstill where the
schedule of a spec is said to hang, and nowhere else, and have the sums that are predicted of their values. Each case is a schedule that is drawn at
random from a seed of its own: S, S + 1, and so on. Exit status 1 where what was seen refutes a prediction, a case is not judged in its time, or
nothing was confirmed; 77 and a line on stdout where there is no mpirun."""
import argparse
import collections
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

COLLECTIVES = ["all_reduce", "reduce_scatter", "all_gather", "broadcast", "all_to_all", "barrier"]
PRESETS = ["ddp", "zero_first", "rank0_saves", "evaluation"]
MOMENTS = ["start", "epoch_start", "step", "epoch_end", "end"]
WORLDS = {2: ["tensor: 2", ""], 3: [""], 4: ["tensor: 2", "pipeline: 2", "tensor: 2, context: 2", ""]}


def condition(dice, world):
    return dice.choice(["rank == 0", "rank != 0", "rank == last", f"rank in [0, {world - 1}]", "rank % 2 == 0", "group_rank == 0", "step % 2 == 0",
                        "step > 0 and rank == 1", "epoch == 1", "epoch == 1 and rank == 0", "local_rank == 0"])


def some_lists(dice, world, least):
    """Groups of at least so many ranks, in any order; some ranks may be in none: ranks: [[2, 0], [1, 3]]."""
    ranks = dice.sample(range(world), world if dice.random() < 0.6 else dice.randrange(least, world + 1))
    size = dice.randrange(least, len(ranks) + 1)
    lists = [ranks[first:first + size] for first in range(0, len(ranks), size)]
    return f"ranks: {[group for group in lists if len(group) >= least]}"


def some_values(dice, world):
    """As many numbers of each rank, whole ones or not."""
    count, step = dice.randrange(1, 5), dice.choice([1, 1, 0.25])
    return f"values: {[[dice.randrange(-99, 100) * step for _ in range(count)] for _ in range(world)]}"


def line(dice, world, groups, bold, lists):
    """A phase; a bold one is likely to hang."""
    if dice.random() < 0.2:
        return "{do: %s}" % dice.choice(PRESETS)
    at = dice.choice(MOMENTS)
    is_listed = lists and dice.random() < 0.5
    words = [f"at: {at}", some_lists(dice, world, 1) if is_listed else f"group: {dice.choice(['world', 'data', *groups])}"]
    if dice.random() < 0.25:  # round the ring: all send first, or every other one does
        if bold:
            return "{do: send, %s}" % ", ".join(words)
        pairs = some_lists(dice, world, 2) if is_listed else f"group: {dice.choice(['world', *groups])}"
        words = f"at: {at}, {pairs}"
        return "{do: send, %s, if: group_rank == 0, peer: 1, kb: 1}, {do: recv, %s, if: group_rank == 1, peer: 0, kb: 1}" % (words, words)
    what = dice.choice(COLLECTIVES + ["all_reduce"] * 4 * lists)
    if what == "all_reduce" and lists:
        words.append(some_values(dice, world))
    elif what != "barrier":
        words.append(f"kb: {dice.choice([0, 1, 1, 50])}")
    if what in ("all_reduce", "reduce_scatter"):
        words.append(f"op: {dice.choice(['sum', 'avg', 'max'])}")
    text = condition(dice, world)
    if bold or text in ("epoch == 1", "step % 2 == 0"):
        if not ("step" in text and at != "step" or "epoch" in text and at in ("start", "end")):
            words.append(f'if: "{text}"')
    return "{do: %s, %s}" % (what, ", ".join(words))


def draw(dice, lists):
    world = dice.choice(list(WORLDS))
    sizes = dice.choice(WORLDS[world])
    groups = [size.split(":")[0].strip() for size in sizes.split(",")] if sizes else []
    nodes = dice.choice([1, world // 2]) if world % 2 == 0 else 1
    bold = dice.random() < 0.5
    lines = [line(dice, world, groups, bold and dice.random() < 0.6, lists) for _ in range(dice.randrange(1, 5))]
    return f"""shardlens: 2
name: drawn
dataset: {{size: {dice.randrange(8, 24)}}}
world: {{nodes: {nodes}, ranks_per_node: {world // nodes}, groups: {{{sizes}}}}}
sampler: {{type: torch.DistributedSampler}}
loader: {{batch_size: {dice.choice([1, 2, 3])}}}
epochs: 2
schedule: [{", ".join(lines)}]
"""


THROUGH, STANDS, OPEN, REFUTED = "through as predicted", "stands where predicted", "left open by MPI", "refuted"
COMPARED = "results of values compared"


def rehearsed(command, seconds):
    """What the command wrote and its exit status; nothing and None where it takes far longer than its ranks may: they have a minute to start."""
    with tempfile.TemporaryDirectory(prefix="shardlens-mpi-") as folder:
        job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": folder})
        try:
            return *job.communicate(timeout=seconds + 90), job.returncode
        except subprocess.TimeoutExpired:
            return "", "", None
        finally:
            if job.poll() is None:
                job.terminate()  # it ends its ranks
                try:
                    job.communicate(timeout=15)
                except subprocess.TimeoutExpired:
                    job.kill()
                    job.communicate()


def wrong_values(answer, seen):
    """What ranks had that was not predicted, as text."""
    wrong = []
    for one in answer["values"]:
        for rank, had in zip(one["ranks"], one["had"]):
            if had is None:  # a condition on steps may keep all ranks from it
                continue
            seen[COMPARED] += 1
            is_so = len(had) == len(one["predicted"]) and all(
                math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-4) for a, b in zip(had, one["predicted"]))
            if not is_so:
                wrong.append(f"schedule[{one['line']}]: rank {rank} had {had}, predicted {one['predicted']}")
    return "; ".join(wrong)


def judge(stdout, stderr, code, seen):
    """Which count the case is of, and what there is to say of one that fails."""
    if code is None:
        return "not over in time", "the command did not end"
    if code == 2:
        return "refused", None
    if code not in (0, 1):
        return "broken", stderr
    answer = json.loads(stdout)
    story = f"said: {answer['prediction']} was: {answer['sight']}"
    is_open = answer["agree"] is None and answer["predicted"] in ("stands_still", "may_stand_still") and answer["seen"] != "not_to_the_end"
    values = "" if is_open else wrong_values(answer, seen)  # MPI may mix the values of calls that differ
    if answer["agree"] is False or values:
        return REFUTED, f"{story} {values}"
    if answer["seen"] == "not_to_the_end":
        return "not over in time", story
    if answer["agree"]:
        return THROUGH if answer["seen"] == "through" else STANDS, None
    return "not predicted" if answer["predicted"] == "not_known" else OPEN, None


def run_cases(options, folder, seen):
    """The number of cases that failed; each is told at once, with its seed."""
    failed = 0
    for seed in range(options.seed, options.seed + options.cases):
        spec = draw(random.Random(seed), options.lists)
        path = os.path.join(folder, f"{seed if options.keep else 'drawn'}.yaml")
        with open(path, "w") as file:
            file.write(spec)
        command = [options.shardlens, "rehearse", path, "--most", str(options.seconds), "--format", "json", "--quiet"]
        stdout, stderr, code = rehearsed(command, options.seconds)
        if options.keep:
            with open(path + ".json", "w") as file:
                file.write(stdout + stderr)
        what, why = judge(stdout, stderr, code, seen)
        seen[what] += 1
        if why is not None:
            failed += 1
            again = f"--seed {seed} --cases 1" + (" --lists" if options.lists else "")
            print(f"{what.upper()} seed {seed} ({again}): {why}\n{spec}", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shardlens")
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    parser.add_argument("--cases", type=int, default=8)
    parser.add_argument("--lists", action="store_true", help="also draws groups by lists of ranks, and values of all_reduce")
    parser.add_argument("--seconds", type=float, default=60, help="how long the ranks of a case may take")
    parser.add_argument("--keep", help="where the specs and answers of all cases stay")
    options = parser.parse_args()
    if shutil.which("mpirun") is None:
        print("SKIPPED: there is no mpirun")
        return 77
    seen = collections.Counter({THROUGH: 0, STANDS: 0, OPEN: 0, REFUTED: 0})
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        failed = run_cases(options, options.keep, seen)
    else:
        with tempfile.TemporaryDirectory(prefix="shardlens-rehearse-") as folder:
            failed = run_cases(options, folder, seen)
    for what, count in seen.items():
        print(f"{count:5} {what}")
    confirmed = [seen[THROUGH], seen[STANDS]] + ([seen[COMPARED]] if options.lists else [])
    is_judged = any(confirmed) if options.cases == 1 else all(confirmed)
    return 0 if is_judged and not failed else 1


sys.exit(main())
