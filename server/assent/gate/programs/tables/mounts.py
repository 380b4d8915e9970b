"""The places of this machine that a container gets."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assent.gate.programs.options import part_of
from assent.gate.shell.anchored_paths import InFolder, InHome
from assent.gate.shell.word import Unknown, Word
from assent.gate.text.lazy_patterns import late

__all__ = ["BOXES", "HOMES", "SOCKETS", "is_here", "mounted", "mounts", "sources_in"]

HOMES: Final = ("/home", "/Users", "/root")
SOCKETS: Final = ("docker.sock", "podman.sock", "containerd.sock")
"""Whoever may write into one commands what gives containers the folders of this machine."""
BOXES: Final = frozenset({"bwrap", "docker-compose", "podman-compose"})
"""Programs that give what they run folders of this machine under other names, beside those that run
it elsewhere."""
_OF_OTHERS: Final = "--volumes-from"
_GIVING: Final = frozenset(f"-v --volume --mount --env-file {_OF_OTHERS} -o --opt".split())
_SOURCED: Final = frozenset("--mount -o --opt".split())
_SOURCE: Final = late(r"(?:^|,)(?:source|src|(?:volume-opt=)?device)=([^,]*)")
_VOLUME: Final = late(r"-[itdPqT]*v(.*)", re.DOTALL)
"""The option for a volume, behind others that have no value."""
_ONLY_READ: Final = late(r"[:,](?:ro|readonly)(?:=(?:true|1))?(?:,|$)")
_HOME: Final = frozenset(("$HOME", "${HOME}"))
_FROM_FOLDER: Final = late(r"\"?(\$\(pwd\)|`pwd`|\$PWD|\$\{PWD\})\"?((?:/[\w.-]*)*)\"?", re.ASCII)
_CODE: Final = frozenset("$`")
_FROM_HERE: Final = late(r"[./~$]")


def mounted(words: Sequence[Word], *, written: bool = False) -> list[Word]:
    """The paths of this machine that a container is given; a volume with a name is none.

    With `written`, those are left out that it is only given to read.

    >>> from assent.gate.programs.read_lines import words_of
    >>> line = "docker run -v ./data:/data -v cache:/c --env-file .env app"
    >>> [it.text for it in mounted(words_of(line))]
    ['./data', '.env']
    >>> [it.text for it in mounted(words_of("docker run -v ./a:/a:ro -v ./b:/b x"), written=True)]
    ['./b']
    """
    found: list[Word] = []
    for flag, given in mounts(words, written=written):
        here = _from_folder(given.text)
        if here is not None:
            found.append(here)
        elif given.text.strip("\"'") in _HOME:
            found.append(InHome())
        elif flag in ("--env-file", _OF_OTHERS) or _FROM_HERE.match(given.text.lstrip("\"'")):
            found.append(given)
    return found


def _from_folder(given: str) -> InFolder | None:
    """The path that a mount names from the folder that the shell is in, as it is spelled.

    >>> [it and it.text for it in map(_from_folder, ('"$PWD"', "$(pwd)/src", "$DATA"))]
    ['~+', '~+/src', None]
    """
    here = _FROM_FOLDER.fullmatch(given)
    # Whoever gives `pwd` another meaning makes the text unreadable.
    return here and InFolder(text=f"{InFolder.root}{here[2]}", splits=not given.startswith('"'))


def is_here(word: Word) -> bool:
    """Whether a word that only running tells is a place below this folder, for a container.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [is_here(it) for it in words_of('"$PWD":/w:ro $X:/w')]
    [True, False]
    """
    place, _, rest = word.text.partition(":")
    return _FROM_FOLDER.fullmatch(place) is not None and _CODE.isdisjoint(rest)


def sources_in(mount: str) -> list[str]:
    """The places that a container's `--mount` names: docker takes the last of them.

    >>> sources_in("type=bind,src=.,source=/etc,dst=/e")
    ['.', '/etc']
    """
    return _SOURCE.findall(mount)


def mounts(words: Sequence[Word], *, written: bool = False) -> Iterator[tuple[str, Word]]:
    """The flags that give a container something, each with the place or volume that it names.

    >>> from assent.gate.programs.read_lines import words_of
    >>> line = "docker run -v ./data:/data --mount type=bind,src=/etc,dst=/e app"
    >>> [(flag, it.text) for flag, it in mounts(words_of(line))]
    [('-v', './data'), ('--mount', '/etc')]
    """
    for at, word in enumerate(words):
        flag, equals, value = word.text.partition("=")
        if glued := _VOLUME.fullmatch(word.text):
            flag, equals, value = "-v", glued[1], glued[1].lstrip("=")
        given = part_of(word, value) if equals else next(iter(words[at + 1 : at + 2]), None)
        if flag not in _GIVING or given is None:
            continue
        if written and (flag == "--env-file" or _ONLY_READ.search(given.text)):
            continue
        text = given.text
        if flag == _OF_OTHERS:
            yield flag, Unknown(text=f"what {text} was given")
            continue
        if flag in _SOURCED:
            for named in sources_in(text) or [""]:
                yield flag, given.spelled(named)
            continue
        if flag != "--env-file":
            text = text.partition(":")[0]
        yield flag, given.spelled(text)
