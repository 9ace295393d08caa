# SPDX-License-Identifier: Apache-2.0
"""A shell with `shardlens env`, what is started in it, and what is recorded of it."""
import glob
import json
import os
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

PATIENCE_S = 300  # only to end a test that would never end; nothing is measured by it
signal.signal(signal.SIGINT, signal.default_int_handler)  # or watchers, too, would ignore it where these tests are started in the background


def until(happens, what):
    """What happens() gives once that is something."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = happens()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("never: " + what)


class Session:
    """One eval "$(shardlens env)", with a name that a shell must not take apart."""

    def __init__(self, shardlens, design=(), **environment):
        self.shardlens = shardlens
        self.temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # an agent renames a last file when its recording is over
        self.folder = os.path.realpath(self.temporary.name)
        self.path = os.path.join(self.folder, "it's a \"run\" of $HOME")
        self.environment = dict(os.environ, SHARDLENS_RUNS=os.path.join(self.folder, "runs"), OMP_NUM_THREADS="1", **environment)
        self.lines = self.says("env", *design, "--dir", self.path).stdout
        asked = subprocess.run(["sh", "-c", 'eval "$1"; env -0', "sh", self.lines], env=self.environment, capture_output=True, text=True, check=True)
        self.inside = dict(one.split("=", 1) for one in asked.stdout.split("\0") if one)
        self.processes = []

    def says(self, *arguments, code=0):
        done = subprocess.run([self.shardlens, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == code, (arguments, done)
        return done

    def start(self, command, **environment):
        process = subprocess.Popen(command, cwd=self.folder, env=dict(self.inside, **environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.processes.append(process)
        return process

    def watch(self, *arguments):
        process = subprocess.Popen([self.shardlens, "watch", *arguments], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.processes.append(process)
        return process

    def recording(self, number=1):
        return self.path if number == 1 else "%s-%d" % (self.path, number)

    def replay(self, number=1):
        """What is recorded by now; None while nothing is."""
        if not glob.glob(os.path.join(glob.escape(self.recording(number)), "*.slseg")):
            return None
        done = subprocess.run([self.shardlens, "replay", self.recording(number), "--format", "json"], env=self.environment, capture_output=True, text=True)
        return json.loads(done.stdout) if done.stdout else None

    def agents(self, number=1):
        """The agents that record now, by host."""
        found = {}
        for path in glob.glob(os.path.join(glob.escape(self.recording(number)), "*.agent")):
            with open(path) as file:
                found[os.path.basename(path)[: -len(".agent")]] = int(file.read())
        return found

    def fifo(self, name="fifo"):
        """For one reader: those that come late would not be let go on."""
        path = os.path.join(self.folder, name)
        os.mkfifo(path)
        return path

    def close(self):
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # whoever leads the group may be gone before its ranks
            except OSError:
                pass
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        self.temporary.cleanup()


def release(fifo):
    """Lets those go on who read it."""
    os.close(os.open(fifo, os.O_WRONLY))


class Sessions(unittest.TestCase):
    """Tests of programs whose path is in the class."""

    shardlens = ""

    def session(self, *design, **environment):
        session = Session(self.shardlens, design, **environment)
        self.addCleanup(session.close)
        return session

    def ended(self, process, code=0):
        """What it printed, once it has ended with this code."""
        out, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, code, (out, errors))
        return out + (errors or "")

    def watched(self, session, code=0, number=1):
        if number > 1:  # its agent makes it, perhaps when its ranks have ended
            until(lambda: session.replay(number), "recording %d" % number)
        return self.ended(session.watch(session.recording(number)), code)

    def left(self, session):
        """Nothing in memory, whoever asks afterwards."""
        self.assertFalse(os.path.exists(session.inside["SHARDLENS_RINGS"]), glob.glob(session.inside["SHARDLENS_RINGS"] + "/**", recursive=True))


def quoted(words):
    return " ".join(shlex.quote(word) for word in words)
