"""Each of bash's own builtins is known to change what follows, or to leave it as it is."""

import subprocess

from assent.gate.ruling.programs import BUILTINS
from assent.gate.shell.specials import UNSETTLES

_LEAVES = frozenset(
    ": [ bg break builtin command continue dirs disown echo exit false fg help jobs kill pwd test"
    " times trap true type ulimit umask".split()
)
"""Builtins after which variables, functions, aliases and the folder are what they were."""


def builtins() -> set[str]:
    done = subprocess.run(["bash", "-c", "compgen -b"], capture_output=True, check=True, text=True)
    return set(done.stdout.split())


def test_each_builtin_of_bash_is_told_to_change_something_or_nothing() -> None:
    assert builtins() <= UNSETTLES | _LEAVES
    assert builtins() <= BUILTINS
    assert BUILTINS - UNSETTLES == _LEAVES


def test_none_is_told_to_do_both() -> None:
    assert not UNSETTLES & _LEAVES
