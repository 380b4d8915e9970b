"""Which shells there are, and which dialect each of them reads."""

from typing import Final

from assent.bash.script import bare_name

__all__ = ["OTHERS", "SHELLS", "dialect_of"]

SHELLS: Final = frozenset("sh bash dash zsh ksh ash mksh rbash rzsh yash".split())
OTHERS: Final = frozenset("fish pwsh powershell cmd csh tcsh nu xonsh elvish ion".split())
"""Shells for whose language there is no reader."""


def dialect_of(name: str) -> str:
    """Which dialect a shell of this name reads; nobody knows more of an unknown one than of `sh`.

    >>> [dialect_of(it) for it in ("/bin/bash", "dash", "zsh")]
    ['bash', 'sh', 'zsh']
    """
    name = bare_name(name)
    if name in ("zsh", "rzsh"):
        return "zsh"
    return "bash" if name in ("bash", "rbash") else "sh"
