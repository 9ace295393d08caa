# SPDX-License-Identifier: Apache-2.0
"""Batches as bytes, in memory until they are written. The bytes: resources/doc/probe-file.md, kind 4."""
import os
import struct
import sys

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
    except Exception:
        items = [batch]
    for packers, mark in ((_narrow, 0), (_wide, _WIDE)):
        try:
            return struct.pack("<I", mark | len(items)), packers[len(items)](*items)
        except Exception:  # wide, or no whole numbers
            continue
    return struct.pack("<I", _OPAQUE | min(len(items), _WIDE - 1)), b""


class Store:
    """Batches that wait."""

    def __init__(self):
        self._pieces = []
        self._bytes = 0
        self._count = 0

    def put(self, batch):
        """Adds one; how many bytes wait now, about."""
        try:
            data = _narrow[len(batch)](*batch)
            head = _heads[len(batch)]
        except Exception:
            head, data = _packed(batch)
        self._pieces.append(head)
        self._pieces.append(data)
        self._count += 1
        self._bytes += len(data)
        return self._bytes

    def empty(self):
        """How many there were, and their bytes."""
        count, data = self._count, b"".join(self._pieces)
        self._pieces, self._bytes, self._count = [], 0, 0
        return count, data


_STORE = struct.Struct("=qqQQq")  # as struct shardlens_store of app/probe/native/pack.c begins


class NativeStore(Store):
    """Has lists of small whole numbers packed by our library, and everything else as above."""

    def __init__(self, put, buffer, address):
        super().__init__()
        self._put = put
        self._view = memoryview(buffer).cast("B")
        self._address = address
        self._native = 0  # bytes of the buffer that are used
        shift = 3 if sys.version_info >= (3, 12) else 0
        _STORE.pack_into(self._view, 0, 0, len(self._view) - _STORE.size, id(list), id(int), shift)

    def put(self, batch):
        used = self._put(batch, self._address)
        if used < 0:
            self._settle()
            return super().put(batch)
        self._native = used
        self._count += 1
        return self._bytes + used

    def empty(self):
        self._settle()
        return super().empty()

    def _settle(self):
        """What the library packed becomes a piece like any other."""
        if self._native:
            self._pieces.append(bytes(self._view[_STORE.size : _STORE.size + self._native]))
            self._bytes += self._native
            self._native = 0
            self._view[0:8] = bytes(8)


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


def _native_put():
    """The library's function; raises where it cannot be loaded."""
    import ctypes

    library = ctypes.PyDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pack.so"))
    put = library.shardlens_put
    put.argtypes = [ctypes.py_object, ctypes.c_void_p]
    put.restype = ctypes.c_int64
    return put


def _native_store(put):
    import ctypes

    buffer = ctypes.create_string_buffer(_ROOM)
    return NativeStore(put, buffer, ctypes.addressof(buffer))


_SAMPLES = ([], [0, 1, 2**30 - 1, 2**30, 2**31 - 1], [7, 2**31], [-1, 3], [True], [1.5], "ab", (1, 2), [None], list(range(300)), [2**90])


def _agrees(put):
    """Whether it packs as Python does."""
    plain, native = Store(), _native_store(put)
    for sample in _SAMPLES:
        plain.put(sample)
        native.put(sample)
    return plain.empty() == native.empty()


_put = None
_is_decided = False


def store():
    """A store of the fastest kind that works here. The first one loads the library; SHARDLENS_PROBE_PYTHON=1 keeps it out."""
    global _put, _is_decided
    if not _is_decided:
        _is_decided = True
        try:
            if _is_known_python() and not os.environ.get("SHARDLENS_PROBE_PYTHON"):
                put = _native_put()
                _put = put if _agrees(put) else None
        except Exception:  # there is no such library for this machine: Python packs
            _put = None
    return Store() if _put is None else _native_store(_put)
