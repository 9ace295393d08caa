# SPDX-License-Identifier: Apache-2.0
"""What a process has to say about its loaders, and when it is written."""
import _thread
import os
import platform
import struct
import time
import weakref

from shardlens_probe import contents, describe, packing, probe_file, seeds, trouble

# Batches wait in memory for this long, or until they are this many bytes: then one write takes them all. Where no further batch is drawn,
# a thread that looks as often writes them: none waits for longer than twice this time.
_WAIT_S = 0.05
_WAIT_BYTES = 1 << 16
_NEWS_S = 0.1  # how far a pass is, is told no more often
_QUIET_S = 1.0  # a pass of which nothing came for so long is told to be quiet
_MOST_FAILED = 1000  # batches of a pass that could not be loaded
# Of loaders, passes, their news and batches in one process, half of what a reader takes; SHARDLENS_PROBE_BYTES replaces it.
_MOST_BYTES = 1 << 29

PASS_OF = "_shardlens_pass"  # where an iterator keeps its pass

_HEAD = struct.Struct("<III")
_STEP = struct.Struct("<II")
_sleep = time.sleep  # as it is before the job replaces it
_clock = time.monotonic


class Pass:
    """One pass over a loader: the batches that its batch sampler draws."""

    def __init__(self, recorder, number, iterator, draws_seed, marker, is_told=True, gives_pairs=False):
        self.number = number
        if not is_told:  # the file has no room for it: those who watch still follow it
            self.tell = self._mark = lambda *_: None
        self.is_started = False
        self.reading = None  # the job's loop over it, for those who watch
        self._draws_seed = draws_seed
        self._order_seed = None
        self._base_seed = None  # of the workers
        self._recorder = recorder
        self._iterator = weakref.ref(iterator)
        self._store = packing.store()
        put = self._store.put
        self._put = (lambda batch: put(packing.indices_of_pairs(batch))) if gives_pairs else put
        self._marker = marker  # of what a stream gives; else None
        self._marks = packing.Store()
        self._steps = packing.Store()  # of the optimizer, while this pass is read
        self._discards = packing.Store()  # gradients that were cleared before a step took them, likewise
        self._drawn = 0
        self._write_at = 0.0
        self._tell_at = 0.0
        self.asking = False  # the loop waits for a batch
        self._quiet = False
        self._moves = (0, _clock())  # batches that came, drawn and handed, and since when there are so many
        self._exhausted = False
        self.ended = False  # the loop asked for a batch, and there was none left
        self._grad = None  # whether gradients were recorded when the batch sampler had no more
        self.backwards = 0  # calls of torch.autograd.backward since a batch of this pass was drawn, and before one of another
        self.is_open = False  # the loop asked for a batch and got none: loading it raised, or goes on
        self._failed = []  # which batches of the pass raised when they were loaded
        self.handed = 0  # batches that the loop got: workers queue some that it may never ask for
        self._beside = 0  # calls of torch.autograd.backward, for whichever loader, since the loop got its first batch
        self._before = 0  # and until then
        self._said = None

    def start(self):
        """The batch sampler is about to be asked for the first time."""
        self.is_started = True
        if self._draws_seed:
            self._order_seed = describe.next_seed(self._recorder.torch)
            self.tell()

    def take(self, batch):
        """A batch as the batch sampler gave it."""
        waiting = self._put(batch)
        self._recorder.current = self
        self._drawn += 1
        self._quiet = False
        if waiting > _WAIT_BYTES or _clock() > self._write_at:
            self.write(False)

    def hand(self, batch):
        """The loop got a batch."""
        if self._marker is not None:
            self._marks.add(self._marker.bytes_of(batch))
        if self.handed == 0:
            self._before = self._recorder.backwards
        self.handed += 1
        self._recorder.newest = self
        self.is_open = False
        self._beside = self._recorder.backwards - self._before
        if self._quiet:  # what was told last is that it waits, and a process that ends now would leave that
            self._quiet = False
            self.tell()

    def step(self):
        """An optimizer stepped."""
        self._mark(self._steps)

    def discard(self):
        """Gradients were cleared that no optimizer has taken."""
        self._mark(self._discards)

    def _mark(self, store):
        # A loop may get its last batch before it trains on it, so this may come after the end.
        if self.handed and (self._recorder.newest is self or not (self.ended or self.is_over())):
            store.add(_STEP.pack(self.handed, self._recorder.backwards - self._before))

    def taken_by(self, iterator):
        """Batches that the iterator has taken from its batch sampler or its workers, whether or not they could be loaded."""
        return getattr(iterator, "_rcvd_idx", self._drawn)

    def fail(self, is_taken):
        """The loop asked for a batch, and got an exception; `is_taken`: in place of a batch."""
        place = self.handed + len(self._failed)
        if is_taken and self._marker is None and place < self._drawn and len(self._failed) < _MOST_FAILED:
            self._failed.append(place)
        self.tell()

    def end(self):
        """The loop asked for a batch, and there was none left."""
        self.ended = True
        self.is_open = False
        if self.handed > 0:
            self._beside = self._recorder.backwards - self._before
        self.tell()

    def write(self, tells=True):
        """Hands what waits to the file. Also called by threads other than the one that draws the batches."""
        now = _clock()
        self._write_at = now + _WAIT_S
        with self._store.lock:
            first, count, data = self._store.empty()
            if count:
                self._recorder.batches(probe_file.BATCHES, _HEAD.pack(self.number, first, count) + data)
            first, count, data = self._marks.empty()
            if count:
                self._recorder.batches(probe_file.CONTENTS, _HEAD.pack(self.number, first, count) + data)
            # A process that is killed between the two leaves out a step rather than what it must not contain.
            for kind, store in ((probe_file.DISCARDS, self._discards), (probe_file.STEPS, self._steps)):
                first, count, data = store.empty()
                if count:
                    self._recorder.steps(kind, _HEAD.pack(self.number, first, count) + data)
        if tells or now > self._tell_at:
            self.tell()  # a process that is killed says no more

    def write_late(self):
        """Called by a thread every now and then."""
        now = _clock()
        moves = self._drawn + self.handed
        if moves != self._moves[0]:
            self._moves = (moves, now)
            self._quiet = False
        elif not self._quiet and not self.ended and now - self._moves[1] > _QUIET_S:
            self._quiet = True
            self._tell_at = 0.0
        if now > self._write_at:
            self.write(False)

    def exhausted(self):
        """The batch sampler has no more. With workers it is asked again for each batch that they have left."""
        self._recorder.current = self
        if self._exhausted:
            return
        self._exhausted = True
        self._grad = self._recorder.torch.is_grad_enabled()
        self.write()

    def _look(self):
        iterator = self._iterator()
        if iterator is not None and vars(iterator).get(PASS_OF) is self:
            self._base_seed = getattr(iterator, "_base_seed", None)

    def tell(self, is_last=False):
        """Says how far the pass is, when that is news. A full file takes only how it ends."""
        with self._store.lock:  # or a thread that is held up would say last what was so before
            self._tell_at = _clock() + _NEWS_S
            self._look()
            news = {
                "pass": self.number,
                "drawn": self._drawn,
                "handed": self.handed,
                "failed": list(self._failed),
                "open": self.is_open,
                "exhausted": self._exhausted,
                "ended": self.ended,
                "quiet": self._quiet,
                "asking": self._quiet and self.asking,
                "grad": self._grad,
                "backwards": self.backwards,
                "beside": self._beside,
                "order_seed": self._order_seed,
                "base_seed": self._base_seed,
            }
            if news == self._said:
                return
            if not is_last and not self._recorder.has_room():
                news.update(quiet=False, asking=False)  # what is no longer told must not be left standing
                if self._said is not None and all(news[name] == self._said[name] for name in ("exhausted", "ended", "quiet")):
                    return
            self._said = news
            self._recorder.news(news)

    def is_over(self):
        iterator = self._iterator()
        return iterator is None or vars(iterator).get(PASS_OF) is not self

    def over(self):
        """A function that says whether it is over, and does not keep it."""
        itself = weakref.ref(self)

        def is_over():
            one = itself()
            return one is None or one.is_over()

        return is_over

    def stop(self):
        """This is another process now: a fork."""
        self.start = self.take = self.exhausted = self.hand = self.step = self.discard = self.fail = self.end = self.write = self.write_late = self.tell = lambda *_: None


class Recorder:
    """Everything about the loaders of this process. A forked child has one of its own, which is silent until it reads a loader itself."""

    def __init__(self, torch, folder, join):
        self.torch = torch
        self._join = join  # a process that reads a loader is one of those that an agent records; the folder of its start
        self.current = None  # the pass that drew a batch last
        self.newest = None  # the pass of which a loop got a batch last
        self.backwards = 0  # calls of torch.autograd.backward
        self._settled = 0  # so many of them had a step, or their gradients were cleared
        self._cleared = weakref.WeakKeyDictionary()  # optimizer -> backward passes before its gradients were cleared last
        self.first_seed = None  # torch.initial_seed() when torch was loaded; it differs from process to process
        self.set_epochs = weakref.WeakKeyDictionary()  # sampler -> calls of set_epoch
        self._folder = folder
        self._begin()
        os.register_at_fork(after_in_child=self._forked)

    def _begin(self):
        self.current = self.newest = None
        self._file = None
        self._writer = None  # the file for which a thread runs
        self._loaders = {}  # id -> (weak reference, number)
        self._loaders_seen = 0
        self._passes = []
        self._passes_begun = 0
        self._troubles = 0
        self._left = int(os.environ.get("SHARDLENS_PROBE_BYTES") or _MOST_BYTES)
        self._has_said_limit = False

    def _forked(self):
        try:
            describe.begun_ns = time.time_ns()
            for one in self._passes:
                one.stop()
            if self._file is not None:
                self._file.close()
            self._begin()
        except Exception as error:
            trouble.note("fork", error)

    def add(self, kind, message):
        if self._file is not None:
            self._file.add(kind, message)

    def _keep_writing(self):
        """From here on, what waits is written even if this process draws no more. A plain thread, which the job's list of its threads does not
        have; it begins with the first batch, when the workers of its loader have been forked."""
        if self._writer is not self._file:
            self._writer = self._file
            _thread.start_new_thread(self._write_on, (self._file,))

    def _write_on(self, file):
        try:
            while self._writer is file:
                _sleep(_WAIT_S)
                for one in list(self._passes):
                    one.write_late()
        except BaseException as error:
            trouble.note("writer", error)

    def has_room(self):
        """Whether the file takes more of what a job may have any number of; says so in the file when it does not."""
        if self._left <= 0 and not self._has_said_limit:
            self.add(probe_file.LIMIT, {})
            self._has_said_limit = True  # when it is in the file: a signal may end this before
        return self._left > 0

    def _count(self, kind, payload):
        self._left -= len(payload)
        self._file.write(probe_file.frame(kind, payload))

    def news(self, message):
        if self._file is not None:
            self._count(probe_file.NEWS, probe_file.text(message))

    def batches(self, kind, payload):
        if self._file is not None and self.has_room():
            self._count(kind, payload)
            self._keep_writing()

    def steps(self, kind, payload):
        """A few bytes each: the limit does not count them, or steps would be missing between those that are there."""
        if self._file is not None:
            self._file.write(probe_file.frame(kind, payload))

    def optimizer_made(self, optimizer):
        """From here on it may keep gradients, although it has neither stepped nor cleared them yet."""
        self._cleared.setdefault(optimizer, 0)

    def optimizer_stepped(self, optimizer):
        self._settled = self.backwards
        self.optimizer_made(optimizer)
        for one in self._passes:
            one.step()

    def optimizer_cleared(self, optimizer):
        """Its zero_grad() was called."""
        self.optimizer_made(optimizer)
        self._clear(one for group in optimizer.param_groups for one in group["params"])

    def module_cleared(self, module):
        """Likewise, of a module."""
        self._clear(module.parameters())

    def _clear(self, parameters):
        """Backward passes are lost when no optimizer has stepped since, and none has kept their gradients."""
        if self.backwards == self._settled:
            return
        cleared = {id(one) for one in parameters}
        for optimizer in list(self._cleared):  # some share parameters, as one that wraps another
            if all(id(one) in cleared for group in optimizer.param_groups for one in group["params"]):
                self._cleared[optimizer] = self.backwards
        if self._cleared and all(one == self.backwards for one in self._cleared.values()):
            self._settled = self.backwards
            for one in self._passes:
                one.discard()

    def begin_pass(self, loader, iterator):
        """A loader is about to be read from its beginning. None when it is read in a worker of another loader."""
        torch = self.torch
        if torch.utils.data.get_worker_info() is not None:
            return None
        going_on = []
        for one in self._passes:
            one.write()
            if one.is_over():
                one.tell(True)
            else:
                going_on.append(one)
        self._passes = going_on
        if self._file is None:
            start = self._join()
            self._file = probe_file.ProbeFile(self._folder, platform.node(), os.getpid())
            if start is not None and self._file.name is not None:  # whose file it is: hosts may share their name
                open(os.path.join(start, "file-" + self._file.name), "x").close()
            self.add(probe_file.PROCESS, describe.process(torch))
        self._tell_trouble()
        is_told = self.has_room()
        loader_number = self._number_of(loader) if is_told else None
        marker = self._marker_of(loader) if is_told else None
        begun = Pass(self, self._passes_begun, iterator, describe.draws_seed(torch, loader), marker, is_told, describe.gives_pairs(loader))
        self._passes_begun += 1
        if is_told:
            self._count(probe_file.PASS, probe_file.text(self._pass_message(begun.number, loader_number, loader)))
        self._passes.append(begun)
        return begun

    def _marker_of(self, loader):
        if not isinstance(loader.dataset, self.torch.utils.data.IterableDataset):
            return None
        marker = contents.Marker(self.torch, loader)
        return marker if marker.is_able() else None

    def _number_of(self, loader):
        known = self._loaders.get(id(loader))
        if known is not None and known[0]() is loader:
            return known[1]
        number = self._loaders_seen
        self._loaders_seen += 1
        self._loaders = {key: one for key, one in self._loaders.items() if one[0]() is not None}
        message = describe.loader(self.torch, loader, describe.sites_of_loop(self.torch))
        message["loader"] = number
        self._count(probe_file.LOADER, probe_file.text(message))
        self._loaders[id(loader)] = (weakref.ref(loader), number)  # known once it is in the file: a signal may end this before
        return number

    def _pass_message(self, number, loader_number, loader):
        torch = self.torch
        epoch_of = describe.sampler_with_epoch(loader)
        epoch = getattr(epoch_of, "epoch", None)
        return {
            "pass": number,
            "loader": loader_number,
            "time_ns": time.time_ns(),
            "has_set_epoch": hasattr(epoch_of, "set_epoch"),
            "epoch": epoch if type(epoch) is int else None,
            "set_epoch_calls": self._calls_of(epoch_of),
            "torch_seed": torch.initial_seed(),
            "torch_seeded": None if self.first_seed is None else torch.initial_seed() != self.first_seed,
            "generators": seeds.states(),
            "grad": torch.is_grad_enabled(),
            "distributed": describe.place_of_rank(),
        }

    def _calls_of(self, sampler):
        try:
            return self.set_epochs.get(sampler, 0)
        except TypeError as error:  # it cannot be referred to weakly
            trouble.let_through(error)
            return 0

    def _tell_trouble(self):
        if trouble.count > self._troubles:
            self._troubles = trouble.count
            self.add(probe_file.TROUBLE, {"count": trouble.count, "first": trouble.first})

    def finish(self):
        """Python ends the process."""
        self._writer = None
        for one in self._passes:
            one.write()
            one.tell(True)
        self._tell_trouble()
        self.add(probe_file.END, {"time_ns": time.time_ns()})
