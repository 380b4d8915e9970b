"""Tools that reach hosts, and the hosts that their words name."""

import re
from typing import Final

from assent.policy.shell.deeds import Deeds, Kind, Touch
from assent.policy.shell.flags import part_of, sort_words
from assent.policy.shell.outcome import deeds_of, operand_touches
from assent.policy.shell.rows import Row
from assent.policy.shell.script import Word

__all__ = [
    "host_of",
    "use_docker",
    "use_hosts",
    "use_npm",
    "use_pip",
    "use_query",
    "use_rsync",
    "use_ss",
    "use_ssh",
    "use_urls",
]

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[/\\]*")
_END: Final = re.compile(r"[/?#\\]")
_HOST: Final = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_REMOTE: Final = re.compile(r"[^/:]+:|rsync://")
_AWAY: Final = "//away/"
_ORDER: Final = re.compile(
    r"\\[!ogwicse]|\\copy|^\s*\.|\n\s*\.|(?i:writefile|load_extension|copy\b.*\bto\b|program)",
    re.DOTALL,
)
_NPM_SENDS: Final = frozenset({"publish", "unpublish", "deprecate", "owner", "access"})
_NPM_READS: Final = frozenset("ls list ll la root prefix bin explain why".split())
_PIP_READS: Final = frozenset("list show freeze check".split())


def host_of(word: Word) -> str:
    """The host of an address, or `?` where it cannot be told."""
    if not word.known or word.glob:
        return "?"
    text = _SCHEME.sub("", word.text, count=1) if "://" in word.text else word.text
    host = _END.split(text, maxsplit=1)[0].rpartition("@")[2].casefold()
    host = re.sub(r"(?<!:):\d*$|(?<=\]):\d*$", "", host) if host.count(":") <= 1 else host
    if "://" not in word.text:
        host = host.partition(":")[0] if host.count(":") == 1 else host
    return host if _HOST.fullmatch(host) else "?"


def use_urls(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reaches the addresses that its operands are."""
    sorted_ = sort_words(row, words)
    addresses = [*sorted_.operands, *(value for flag, value in sorted_.values if flag == "--url")]
    hosts = [host_of(word) for word in addresses] or ["?"]
    local = [word for word in addresses if word.text.casefold().startswith("file:")]
    touches = [
        Touch(kind=Kind.READ, word=part_of(word, re.sub(r"(?i)^file:(//[^/]*)?", "", word.text)))
        for word in local
    ]
    named = sorted_.has("-O --output-document --spider --remote-name --remote-name-all")
    if named != row.names.startswith("wget"):
        touches += [Touch(kind=Kind.WRITE, word=word) for word in _saved(addresses)]
    return deeds_of(row, sorted_, touches, hosts=hosts)


def _saved(addresses: list[Word]) -> list[Word]:
    """The files that are named like the ends of their addresses."""
    names = [
        re.split(r"[?#]", word.text.split("://")[-1])[0].rstrip("/").rpartition("/")[2]
        for word in addresses
    ]
    return [Word(text=name or "index.html") for name in names]


def use_hosts(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reaches the first operand, or whichever looks like a host."""
    sorted_ = sort_words(row, words)
    hosts = {host_of(word) for word in sorted_.operands if not word.text.isdigit()} or {"?"}
    return deeds_of(row, sorted_, (), hosts=sorted(hosts))


def use_ssh(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reaches its first operand, and runs the others there."""
    sorted_ = sort_words(row, words)
    return deeds_of(row, sorted_, (), hosts=[host_of(word) for word in sorted_.operands[:1]])


def use_rsync(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Copies; an operand with a colon is on another machine."""
    sorted_ = sort_words(row, words)
    away = [word for word in sorted_.operands if _REMOTE.match(word.text)]
    touches = [
        touch
        for touch in operand_touches(row, sorted_, [_there(word) for word in sorted_.operands])
        if not touch.word.text.startswith(_AWAY)
    ]
    return deeds_of(row, sorted_, touches, hosts=[host_of(word) for word in away])


def _there(word: Word) -> Word:
    """A path on another machine, told from one that is here."""
    if not _REMOTE.match(word.text):
        return word
    return part_of(word, _AWAY + word.text.partition(":")[2])


def use_ss(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Lists sockets."""
    return deeds_of(row, sort_words(row, words), ())


def use_query(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Asks a database; a query may be an order to the program itself."""
    sorted_ = sort_words(row, words)
    asked = [value for flag, value in sorted_.values if flag in {"-c", "--command", "-cmd"}]
    asked += sorted_.operands[1:] if row.operands is not None else []
    unsure = [word for word in asked if not word.known or _ORDER.search(word.text)]
    escapes = ["an order in it can write or run"] if unsure else []
    touches = [Touch(kind=Kind.WRITE, word=word) for word in sorted_.operands[:1]]
    known = row.operands is not None
    return deeds_of(row, sorted_, touches if known else (), escapes=escapes, known=known)


def use_docker(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Copies out of and into containers; all else is not known."""
    said = [word for word in words if not word.text.startswith("-")]
    if [word.text for word in said[:1]] != ["cp"]:
        return deeds_of(row, sort_words(row, words), (), known=False)
    kinds = zip((Kind.READ, Kind.WRITE), said[1:3], strict=False)
    touches = [Touch(kind=kind, word=word) for kind, word in kinds if ":" not in word.text]
    return deeds_of(row, sort_words(row, words), touches, known=False)


def use_npm(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Lists packages; what it stores in its settings is told."""
    sorted_ = sort_words(row, words)
    said = [word.text for word in sorted_.operands]
    touches = []
    if said[:1] == ["set"] or said[:2] in (["config", "set"], ["config", "delete"], ["c", "set"]):
        touches = [Touch(kind=Kind.WRITE, word=Word(text="~/.npmrc", home=True))]
    reads = "npm" in row.names and said[:1] != [] and said[0] in _NPM_READS
    hosts = ["?"] if said[:1] and said[0] in _NPM_SENDS else []
    deeds = deeds_of(row, sorted_, touches, known=reads, hosts=hosts)
    return _as_reading(deeds, reads=reads and not sorted_.strange and not sorted_.loose)


def use_pip(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Lists packages; what it stores in its settings is told."""
    sorted_ = sort_words(row, words)
    said = [word.text for word in sorted_.operands]
    touches = []
    if said[:1] == ["config"] and said[1:2] not in (["list"], ["get"], ["debug"]):
        touches = [Touch(kind=Kind.WRITE, word=Word(text="~/.config/pip/pip.conf", home=True))]
    reads = bool(said) and said[0] in _PIP_READS
    deeds = deeds_of(row, sorted_, touches, known=reads)
    return _as_reading(deeds, reads=reads and not sorted_.strange and not sorted_.loose)


def _as_reading(deeds: Deeds, *, reads: bool) -> Deeds:
    if not reads or deeds.escapes:
        return deeds
    return Deeds(touches=deeds.touches, reading=True, known=True)
