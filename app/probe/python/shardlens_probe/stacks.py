# SPDX-License-Identifier: Apache-2.0
"""Where the Python code of this process is, told once it has reported nothing for a while: by a thread that looks a few times a second
and else sleeps. No signal, no debugger, and nothing in the threads of the job. It needs the GIL: code that holds it for all that time, as a
loop in C may do, cannot be seen, and nothing is told."""
import _thread
import functools
import json
import linecache
import os
import sys
import sysconfig
import threading
import time

from shardlens_probe import trouble

LOOK_S = 0.25
MOST_START_S = 1.0  # that the job waits for the thread that watches it
QUIET_S = 1.0  # without news, until the calls are told
AGAIN_S, MOST_AGAIN_S = 5.0, 60.0  # until the same is told again: who reads it may have dropped it
MOST_FRAMES = 64
MOST_PLACES = 16  # lines of which samples are counted while nothing is reported
MOST_CODE = 200  # characters of a line, and of what an exception says

# A job may replace them.
_sleep, _clock, _getpid = time.sleep, time.monotonic_ns, os.getpid
_open, _write, _close, _replace, _unlink = os.open, os.write, os.close, os.replace, os.unlink
_dumps, _getline, _current_frames = json.dumps, linecache.getline, sys._current_frames
_current_exceptions = getattr(sys, "_current_exceptions", dict)  # from Python 3.10 on
_COMMUNICATION = os.path.join(os.sep, "torch", "distributed", "")
_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _library_folders():
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = {sysconfig.get_path(name) for name in names}
    return tuple(os.path.normpath(path) + os.sep for path in paths if path)


def is_own(file, folders):
    """Whether this is the job's own code: no part of Python and no installed package."""
    if file.startswith("<"):
        return file in ("<stdin>", "<string>") or file.startswith("<ipython")
    parts = file.split(os.sep)
    return not file.startswith(folders) and "site-packages" not in parts and "dist-packages" not in parts


def calls_of(thread):
    """The frames of a thread of this process, the innermost first. Those around the loop of a worker are its parent's, from before the fork."""
    frame = _current_frames().get(thread)
    frames = []
    while frame is not None and len(frames) < MOST_FRAMES:
        if not frame.f_code.co_filename.startswith(_OURS):
            frames.append(frame)
        if frame.f_code.co_name == "_worker_loop" and _is_in(frame, "_utils", "worker.py"):
            break
        frame = frame.f_back
    return frames


def _is_in(frame, *path):
    return frame.f_code.co_filename.endswith(os.path.join("torch", "utils", "data", *path))


def owed_by(frames):
    """The worker that has the batch which a DataLoader waits for, and its process; None where none is waited for."""
    for frame in frames:
        if _is_in(frame, "dataloader.py") and frame.f_code.co_name == "_next_data":
            iterator = frame.f_locals.get("self")
            task = getattr(iterator, "_task_info", {}).get(getattr(iterator, "_rcvd_idx", None))
            if task and len(task) == 1:  # with two it is here already
                return task[0], iterator._workers[task[0]].pid
    return None


def sampled_place(frames, owing, folders):
    """File, line and function of the innermost call of the job's own code; None where there is none, or others are waited for: a worker of a loader,
    or the other ranks."""
    if not frames or owing is not None or _COMMUNICATION in frames[0].f_code.co_filename:
        return None
    for frame in frames:
        code = frame.f_code
        if is_own(code.co_filename, folders):
            return code.co_filename, frame.f_lineno or 0, getattr(code, "co_qualname", code.co_name)
    return None


def sample_in(frames):
    """The sample that is read from a dataset now; None where that is not known."""
    for frame in frames:
        if _is_in(frame, "_utils", "fetch.py"):
            sample = frame.f_locals.get("idx")
            return sample if type(sample) is int else None
    return None


def handled_by(thread):
    """The exception that a thread of this process handles; None where it handles none, or one by which a loop ends."""
    error = _current_exceptions().get(thread)
    if isinstance(error, tuple):  # before Python 3.12
        error = error[1]
    return error if isinstance(error, Exception) and not isinstance(error, (StopIteration, StopAsyncIteration)) else None


def text_of(error):
    """Its name, and its text where that is known without running code of the job."""
    name = type(error).__name__
    words = BaseException.args.__get__(error)
    text = "%s: %s" % (name, words[0]) if words and type(words[0]) is str else name
    return text[:MOST_CODE]


def raised_at(error, folders):
    """The innermost place of the job's own code at which it was raised, else the innermost one."""
    place, trace = None, error.__traceback__
    while trace is not None:
        here = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        if place is None or is_own(here[0], folders) or not is_own(place[0], folders):
            place = here
        trace = trace.tb_next
    return place


class Watch:
    """Tells where `thread` is, in `<folder>/stacks/<rank>-<pid>.json`, while news() stays as it is. When that is over, the file of a worker is gone,
    and that of a rank says only how often which line was seen. news() gives a number that grows; None where nothing is expected to come, and False
    where the thread is not to be watched any more."""

    def __init__(self, folder, rank, thread, news, worker=None):
        self._file = os.path.join(folder, "stacks", "%d-%d.json" % (rank, os.getpid()))
        self._thread = thread
        self._news = news
        self._worker = worker
        self._folders = _library_folders()
        self._told = None  # what was told, and when
        self._again_ns = 0  # after how long the same is told again
        self._begin(_clock())

    def _begin(self, now):
        """What was reported last was reported before this moment."""
        self._since = now
        self._sampled = 0  # how often the calls were looked at since, and when last
        self._sampled_at = now
        self._places = {}  # how often each place was seen

    def start(self):
        """By a plain thread: the job's own list of its threads stays as it was. Waits until it runs: Python 3.11 frees the state of a thread that has
        not begun when the process ends, and the thread would still use it."""
        os.makedirs(os.path.dirname(self._file), mode=0o700, exist_ok=True)
        begun = _thread.allocate_lock()
        begun.acquire()
        _thread.start_new_thread(self._watch, (begun,))
        begun.acquire(timeout=MOST_START_S)

    def _watch(self, begun):
        begun.release()
        try:
            self._look_until_over()
        except BaseException as error:
            trouble.note("stacks", error)

    def _look_until_over(self):
        last = None
        while True:
            _sleep(LOOK_S)
            news, now = self._news(), _clock()
            if news is None or news is False or news != last or not self._thread.is_alive():
                self._withdraw()
                if news is False or not self._thread.is_alive():
                    return
                last = news
                self._begin(now)
            else:
                self._look(now, tells=now - self._since >= QUIET_S * 1e9)

    def _look(self, now, tells):
        """A method of its own: no frame, and with it no object of the job, is kept until the next look."""
        frames = calls_of(self._thread.ident)
        owing = owed_by(frames)
        if frames and self._worker is None:
            self._count(sampled_place(frames, owing, self._folders), now)
        if not frames or not tells:
            return
        sample = sample_in(frames)
        here = ([(frame.f_code, frame.f_lineno) for frame in frames], owing, sample)
        is_new = self._told is None or here != self._told[0]
        quiet_ns = QUIET_S * 1e9 if is_new else self._again_ns
        if self._told is not None and now - self._told[1] < quiet_ns:
            return
        self._again_ns = AGAIN_S * 1e9 if is_new else min(2 * self._again_ns, MOST_AGAIN_S * 1e9)
        self._told = (here, now)
        self._tell(frames, owing, sample, now)

    def _count(self, place, now):
        self._sampled += 1
        self._sampled_at = now
        if place is not None and (place in self._places or len(self._places) < MOST_PLACES):
            self._places[place] = self._places.get(place, 0) + 1

    def _samples(self):
        """How often the calls were looked at since the last news, and the place that was seen most often."""
        place, there = max(self._places.items(), key=lambda one: one[1], default=(("", 0, ""), 0))
        said = dict(zip(("file", "line", "function"), place))
        return dict(said, since_ns=self._since, samples=self._sampled, there=there)

    def _withdraw(self):
        if self._told is None:
            return
        self._told = None
        if self._worker is None:
            self._write({"time_ns": self._sampled_at, "pid": os.getpid(), "frames": [], "quiet": self._samples()})
        else:
            _unlink(self._file)

    def _tell(self, frames, owing, sample, now):
        said = {"time_ns": now, "pid": os.getpid(), "frames": [self._call(frame) for frame in reversed(frames)]}
        if self._worker is None:
            said["quiet"] = self._samples()
        else:
            said["worker"] = self._worker
        if owing is not None:
            said["owed_by"], said["owed_by_pid"] = owing
        if sample is not None:
            said["sample"] = sample
        error = handled_by(self._thread.ident)
        if error is not None:
            said["exception"] = dict(zip(("text", "file", "line"), (text_of(error), *(raised_at(error, self._folders) or ("", 0)))))
        self._write(said)

    def _write(self, said):
        fresh = self._file + ".new"
        out = _open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            _write(out, _dumps(said).encode("utf-8", "replace"))
        finally:
            _close(out)
        _replace(fresh, self._file)

    def _call(self, frame):
        code = frame.f_code
        own = is_own(code.co_filename, self._folders)
        line = _getline(code.co_filename, frame.f_lineno, frame.f_globals) if own else ""
        return {
            "function": getattr(code, "co_qualname", code.co_name),
            "file": code.co_filename,
            "line": frame.f_lineno or 0,
            "code": line.strip()[:MOST_CODE],
            "own": own,
        }


class Workers:
    """Watches the worker processes of DataLoaders: one that reads a batch for a while tells where it is."""

    def __init__(self, folder, place):
        self._folder = folder  # gives it; None where there is none
        self._place = place  # gives the rank whose workers these are; None where that is not known
        self._process = 0  # that is known
        self._is_worker = False
        self._fetches = 0  # begun and ended
        self._depth = 0  # of fetches in one another: a dataset may read a loader

    def wrap(self, kind):
        """Around fetch() of one of torch's fetchers."""
        original = kind.fetch

        @functools.wraps(original)
        def fetch(*arguments, **named):
            try:
                if _getpid() != self._process:
                    self._begin()
            except Exception as error:
                trouble.note("stacks", error)
            if not self._is_worker:
                return original(*arguments, **named)
            self._fetches += 1
            self._depth += 1
            try:
                return original(*arguments, **named)
            finally:
                self._depth -= 1
                self._fetches += 1

        kind.fetch = fetch

    def _begin(self):
        self._process = os.getpid()
        self._is_worker = False
        self._depth = 0
        worker = sys.modules["torch.utils.data"].get_worker_info()
        rank = None if worker is None else self._place()
        folder = None if rank is None else self._folder()
        if folder is None:
            return
        self._is_worker = True
        Watch(folder, rank, threading.current_thread(), self._news, worker.id).start()

    def _news(self):
        return self._fetches if self._depth > 0 else None
