"""Tools that fetch packages and images, or talk to a service: when they leave the machine."""

from collections.abc import Iterable
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted, literal_head, part_of, sort_words
from assent.gate.programs.outcome import deeds_of
from assent.gate.programs.rows import Row
from assent.gate.programs.tables import git_by_name
from assent.gate.programs.tables.addresses import host_of, is_away
from assent.gate.programs.tables.git_change_words import cloned
from assent.gate.programs.tables.mounts import mounted
from assent.gate.shell.word import Exact, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = [
    "use_docker",
    "use_fetchers",
    "use_gh",
    "use_npm",
    "use_pip",
    "use_servers",
]

_FETCHING: Final = frozenset(
    """install i in ci add update up upgrade publish unpublish deprecate owner access dist-tag view
    info search audit outdated login logout whoami ping create dlx download wheel sync
    lock fetch yank get push pull fetch restore require co checkout clone deps.get deps.update
    hex.publish init plan apply destroy refresh toolchain self-update deploy tap dist-upgrade
    full-upgrade makecache -S -Sy -Syu""".split()
)
"""The words with which a tool for packages reaches where they come from, or go to."""

_QUIET: Final = frozenset({"exec", "x", "run", "test", "build", "list", "ls"})
_IMAGES: Final = frozenset({"pull", "push", "login", "logout", "search"})
_NPM_READS: Final = frozenset("ls list ll la root prefix bin explain why".split())
_NPM_TELLS: Final = frozenset(
    ("config get", "config list", "config ls", "c get", "c ls", "pkg get", "run", "run-script")
)
"""Commands with which npm only prints; `run` without a script lists them."""
_PIP_READS: Final = frozenset("list show freeze check".split())
_TALK: Final = frozenset(
    """create comment edit view list close status review checks diff merge ready reopen""".split()
)
_SHOWS: Final = frozenset(
    f"{thing} {what}"
    for thing in "run repo release workflow label".split()
    for what in ("list", "view")
)
_TEXTS: Final = frozenset("-b --body -t --title --description --message --subject".split())
"""Flags whose value is a text for people."""
_ADDRESS: Final = late(r"[^\s:]*://")
_BLANK: Final = late(r"\s")
_UNTOLD: Final = ("-o", "--output", "--iidfile", "--metadata-file", "--secret", "--ssh")
_SERVER_FLAGS: Final = frozenset("-h --host -s --server -connect".split())
_VALUED: Final = frozenset(
    """-f --file -t --tag --target --build-arg --platform --progress --cache-from --cache-to
    --label --network --build-context --add-host -m --memory""".split()
)


def use_npm(row: Row, sorted_: Sorted) -> Deeds:
    """Lists packages, or reaches where they come from.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_npm(*row_and_sorted("npm ls")))
    only reads
    >>> print(use_npm(*row_and_sorted("npm install -g left-pad")))
    perhaps more: write /usr/local/lib/node_modules, reach ?
    """
    said = [word.text for word in sorted_.operands]
    touches = []
    reads = "npm" in row.names and said[:1] != [] and said[0] in _NPM_READS
    # What one of them does not know is a script of the project to it.
    reads = reads and (row.names, said[0]) != ("pnpm", "explain")
    reads = reads or ("npm" in row.names and " ".join(said[:2]) in _NPM_TELLS)
    bare = not said and "yarn" in row.names and not sorted_.words
    hosts = ("?",) if bare else _fetched(sorted_.words, said)
    if hosts and sorted_.has("-g --global"):
        touches.append(Touch(kind=Kind.WRITE, word=Exact(text="/usr/local/lib/node_modules")))
    prefix = sorted_.found.get("--prefix")
    if hosts and prefix is not None:
        touches.append(Touch(kind=Kind.WRITE, word=prefix, tree=True))
    deeds = deeds_of(row, sorted_, touches, known=reads, hosts=hosts)
    return _as_reading(deeds, reads=reads and not sorted_.strange and not sorted_.loose)


def use_pip(row: Row, sorted_: Sorted) -> Deeds:
    """Lists packages, or reaches where they come from.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_pip(*row_and_sorted("pip list")))
    only reads
    >>> print(use_pip(*row_and_sorted("pip install -r requirements.txt")))
    perhaps more: read requirements.txt, reach ?
    """
    said = [word.text for word in sorted_.operands]
    reads = bool(said) and said[0] in _PIP_READS
    hosts = () if reads else _fetched(sorted_.words, said)
    deeds = deeds_of(row, sorted_, (), known=reads, hosts=hosts)
    return _as_reading(deeds, reads=reads and not sorted_.strange and not sorted_.loose)


def _as_reading(deeds: Deeds, *, reads: bool) -> Deeds:
    if not reads or deeds.escapes:
        return deeds
    return evolve(deeds, reading=True, known=True)


def use_fetchers(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches a host where its first words say so; nothing else is known.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_fetchers(*row_and_sorted("cargo add serde")))
    perhaps more: reach ?
    >>> print(use_fetchers(*row_and_sorted("cargo build")))
    perhaps more
    """
    said = [word.text for word in sorted_.words if not word.text.startswith("+")]
    return deeds_of(row, Sorted(), (), hosts=_fetched(sorted_.words, said), known=False)


def use_servers(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches the server that a flag names; nothing else is known.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_servers(*row_and_sorted("redis-cli -h db.org get a")))
    perhaps more: reach db.org
    """
    servers = [value for flag, value in sorted_.values if flag in _SERVER_FLAGS]
    hosts = [*map(host_of, servers), *_addressed(sorted_.words)]
    return deeds_of(row, sorted_, (), hosts=dict.fromkeys(hosts), known=False)


def _fetched(words: Iterable[Word], said: list[str]) -> tuple[str, ...]:
    """The hosts that are named, or `?` if none is and a word says that one is reached."""
    named = _addressed(words)
    first = [text for text in said if not text.startswith("-") or text in _FETCHING][:2]
    reaches = first[:1] != [] and (
        first[0] in _FETCHING or (first[0] not in _QUIET and bool(_FETCHING & set(first[1:])))
    )
    return (*named, "?") if reaches and not named else named


def _addressed(words: Iterable[Word]) -> tuple[str, ...]:
    """The hosts of all addresses among the words."""
    found = [
        host_of(part_of(word, word.text[word.text.rfind("=", 0, word.text.find("://")) + 1 :]))
        for word in words
        if "://" in word.text
    ]
    return tuple(dict.fromkeys(found))


def use_gh(row: Row, sorted_: Sorted) -> Deeds:
    """Talks to the service; an address in a title or a body is only text.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_gh(*row_and_sorted("gh pr create --title 'See https://x.org'")))
    reach github.com
    >>> print(use_gh(*row_and_sorted("gh repo clone me/app lib -- --depth 1")))
    perhaps more: write lib/**, reach github.com
    >>> print(use_gh(*row_and_sorted("gh api https://x.org/a")))
    reach github.com, reach x.org
    """
    said = [word.text for word in sorted_.operands[:2]]
    talks = said[:1] in (["pr"], ["issue"], ["mr"]) and said[1:] != [] and said[1] in _TALK
    shows = " ".join(said) in _SHOWS or (said[:1] == ["api"] and not sorted_.has("-f -F"))
    host = "github.com" if row.names.startswith("gh") else "gitlab.com"
    named = _addressed(filter(_is_address, _to_talk_to(sorted_)) if talks else sorted_.words)
    touches = _cloned(sorted_) if said == ["repo", "clone"] else ()
    return deeds_of(row, sorted_, touches, hosts=(host, *named), known=talks or shows)


def _cloned(sorted_: Sorted) -> list[Touch]:
    """What git does that is told by it to clone; what stands behind `--` is git's."""
    row = git_by_name()["clone"]
    return cloned(sort_words(row, tuple(sorted_.operands[2:])))


def _to_talk_to(sorted_: Sorted) -> list[Word]:
    """All words but texts for people; a text that the shell may split counts as words."""
    flags = [word for word in sorted_.words if word.text.startswith("-")]
    given = [*sorted_.values, *((word.text.partition("=")[0], word) for word in flags)]
    return [
        *sorted_.operands,
        *(word for flag, word in given if flag not in _TEXTS or word.several),
    ]


def _is_address(word: Word) -> bool:
    """Whether it begins as an address, or may."""
    begun = word.text if word.known else literal_head(word)
    if _ADDRESS.match(begun):
        return True
    return not word.known and "://" in word.text and not _BLANK.search(begun)


def use_docker(row: Row, sorted_: Sorted) -> Deeds:
    """Copies, builds, or runs with folders of this machine; all else is not known.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_docker(*row_and_sorted("docker run -v ./data:/data app")))
    perhaps more: read ./data/**
    >>> print(use_docker(*row_and_sorted("docker build -f ci/Dockerfile .")))
    read ci/Dockerfile, read ./**
    """
    said = [word for word in sorted_.words if not word.text.startswith("-")]
    order = said[0].text if said else ""
    if order in {"image", "container", "buildx", "compose"} and said[1:]:
        said = said[1:]
        order = said[0].text
    hosts = _addressed(sorted_.words)
    if order in _IMAGES:
        hosts = (*hosts, *(map(_registry, said[1:2]) if said[1:] else ("?",)))
    if order == "build":
        return _built(row, sorted_.words[sorted_.words.index(said[0]) + 1 :])
    touches: list[Touch] = []
    if order == "cp":
        kinds = zip((Kind.READ, Kind.WRITE), said[1:3], strict=False)
        touches = [
            Touch(kind=kind, word=word, tree=kind is Kind.READ)
            for kind, word in kinds
            if ":" not in word.text
        ]
    elif not {"run", "create"}.isdisjoint(word.text for word in said[:3]):
        touches = touched(Kind.READ, mounted(sorted_.words), tree=True)
    return deeds_of(row, Sorted(), touches, hosts=hosts, known=False)


def _registry(image: Word) -> str:
    """The host that an image comes from, where its name begins with one."""
    host, slash, _ = image.text.partition("/")
    return host_of(part_of(image, host)) if slash and ("." in host or ":" in host) else "?"


def _built(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reads what a container is built from."""
    touches: list[Touch] = []
    hosts = _addressed(words)
    known, skip = True, False
    for at, word in enumerate(words):
        flag, equals, value = word.text.partition("=")
        if skip:
            skip = False
        elif not word.text.startswith("-"):
            fetched = is_away(word.text)
            hosts += ("?",) if fetched else ()
            touches += [] if fetched else [Touch(kind=Kind.READ, word=word, tree=True)]
        else:
            known = known and not word.text.startswith(_UNTOLD) and word.known
            skip = flag in _VALUED and not equals
            given = part_of(word, value) if equals else next(iter(words[at + 1 : at + 2]), None)
            if flag in {"-f", "--file"} and given is not None:
                touches.append(Touch(kind=Kind.READ, word=given))
    return deeds_of(row, Sorted(), touches, hosts=hosts, known=known)
