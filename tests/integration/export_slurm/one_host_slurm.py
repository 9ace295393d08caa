#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""one_host_slurm.py COMMAND...: runs COMMAND in a Slurm of its own, on this host alone, and exits as it does.

munged, slurmctld and slurmd run with a configuration, a key, a socket and ports of their own, in a temporary folder; a
Slurm that this host already has is neither used nor touched. In COMMAND's environment SLURM_CONF names the
configuration, so that srun, sbatch and salloc start up to eight tasks here. When COMMAND ends, or this program is told to, all
of it is ended and removed. Where there can be no Slurm, this says why, with a daemon's own last words, and exits with 77.
"""
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SKIPPED = 77
TASKS = 8
LIMIT_S = 60  # for each step of the start; it is over in a second or two
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

CONFIGURATION = """\
ClusterName=shardlens
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
# Nothing here needs cgroups, a database or a second host.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/linear
SchedulerType=sched/builtin
ReturnToService=2
PropagateResourceLimits=NONE
# The node has as many processors as we say.
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={tasks} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class NoSlurm(Exception):
    """Why there can be no Slurm here."""


def free_ports(count):
    sockets = [socket.create_server(("", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def descendants(pid):
    """All processes below this one."""
    children = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    found = list(children.get(pid, []))
    for one in found:
        found.extend(children.get(one, []))
    return found


class OneHostSlurm:
    def __init__(self, folder):
        self.folder = folder
        self.daemons = {}  # name: process

    def __enter__(self):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # what a daemon leaves behind comes to us
        try:
            self.start()
        except (OSError, KeyError) as error:  # a folder that cannot be written, a user without a name, ...
            self.stop()
            raise NoSlurm(f"{error}{self.last_words()}") from error
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        programs = ["munged", "munge", "unmunge", "slurmctld", "slurmd", "srun", "sbatch", "salloc", "sinfo"]
        absent = [name for name in programs if shutil.which(name) is None]
        if absent:
            raise NoSlurm(f"there is no Slurm on this machine: {', '.join(absent)} not found")
        self.start_munge()
        self.configure()
        self.start_daemon("slurmctld", ["-D", "-c"])
        self.start_daemon("slurmd", ["-D", "-c"])
        self.wait_for("a node that takes jobs", lambda: self.run("sinfo", "-h", "-o", "%t").stdout.strip() == "idle")
        tried = self.run("srun", "-n", "2", "true", limit_s=LIMIT_S)
        if tried.returncode != 0:
            raise NoSlurm(f"srun does not start tasks: {tried.stdout.strip()}{self.last_words()}")

    def start_munge(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        name = str(self.folder / "munge")
        self.start_daemon("munged", ["--foreground", "--force", "--num-threads=2", f"--key-file={key}", f"--socket={name}.socket",
                                     f"--pid-file={name}.pid", f"--seed-file={name}.seed", f"--log-file={name}.log"])
        told = f"--socket={name}.socket"
        self.wait_for("munged", lambda: subprocess.run(
            f"munge --no-input {told} | unmunge {told}", shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0)

    def configure(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        control_port, node_port = free_ports(2)
        conf = self.folder / "slurm.conf"
        conf.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, control_port=control_port, node_port=node_port,
            user=pwd.getpwuid(os.geteuid()).pw_name, tasks=TASKS))
        for name in [name for name in os.environ if name.startswith("SLURM_")]:  # of a job that this one may be in
            del os.environ[name]
        os.environ["SLURM_CONF"] = str(conf)

    def start_daemon(self, name, arguments):
        libc = ctypes.CDLL(None)
        with open(self.folder / f"{name}.out", "wb") as out:
            self.daemons[name] = subprocess.Popen(
                [name, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd=self.folder,
                start_new_session=True, preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0))

    def run(self, *command, limit_s=20):
        try:
            return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=limit_s)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 1, f"no answer within {limit_s} s")

    def wait_for(self, what, is_there):
        until = time.monotonic() + LIMIT_S
        while not is_there():
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    raise NoSlurm(f"{name} ended with code {daemon.returncode}{self.last_words()}")
            if time.monotonic() > until:
                raise NoSlurm(f"{what} did not come within {LIMIT_S} s{self.last_words()}")
            time.sleep(0.1)

    def is_running(self):
        return all(daemon.poll() is None for daemon in self.daemons.values())

    def last_words(self):
        said = ""
        for name in self.daemons:
            logs = [self.folder / f"{name}.out", self.folder / "munge.log"] if name == "munged" else [self.folder / f"{name}.out"]
            for log in logs:
                lines = log.read_text(errors="replace").splitlines()[-5:] if log.exists() else []
                said += "".join(f"\n  {name}: {line}" for line in lines)
        return said

    def stop(self):
        """Ends the daemons as they like it, then whatever is left below us."""
        for name in reversed(self.daemons):
            self.daemons[name].terminate()
        until = time.monotonic() + 5
        while any(daemon.poll() is None for daemon in self.daemons.values()) and time.monotonic() < until:
            time.sleep(0.02)
        until = time.monotonic() + 10
        while (left := descendants(os.getpid())) and time.monotonic() < until:
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                while os.waitpid(-1, os.WNOHANG)[0] != 0:
                    pass
            except ChildProcessError:
                break
            time.sleep(0.02)


def run_in_slurm(command):
    """Runs the command in a Slurm of its own; the exit code."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    with tempfile.TemporaryDirectory(prefix="shardlens-slurm-", ignore_cleanup_errors=True) as folder:
        try:
            with OneHostSlurm(Path(folder)) as slurm:
                code = subprocess.run(command).returncode
                if code != 0 and not slurm.is_running():
                    raise NoSlurm(f"a daemon of Slurm ended before its time{slurm.last_words()}")
                return code
        except NoSlurm as why:
            print(f"SKIPPED: {why}", flush=True)
            return SKIPPED


def main():
    """Lets a child do the work, which cleans up when this process is told to end, and also when it is killed."""
    life, held = os.pipe()
    worker = os.fork()
    if worker == 0:
        os.close(held)
        os.setsid()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        threading.Thread(target=lambda: os.read(life, 1) or os.kill(os.getpid(), signal.SIGTERM), daemon=True).start()
        return run_in_slurm(sys.argv[1:])
    os.close(life)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: os.kill(worker, signal.SIGTERM))
    return os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
