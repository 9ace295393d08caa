# SPDX-License-Identifier: Apache-2.0
"""rehearse_pool.py SHARDLENS [--seed S] [--cases N] [--keep FOLDER]: whether real MPI ranks come to a standstill where the schedule of a spec is
said to hang, and nowhere else. Each case is a schedule that is drawn at random. Exit status 1 where what was seen refutes a prediction, or
nothing was confirmed; 77 and a line on stdout where there is no mpirun."""
import argparse
import collections
import json
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


def line(dice, world, groups, bold):
    """A phase; a bold one is likely to hang."""
    if dice.random() < 0.2:
        return "{do: %s}" % dice.choice(PRESETS)
    at = dice.choice(MOMENTS)
    group = dice.choice(["world", "data", *groups])
    words = [f"at: {at}", f"group: {group}"]
    if dice.random() < 0.25:  # round the ring: all send first, or every other one does
        if bold:
            return "{do: send, %s}" % ", ".join(words)
        words = f"at: {at}, group: {dice.choice(['world', *groups])}"
        return "{do: send, %s, if: group_rank == 0, peer: 1, kb: 1}, {do: recv, %s, if: group_rank == 1, peer: 0, kb: 1}" % (words, words)
    what = dice.choice(COLLECTIVES)
    if what != "barrier":
        words.append(f"kb: {dice.choice([0, 1, 1, 50])}")
    if what in ("all_reduce", "reduce_scatter"):
        words.append(f"op: {dice.choice(['sum', 'avg', 'max'])}")
    text = condition(dice, world)
    if bold or text in ("epoch == 1", "step % 2 == 0"):
        if not ("step" in text and at != "step" or "epoch" in text and at in ("start", "end")):
            words.append(f'if: "{text}"')
    return "{do: %s, %s}" % (what, ", ".join(words))


def draw(dice):
    world = dice.choice(list(WORLDS))
    sizes = dice.choice(WORLDS[world])
    groups = [size.split(":")[0].strip() for size in sizes.split(",")] if sizes else []
    nodes = dice.choice([1, world // 2]) if world % 2 == 0 else 1
    bold = dice.random() < 0.5
    lines = [line(dice, world, groups, bold and dice.random() < 0.6) for _ in range(dice.randrange(1, 5))]
    return f"""shardlens: 2
name: drawn
dataset: {{size: {dice.randrange(8, 24)}}}
world: {{nodes: {nodes}, ranks_per_node: {world // nodes}, groups: {{{sizes}}}}}
sampler: {{type: torch.DistributedSampler}}
loader: {{batch_size: {dice.choice([1, 2, 3])}}}
epochs: 2
schedule: [{", ".join(lines)}]
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shardlens")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=8)
    parser.add_argument("--keep", help="where the specs and answers of all cases stay")
    options = parser.parse_args()
    if shutil.which("mpirun") is None:
        print("SKIPPED: there is no mpirun")
        return 77
    dice = random.Random(options.seed)
    folder = options.keep or tempfile.mkdtemp(prefix="shardlens-rehearse-")
    os.makedirs(folder, exist_ok=True)
    seen, wrong = collections.Counter(), []
    for case in range(options.cases):
        path = os.path.join(folder, f"{case}.yaml")
        with open(path, "w") as file:
            file.write(draw(dice))
        job = subprocess.run([options.shardlens, "rehearse", path, "--most", "60", "--format", "json", "--quiet"], capture_output=True, text=True)
        with open(path + ".json", "w") as file:
            file.write(job.stdout + job.stderr)
        if job.returncode not in (0, 1):
            seen["refused" if job.returncode == 2 else "broken"] += 1
            if job.returncode != 2:
                wrong.append((path, job.stderr))
            continue
        answer = json.loads(job.stdout)
        seen[f"{answer['predicted']} as {answer['seen']}: {answer['agree']}"] += 1
        if answer["agree"] is False or answer["seen"] == "not_to_the_end":
            wrong.append((path, f"said: {answer['prediction']} was: {answer['sight']}"))
    for what, count in sorted(seen.items()):
        print(f"{count:5} {what}")
    for path, why in wrong:
        print(f"WRONG {path}: {why}\n{open(path).read()}")
    if not options.keep:
        shutil.rmtree(folder)
    is_judged = seen["through as through: True"] > 0 and seen["stands_still as stands_still: True"] > 0
    return 0 if is_judged and not wrong else 1


sys.exit(main())
