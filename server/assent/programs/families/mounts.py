"""The places of this machine that a container is given."""

import re
from typing import Final

from attrs import evolve

from assent.bash.script import FOLDER, Word
from assent.programs.flags import part_of
from assent.text.patterns import late

__all__ = ["mounted"]

_MOUNTS: Final = frozenset("-v --volume --mount --env-file".split())
_HOME: Final = frozenset(("$HOME", "${HOME}"))
_FROM_FOLDER: Final = late(r"\"?(\$\(pwd\)|`pwd`|\$PWD|\$\{PWD\})\"?((?:/[\w.-]*)*)\"?", re.ASCII)
_FROM_HERE: Final = late(r"[./~$]")


def mounted(words: tuple[Word, ...]) -> list[Word]:
    """The paths of this machine that a container is given; a volume with a name is none.

    >>> from assent.programs.reading import words_of
    >>> line = "docker run -v ./data:/data -v cache:/c --env-file .env app"
    >>> [it.text for it in mounted(words_of(line))]
    ['./data', '.env']
    """
    found = []
    for at, word in enumerate(words):
        flag, equals, value = word.text.partition("=")
        if word.text.startswith("-v") and len(word.text) > len("-v"):
            flag, equals, value = "-v", "=", word.text[len("-v") :].lstrip("=")
        if flag not in _MOUNTS:
            continue
        given = part_of(word, value) if equals else next(iter(words[at + 1 : at + 2]), None)
        if given is None:
            continue
        text = given.text
        if flag == "--mount":
            named = re.search(r"(?:^|,)(?:source|src)=([^,]*)", text)
            text = named[1] if named else ""
        elif flag != "--env-file":
            text = text.partition(":")[0]
        here = _FROM_FOLDER.fullmatch(text)
        if here is not None:
            # Whoever gives `pwd` another meaning makes the text unreadable.
            path, splits = f"{FOLDER.text}{here[2]}", not text.startswith('"')
            found.append(evolve(FOLDER, text=path, splits=splits))
            continue
        if text.strip("\"'") in _HOME:
            found.append(Word(text="~", home=True))
        elif flag == "--env-file" or _FROM_HERE.match(text.lstrip("\"'")):
            found.append(evolve(given, text=text))
    return found
