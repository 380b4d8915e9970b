"""Reads a file of variables (`.env`) that a workspace's tool server names.

Each line is understood whole, or the file is not read: what another reader would take otherwise
would be another variable than the one that a person was shown.
"""

from typing import Final

from assent.gate.programs.variables import is_dangerous
from assent.gate.ruling.secret_words import names_secret
from assent.gate.text.lazy_patterns import late

__all__ = ["MAX_FILE_BYTES", "EnvFileUnfit", "variables_in"]

MAX_FILE_BYTES: Final = 64 * 1024
_LINE: Final = late(
    r"""[ \t]*+(?:(?:export[ \t]++)?([A-Za-z_][A-Za-z0-9_]*+)[ \t]*+=[ \t]*+"""
    r"""(?:"((?:[^"\\]|\\.)*+)"|'([^']*+)'|([^\s#"'`](?:[^\r\n#"'`]*[^\s#"'`])?)?)"""
    r"""[ \t]*+)?+(?:(?<![^\s"'=])#[^\r\n]*+)?(?:\r?\n|\Z)"""
)
"""What it took it never gives back: a line of nothing but blanks would be read for minutes."""
_ASKS: Final = late(r"(?i:\w*(?:helper|providers?|command|cmd|program))")
"""What names a program that is asked for a secret, and no secret."""
_ESCAPE: Final = late(r"\\(.)")
_MEANS: Final = {"n": "\n", "r": "\r"}
"""Of any other letter behind a backslash readers say different things."""


class EnvFileUnfit(ValueError):
    """Why such a file is not taken, a clause; nothing of its values is in it."""


def variables_in(text: str) -> dict[str, str]:
    r"""The variables that a text sets; raises `EnvFileUnfit`.

    >>> variables_in('A=b c # so\nexport B="x\\ny"\n\n# no\nC=')
    {'A': 'b c', 'B': 'x\ny', 'C': ''}
    """
    variables: dict[str, str] = {}
    at = 0
    while at < len(text):
        line = _LINE.match(text, at)
        quoted = line and line[2]
        if (
            line is None
            or "\0" in line[0]
            or any(escape not in _MEANS for escape in _ESCAPE.findall(quoted or ""))
        ):
            number = text.count("\n", 0, at) + 1
            raise EnvFileUnfit(f"its line {number} is not understood here")
        at = line.end()
        name, quoted, raw, bare = line.groups()
        if name is None:
            continue
        if name in variables:
            raise EnvFileUnfit(f"{name} stands twice in it")
        is_key = names_secret(name, is_name=True) and not _ASKS.fullmatch(name)
        if is_dangerous(name) and not is_key:
            raise EnvFileUnfit(
                f"it sets {name}, which decides what runs or where that goes: write that into"
                " `env`, where you see it"
            )
        variables[name] = _unescaped(quoted) if quoted else raw or bare or ""
    return variables


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _MEANS[match[1]], text)
