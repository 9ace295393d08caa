# SPDX-License-Identifier: Apache-2.0
"""agent_slurm.py SHARDLENS RING_RANKS, below one_host_slurm.py: a batch job of Slurm with `shardlens env` in its script. Its tasks are ranks,
recorded by an agent that no task waits for."""
import os
import subprocess
import sys
import unittest

from sessions import Sessions, quoted, release, until

SHARDLENS, RING_RANKS = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
SCRIPT = """#!/bin/sh
eval "$(%s env --dir "$1")"
srun -n 2 sh -c 'exec %s 2 5 "$3" "$2-$SLURM_PROCID" "$SLURM_PROCID"' sh "$@"
"""


class Slurm(Sessions):
    shardlens = SHARDLENS

    def submitted(self, silent):
        """A batch job of two ranks, which wait before their last barrier; and how to let each of them go on."""
        session = self.session()
        os.rename(session.path, session.path + " of the test itself")
        fifos = [session.fifo("fifo-%d" % rank) for rank in (0, 1)]
        script = os.path.join(session.folder, "job.sh")
        with open(script, "w") as file:
            file.write(SCRIPT % (quoted([SHARDLENS]), quoted([RING_RANKS])))
        said = os.path.join(session.folder, "said")
        command = ["sbatch", "--wait", "-n", "2", "-J", "nightly", "-o", said, script, session.path, os.path.join(session.folder, "fifo"), silent]
        session.processes.append(subprocess.Popen(command, cwd=session.folder, env=session.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                                  text=True, start_new_session=True))
        until(lambda: sum(rank["collectives"] or 0 for rank in (session.replay() or {"ranks": []})["ranks"]) == 8, "both ranks")
        return session, fifos

    def test_a_batch_job(self):
        session, fifos = self.submitted("-1")
        watcher = session.watch(session.path)
        for fifo in fifos:
            release(fifo)
        self.assertIn("2 ranks", self.ended(watcher))
        self.ended(session.processes[0])
        self.assertEqual([(rank["collectives"], rank["state"]) for rank in session.replay()["ranks"]], [(5, "done")] * 2)

    def test_how_a_rank_of_a_batch_job_ends_that_says_nothing_is_not_known(self):
        session, fifos = self.submitted("1")
        for fifo in fifos:
            release(fifo)
        self.assertIn("Rank 1 ended without saying how", self.watched(session, code=3))


if __name__ == "__main__":
    unittest.main(verbosity=2)
