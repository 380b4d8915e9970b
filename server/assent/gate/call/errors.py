"""The family of our own errors.

Each error carries its fields first and a message written for whoever reads it:

    AssentError
    ├── CallUnreadable      an agent's proposal that could not be read as a call
    ├── IllegalStep         a step that `lifecycle.NEXT` does not join
    ├── Refused             a call that may not run, in words for the model
    ├── JournalUnwritable   a decision that could not be put on disk
    │   └── JournalBroken   the journal is not what was written; a person has to set it aside
    ├── SettingsRejected    a setting that cannot mean anything
    ├── AgentFailed         an agent that did not start, or left
    └── EditorRefused       the editor would not do what it was asked

A room may add its own below these, where only that room catches it.
"""

__all__ = [
    "AgentFailed",
    "AnotherForEach",
    "AssentError",
    "CallUnreadable",
    "EditorRefused",
    "IllegalStep",
    "JournalBroken",
    "JournalUnwritable",
    "Refused",
    "SettingsRejected",
]


class AssentError(Exception):
    """Anything that Assent itself has to say no to."""


class CallUnreadable(AssentError):
    """A proposal that could not be read as a call; the message says what was missing."""


class AnotherForEach(CallUnreadable):
    """A path that leads each program to a file of its own, such as `/proc/self/cwd`."""


class IllegalStep(AssentError):
    """A call was told to take a step that its state does not allow."""


class Refused(AssentError):
    """A call may not run; the message is written for the model that proposed it."""


class JournalUnwritable(AssentError):
    """A decision could not be put on disk, so nothing may run."""


class JournalBroken(JournalUnwritable):
    """The journal is damaged, cut or gone; it is gone on with only after a person's gesture."""


class SettingsRejected(AssentError):
    """A setting has a value that cannot mean anything; the message names it."""


class AgentFailed(AssentError):
    """An agent did not start, broke its protocol, or left in the middle of a turn."""


class EditorRefused(AssentError):
    """The editor would not do what the server asked of it."""
