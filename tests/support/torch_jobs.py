# SPDX-License-Identifier: Apache-2.0
"""How tests start torch programs on this machine."""
import importlib.util
import os
import shlex
import socket
import sys
import tempfile

_runs = tempfile.TemporaryDirectory()
os.environ["SHARDLENS_RUNS"] = _runs.name  # else what tests record would be listed in the home of their user

SKIPPED = "SKIPPED: there is no torch for " + sys.executable
FORKED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "forked")


def has_torch():
    """Without importing it, which takes more than a second."""
    return importlib.util.find_spec("torch") is not None


_held = []  # sockets


def free_port():
    """A port for one job. It stays bound here, so that nobody else is given it before the job listens, which may take many seconds; torch
    listens on it all the same, since both sockets have SO_REUSEADDR."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    _held.append(held)
    return held.getsockname()[1]


def torchrun(ranks, *words):
    """The words of a torchrun that starts so many ranks. The usual port may be that of another job; Debian's torchrun has to be told where the output
    goes."""
    where = ["--master_addr=127.0.0.1", "--master_port=%d" % free_port(), "-r", "1", "-t", "1", "--nproc_per_node=%d" % ranks]
    return [sys.executable, "-m", "torch.distributed.run", *where, *words]


def ranks(count, *words, per_node=None):
    """A process that forks so many ranks, on emulated nodes: torchrun's environment without its processes, and torch is imported once for all. It
    ends when all of them have, and fails where one has failed."""
    variables = "FORKED_RANKS=%d WORLD_SIZE=%d LOCAL_WORLD_SIZE=%d MASTER_ADDR=127.0.0.1 MASTER_PORT=%d" % (count, count, per_node or count, free_port())
    path = 'PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}"%s' % shlex.quote(FORKED)  # behind the probe's
    return ["sh", "-c", "exec env %s %s %s %s" % (variables, path, sys.executable, shlex.join(words))]
