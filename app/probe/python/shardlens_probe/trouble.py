# SPDX-License-Identifier: Apache-2.0
"""What went wrong in the probe: counted and kept for the recording, never shown to the job."""

count = 0
first = ""


def note(where, error):
    """An exception of ours was caught at `where`."""
    global count, first
    count += 1
    if first:
        return
    try:
        words = str(error)[:200]  # may be code of the job
    except Exception:
        words = ""
    first = "%s: %s: %s" % (where, type(error).__name__, words)
