#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dumps.py CASE FOLDER [FORMAT] [RANKS] [STEPS]: dumps of PyTorch's Flight Recorder as a job of this case would leave them.

FORMAT is json, or pickle2 ... pickle5. Each step is an all_reduce of all ranks and an all_gather of each pair of them.
CASE: healthy; missing (rank 2 never comes to the last all_reduce); sizes (rank 1 gives half of it); order (rank 1
swaps the last two); wrapped (missing, and the buffers hold 20 entries); old (missing, by the keys of version 2.1);
oldest (missing, by those of version 1); silent (rank 2 leaves no dump); pairs (rank 1 waits for a message of rank 0);
stuck (all have come, none gets out); clocks (healthy, and the clock of rank 1 is 100 s ahead); coalesced."""
import json
import os
import pickle
import sys

BASE = 1_763_900_000_000_000_000
TORCH = "/usr/lib/python3/dist-packages/torch/distributed/"


FRAMES = {}


def frames_of(name, line):
    """As in a dump, a frame that is in several stacks is one object."""
    stack = [
        (name, TORCH + "distributed_c10d.py", 2696),
        ("wrapper", TORCH + "c10d_logger.py", 83),
        ("step", "/home/me/train.py", line),
        ("main", "/home/me/train.py", 80),
        ("<module>", "/home/me/train.py", 99),
    ]
    return [FRAMES.setdefault(f, {"name": f[0], "filename": f[1], "line": f[2]}) for f in stack]


class Rank:
    def __init__(self, rank, ranks, shift=0):
        self.rank, self.ranks, self.shift = rank, ranks, shift
        self.entries, self.seq, self.p2p = [], {}, {}
        self.now = 4_000_000 * rank // max(ranks, 4)
        pair = rank // 2
        self.groups = {"0": ("default_pg", list(range(ranks)))}
        if ranks > 2:
            self.groups[str(1 + pair)] = ("undefined", [r for r in (2 * pair, 2 * pair + 1) if r < ranks])

    def call(self, name, group="0", numel=1024, state="completed", line=31, p2p=False, launch=True):
        counts = self.p2p if p2p else self.seq
        counts[group] = counts.get(group, 0) + (1 if launch else 0)
        self.now += 10_000_000
        created = BASE + self.now + self.shift
        started = created + 200_000 if state in ("started", "completed") else None
        # Every rank sees the end after the last of them has come.
        over = BASE + self.now + 1_000_000 * min(self.ranks, 4) + 2_000_000 + self.shift if state == "completed" else None
        self.entries.append({
            "frames": frames_of(name, line),
            "record_id": len(self.entries),
            "pg_id": int(group),
            "process_group": (group, self.groups[group][0]),
            "thread_name": "python",
            "thread_id": "139637600000000",
            "collective_seq_id": self.seq.get(group, 0),
            "p2p_seq_id": self.p2p.get(group, 0),
            "op_id": len(self.entries) + 1,
            "profiling_name": "nccl:" + name,
            "time_created_ns": created,
            "input_sizes": [[numel]],
            "input_dtypes": ["Float"],
            "output_sizes": [[numel * (2 if "gather" in name else 1)]],
            "output_dtypes": ["Float"],
            "state": state,
            "time_discovered_started_ns": started,
            "time_discovered_completed_ns": over,
            "retired": state == "completed",
            "timeout_ms": 600000,
            "is_p2p": p2p,
        })

    def step(self):
        self.call("all_reduce", line=31)
        if self.ranks > 2 and len(list(self.groups.values())[-1][1]) == 2:
            self.call("_all_gather_base", group=list(self.groups)[-1], line=40)

    def dump(self):
        status = {}
        for group in self.seq:
            done = max([e["collective_seq_id"] for e in self.entries
                        if e["process_group"][0] == group and e["state"] == "completed"], default=-1)
            status[group] = {"last_enqueued_collective": self.seq[group], "last_started_collective": self.seq[group],
                             "last_completed_collective": done}
        return {
            "version": "2.10",
            "pg_config": {n: {"name": n, "desc": d, "ranks": str(m)} for n, (d, m) in self.groups.items()},
            "comm_lib_version": "2.27.5",
            "pg_status": status,
            "entries": self.entries,
        }


def last(case, rank):
    """What the rank does after its steps."""
    r = rank.rank
    if case in ("missing", "wrapped", "old", "oldest", "silent"):
        if r != 2:
            rank.call("all_reduce", state="started", line=33)
    elif case == "sizes":
        rank.call("all_reduce", numel=512 if r == 1 else 1024, state="started", line=33)
    elif case == "order":
        names = [("all_reduce", 33), ("broadcast", 34)]
        for i, (name, line) in enumerate(reversed(names) if r == 1 else names):
            rank.call(name, state="scheduled" if i else "started", line=line)
    elif case == "pairs":
        if r == 0:
            rank.call("send 0->1", p2p=True)
        if r == 1:
            rank.call("recv 1<-0", p2p=True)
            rank.call("recv 1<-0", p2p=True, state="started", line=50)
    elif case == "stuck":
        rank.call("all_reduce", state="scheduled" if r == 1 else "started", line=33)
    elif case == "coalesced":
        peer = r ^ 1
        rank.call(f"send {r}->{peer}", p2p=True, state="scheduled")
        rank.call(f"recv {r}<-{peer}", p2p=True, state="scheduled", launch=False)
        rank.call("coalesced", p2p=True, launch=False)


def older(dump, case):
    keys = ["thread_name", "thread_id", "is_p2p", "timeout_ms", "input_dtypes", "output_dtypes"]
    dump["version"] = "2.1"
    if case == "oldest":
        keys += ["process_group", "p2p_seq_id", "op_id", "retired", "time_discovered_started_ns",
                 "time_discovered_completed_ns", "collective_seq_id"]
        dump["version"] = "1.0"
        del dump["pg_config"]
        dump["entries"] = [e for e in dump["entries"] if e["pg_id"] == 0]
    del dump["pg_status"], dump["comm_lib_version"]
    for entry in dump["entries"]:
        if case == "oldest":
            entry["seq_id"] = entry["collective_seq_id"]
        for key in keys:
            del entry[key]
    return dump


def as_json(dump):
    """The JSON form has no frames, 0 for times that are not known, and texts for all numbers of pg_status."""
    for entry in dump["entries"]:
        entry.pop("frames", None)
        for key in ("time_discovered_started_ns", "time_discovered_completed_ns"):
            if key in entry:
                entry[key] = entry[key] or 0
    for status in dump.get("pg_status", {}).values():
        status.update({k: str(v) for k, v in status.items()})
    return json.dumps(dump, sort_keys=True, separators=(",", ":")).encode()


def write(case, folder, form="pickle2", ranks=4, steps=10):
    os.makedirs(folder, exist_ok=True)
    for r in range(ranks):
        if case == "silent" and r == 2:
            continue
        rank = Rank(r, ranks, shift=100_000_000_000 if case == "clocks" and r == 1 else 0)
        for _ in range(steps):
            rank.step()
        last(case, rank)
        dump = rank.dump()
        if case == "wrapped":
            dump["entries"] = dump["entries"][-20:]
        if case in ("old", "oldest"):
            dump = older(dump, case)
        data = as_json(dump) if form == "json" else pickle.dumps(dump, protocol=int(form[-1]))
        with open(os.path.join(folder, f"nccl_trace_rank_{r}"), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    write(*arguments[:3], *(int(number) for number in arguments[3:]))
