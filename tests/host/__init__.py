"""A real VS Code on this machine, for the tests and for the demo.

What this machine lacks is told as an AbsentError. Only `page` and what imports it need more than
the standard library.
"""


class AbsentError(Exception):
    """Something this machine lacks; the message is one sentence that says what to do."""
