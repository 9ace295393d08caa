# SPDX-License-Identifier: Apache-2.0
"""What a dataset looks like from outside: marks of its attributes, by which the datasets of two ranks can be told apart, and which samples
a Subset takes. No code of the dataset is called but len(dataset); values are looked at only where their types are Python's, torch's or
NumPy's own."""
import array
import hashlib
import itertools
import weakref

from shardlens_probe import trouble

MOST_LISTED = 1 << 17  # numbers of a list that are written
_MOST_MEMBERS = 1 << 21  # indices of which a digest is made
_MOST_ATTRIBUTES = 64
_MOST_VALUES = 4096  # looked at in one dataset
_MOST_ITEMS = 64  # of a list, from its beginning to its end
_MOST_BYTES = 1 << 12  # of a text, likewise
_MOST_NESTED = 5


def class_name(thing):
    kind = type(thing)
    return "%s.%s" % (kind.__module__, kind.__qualname__)


_PLAIN = (bool, int, float, str, bytes, range)
_OF_EVERY_CLASS = ("__module__", "__doc__", "__qualname__", "__firstlineno__", "__static_attributes__", "__parameters__", "__annotations__", "__slots__")


def _members(thing):
    """The attributes of an object, without calling its code."""
    try:
        found = object.__getattribute__(thing, "__dict__")
    except AttributeError as error:
        trouble.let_through(error)
        return {}
    return found if type(found) is dict else {}


def _length(dataset):
    try:
        return len(dataset)
    except Exception as error:
        trouble.let_through(error)
        return None


def _spread(count):
    """At most _MOST_ITEMS places from the first to the last one."""
    if count <= _MOST_ITEMS:
        return range(count)
    return [place * (count - 1) // (_MOST_ITEMS - 1) for place in range(_MOST_ITEMS)]


class _Marker:
    """Makes texts of values: different texts are different values, and equal texts say that what was looked at is equal."""

    def __init__(self, torch):
        self._torch = torch
        self._left = _MOST_VALUES
        self._kinds = {list: self._listed, tuple: self._listed, dict: self._mapped, torch.Tensor: self._tensor}

    def text(self, value, depth=0):
        self._left -= 1
        kind = type(value)
        if value is None or kind in (bool, int, float, range):
            return repr(value)
        if kind in (str, bytes):
            return "%d %r" % (len(value), value if len(value) < 2 * _MOST_BYTES else (value[:_MOST_BYTES], value[-_MOST_BYTES:]))
        if kind in (set, frozenset):
            return "set %d" % len(value)
        if kind.__module__.split(".")[0] == "pathlib":
            return str(value)
        name = class_name(value)
        if self._left <= 0 or depth > _MOST_NESTED:
            return name
        try:
            return self._inside(value, name, depth)
        except Exception as error:  # such as a tensor without memory of its own
            trouble.let_through(error)
            return name

    def _inside(self, value, name, depth):
        if type(value) in self._kinds:
            return self._kinds[type(value)](value, depth)
        if name in ("numpy.ndarray", "numpy.memmap"):
            return self._array(value)
        attributes = {} if type(value).__module__ == "builtins" else self.attributes(value, depth + 1)
        return "%s %r" % (name, attributes) if attributes else name

    def attributes(self, thing, depth=0):
        """A mark of each attribute, of the object and of its class; of a list or a tensor, of what it holds."""
        if type(thing) in self._kinds:
            return {"": _digest(self.text(thing, depth).encode("utf-8", "replace"))}
        own = _members(thing)
        of_class = {} if type(thing).__module__.split(".")[0] in ("builtins", "torch") else vars(type(thing))
        items = {name: one for name, one in of_class.items() if type(one) in self._kinds or type(one) in _PLAIN}
        items.update(own)
        kept = [(name, items[name]) for name in itertools.islice(items, _MOST_ATTRIBUTES) if name not in _OF_EVERY_CLASS]
        return {str(name): _digest(self.text(value, depth).encode("utf-8", "replace")) for name, value in kept}

    def _listed(self, value, depth):
        texts = [self.text(value[place], depth + 1) for place in _spread(len(value))]
        return "%s %d %s" % (type(value).__name__, len(value), texts)

    def _mapped(self, value, depth):
        first = list(itertools.islice(value.items(), _MOST_ITEMS))
        return "dict %d %s" % (len(value), [(self.text(key, depth + 1), self.text(one, depth + 1)) for key, one in first])

    def _tensor(self, value, depth):
        said = "%s %s %s" % (value.dtype, tuple(value.shape), value.layout)
        if value.device.type != "cpu" or value.layout is not self._torch.strided or value.numel() == 0:
            return said
        shape, strides, memory = value.shape, value.stride(), value.detach().as_strided
        found = []
        for place in _spread(value.numel()):
            at = value.storage_offset()
            for size, stride in zip(reversed(shape), reversed(strides)):
                at += place % size * stride
                place //= size
            found.append(memory((), (), at).item())
        return "%s %s" % (said, found)

    def _array(self, value):
        said = "%s %s" % (value.dtype, value.shape)
        if class_name(value) == "numpy.memmap":  # what it holds would have to be read from the disk
            return "%s %s %s" % (said, value.filename, value.offset)
        if value.dtype.kind not in "biufSU" or value.size == 0:
            return said
        return "%s %s" % (said, [value.flat[place].item() for place in _spread(value.size)])


def _digest(data):
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _whole_numbers(value):
    """As an array; None where they are too many, or something else."""
    try:
        is_array = class_name(value) in ("torch.Tensor", "numpy.ndarray")
        if not (is_array or type(value) in (list, tuple, range)) or len(value) > _MOST_MEMBERS:
            return None
        if is_array:
            value = value.tolist()
        if any(kind is not int and kind.__module__ != "numpy" for kind in set(map(type, value))):
            return None
        return array.array("q", value)
    except Exception as error:
        trouble.let_through(error)
        return None


def _is_subset(torch, dataset):
    """torch's class, or one that is derived from it and reads as it does."""
    base, kind = torch.utils.data.Subset, type(dataset)
    names = ("__getitem__", "__getitems__", "__len__")
    return isinstance(dataset, base) and all(getattr(kind, name, None) is getattr(base, name, None) for name in names)


def _subset(torch, dataset):
    """Which samples of the dataset below it a Subset takes, Subsets of Subsets taken together."""
    ids = None
    is_known = True
    while _is_subset(torch, dataset):
        own = _whole_numbers(dataset.indices) if is_known else None
        is_known = own is not None
        if is_known:
            ids = own if ids is None else array.array("q", [own[place] for place in ids])
        dataset = dataset.dataset
    return {
        "class": class_name(dataset),
        "length": _length(dataset),
        "attributes": _Marker(torch).attributes(dataset),
        "digest": _digest(ids.tobytes()) if is_known else None,
        "indices": ids.tolist() if is_known and len(ids) <= MOST_LISTED else None,
    }


_described = {}  # id -> (weak reference, what was said): a script may make a new loader for the same dataset in every epoch


def described(torch, dataset):
    known = _described.get(id(dataset))
    if known is not None and known[0]() is dataset:
        return known[1]
    said = {
        "class": class_name(dataset),
        "is_iterable": isinstance(dataset, torch.utils.data.IterableDataset),
        "length": _length(dataset),
    }
    try:
        if _is_subset(torch, dataset):
            said["subset"] = _subset(torch, dataset)
        else:
            said["attributes"] = _Marker(torch).attributes(dataset)
    except Exception as error:
        trouble.note("dataset", error)
    try:
        for key in [key for key, one in _described.items() if one[0]() is None]:
            del _described[key]
        _described[id(dataset)] = (weakref.ref(dataset), said)
    except TypeError as error:  # it cannot be referred to weakly
        trouble.let_through(error)
    return said
