"""Tools that only read, for as long as their words ask for nothing else."""

from typing import Final

from attrs import evolve

from assent.bash.script import Word
from assent.bash.secrets import tells_secrets
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.families.addresses import host_of
from assent.programs.flags import Sorted, sort_words
from assent.programs.outcome import as_reading, deeds_of, operand_touches
from assent.programs.rows import Row
from assent.text.patterns import late

__all__ = [
    "use_addresses",
    "use_dpkg",
    "use_formatter",
    "use_openssl",
    "use_printenv",
    "use_tee",
    "use_yq",
    "use_zipinfo",
]

_EVALS: Final = frozenset("e eval ea eval-all".split())
_BEYOND: Final = late(
    r"(?i)(?<![.\w])\w*(?:env|load|eval|include|import|system|exec|fromfile)\w*|\$env|\$__"
)
"""What an expression may name that reads elsewhere or tells the environment; a key has a dot."""
_AWAY: Final = late(r"(?:^|/)\.\.(?:/|$)|^[/~]")
_NAME: Final = late(r"[A-Za-z_][A-Za-z0-9_]*")
_SHOWS: Final = frozenset("x509 req crl".split())
"""Orders of openssl that show what stands in a file, where they are told to show and no more."""
_COUNTS: Final = frozenset("verify dgst asn1parse version ciphers list rand crl2pkcs7".split())
_MAKES: Final = "-req -new -newkey -x509 -CA -CAkey -signkey -key -inkey -passin -pass -keyout"
_NOWHERE: Final = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})
_LISTS: Final = (
    "-l -L -s -S -p -I -c --list --listfiles --status --search --print-avail --print-architecture"
    " --print-foreign-architectures --get-selections --compare-versions --help --version"
)


def use_yq(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Shows parts of files; an expression may read others, and the environment."""
    sorted_ = sort_words(row, words)
    operands = sorted_.operands
    if operands and operands[0].known and operands[0].text in _EVALS:
        operands = operands[1:]
    expressions, files = operands[:1], operands[1:]
    # A first operand that is there as a file is taken for one.
    files += [it for it in expressions if not it.known or _AWAY.search(it.text) or not files]
    safe = all(it.known and not _BEYOND.search(it.text) for it in expressions)
    return deeds_of(row, sorted_, operand_touches(row, sorted_, files), safe=safe)


def use_addresses(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Shows files, or what is fetched from an address."""
    sorted_ = sort_words(row, words)
    away = [it for it in sorted_.operands if ":" in it.text]
    files = [it for it in sorted_.operands if it not in away]
    hosts = dict.fromkeys(map(host_of, away))
    touches = operand_touches(row, sorted_, files)
    return deeds_of(row, sorted_, touches, hosts=hosts, safe=not away, known=not away)


def use_formatter(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Shows files as they should be, or makes them so, which is what it is there for."""
    sorted_ = sort_words(row, words)
    touches = operand_touches(row, sorted_, sorted_.operands)
    if sorted_.has("-w -i"):
        touches += [evolve(it, kind=Kind.WRITE) for it in touches]
    return as_reading(deeds_of(row, sorted_, touches), reads=not sorted_.has("-w -i"))


def use_openssl(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Shows certificates, sums and random numbers; all else is not known."""
    order = words[0].text if words and words[0].known else ""
    sorted_ = sort_words(row, words[1:])
    tells = order in _SHOWS and not sorted_.has(_MAKES)
    reads = tells or (order in _COUNTS and not sorted_.has(_MAKES))
    # What it opens may be an address of a store, with a colon in it.
    plain = not any(":" in it.word.text for it in sorted_.touches)
    touches = [] if order in {"rand", "list", "ciphers", "version"} else _files(sorted_)
    servers = [value for flag, value in sorted_.values if flag == "-connect"]
    hosts = dict.fromkeys(map(host_of, servers))
    deeds = deeds_of(row, sorted_, touches, hosts=hosts, safe=reads and plain and not hosts)
    return deeds if deeds.reading else evolve(deeds, known=False)


def _files(sorted_: Sorted) -> list[Touch]:
    return [Touch(kind=Kind.READ, word=word) for word in sorted_.operands]


def use_printenv(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Tells what variables hold; all of them together, or one that is secret, it had better not."""
    sorted_ = sort_words(row, words)
    named = sorted_.operands
    safe = all(
        it.known and _NAME.fullmatch(it.text) and not tells_secrets(f"${it.text}") for it in named
    )
    asks = bool(named) or sorted_.has("--help --version")
    return deeds_of(row, sorted_, (), safe=safe and asks)


def use_tee(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Writes what it is given to files as well, of which some keep nothing."""
    sorted_ = sort_words(row, words)
    kept = [it for it in sorted_.operands if not (it.known and it.text in _NOWHERE)]
    deeds = deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands))
    return as_reading(deeds, reads=not kept)


def use_zipinfo(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Lists an archive; its other operands are names in it."""
    sorted_ = sort_words(row, words)
    return deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands[:1]))


def use_dpkg(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Tells which packages there are; with every other order it changes them."""
    sorted_ = sort_words(row, words)
    packed = sorted_.operands if sorted_.has("-I -c") else []
    touches = [Touch(kind=Kind.READ, word=word) for word in packed]
    return deeds_of(row, sorted_, touches, safe=sorted_.has(_LISTS), known=sorted_.has(_LISTS))
