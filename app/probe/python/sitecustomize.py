# SPDX-License-Identifier: Apache-2.0
"""Python runs this at the start of every process that has this folder in its PYTHONPATH, as `shardlens run -- COMMAND` sets it.

It installs the probe and then runs the sitecustomize that it stands in front of. It imports nothing but what Python has loaded by
then and the probe. Whatever goes wrong in here is no matter of the job.
"""
import sys


def _install():
    import os

    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.environ.get("SHARDLENS_PROBE")
    if folder:
        from shardlens_probe import hook

        hook.install(folder)
    # Our modules are loaded: the job's own path is as it would be without us.
    sys.path[:] = [path for path in sys.path if path != here]


def _shadowed():
    """The sitecustomize that Python would have run without this one, as a spec; None when there is none."""
    from importlib.machinery import PathFinder

    return PathFinder.find_spec("sitecustomize", sys.path)


try:
    _install()
except Exception:
    pass
try:
    _spec = _shadowed()
    if _spec is not None:
        from importlib.util import module_from_spec

        _module = module_from_spec(_spec)
except Exception:
    _spec = None
if _spec is not None:
    # What it raises is shown as Python shows it without us.
    sys.modules["sitecustomize"] = _module
    _spec.loader.exec_module(_module)
