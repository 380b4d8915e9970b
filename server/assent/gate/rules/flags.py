"""Which options of a program are the same, for rules that deny and ask.

A flag comes to atoms: `-rf` to `-r` and `-f`, `--recursive` to `-r` where the table says so. Two
spellings with the same atoms are the same; an option that no row knows stands for itself.
"""

import re
from collections.abc import Mapping
from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = ["MARKS", "atoms_of", "is_flag", "needed", "same_in"]

Same = Mapping[str, tuple[str, ...]]
"""An option's other spellings, each with the atoms that it comes to."""


def _row(text: str) -> dict[str, tuple[str, ...]]:
    """A row of the table: `--force=-f` is one option; `-D=-d-f` is two at once."""
    return {
        name: tuple(re.findall(r"-[A-Za-z0-9]", atoms))
        for name, _, atoms in (item.partition("=") for item in text.split())
    }


_ROWS: Final = (
    ("rm", "--recursive=-r -R=-r --force=-f --dir=-d --interactive=-i --verbose=-v"),
    ("cp", "--recursive=-r -R=-r -a=-r-p --archive=-r-p --force=-f --no-clobber=-n"),
    ("mv", "--force=-f --no-clobber=-n --interactive=-i"),
    ("ln", "--symbolic=-s --force=-f"),
    ("mkdir", "--parents=-p --mode=-m"),
    ("rmdir", "--parents=-p"),
    ("chmod chown chgrp", "--recursive=-R --silent=-f --quiet=-f"),
    ("grep egrep fgrep", "--recursive=-r --dereference-recursive=-R --file=-f"),
    ("sed", "--in-place=-i --expression=-e --file=-f --quiet=-n --silent=-n"),
    ("tar", "--extract=-x --get=-x --create=-c --file=-f --directory=-C --absolute-names=-P"),
    (
        "curl",
        "--output=-o --remote-name=-O --data=-d --upload-file=-T --request=-X --form=-F",
    ),
    (
        "curl",
        "--insecure=-k --header=-H --location=-L --config=-K --user=-u --proxy=-x",
    ),
    ("wget", "--output-document=-O --directory-prefix=-P --recursive=-r --execute=-e"),
    ("kill", "-KILL=-9 -SIGKILL=-9"),
    ("tee", "--append=-a"),
    ("sort", "--output=-o"),
    ("truncate", "--size=-s"),
    ("python python3", "--command=-c"),
    ("node", "--eval=-e --print=-p --require=-r"),
    ("docker podman", "--force=-f --volume=-v --interactive=-i --tty=-t --host=-H"),
    ("npm pnpm", "--global=-g  --force=-f --save-dev=-D --prefix=-C"),
    ("pip pip3", "--upgrade=-U --editable=-e --requirement=-r --yes=-y"),
    ("apt apt-get dnf yum", "--yes=-y --assume-yes=-y --assumeyes=-y"),
    ("kubectl", "--filename=-f --namespace=-n --all-namespaces=-A"),
    ("git push", "--force=-f --delete=-d --set-upstream=-u --dry-run=-n"),
    ("git branch", "--force=-f --delete=-d -D=-d-f --move=-m -M=-m-f --copy=-c -C=-c-f"),
    ("git commit", "--no-verify=-n --all=-a --message=-m --file=-F"),
    ("git clean", "--force=-f --dry-run=-n --interactive=-i"),
    ("git checkout git switch", "--force=-f --discard-changes=-f"),
    ("git add", "--all=-A --force=-f --update=-u --patch=-p"),
    ("git rm", "--force=-f"),
    ("git tag", "--force=-f --delete=-d"),
    ("git rebase", "--interactive=-i --exec=-x"),
    ("git stash", "--include-untracked=-u --all=-a"),
    ("git reset git merge git pull git fetch", "--quiet=-q"),
)
"""Programs, and which of their options are the same."""

MARKS: Final = {"git push": {"+": "-f", ":": "-d"}}
"""Letters before an operand that say what an option says: `+main` is forced, `:main` deleted."""

_WHOLE: Final = frozenset("find java javac go terraform openssl gcc clang cc ld ffmpeg".split())
"""The programs whose options are words after a single dash."""

_CLUSTER: Final = late(r"-[A-Za-z]{1,8}")
_OWN_CLUSTER: Final = late(r"-[A-Za-z]{1,4}")
_SETTING: Final = late(r"[A-Za-z_][A-Za-z0-9_.-]*=")

MIN_ABBREVIATION_LETTERS: Final = 4
"""An abbreviated long option has at least two letters."""


def _table() -> dict[str, dict[str, tuple[str, ...]]]:
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for names, row in _ROWS:
        for name in re.findall(r"git \S+|\S+", names):
            table.setdefault(name, {}).update(_row(row))
    return table


_SAME: Final = _table()


def is_flag(word: str) -> bool:
    """Whether a word may stand anywhere: an option, or a setting such as `if=/dev/zero`.

    >>> [it for it in ["-rf", "if=/dev/zero", "src", "-", "--"] if is_flag(it)]
    ['-rf', 'if=/dev/zero']
    """
    if word[:1] == "-":
        return word not in {"-", "--"}
    return "=" in word and _SETTING.match(word) is not None


def same_in(program: str, first: str = "") -> Same:
    """Which options of a program, or of a command of it, are the same.

    >>> same_in("git", "push")["--force"]
    ('-f',)
    >>> same_in("git", "branch")["-D"]
    ('-d', '-f')
    """
    return _SAME.get(f"{program} {first}") or _SAME.get(program, {})


def needed(word: str, program: str, same: Same) -> tuple[str, ...]:
    """The atoms that a command must have, all of them, for a rule that names this flag.

    >>> needed("--force", "rm", same_in("rm"))
    ('-f',)
    >>> needed("-rf", "rm", same_in("rm"))
    ('-r', '-f')
    >>> needed("-name", "find", same_in("find"))
    ('-name',)
    """
    if word in same:
        return same[word]
    if program in _WHOLE or not _OWN_CLUSTER.fullmatch(word):
        return (word,)
    return tuple(atom for letter in word[1:] for atom in _letter(letter, same))


def atoms_of(word: str, program: str, same: Same) -> tuple[str, ...]:
    """The atoms that a command's flag may come to, abbreviations and values included.

    >>> atoms_of("-fR", "rm", same_in("rm"))
    ('-fR', '-f', '-r')
    >>> atoms_of("--forc", "rm", same_in("rm"))
    ('--forc', '--forc', '-f')
    """
    if word in same:
        return (*same[word], word)
    if word.startswith("--"):
        name = word.partition("=")[0]
        longer = (name,) if name in same else _abbreviated(name, same)
        return (word, name, *(atom for it in longer for atom in same[it]))
    cluster = _CLUSTER.match(word)
    if cluster is None or program in _WHOLE:
        return (word,)
    letters = cluster.group()[1:]
    return (word, *(atom for letter in letters for atom in _letter(letter, same)))


def _letter(letter: str, same: Same) -> tuple[str, ...]:
    return same.get(f"-{letter}", (f"-{letter}",))


def _abbreviated(name: str, same: Same) -> tuple[str, ...]:
    """The long options that a name may be short for."""
    if len(name) < MIN_ABBREVIATION_LETTERS:
        return ()
    return tuple(it for it in same if it.startswith(name))
