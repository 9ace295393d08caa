# SPDX-License-Identifier: Apache-2.0
"""Runs our programs and their peers in turn, in one go, and prints a row for each figure.

Times are of the work alone, as the measured process reports them; memory is the peak resident size of the whole process
(for a PyTorch peer that includes importing torch, given in the last line). Our side and the peer take turns, so that a
busy machine slows both, and run twice in a turn: a virtual machine gives memory that was freed back to its host, and the
first to touch it again pays for that. Times are "best (median)", the ratio is best to best; README.md says what each row
measures.
"""

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ("figure", "ours", "peer", "ratio", "goal")
PLAIN = "{:<40} {:>18} {:>18} {:>7}   {}"
MARKDOWN = "| {} | {} | {} | {} | {} |"
A_FRAME = 0.016  # seconds: as long as a picture of a 60 Hz screen stands
line = PLAIN
missed = []  # the figures whose goal was not reached


def say(text):
    print(text, file=sys.stderr, flush=True)


def measured(command):
    """The JSON object that a benchmark program prints as its last line, or None when it cannot run."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        say("  %s: exit status %d %s" % (" ".join(command), done.returncode, done.stderr.strip()))
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def in_turn(turns, *commands):
    """Each command's results, the commands taking turns, each twice in a row; one that cannot run is not tried again."""
    results = [[] for _ in commands]
    broken = set()
    for _ in range(turns):
        for i, command in enumerate(commands):
            for _ in range(2):
                result = None if i in broken else measured(command)
                broken.update([] if result else [i])
                results[i] += [result] if result else []
    return results


def seconds(value):
    return "%.3g ms" % (value * 1e3) if value < 1 else "%.2f s" % value


def nanoseconds(value):
    return "%.0f ns" % (value * 1e9)


def megabytes(value):
    return "%.0f MB" % (value / 1e6)


def best(results, key):
    """The shortest time, but the largest memory."""
    return (min if key == "seconds" else max)(result[key] for result in results)


def cell(results, key, text):
    if not results:
        return "-"
    if len(results) == 1 or key != "seconds":
        return text(best(results, key))
    return "%s (%s)" % (text(best(results, key)), text(statistics.median(result[key] for result in results)))


def verdict(name, ratio, least):
    """The goal, and whether it was reached."""
    if least is None:
        return ""
    reached = "not measured" if ratio is None else "reached" if ratio >= least else "MISSED"
    missed.extend([name] if reached == "MISSED" else [])
    return "%.3gx: %s" % (least, reached)


def row(name, ours, peer, text, key, least=None):
    """`least`: how many times faster, or smaller, than the peer we want to be."""
    ratio = best(peer, key) / best(ours, key) if ours and peer else None
    shown = "%.1fx" % ratio if ratio else "-"
    print(line.format(name, cell(ours, key, text) if ours else "failed", cell(peer, key, text), shown,
                      verdict(name, ratio, least)), flush=True)


def limit_row(name, ours, limit, text, key):
    """A figure without a peer: `limit` is what it may cost at most."""
    reached = "not measured" if not ours else "reached" if best(ours, key) <= limit else "MISSED"
    missed.extend([] if reached == "reached" else [name])
    print(line.format(name, cell(ours, key, text) if ours else "failed", "-", "-",
                      "<= %s: %s" % (text(limit), reached)), flush=True)


class Figures:
    def __init__(self, folder):
        self.folder = folder

    def ours(self, program, *arguments):
        return [os.path.join(self.folder, program), *map(str, arguments)]

    def python(self, program, *arguments):
        return [sys.executable, os.path.join(HERE, program), *map(str, arguments)]

    def torch(self, *arguments):
        return self.python("torch_peer.py", *arguments)

    def plan(self, samples):
        """All 1,024 ranks of an epoch against PyTorch's own permutation, and against one rank's list(sampler)."""
        name = "plan 1e%d" % (len(str(samples)) - 1)
        ours, permutation, one_rank = in_turn(
            3 if samples <= 10**7 else 2, self.ours("bench_plan", samples, 1024),
            self.torch("randperm", samples), self.torch("sampler", samples, 1024))
        row(name + ", time, v torch.randperm", ours, permutation, seconds, "seconds")
        row(name + ", memory, v torch.randperm", ours, permutation, megabytes, "peak_bytes")
        row(name + ", time, v list(sampler)", ours, one_rank, seconds, "seconds", 20 if samples == 10**8 else None)
        row(name + ", memory, v list(sampler)", ours, one_rank, megabytes, "peak_bytes")

    def billion(self):
        """1e9 samples: memory, time, and how long a stop takes; not where the machine has not the memory."""
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if free < 5 * 10**9:
            say("plan 1e9: skipped, %s free, 5 GB wanted" % megabytes(free))
            return
        ours = in_turn(1, self.ours("bench_plan", 10**9, 1024))[0]
        limit_row("plan 1e9, memory", ours, 4.5e9, megabytes, "peak_bytes")
        row("plan 1e9, time", ours, [], seconds, "seconds")
        stops = in_turn(1, self.ours("bench_stop", 10**9, 1024))[0]
        stops = sorted(stops, key=lambda result: result["seconds"])[-1:]
        limit_row("plan 1e9, slowest of twenty stops", stops, 0.05, seconds, "seconds")

    def randperm(self):
        """torch.randperm(1e8) itself."""
        ours, peer = in_turn(3, self.ours("bench_engine", "randperm", 10**8), self.torch("randperm", 10**8))
        row("randperm 1e8, time", ours, peer, seconds, "seconds", 12)
        row("randperm 1e8, memory", ours, peer, megabytes, "peak_bytes", 1 / 0.6)

    def find(self):
        """One sample over 100 epochs of 1e7; of the peer's epochs, each as long as the other, five are measured."""
        ours, peer = in_turn(2, self.ours("bench_engine", "find", 10**7, 100), self.torch("find", 10**7, 5))
        for result in peer:
            result["seconds"] *= 20
        row("find, 100 epochs of 1e7, time", ours, peer, seconds, "seconds")
        row("find, 100 epochs of 1e7, memory", ours, peer, megabytes, "peak_bytes")
        ours = in_turn(2, self.ours("bench_engine", "find", 1281167, 90))[0]
        limit_row("find, 90 epochs of ImageNet", ours, 0.3, seconds, "seconds")

    def audit(self):
        """The whole audit, fixes included, of 1,024 ranks and 90 epochs, no peer."""
        for kind, samples, limit, name in (("distributed", 10**8, 1.5, "audit 1e8, 1,024 ranks"),
                                           ("wrapper", 10**7, 10, "audit 1e7, Lightning's wrapper")):
            ours = in_turn(1, self.ours("bench_engine", "audit", kind, samples, 1024))[0]
            limit_row(name, ours, limit, seconds, "seconds")

    def lens(self):
        """The columns that the lens shows first, of 1,024 ranks, no peer."""
        ours = in_turn(1, self.ours("bench_engine", "lens", 10**7, 1024))[0]
        limit_row("lens 1e7, usual columns", ours, 5, seconds, "seconds")

    def diff(self):
        """A plan of 8 ranks beside itself, no peer."""
        ours = in_turn(2, self.ours("bench_engine", "diff", 1000, 10**6))[0]
        limit_row("diff, 1e6 equal epochs", ours, 1, seconds, "seconds")

    def at(self):
        """The samples of an optimizer step among 1e6 recorded batches of 8 ranks, no peer."""
        ours = in_turn(2, self.ours("bench_at", 10**6, 8))[0]
        limit_row("at, a step of 1e6 batches", ours, 0.1, seconds, "seconds")

    def overlap(self):
        """1,024 ranks against each other at 1e7 samples, no peer: how ranks share samples decides what must be done."""
        for kind, name in (("strided", "strides of one order"), ("local", "local_rank as rank"),
                           ("repeated", "neighbours share samples"), ("whole", "whole orders, seeds apart")):
            ours = in_turn(2, self.ours("bench_engine", "overlap", kind, 10**7, 1024))[0]
            limit_row("overlap 1e7, " + name, ours, 1, seconds, "seconds")

    def streaming(self):
        """An epoch of Streaming, py1e, 1e7 samples, 64 nodes; its own code where it is at hand (streaming_peer.py)."""
        ours, peer = in_turn(2, self.ours("bench_engine", "streaming", 10**7, 64),
                             self.python("streaming_peer.py", 10**7, 64))
        row("Streaming epoch 1e7, 64 nodes, time", ours, peer, seconds, "seconds")
        row("Streaming epoch 1e7, 64 nodes, memory", ours, peer, megabytes, "peak_bytes")

    def probe(self):
        """A PyTorch job that is watched and one without our probe, and what the probe and a ring add to a batch; the processor's time."""
        probe = os.path.join(self.folder, "probe")
        ours, peer = in_turn(2, self.python("probed_job.py", "train", probe, "watched"), self.python("probed_job.py", "train", "-"))
        row("PyTorch job with the probe, v without", ours, peer, seconds, "seconds", 0.99)
        ours, peer = in_turn(3, self.python("probed_job.py", "draw", probe), self.python("probed_job.py", "draw", "-"))
        added = [{"seconds": best(ours, "seconds") - best(peer, "seconds")}] if ours and peer else []
        limit_row("probe, a batch of 256 indices", added, 2e-6, seconds, "seconds")
        ours, peer = in_turn(3, self.python("probed_job.py", "next", probe, "watched"), self.python("probed_job.py", "next", probe))
        added = [{"seconds": best(ours, "seconds") - best(peer, "seconds")}] if ours and peer else []
        limit_row("probe, records of a batch", added, 2e-6, seconds, "seconds")

    def mpi(self):
        """What the MPI probe adds to a call, below an MPI library whose calls take no time."""
        with tempfile.TemporaryDirectory() as folder:
            rings = iter(range(10**6))

            def below():
                place = os.path.join(folder, str(next(rings)))
                os.mkdir(place)
                return ["env", "LD_PRELOAD=" + os.path.join(self.folder, "probe", "shardlens_mpi.so"),
                        "SHARDLENS_RINGS=" + place, *self.ours("mpi_calls", 2 * 10**6)]

            ours, peer = [], []
            for _ in range(3):  # each with a ring of its own
                ours += in_turn(1, below())[0][:1]
                peer += in_turn(1, self.ours("mpi_calls", 2 * 10**6))[0]
            added = [{"seconds": best(ours, "seconds") - best(peer, "seconds")}] if ours and peer else []
            limit_row("MPI probe, a call", added, 60e-9, nanoseconds, "seconds")

    def nccl(self):
        """What the NCCL probe adds to an operation: its event and that of one channel, each begun and ended, called as NCCL does."""
        probe = os.path.join(self.folder, "probe", "shardlens_nccl.so")
        calls = [*self.ours("nccl_calls"), probe, "5", "speed"]
        with tempfile.TemporaryDirectory() as folder:
            ours, peer = [], []
            for number in range(3):  # each with a ring of its own
                place = os.path.join(folder, str(number))
                os.mkdir(place)
                ours += in_turn(1, ["env", "RANK=0", "WORLD_SIZE=2", "SHARDLENS_RINGS=" + place, *calls])[0][:1]
                peer += in_turn(1, calls)[0]
            added = [{"seconds": best(ours, "seconds") - best(peer, "seconds")}] if ours and peer else []
            limit_row("NCCL probe, an operation", added, 500e-9, nanoseconds, "seconds")

    def start(self):
        """A new process until the real window has painted the plan of a file; beside it a Python that imports torch."""
        example = os.path.join(HERE, "..", "..", "resources", "examples", "seed-local-rank.yaml")
        ours, peer = in_turn(3, self.ours("bench_start", example), self.torch("start"))
        row("start to first picture, v import torch", ours, peer, seconds, "seconds")
        limit_row("start to first picture", ours, 0.25, seconds, "seconds")

    def keystroke(self):
        """A digit typed into sampler.seed until the Stage shows the new cells, 1e6 samples, 8 ranks, the real window."""
        ours, peer = in_turn(2, self.ours("bench_keystroke", 10**6), self.torch("sampler", 10**6, 8))
        row("keystroke to picture 1e6, v list(sampler)", ours, peer, seconds, "seconds")
        limit_row("keystroke to picture 1e6", ours, 0.1, seconds, "seconds")

    def gui_away(self):
        """Each sampler at its largest sensible size in the real window: the longest turn of the GUI thread, worst first."""
        program = self.ours("bench_gui_away")
        names = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        results, longest = {}, {}
        for done, name in enumerate(names, 1):
            results[name] = self.until_short(program + [name])
            longest[name] = best(results[name], "seconds") if results[name] else math.inf
            say("  %d of %d, %s: %s" % (done, len(names), name, seconds(longest[name])))
        for name in sorted(names, key=longest.get, reverse=True):
            limit_row("GUI away, " + name, results[name], A_FRAME, seconds, "seconds")
        times = [time for time in longest.values() if time < math.inf]
        print("%d of %d samplers under %s; median %s, worst %s" % (
            sum(time <= A_FRAME for time in times), len(names), seconds(A_FRAME), seconds(statistics.median(times)),
            seconds(max(times))), flush=True)

    @staticmethod
    def until_short(command):
        """One run, and up to two more while none stays within a frame: what is in the way of one run only is not the program's."""
        results = []
        for _ in range(3):
            result = measured(command)
            results += [result] if result else []
            if not result or best(results, "seconds") <= A_FRAME:
                break
        return results

    def frame(self):
        """One frame while playing 1,024 ranks; the limit is what a 60 Hz screen allows."""
        for size in ("1280x720", "1920x1080"):
            ours = in_turn(1, self.ours("bench_stage_frame", size))[0]
            limit_row("frame, 1,024 ranks, %s" % size, ours, 1 / 60, seconds, "seconds")
        for ranks in ("8", "64", "1024"):
            ours = in_turn(1, self.ours("bench_stage_frame", "1280x720", "--deal", ranks))[0]
            limit_row("frame with the deal, ImageNet on %s ranks" % ranks, ours, 4e-3, seconds, "seconds")
        for ranks in ("8", "1024"):
            ours = in_turn(1, self.ours("bench_stage_frame", "1280x720", "--turn", ranks))[0]
            limit_row("frame of an epoch's turn, ImageNet on %s ranks" % ranks, ours, 4e-3, seconds, "seconds")


def figures(folder):
    all_figures = Figures(folder)
    return {
        "plan-1e6": lambda: all_figures.plan(10**6),
        "plan-1e7": lambda: all_figures.plan(10**7),
        "plan-1e8": lambda: all_figures.plan(10**8),
        "plan-1e9": all_figures.billion,
        "randperm": all_figures.randperm,
        "find": all_figures.find,
        "overlap": all_figures.overlap,
        "audit": all_figures.audit,
        "lens": all_figures.lens,
        "diff": all_figures.diff,
        "at": all_figures.at,
        "streaming": all_figures.streaming,
        "probe": all_figures.probe,
        "mpi": all_figures.mpi,
        "nccl": all_figures.nccl,
        "start": all_figures.start,
        "keystroke": all_figures.keystroke,
        "frame": all_figures.frame,
        "gui-away": all_figures.gui_away,
    }


def processor():
    """The processor's name, as the system knows it."""
    try:
        with open("/proc/cpuinfo") as info:
            return next(text.split(":", 1)[1].strip() for text in info if text.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def machine():
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return "%s, %d cores, %.0f GB" % (processor(), os.cpu_count(), memory / 1e9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--markdown", action="store_true", help="a table for README.md")
    parser.add_argument("--only", metavar="NAME", help="one of the figures' names, or the beginning of several")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a goal is missed")
    options = parser.parse_args()
    known = figures(options.bin)
    chosen = [name for name in known if name.startswith(options.only or "")]
    if not chosen:
        sys.exit("bench: there is no figure '%s'; known are %s" % (options.only, ", ".join(known)))
    global line
    line = MARKDOWN if options.markdown else PLAIN
    print(line.format(*COLUMNS))
    if options.markdown:
        print(line.format(*["---"] * len(COLUMNS)))
    load = os.getloadavg()[0]
    for name in chosen:
        known[name]()
    base = measured([sys.executable, os.path.join(HERE, "torch_peer.py"), "nothing"])
    print("\n%s; load average %.1f before, %.1f after; importing torch alone takes %s" %
          (machine(), load, os.getloadavg()[0], megabytes(base["peak_bytes"]) if base else "?"))
    if options.check and missed:
        sys.exit("bench: goals missed: " + ", ".join(missed))


main()
