# SPDX-License-Identifier: Apache-2.0
"""Batches as bytes, in memory until they are written. The bytes: resources/doc/probe-file.md, kind 4."""
import os
import struct
import sys
import threading

from shardlens_probe import trouble

_WIDE = 1 << 30
_OPAQUE = 2 << 30
_ROOM = 1 << 17  # of a native store; who uses it empties it long before


class _Packers(dict):
    """struct packers by the number of indices: 4 bytes an index where they fit."""

    def __init__(self, code):
        super().__init__()
        self._code = code

    def __missing__(self, count):
        packer = self[count] = struct.Struct("<%d%s" % (count, self._code)).pack
        return packer


_narrow = _Packers("i")
_wide = _Packers("q")
_heads = [struct.pack("<I", count) for count in range(4097)]


def _packed(batch):
    """Head and bytes of a batch that is no list of small whole numbers."""
    try:
        items = list(batch) if hasattr(batch, "__len__") else [batch]
    except Exception as error:
        trouble.let_through(error)
        items = [batch]
    for packers, mark in ((_narrow, 0), (_wide, _WIDE)):
        try:
            return struct.pack("<I", mark | len(items)), packers[len(items)](*items)
        except Exception as error:  # wide, or no whole numbers
            trouble.let_through(error)
    return struct.pack("<I", _OPAQUE | min(len(items), _WIDE - 1)), b""


def indices_of_pairs(batch):
    """The first of each pair; a batch of something else as it is."""
    is_known = type(batch) is list and all(type(one) is tuple and len(one) == 2 for one in batch)
    return [index for index, _ in batch] if is_known else batch


class Store:
    """Batches that wait. One thread adds them; any thread may take them while it holds `lock`."""

    def __init__(self):
        self.lock = threading.RLock()  # a signal handler may take what its own thread is adding
        self._pieces = []
        self._bytes = 0  # of them, about
        self._more = 0  # batches than pieces
        self._emptied = 0

    def put(self, batch):
        """Adds one; how many bytes wait now, about."""
        try:
            data = _narrow[len(batch)](*batch)
            head = _heads[len(batch)]
        except Exception as error:
            trouble.let_through(error)
            head, data = _packed(batch)
        return self.add(head + data)

    def add(self, piece):
        """Adds a record that is packed; how many bytes wait now, about."""
        self._pieces.append(piece)
        self._bytes += len(piece)
        return self._bytes

    def empty(self):
        """How many were taken before, how many there were, and their bytes."""
        with self.lock:
            pieces = self._pieces[:]
            del self._pieces[: len(pieces)]  # one that came meanwhile stays
            first, count = self._emptied, len(pieces) + self._more
            self._emptied += count
            self._bytes = self._more = 0
        return first, count, b"".join(pieces)


_STORE = struct.Struct("=qqqQQq")  # as struct shardlens_store of app/probe/native/pack.c begins
_COUNT = struct.Struct("=q")


class NativeStore(Store):
    """Has lists of small whole numbers packed by our library, and everything else as above."""

    def __init__(self, library):
        import ctypes

        super().__init__()
        self._put = library.shardlens_put
        self._take = library.shardlens_take
        self._buffer = ctypes.create_string_buffer(_ROOM)
        self._address = ctypes.addressof(self._buffer)
        self._out = ctypes.create_string_buffer(_ROOM)
        self._taken = memoryview(self._out).cast("B")
        shift = 3 if sys.version_info >= (3, 12) else 0
        _STORE.pack_into(self._buffer, 0, 0, 0, _ROOM - _STORE.size, id(list), id(int), shift)

    def put(self, batch):
        used = self._put(batch, self._address)
        if used >= 0:
            return self._bytes + used
        with self.lock:
            self._settle()
            return super().put(batch)

    def empty(self):
        with self.lock:
            self._settle()
            return super().empty()

    def _settle(self):
        """What the library packed becomes a piece like any other."""
        used = self._take(self._address, self._out)
        if used:
            self._pieces.append(bytes(self._taken[_COUNT.size : _COUNT.size + used]))
            self._more += _COUNT.unpack_from(self._out)[0] - 1
            self._bytes += used


def _is_known_python():
    """Whether lists and numbers are where the library reads them."""
    return (
        sys.implementation.name == "cpython"
        and (3, 8) <= sys.version_info[:2] <= (3, 13)
        and sys.maxsize == 2**63 - 1
        and sys.byteorder == "little"
        and sys.int_info.bits_per_digit == 30
        and not hasattr(sys, "gettotalrefcount")  # a debug build may keep more in each object
        and "t" not in getattr(sys, "abiflags", "")  # objects have other heads where threads run without the GIL
    )


def _library():
    """Ours, called with the GIL held; raises where it cannot be loaded."""
    import ctypes

    library = ctypes.PyDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pack.so"))
    library.shardlens_put.argtypes = [ctypes.py_object, ctypes.c_void_p]
    library.shardlens_put.restype = ctypes.c_int64
    library.shardlens_take.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.shardlens_take.restype = ctypes.c_int64
    library.shardlens_mark.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p]
    library.shardlens_mark.restype = None
    return library


_SAMPLES = ([], [0, 1, 2**30 - 1, 2**30, 2**31 - 1], [7, 2**31], [-1, 3], [True], [1.5], "ab", (1, 2), [None], list(range(300)), [2**90])


def _agrees(library):
    """Whether it packs as Python does."""
    plain, native = Store(), NativeStore(library)
    for sample in _SAMPLES:
        plain.put(sample)
        native.put(sample)
    return plain.empty() == native.empty()


_native = None  # the library, if it works here
_is_decided = False


def _loaded():
    """The library, where it works. The first call loads it; SHARDLENS_PROBE_PYTHON=1 keeps it out."""
    global _native, _is_decided
    if not _is_decided:
        _is_decided = True
        try:
            if _is_known_python() and not os.environ.get("SHARDLENS_PROBE_PYTHON"):
                library = _library()
                _native = library if _agrees(library) else None
        except Exception as error:  # there is no such library for this machine: Python packs
            trouble.let_through(error)
            _native = None
    return _native


def store():
    """A store of the fastest kind that works here."""
    return Store() if _loaded() is None else NativeStore(_native)


def mark():
    """shardlens_mark of the library; None where it cannot be had."""
    return None if _loaded() is None else _native.shardlens_mark
