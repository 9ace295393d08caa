# SPDX-License-Identifier: Apache-2.0
"""What went wrong in the probe: counted and kept for the recording, never shown to the job."""

count = 0
first = ""

_HAS_MORE = 4  # inspect.CO_VARARGS


def note(where, error):
    """An exception was caught at `where`: of ours, or let_through() raises it again."""
    global count, first
    let_through(error)
    count += 1
    if first:
        return
    try:
        words = str(error)[:200]  # may be code of the job
    except Exception as other:
        let_through(other)
        words = ""
    first = "%s: %s: %s" % (where, type(error).__name__, words)


def let_through(error):
    """Raises a caught exception again if a signal handler of the job raised it, which Python runs between any two lines of the probe."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        if _handles_signal(trace.tb_next.tb_frame, trace.tb_frame):
            raise error
        trace = trace.tb_next


def _handles_signal(frame, interrupted):
    """Whether Python called this frame with the number of a signal and the frame that it interrupted, whatever these two are named."""
    code, values = frame.f_code, frame.f_locals
    given = [values.get(name) for name in code.co_varnames[: code.co_argcount]]
    if code.co_flags & _HAS_MORE:
        more = values.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
        given += more if type(more) is tuple else ()
    return any(issubclass(type(number), int) and given_frame is interrupted for number, given_frame in zip(given, given[1:]))
