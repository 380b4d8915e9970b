"""Why a flag or a command does more than the name of its program or a rule says."""

from enum import StrEnum

__all__ = ["Escape"]


class Escape(StrEnum):
    """Each as the end of a sentence about the flag; tables write its name in small letters.

    >>> f"--output {Escape['writes'.upper()]}"
    '--output writes a file'
    """

    RUNS = "can run a program"
    RUNS_FILTER = "can run a filter"
    PICKS_PROGRAM = "says what is run"
    LISTENS = "is open to the network"
    WRITES = "writes a file"
    """Also told by the places that the command touches."""
    DELETES = "removes files"
    SENDS = "sends data elsewhere"
    MAY_CHANGE = "may change what it does not show"
    CONNECTS_ELSEWHERE = "changes where it connects to"
    WORKS_ELSEWHERE = "changes where it works"
    READS_LISTED = "reads whatever a list names"
    TAKES_IGNORED = "takes in what git is told to ignore"
    TAKES_LISTED = "takes whatever a list names, and may do more"
    SHOWS_SECRETS = "shows what may be secret"
    SHOWS_INPUT = "can show all that it was given"
    LOADS_CODE = "loads code from elsewhere"
    LEADS_ELSEWHERE = "sends it elsewhere than the rule says"
    OVERWRITES_NON_REPORT = "writes over what is no report"
    OVERWRITES_NON_OUTPUT = "writes over what somebody wrote"
    OVERWRITES_SOURCE = "writes over what people write"
    NAMES_MACHINES = "names machines of its own"
    REACHES_PRODUCTION = "leads to what people work with"
    WIDENS_RIGHTS = "gives it more rights than the rule says"
