# SPDX-License-Identifier: Apache-2.0
"""The global generators of NumPy and of Python's random, told by what they would give next: drawn from copies, so that the job's own
generators stay as they are."""
import sys

from shardlens_probe import trouble

_OUTPUTS = 4  # of 32 bits: they tell one state from any other


def _numpy():
    numpy = sys.modules.get("numpy.random")
    if numpy is None:
        return None
    state = numpy.get_state(legacy=False)
    if state["bit_generator"] != "MT19937":
        return {"generator": str(state["bit_generator"])}
    copy = numpy.MT19937(0)
    copy.state = state
    return {"next": [int(word) for word in copy.random_raw(_OUTPUTS)], "place": int(state["state"]["pos"])}


def _random():
    random = sys.modules.get("random")
    if random is None:
        return None
    state = random.getstate()
    copy = random.Random(0)
    copy.setstate(state)
    return {"next": [copy.getrandbits(32) for _ in range(_OUTPUTS)], "place": state[1][-1]}


def states():
    """{"numpy": ..., "random": ...} as this process has them now; None where the module is not loaded. Four outputs, and how many of the
    624 words of the state are used up."""
    said = {}
    for name, look in (("numpy", _numpy), ("random", _random)):
        try:
            said[name] = look()
        except Exception as error:
            trouble.note("state of " + name, error)
            said[name] = None
    return said


def _inner(function):
    """What a functools.partial calls."""
    return getattr(function, "func", function)


def release(package):
    """None where it is not loaded, or says none."""
    said = getattr(sys.modules.get(package), "__version__", None)
    return said if type(said) is str else None


def release_of(function):
    """The release of the package that worker_init_fn comes from; None where it says none."""
    return release(str(getattr(_inner(function), "__module__", "")).split(".")[0])


def function_name(function):
    """"folder.module.name" of worker_init_fn; None when there is none."""
    if function is None:
        return None
    inner = _inner(function)
    return "%s.%s" % (getattr(inner, "__module__", "?"), getattr(inner, "__qualname__", type(inner).__qualname__))
