"""Tools that only read, unless their words ask for more."""

from typing import Final

from assent.gate.programs.deeds import NOWHERE, Deeds, Kind, Touch, touched
from assent.gate.programs.nested_execution.shells import is_no_flag
from assent.gate.programs.options import Sorted, part_of, sort_words
from assent.gate.programs.outcome import as_reading, deeds_of, operand_touches
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.addresses import host_of
from assent.gate.shell.secrets import tells_secrets
from assent.gate.shell.word import Below, Exact, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = [
    "use_addresses",
    "use_charts",
    "use_checks",
    "use_counts",
    "use_dpkg",
    "use_envsubst",
    "use_formatter",
    "use_lint",
    "use_modules",
    "use_ninja",
    "use_openssl",
    "use_printenv",
    "use_tee",
    "use_yq",
]

_GO: Final = ".go"
_EVALS: Final = frozenset("e eval ea eval-all".split())
_BEYOND: Final = late(
    r"(?i)(?<![.\w])\w*(?:env|load|eval|include|import|system|exec|fromfile)\w*|\$env|\$__"
)
"""Operators of `yq` that read other files or the environment. Behind a dot it is a key."""
_AWAY: Final = late(r"(?:^|/)\.\.(?:/|$)|^[/~]")
_NAME: Final = late(r"[A-Za-z_][A-Za-z0-9_]*")
_SHOWS: Final = frozenset("x509 req crl".split())
"""Commands of openssl that only print a file, unless a flag makes something new of it."""
_COUNTS: Final = frozenset("verify dgst asn1parse version ciphers list rand crl2pkcs7".split())
_MAKES: Final = "-req -new -newkey -x509 -CA -CAkey -signkey -key -inkey -passin -pass -keyout"
_LISTS: Final = (
    "-l -L -s -S -p -I -c --list --listfiles --status --search --print-avail --print-architecture"
    " --print-foreign-architectures --get-selections --compare-versions --help --version"
)


def use_yq(row: Row, sorted_: Sorted) -> Deeds:
    """Prints parts of files; an expression may read other files, and the environment.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_yq(*row_and_sorted("yq .name a.yaml")))
    only reads: read a.yaml
    >>> print(use_yq(*row_and_sorted('''yq 'load("b.yaml")' a.yaml''')))
    read a.yaml, its expression may read other files
    """
    operands = sorted_.operands
    if operands and operands[0].known and operands[0].text in _EVALS:
        operands = operands[1:]
    expressions, files = operands[:1], operands[1:]
    # A first operand that is there as a file is taken for one.
    files += [
        expression
        for expression in expressions
        if not expression.known or _AWAY.search(expression.text) or not files
    ]
    safe = all(
        expression.known and not _BEYOND.search(expression.text) for expression in expressions
    )
    escapes = () if safe else ("its expression may read other files",)
    return deeds_of(row, sorted_, operand_touches(row, sorted_, files), escapes=escapes)


def use_addresses(row: Row, sorted_: Sorted) -> Deeds:
    """Shows files, or what is fetched from an address.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_addresses(*row_and_sorted("xmllint --noout a.xml")))
    only reads: read a.xml
    >>> print(use_addresses(*row_and_sorted("xmllint https://x.org/a.xml")))
    perhaps more: reach x.org
    """
    away = [operand for operand in sorted_.operands if ":" in operand.text]
    files = [operand for operand in sorted_.operands if operand not in away]
    hosts = dict.fromkeys(map(host_of, away))
    touches = operand_touches(row, sorted_, files)
    return deeds_of(row, sorted_, touches, hosts=hosts, safe=not away, known=not away)


def use_checks(row: Row, sorted_: Sorted) -> Deeds:
    """Looks whether a script could be read, and runs nothing of it.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_checks(*row_and_sorted("bash -n build.sh")))
    only reads: read build.sh
    >>> print(use_checks(*row_and_sorted("bash build.sh")))
    perhaps more
    """
    # A word with a plus before it takes a flag back, and an address would be fetched.
    plain = all(
        (operand.known and not operand.glob and operand.text[:1] != "+" and ":" not in operand.text)
        or is_no_flag(operand)
        for operand in sorted_.operands
    )
    if not (sorted_.has(row.dry_run_flags) and plain and sorted_.operands[:1]) or sorted_.strange:
        return Deeds()
    return deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands[:1]))


_FROM_FILE: Final = "a file says what else it does"


def use_formatter(row: Row, sorted_: Sorted) -> Deeds:
    """Prints formatted files, or with `-w` and `-i` writes them back.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_formatter(*row_and_sorted("gofmt -l src")))
    only reads: read src/**
    >>> print(use_formatter(*row_and_sorted("gofmt -w src")))
    read src/**, write src, write src/…
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    more = any(
        word.text[:1] == "@" or word.text.casefold().startswith("file:") for word in _told(sorted_)
    )
    if sorted_.has("-w -i"):
        written = [word for touch in touches for word in _formatted(touch)]
        touches += touched(Kind.WRITE, written)
    deeds = deeds_of(row, sorted_, touches, escapes=[_FROM_FILE] if more else [])
    return as_reading(deeds, reads=not sorted_.has("-w -i"))


def _told(sorted_: Sorted) -> list[Word]:
    return [*sorted_.operands, *(value for _, value in sorted_.values)]


def _formatted(read: Touch) -> tuple[Word, ...]:
    """The files that are written back: of a folder, those of the language."""
    word = read.word
    if not (read.tree and word.known) or word.text.endswith(_GO):
        return (word,)
    finding = (Exact(text="find"), word, Exact(text="-name"), Exact(text=f"*{_GO}"))
    below = Below(text=f"{word.path.rstrip('/')}/…", by=(finding,))
    return (below,) if word.text.endswith((".", "/")) else (word, below)


def use_openssl(row: Row, sorted_: Sorted) -> Deeds:
    """Shows certificates, sums and random numbers; all else is not known.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_openssl(*row_and_sorted("openssl x509 -in a.pem -noout -text")))
    only reads: read a.pem
    >>> print(use_openssl(*row_and_sorted("openssl genrsa -out a.pem")))
    perhaps more: write a.pem, -out writes a file
    """
    order = sorted_.words[0].text if sorted_.words and sorted_.words[0].known else ""
    sorted_ = sort_words(row, sorted_.words[1:])
    tells = order in _SHOWS and not sorted_.has(_MAKES)
    reads = tells or (order in _COUNTS and not sorted_.has(_MAKES))
    # What it opens may be an address of a store, with a colon in it.
    plain = not any(":" in touch.word.text for touch in sorted_.touches)
    files = [] if order in {"rand", "list", "ciphers", "version"} else sorted_.operands
    hosts = dict.fromkeys(map(host_of, sorted_.of("-connect")))
    safe = reads and plain and not hosts
    deeds = deeds_of(row, sorted_, touched(Kind.READ, files), hosts=hosts, safe=safe)
    return deeds if deeds.reading else evolve(deeds, known=False)


def use_printenv(row: Row, sorted_: Sorted) -> Deeds:
    """Prints variables; all of them at once, or a secret one, is no harmless reading.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_printenv(*row_and_sorted("printenv LANG")))
    only reads
    >>> print(use_printenv(*row_and_sorted("printenv")))
    not only reads
    """
    named = sorted_.operands
    safe = all(
        word.known and _NAME.fullmatch(word.text) and not tells_secrets(f"${word.text}")
        for word in named
    )
    asks = bool(named) or sorted_.has("--help --version")
    return deeds_of(row, sorted_, (), safe=safe and asks)


def use_tee(row: Row, sorted_: Sorted) -> Deeds:
    """Copies its input to files; `/dev/null` and the like keep nothing.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_tee(*row_and_sorted("tee /dev/null")))
    only reads: write /dev/null
    >>> print(use_tee(*row_and_sorted("tee -a log.txt")))
    write log.txt
    """
    kept = [
        operand for operand in sorted_.operands if not (operand.known and operand.text in NOWHERE)
    ]
    deeds = deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands))
    return as_reading(deeds, reads=not kept)


def use_dpkg(row: Row, sorted_: Sorted) -> Deeds:
    """Tells which packages there are; with every other order it changes them.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_dpkg(*row_and_sorted("dpkg -l")))
    only reads
    >>> print(use_dpkg(*row_and_sorted("dpkg -i a.deb")))
    perhaps more
    """
    packed = sorted_.operands if sorted_.has("-I -c") else []
    touches = touched(Kind.READ, packed)
    return deeds_of(row, sorted_, touches, safe=sorted_.has(_LISTS), known=sorted_.has(_LISTS))


_SCHEMA: Final = ("values.schema.json", "charts")
"""What of a chart may name a schema that is fetched."""


def use_charts(row: Row, sorted_: Sorted) -> Deeds:
    """Looks through charts that lie here, as long as they have no schema, which may be elsewhere.

    >>> from assent.gate.programs.study import study
    >>> from assent.gate.programs.read_lines import read_script
    >>> deeds = study(read_script("helm lint helm/shop").commands[0])
    >>> print(deeds, *deeds.steered_by)
    only reads: read helm/shop/** helm/shop/values.schema.json helm/shop/charts
    """
    charts = [operand.text.rstrip("/") for operand in sorted_.operands] or ["."]
    plain = all(
        operand.known and not (operand.glob or operand.home) and ":" not in operand.text
        for operand in sorted_.operands
    )
    packed = any(chart.casefold().endswith((".tgz", ".gz")) for chart in charts)
    touches = operand_touches(row, sorted_, sorted_.operands)
    deeds = deeds_of(row, sorted_, touches, safe=plain and not packed)
    return evolve(
        deeds, steered_by=tuple(f"{chart}/{name}" for chart in charts for name in _SCHEMA)
    )


_UNPACKED: Final = late(
    r"(?i).*\.(?:tar|tgz|tbz2?|txz|[gx]z|bz2|zip|jar|[ew]ar|deb|rpm|whl|z|7z)|HEAD|master"
    r"|[\da-f]{5,40}|.*[~^@:].*|\+.*"
)


def use_counts(row: Row, sorted_: Sorted) -> Deeds:
    """Counts lines of files and folders; an archive, or a state of git, would be unpacked first.

    A flag may begin with a plus as well, and a file with more of them with an `@`.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_counts(*row_and_sorted("cloc src")))
    only reads: read src/**
    >>> print(use_counts(*row_and_sorted("cloc a.zip")))
    read a.zip/**
    """
    plain = all(
        operand.known and not _UNPACKED.fullmatch(operand.text) for operand in sorted_.operands
    )
    plain = plain and not any(operand.glob for operand in sorted_.operands)
    touches = operand_touches(row, sorted_, sorted_.operands)
    return deeds_of(row, sorted_, touches, safe=plain)


_VARIABLES: Final = late(r"(?:\s*,?\s*\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*))+\s*")
_VARIABLE: Final = late(r"\w+")


def use_envsubst(row: Row, sorted_: Sorted) -> Deeds:
    """Fills the variables that it is told of into what it is fed; without any, it fills in all.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_envsubst(*row_and_sorted("envsubst '$REGION ${STAGE}'")))
    only reads
    >>> print(use_envsubst(*row_and_sorted("envsubst '$API_TOKEN'")))
    not only reads
    >>> print(use_envsubst(*row_and_sorted("envsubst")))
    not only reads
    """
    words = sorted_.operands
    safe = len(words) == 1 and all(
        word.known
        and _VARIABLES.fullmatch(word.text)
        and not any(tells_secrets(f"${name}") for name in _VARIABLE.findall(word.text))
        for word in words
    )
    return deeds_of(row, sorted_, (), safe=safe or sorted_.has("--help --version"))


_FROM_ANOTHER: Final = late(r"(?i)extends|from-file|\\")
_OWN: Final = late(r"\W*extends\W+(?:default|relaxed)(?=[\"']?\s*(?:[,}\n]|\Z))")
_OF_ITS_OWN: Final = frozenset(("default", "relaxed"))
"""What is no setting is a name to it: one of these, or a file's."""


def use_lint(row: Row, sorted_: Sorted) -> Deeds:
    """Looks through files; settings among its words may stand on those of a file.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_lint(*row_and_sorted("yamllint -d relaxed a.yaml")))
    only reads: read a.yaml/**
    >>> print(use_lint(*row_and_sorted("yamllint -d 'extends: .env' a.yaml")))
    read a.yaml/**, its settings may stand on another file
    """
    given = sorted_.of("-d --config-data")
    more = any(not word.known or _leans(word.text) for word in given)
    escapes = ["its settings may stand on another file"] if more else []
    return deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands), escapes=escapes)


def _leans(settings: str) -> bool:
    if ":" not in settings:
        return settings not in _OF_ITS_OWN
    return _FROM_ANOTHER.search(_OWN.sub("", settings, count=1)) is not None


def use_modules(row: Row, sorted_: Sorted) -> Deeds:
    """Tells of packages; one of a version that stands with its name would be asked for elsewhere.

    >>> from assent.gate.programs.study import study
    >>> from assent.gate.programs.read_lines import read_script
    >>> for line in ("go list -deps ./cmd/...", "go list -m golang.org/x/mod@latest"):
    ...     print(study(read_script(line).commands[0]))
    only reads: look ./cmd/**
    perhaps more
    """
    named = sorted_.operands
    safe = all(word.known and not word.glob and "@" not in word.text for word in named)
    # By its template it can ask for any module.
    safe = safe and all(word.known and "module" not in word.text for word in sorted_.of("-f"))
    here = [word for word in named if word.known and word.text[:1] in {".", "/"}]
    paths = [part_of(word, word.text.removesuffix("...").rstrip("/") or "/") for word in here]
    deeds = deeds_of(row, sorted_, operand_touches(row, sorted_, paths), safe=safe)
    # Of a program it also asks git in which state it is.
    return evolve(deeds, git_from=((),))


_GRAPH: Final = frozenset("targets commands rules graph compdb inputs list".split())
"""What `ninja` tells before it opens the files that it keeps."""


def use_ninja(row: Row, sorted_: Sorted) -> Deeds:
    """Tells what it would build; all else of it builds, or keeps files of its own.

    >>> from assent.gate.programs.study import study
    >>> from assent.gate.programs.read_lines import read_script
    >>> for line in ("ninja -C build -t targets all", "ninja -t clean", "ninja app"):
    ...     print(study(read_script(line).commands[0]))
    only reads: look build
    perhaps more
    perhaps more
    """
    words = sorted_.of("-t")
    safe = bool(words) and all(word.known and word.text in _GRAPH for word in words)
    return deeds_of(row, sorted_, (), safe=safe)
