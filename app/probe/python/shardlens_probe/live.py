# SPDX-License-Identifier: Apache-2.0
"""What this rank is in, for those who watch the job now: records and a slot in its ring, written by ring.so. Which records are written
when: app/probe/README.md. Where the library cannot be loaded nothing is written, and the recording says so."""
import atexit
import glob
import os
import sys
import threading

from shardlens_probe import stacks, trouble

EPOCH_END, STEP_BEGIN, STEP_END = 3, 10, 11  # core/wire/record.h
NO_PEER = 0xFFFFFFFF
_WORLDS = ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")  # where launchers say of how many ranks a process is one


def may_be_alone():
    """Whether no launcher says that this process is one of several ranks."""
    return all(os.environ.get(name, "") in ("", "1") for name in _WORLDS)


def _library():
    """Ours, called with the GIL held; raises where it cannot be loaded."""
    import ctypes

    library = ctypes.PyDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ring.so"))
    number, wide, whole = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
    signatures = {
        "join": (ctypes.c_char_p,),
        "open": (whole, ctypes.c_char_p, number, number),
        "group": (None, number, ctypes.POINTER(number), number, ctypes.c_char_p),
        "mark": (None, number, number, number, wide),
        "epoch": (None, number, number, number),
        "enter": (wide, number, number, number, wide, whole),
        "wait": (whole,),
        "news": (wide,),
    }
    # Those without a row get small whole numbers, which ctypes passes fastest when it is told nothing.
    for name in ("join", "open", "group", "ask", "compute", "work", "rest", "learned", "mark", "epoch", "enter", "wait", "leave", "news", "interrupted", "close"):
        function = getattr(library, "shardlens_live_" + name)
        function.restype, *arguments = signatures.get(name, (None,))
        if arguments:
            function.argtypes = arguments
    return library


class Reading:
    """How far the job's loop over one pass of a loader is."""

    __slots__ = ("number", "handed", "learns", "trains", "epoch", "last", "is_over")

    def __init__(self, number, learns, is_over=lambda: False, handed=0):
        self.number = number  # of the pass, in the recorder's file
        self.is_over = is_over  # whether nobody has its iterator any more: the loop was left, or its loader is read anew
        self.handed = handed  # batches that it got
        self.learns = learns  # gradients are recorded: without them it cannot train
        self.trains = False  # a backward pass began after one of its batches
        self.epoch = 0  # means something while it trains
        self.last = 0  # steps that had begun when it gave its last batch beside them


class Live:
    """The ring of this process, once its rank is known, and where its loops are. All its calls do nothing before that."""

    def __init__(self, folder):
        self.is_open = False
        self.place = None  # rank and world size
        self._given = folder
        self._joined = None  # folder and process, of jobs that an agent records
        self._library = None
        self._starts = 0
        self._hears_end = False
        self._thread = 0  # only the one that made the ring has phases and steps: a rank is in one thing at a time
        os.register_at_fork(after_in_child=self._close)
        self._begin()

    def _begin(self):
        self._epochs = 0  # passes that trained
        self._step = 0  # the last step, for what is read beside it
        self._stepper = None  # the reading whose loop is in a step, or between two
        self._begun = 0  # steps
        self._has_ended = False  # the last one of them, before its loop asked for the next
        self._current = None  # the reading that got a batch last, of those that may train
        self._backwards = 0  # nested
        self._arrived = []  # operations that end with this backward pass

    def join(self):
        """The folder for the rings of this process, which the agent of this node records from here on; None where there is none. Under
        `shardlens run` it is the one that was given."""
        if not os.environ.get("SHARDLENS_AGENT"):
            return self._given
        if self._joined is None or self._joined[1] != os.getpid():
            folder = _library().shardlens_live_join()
            self._joined = (None if folder is None else os.fsdecode(folder), os.getpid())
        return self._joined[0]

    def folder(self):
        """Where this process, or a worker of a loader, tells where its code is; None where that is not known."""
        if not os.environ.get("SHARDLENS_AGENT"):
            return self._given
        if self._joined is not None:  # also in a child
            return self._joined[0]
        found = glob.glob(os.path.join(glob.escape(self._given), "*", "member-%d-*" % os.getppid()))
        return os.path.dirname(found[0]) if found else None

    def start(self, rank, world_size):
        """Makes the ring of this rank. Nothing, where it has one already."""
        if self.is_open:
            return
        folder = self.join()
        if folder is None:
            raise OSError("no folder for rings below " + self._given)
        library = _library()
        error = library.shardlens_live_open(os.fsencode(folder), rank, world_size)
        if error:
            raise OSError(error, "no ring in " + folder)
        self._begin()
        self._library = library
        self._thread = threading.get_ident()
        self._ask = library.shardlens_live_ask
        self._compute = library.shardlens_live_compute
        self._rest = library.shardlens_live_rest
        self._learned = library.shardlens_live_learned
        self._mark = library.shardlens_live_mark
        self.place = (rank, world_size)
        self.is_open = True
        if not self._hears_end:
            self._hears_end = True
            atexit.register(self._end)
        self._starts += 1
        quietly("stacks", self._watch, rank, self._starts)

    def start_alone(self, reading):
        """Makes the ring of a process that is no rank of any group: a world of one, whose loop got its last batch before this. `reading` is None
        where the loop is over. Nothing, where launchers or other probes know of more ranks, or another process has the ring."""
        folder = self.join() if self.place is None and may_be_alone() else None
        # The NCCL probe has ranks of its own where one process drives several GPUs.
        if folder is None or os.path.exists(os.path.join(folder, "rank-0.nccl.ring")):
            return
        try:
            self.start(0, 1)
            self._current = reading
        except FileExistsError:  # of another process: start() left word that there are more
            pass

    def _watch(self, rank, start):
        stacks.Watch(self.folder(), rank, threading.current_thread(), lambda: self._news(start)).start()

    def _news(self, start):
        """Called a few times a second: a number that grows, and False once this is no longer the ring of that start."""
        if not self.is_open or self._starts != start:
            return False
        return self._library.shardlens_live_news()

    def _end(self):
        """Python ends the process: by SIGINT after a KeyboardInterrupt that nothing caught, or with a code that does not tell it."""
        uncaught = getattr(sys, "last_type", None)
        is_session = hasattr(sys, "ps1")  # that goes on after an exception
        if self.is_open and not is_session and isinstance(uncaught, type) and issubclass(uncaught, KeyboardInterrupt):
            self.is_open = False
            self._library.shardlens_live_interrupted()

    def _close(self):
        """Also in a child: the ring is its parent's."""
        if self.is_open:
            self.is_open = False
            self._library.shardlens_live_close()

    def close(self):
        """Nothing is reported from here on: the rank is another one now."""
        if self.is_open:
            self._library.shardlens_live_rest()
            self._close()

    def is_mine(self):
        return self.is_open and threading.get_ident() == self._thread

    def asks(self, reading):
        """The loop asks for a batch."""
        stepper = self._stepper
        is_left = stepper is not None and stepper is not reading and stepper.is_over()
        if is_left:
            stepper = self._stepper = None
        if reading is stepper:
            self._stepper = None
            self._ask(reading.epoch, reading.handed, 0 if self._has_ended else 1, 0)
        elif stepper is not None:  # beside a step, as a validation in the middle of an epoch
            self._ask(stepper.epoch, self._step, 0, 0)
        elif reading.learns:
            self._ask(reading.epoch if reading.trains else self._epochs, reading.handed, 0, int(is_left))
        else:
            self._ask(max(self._epochs - 1, 0), self._step, 0, int(is_left))

    def got(self, reading):
        """The loop got a batch."""
        if reading.learns:
            self._current = reading
        if reading.trains:
            self._begin_step(reading, reading.handed)
            self._compute(1)
        else:
            reading.last = self._begun
            self._compute(0)
        reading.handed += 1

    def exhausted(self, reading):
        """The loader had no batch left."""
        if reading is self._current:
            self._current = None
        if reading.trains:
            self._mark(EPOCH_END, reading.epoch, max(reading.handed - 1, 0), reading.handed)
        if self._ends_step(reading):
            self._has_ended = True
            self._current = None
            self._mark(STEP_END, self._stepper.epoch, self._step, 0)
        if self._stepper is not None and not self._has_ended:
            self._compute(0)
        else:
            self._rest()

    def _ends_step(self, reading):
        """Of a loop over two loaders, as zip() makes it: one gives its batch before that of the step, and has none for the next step."""
        is_beside = self._stepper is not None and not self._has_ended and reading.learns and reading.handed > 0
        return is_beside and reading.last < self._begun

    def _begin_step(self, reading, step):
        self._stepper = reading
        self._step = step
        self._begun += 1
        self._has_ended = False

    def failed(self):
        """The loader raised something else."""
        self._rest()

    def works(self):
        """The job computes on a batch, which it may not have done before this."""
        if self._current is not None and self.is_mine():
            self._library.shardlens_live_work()

    def backward_begins(self):
        if not self.is_mine():
            return
        self._backwards += 1
        if self._backwards > 1 or self._current is None:
            return
        if not self._current.trains:
            self._begin_epoch(self._current)
        self._library.shardlens_live_work()

    def _begin_epoch(self, reading):
        """It trains, as is known now: its epoch begins, and the step with its last batch."""
        reading.trains = True
        reading.epoch = self._epochs
        self._epochs += 1
        self._begin_step(reading, reading.handed - 1)
        self._library.shardlens_live_epoch(reading.epoch, self._step, reading.number)
        self._mark(STEP_BEGIN, reading.epoch, self._step, 0)

    def backward_ends(self, has_learned=True):
        if not self.is_mine() or self._backwards == 0:
            return
        self._backwards -= 1
        if self._backwards > 0:
            return
        for handle in self._arrived:
            self._library.shardlens_live_leave(handle >> 1, 0)
        self._arrived.clear()
        if has_learned:
            self._learned()
        else:  # it raised
            self._rest()

    def arrive(self, group, op, size):
        """This backward pass has computed what it has to, and waits for that of the others."""
        if self._backwards > 0:
            handle = self._library.shardlens_live_enter(group, op, NO_PEER, size, 1)
            if handle:
                self._arrived.append(handle)

    def describe(self, group, ranks, name):
        """A group beside the world, before its first operation."""
        import ctypes

        members = (ctypes.c_uint32 * len(ranks))(*ranks)
        self._library.shardlens_live_group(group, members, len(ranks), name.encode("utf-8", "replace").replace(b"\0", b""))

    def enter(self, group, op, peer, size, waits):
        """An operation begins; what leave() needs, and 0 when it is not recorded."""
        waits = waits and threading.get_ident() == self._thread
        return self._library.shardlens_live_enter(group, op, peer, size, waits)

    def wait(self):
        """The rank waits for an operation that began before. What leave() needs beside its handle."""
        return self._library.shardlens_live_wait() if threading.get_ident() == self._thread else 0

    def leave(self, handle):
        """The operation is over, as enter() gave it."""
        if self.is_open:
            self._library.shardlens_live_leave(handle >> 1, handle & 1)


_live = None


def of_process():
    """The one of this process; None when nobody asked for it."""
    global _live
    folder = os.environ.get("SHARDLENS_RINGS")
    if _live is None and folder:
        _live = Live(folder)
    return _live


def quietly(where, method, *arguments):
    try:
        return method(*arguments)
    except Exception as error:
        trouble.note(where, error)
        return None
