# SPDX-License-Identifier: Apache-2.0
"""What torch.compile sees of the probe: nothing. It runs the probe's functions as they are, and where it traces a call of a wrapped function,
the wrapper only passes it on."""
import os
import sys
import types

_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep

_is_loaded = False  # the compiler: until then nothing is traced, and torch need not be asked


def is_traced(torch):
    """Whether torch.compile traces this call. It replaces the answer by True when it meets the question; outside of it, it is False."""
    if not _is_loaded:
        return False
    is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None)
    return is_compiling is not None and is_compiling()


def skip(eval_frame):
    """Has no function of the probe compiled, but those that they call; `eval_frame` is torch._dynamo.eval_frame, when it has been loaded. Torch
    skips its own functions, which ours wrap, likewise: by the folder that they are in."""
    global _is_loaded
    _is_loaded = True
    skip_code = getattr(eval_frame, "skip_code", None)
    if skip_code is not None:
        for code in _codes():
            skip_code(code)


def _codes():
    """The code of all functions of the probe, also of those that they make."""
    found = []
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == __package__:
            for thing in vars(module).values():
                members = vars(thing).values() if isinstance(thing, type) else (thing,)
                found += [one.__code__ for one in members if isinstance(one, types.FunctionType)]
    found = [code for code in found if code.co_filename.startswith(_OURS)]
    for code in found:  # which grows meanwhile
        found += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return found
