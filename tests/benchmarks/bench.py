# SPDX-License-Identifier: Apache-2.0
"""Runs each figure's own program and its peer in turn and prints a row for each.

Times are of the work alone, as the measured process reports them; memory is the peak resident size of the whole process
(for the peer that includes importing torch, given in the last line). The best of the repeats is shown.
"""

import argparse
import json
import os
import platform
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROW = "{:<34} {:>14} {:>14} {:>8}   {}"


def measured(command):
    """The JSON object that a benchmark program prints as its last line, or None when it cannot run."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print("  " + " ".join(command) + ": " + done.stderr.strip(), file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def best(command, repeats):
    results = [result for result in (measured(command) for _ in range(repeats)) if result]
    return min(results, key=lambda result: result["seconds"]) if results else None


def seconds(value):
    return "%.3g ms" % (value * 1e3) if value < 1 else "%.2f s" % value


def megabytes(value):
    return "%.0f MB" % (value / 1e6)


def row(name, ours, peer, text, key, goal):
    ratio = "%.1fx" % (peer[key] / ours[key]) if ours and peer else "-"
    print(ROW.format(name, text(ours[key]) if ours else "failed", text(peer[key]) if peer else "-", ratio, goal), flush=True)


class Figures:
    def __init__(self, folder):
        self.folder = folder

    def ours(self, program, *arguments):
        return [os.path.join(self.folder, program), *map(str, arguments)]

    def torch(self, *arguments):
        return [sys.executable, os.path.join(HERE, "torch_peer.py"), *map(str, arguments)]

    def plan(self, samples):
        """All 1,024 ranks of an epoch against PyTorch's own permutation, and against one rank's list(sampler)."""
        repeats = 5 if samples <= 10**7 else 2
        name = "1e%d" % (len(str(samples)) - 1)
        ours = best(self.ours("bench_plan", samples, 1024), repeats)
        permutation = best(self.torch("randperm", samples), repeats)
        one_rank = best(self.torch("sampler", samples, 1024), repeats)
        row("plan %s, time, v torch.randperm" % name, ours, permutation, seconds, "seconds", "> 1x")
        row("plan %s, memory, v torch.randperm" % name, ours, permutation, megabytes, "peak_bytes", "> 1x")
        row("plan %s, time, v list(sampler)" % name, ours, one_rank, seconds, "seconds", "20x at 1e8")
        row("plan %s, memory, v list(sampler)" % name, ours, one_rank, megabytes, "peak_bytes", "> 1x")

    def keystroke(self):
        """A digit typed into dataset.size until the Stage shows the new cells, 1e6 samples, 8 ranks, the real window."""
        ours = best(self.ours("bench_keystroke", 10**6), 1)
        peer = best(self.torch("sampler", 10**6, 8), 3)
        row("keystroke to picture, 1e6", ours, peer, seconds, "seconds", "< 100 ms")

    def frame(self):
        """One frame while playing 1,024 ranks; the peer is what a 60 Hz screen allows."""
        for size in ("1280x720", "1920x1080"):
            ours = best(self.ours("bench_stage_frame", size), 1)
            row("frame, 1,024 ranks, %s" % size, ours, {"seconds": 1 / 60}, seconds, "seconds", "> 1x of 60 Hz")


def figures(folder):
    all_figures = Figures(folder)
    return {
        "plan-1e6": lambda: all_figures.plan(10**6),
        "plan-1e7": lambda: all_figures.plan(10**7),
        "plan-1e8": lambda: all_figures.plan(10**8),
        "keystroke": all_figures.keystroke,
        "frame": all_figures.frame,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--only", metavar="NAME", help="one of the figures' names, or the beginning of several")
    options = parser.parse_args()
    known = figures(options.bin)
    chosen = [name for name in known if name.startswith(options.only or "")]
    if not chosen:
        sys.exit("bench: there is no figure '%s'; known are %s" % (options.only, ", ".join(known)))
    print(ROW.format("figure", "ours", "peer", "ratio", "goal"))
    for name in chosen:
        known[name]()
    base = measured([sys.executable, os.path.join(HERE, "torch_peer.py"), "nothing"])
    print("%s, %d cores; importing torch alone takes %s" % (platform.machine(), os.cpu_count(),
                                                          megabytes(base["peak_bytes"]) if base else "?"))


main()
