# SPDX-License-Identifier: Apache-2.0
"""The order of a large epoch is drawn once on a host and held once by its ranks."""
import os
import signal
import subprocess
import sys
import unittest

from common import Test, environment

import shardlens

SPEC = "shardlens: 2\ndataset: {{size: 5000000}}\nworld: {{nodes: {nodes}, ranks_per_node: {ranks}}}\nloader: {{batch_size: 64}}\nsampler: {{type: {type}, seed: {seed}}}\nepochs: 2\n"
RANK = """
import sys, shardlens
plan = shardlens.Plan(sys.argv[1])
sampler = plan.batch_sampler(rank=int(sys.argv[2]))
print(next(iter(sampler))[:3], plan.fingerprint(0, int(sys.argv[2])), flush=True)
sys.stdin.read()
"""
MOST_PRIVATE = 19_000_000  # bytes; an order of its own takes 20 million


def orders_of(pid):
    """The shared orders that a process reads."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
        return {line.split(maxsplit=5)[5].strip() for line in file if line.rstrip().endswith(".order")}


def private_bytes(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return sum(1024 * int(line.split()[1]) for line in file if line.startswith(("Private_Clean:", "Private_Dirty:")))


class Shared(Test):
    def setUp(self):
        super().setUp()
        self.seed = os.getpid()  # an order that no other test draws at the same time
        self.processes = []
        self.addCleanup(self.end)

    def spec(self, nodes, ranks):
        return SPEC.format(nodes=nodes, ranks=ranks, seed=self.seed, type="torch.DistributedSampler")

    def start(self, rank):
        words = [sys.executable, "-c", RANK, self.spec(1, 4), str(rank)]
        self.processes.append(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()))
        return self.processes[-1]

    def end(self):
        for process in self.processes:
            process.communicate(timeout=300)
        self.processes.clear()

    def test_ranks_share_one_order(self):
        said = [process.stdout.readline().rsplit(" ", 1)[1].strip() for process in [self.start(rank) for rank in range(4)]]
        apart = shardlens.Plan(self.spec(4, 1))  # no two ranks on a host: each draws its own
        self.assertEqual(said, [apart.fingerprint(0, rank) for rank in range(4)])
        (path,) = set.union(*(orders_of(process.pid) for process in self.processes))
        self.assertEqual(os.path.getsize(path) // 1_000_000, 20)
        private = [private_bytes(process.pid) for process in self.processes]
        print("private bytes of the ranks:", private)
        self.assertLess(sorted(private)[2], MOST_PRIVATE)
        self.end()
        self.assertFalse(os.path.exists(path))

    def test_the_next_epoch_takes_the_place_of_the_last(self):
        sampler = shardlens.Plan(self.spec(1, 4)).batch_sampler(rank=3)
        first = next(iter(sampler))
        (before,) = orders_of("self")
        sampler.set_epoch(1)
        self.assertNotEqual(next(iter(sampler)), first)
        (after,) = orders_of("self")
        self.assertNotEqual(after, before)
        self.assertFalse(os.path.exists(before))
        del sampler
        self.assertFalse(os.path.exists(after))

    def test_what_a_killed_rank_leaves_is_used_or_removed(self):
        killed = self.start(0)
        line = killed.stdout.readline()
        (left,) = orders_of(killed.pid)
        self.kill(killed)
        again = self.start(0)
        self.assertEqual(again.stdout.readline(), line)
        self.assertEqual(orders_of(again.pid), {left})
        self.kill(again)
        self.seed += 1
        other = self.start(0)
        self.assertNotEqual(other.stdout.readline(), line)
        (path,) = orders_of(other.pid)
        self.assertNotEqual(path, left)
        self.assertFalse(os.path.exists(left))
        self.end()
        self.assertFalse(os.path.exists(path))

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        process.wait()

    def test_a_damaged_order_is_drawn_again(self):
        first = self.start(1)
        line = first.stdout.readline()
        (path,) = orders_of(first.pid)
        with open(path, "r+b") as file:
            file.write(bytes(64))
        self.assertEqual(self.start(1).stdout.readline(), line)


if __name__ == "__main__":
    if not os.access("/dev/shm", os.W_OK):
        print("SKIPPED: there is no /dev/shm to write to")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
