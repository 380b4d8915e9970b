"""Texts that code puts together from pieces: `'.bash' + 'rc'`, `join('.config', 'Code')`.

Only what stands side by side is put together; what code computes otherwise is not known.
"""

from typing import Final

from assent.text.patterns import late

__all__ = ["pieces_in", "put_together"]

_PIECE: Final = late(r"([\"'`])((?:(?!\1)[^\\\n]|\\.){0,200}+)(\1?)")
"""No name is longer, and so no text takes long to be looked through."""
_QUOTES: Final = "\"'`"
_BETWEEN: Final = late(r"[)\s]*(\.\.|[+,./]|\|\||)[(\s]*[rfbu]?")
_MOST: Final = 32
"""In letters: no more stands between two pieces."""
_PATHS: Final = frozenset((",", "/"))
"""What makes a path of two pieces."""


def put_together(code: str) -> str:
    """The texts of which pieces stand side by side, each in a line of its own."""
    if not any(map(code.__contains__, _QUOTES)):
        return ""
    chains: list[list[str]] = []
    end = -_MOST
    for piece in _PIECE.finditer(code):
        near = piece.start() - end <= _MOST
        between = _BETWEEN.fullmatch(code, end, piece.start()) if near and chains else None
        if between is None:
            chains.append([piece[2]])
        else:
            chains[-1] += ["/" if between[1] in _PATHS else "", piece[2]]
        # What does not end is no piece, and nothing is put to it.
        end = piece.end() if piece[3] else -_MOST
    return "\n".join("".join(chain) for chain in chains if len(chain) > 1)


def pieces_in(code: str) -> list[str]:
    """The texts that stand in quotes."""
    return [piece[2] for piece in _PIECE.finditer(code) if piece[3]]
