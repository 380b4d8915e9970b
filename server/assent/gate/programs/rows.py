"""The notation of a row in the tables: one tool, its flags, and what happens to its operands.

Flags are written in a small notation, each a word of `Row.flags`:
`-a` takes no value, `-n=` takes one, `-n==` two, `--color?` may have one attached;
`-f<` takes a path that is read, `-C^` one that is only looked at, `-o>` one that is written,
`--pid~` one that is written as the tool's name says, `-d@` a value or `@` and a file, `-L:` a value
that ends in a colon and a path; `-#` is a number with a dash before it; `--[no-]x` is two flags.
What follows a `!` is an `Escape`, in small letters: the flag does more than the tool's name says.
What a row does not name, it does not know.
"""

import re
from functools import cached_property
from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.escapes import Escape
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["ALWAYS", "Flag", "Row", "Wrapper"]

ALWAYS: Final = "always"
"""In the place of flags: whatever the flags are."""

_FLAG: Final = late(r"(-[^=?<^>~@:!]*)(==?|[?<^>~@:])?([<~])?(?:!(\w+))?")

_KINDS: Final = {"<": Kind.READ, "^": Kind.LOOK, ">": Kind.WRITE, "~": Kind.WRITE}


@frozen(kw_only=True)
class Flag:
    """One flag of a tool."""

    name: str
    values: int = 0
    """How many words it takes."""
    attached: bool = False
    """Whether it takes a value only where that is attached to it."""
    kind: Kind | None = None
    """What is done to the path that its (last) value is."""
    style: str = ""
    """`@` or `:` where only a part of its value is a path."""
    escape: str = ""
    lists: bool = False
    """Whether files are read that only a list names."""
    exceeds_reading: bool = False
    """Whether its escape is more than to read."""


@frozen(kw_only=True)
class Row:
    """One tool."""

    names: str
    reads: bool = True
    """Whether it is a built-in reading command."""
    flags: str = ""
    operands: Kind | None = Kind.READ
    """What is done to the paths that its operands are; None where they are no paths."""
    patterns: int = 0
    """How many operands come before the paths."""
    no_pattern_flags: str = ""
    """The flags with which there are no such operands."""
    recursive_flags: str = ""
    """The flags with which it reaches below its operands."""
    hidden_flags: str = ALWAYS
    """The flags with which it also reaches names with a dot."""
    default_folder_flags: str = ""
    """The flags with which it works on its own folder if no operand is given."""
    destructive_flags: str = ""
    """The flags with which it could remove a whole home."""
    max_read_operands: int | None = None
    """How many operands are read; any further one is written."""
    target: Kind | None = None
    """What is done to the last operand, if that is a target."""
    target_flags: str = ""
    """The flag that names the folder where otherwise the last operand does."""
    operand_ends_flags: bool = False
    """Whether the first operand ends the flags."""
    renaming_flags: str = ""
    """The flags with which a source does not simply keep its last name in the target."""
    parents_flags: str = ""
    """The flags with which a source keeps its folders in the target."""
    follow_links_flags: str = ""
    """The flags with which it goes where the links below its operands lead."""
    read_links_flags: str = ""
    """The flags with which it reads on behind them; where they lead, the disk tells."""
    skip_links_flags: str = ""
    """The flags with which it does not, in spite of `read_links_flags`."""
    read_contents_flags: str = ""
    """The flags with which it reads what it otherwise only looks at."""
    shows_operands: bool = False
    """Whether it also makes its operands readable, by another name or on the screen."""
    changes_only_named: bool = False
    """Whether it changes no file but those that its words name."""
    prints_no_words: bool = False
    """Whether it never prints its words, so that a secret among them stays one."""
    form: str = ""
    """The name of a function `use_…` that reads its words; the row alone does if there is none."""
    moves: bool = False
    """Whether what it removes here still exists elsewhere, as after `mv`."""
    dry_run_flags: str = ""
    """The flags with which it only says what it would do."""
    required_flags: str = ""
    """The flags of which one must be there for it to be a reading command."""
    steering_files: str = ""
    """The files by which it becomes another program, or loads code, if one lies here or above; of
    some only one in which a word stands (`.npmrc?pnpmfile`)."""
    irreversible_uses: tuple[IrreversibleUse, ...] = ()
    """The uses of it that nobody can take back, the gravest first: one at most is told."""

    @cached_property
    def known(self) -> dict[str, Flag]:
        """Its flags by name."""
        texts = (one for text in self.flags.split() for one in _both(text))
        return {flag.name: flag for flag in map(_flag, texts)}

    @cached_property
    def risky(self) -> bool:
        """Whether a word that turns out to be a flag could do more than read."""
        return any(flag.exceeds_reading for flag in self.known.values())

    @cached_property
    def longs(self) -> tuple[str, ...]:
        """Its long flags, which may be abbreviated."""
        return tuple(name for name in self.known if name.startswith("--"))


@frozen(kw_only=True)
class Wrapper(Row):
    """A program that runs another: its own options and operands, which stand before that."""

    names: str = ""
    operands_before: int = 0
    """How many operands stand before the inner command."""
    takes_assignments: bool = False
    """Whether `NAME=value` before the inner command is a variable for that."""
    wraps: bool = False
    """Whether it adds nothing to what the inner command does."""
    same_shell: bool = False
    runs_nothing_flags: str = ""
    """The options with which it runs nothing."""
    adding_flags: str = ""
    """The options with which it does more than to run the inner command."""
    joins_operands: bool = False
    """Whether a shell reads its operands as one text."""
    shell_text_flags: str = ""
    """The options whose value a shell reads."""
    pipe_flags: str = ""
    """The options whose value a shell reads where it begins with `|` or `!`."""
    operands_are_scripts: bool = False
    """Whether a shell reads each of its operands as a text of its own."""
    variable_flags: str = ""
    """The options whose value assigns a variable for the inner command."""
    doubt: str = ""
    """Why nobody can tell what runs."""
    folder_flags: str = ""
    """The options whose value is the folder in which the inner command runs."""
    leaves_folder_flags: str = ""
    """The options with which it runs in some folder of its own."""
    runs_project: bool = False
    """Whether it is there to run what a project has."""


def _both(text: str) -> tuple[str, ...]:
    if not text.startswith("--[no-]"):
        return (text,)
    name = text.removeprefix("--[no-]")
    return f"--{name}", "--no-" + re.split(r"[=?<^>~@:!]", name)[0]


def _flag(text: str) -> Flag:
    matched = _FLAG.fullmatch(text)
    if matched is None:
        raise ValueError(text)
    name, takes, reads, why = matched.groups()
    takes = takes or ""
    kind = _KINDS.get(takes) or _KINDS.get(reads or "")
    escape = Escape[why.upper()] if why else Escape.WRITES if takes == ">" else None
    return Flag(
        name=name,
        values=0 if takes in {"", "?"} else len(takes),
        attached=takes == "?",
        kind=kind,
        style=takes if takes in {"@", ":"} else "",
        escape=f"{name} {escape}" if escape else "",
        lists=escape in {Escape.READS_LISTED, Escape.TAKES_LISTED},
        exceeds_reading=escape not in {None, Escape.READS_LISTED, Escape.SHOWS_SECRETS},
    )
