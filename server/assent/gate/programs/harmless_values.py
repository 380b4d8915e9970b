"""Values that make a flag harmless although its name or a scope warns of it."""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from assent.gate.programs.deeds import NOWHERE
from assent.gate.programs.escapes import Escape
from assent.gate.programs.flag_lexicon import Meaning
from assent.gate.programs.reports import by_hand_in, is_made, is_report
from assent.gate.programs.rows import Flag
from assent.gate.programs.tables.mounts import sources_in
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late
from assent.gate.text.switches import OFF

__all__ = ["is_built", "is_local", "is_mild"]

_FORMATS: Final = late(
    r"(?:json|jsonl|json-pretty|ndjson|yaml|yml|toml|xml|csv|tsv|text|txt|table|wide|name|plain"
    r"|pretty|human|short|long|full|compact|stylish|unix|html|tap|junit|github|gitlab|sarif"
    r"|concise|grouped|visualstudio|checkstyle|verbose|summary|errors|all|streamed|raw|auto|cat"
    r"|export|quiet|default|line|dot|spec|list|detail|markdown|md|value|values)"
    r"|(?:jsonpath|jsonpath-as-json|custom-columns|go-template|template|table)\b.*"
)
"""Values of `--output` that are formats and no files."""
_OUTPUTS: Final = frozenset("--output -output --out --export -f -o --format --formatter".split())
_LOOPBACK: Final = late(
    r"(?:[a-z][a-z0-9+.-]*://)?(?:[^@/\s]*@)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?)"
    r"(?::\d+)?(?:/\S*)?|:\d+"
)
_LOCAL: Final = late(r"(?![/~{-])(?!.*(?:^|/)\.\.(?:/|$))(?!.*(?:://|[=:\s$`'\"]))\S+")
"""A path in the folder it works in, and no text that says more."""
_FORM: Final = late(r"[a-z][a-z0-9_]*(?::[\w./]+)?(?:[,+-][a-z0-9_]+(?::[\w./]+)?)*")
"""A form of documents by its name, with the file that it goes to; a file alone would be code."""
_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS: Final = frozenset("-X --method --request".split())
_HERE: Final = ("./", ".:", "$PWD", "${PWD}", "$(pwd)", "~+")
_QUOTES: Final = late(r"[\"']")
_NAMED: Final = late(r"[\w][\w.-]*(?::.*)?")
_MOUNTS: Final = frozenset("-v --volume --mount".split())
_SPACES: Final = frozenset("--pid --ipc --uts --userns --cgroupns --network --net".split())
_LOADED: Final = frozenset("--require --import --load".split())
_VARIABLES: Final = late(r"(?!ansible_)[A-Za-z]\w*=[\w.,:+-]*")
_HARMLESS: Final[dict[str, str | tuple[str, ...]]] = {
    "-p": "no:",
    "--acl": "private",
    "--lock": ("deno.lock", "./deno.lock", "lock.json"),
}
"""Beginnings of values that only take something away, or name what such a flag is there for."""
_BUILT: Final = late(
    r"(?:\./)?(?!.*(?:^|/)\.\.(?:/|$))"
    r"(?:dist|build|out|output|public|_?site|target|coverage|storybook-static|tmp|\.next|\.cache"
    r"|vendor|\.?v?env)"
    r"(?:/\S*)?"
)
"""Folders in which a build puts what it makes, and which it empties before."""
_HANDING: Final = frozenset(("-e", "--env", "--build-arg"))
"""Flags by which a container is given a variable."""
_KEPT: Final = late(r"(?i)TOKEN(?!IZ)|SECRET|PASS|KEY|CREDENTIAL|_PAT\b|DSN|_URL\b|\*")
"""What variables are called that hold what is nobody's business; a star stands for several."""
_OF_SERVER: Final = late(r"/(?:healthz|readyz|livez|version|metrics)(?:/[\w-]+)?(?:\?verbose)?")
"""What a server of a cluster tells of itself."""
_OVERVIEWS: Final = late(r"name|wide")
"""Forms of a list in which no values stand."""
_NEAR_PORT: Final = late(r"(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)?(?::?\d{1,5})?")
_SAID: Final = late(r"\"(?:[^\"\\]|\\[^(])*\"|[{,]\s?env\s?:")
"""What in a filter of jq is only said: a text, and the name of a member."""
_OF_ENVIRONMENT: Final = late(r"(?<![\w.])(?:env\b|\$ENV\b)")
"""How a filter of jq reads the variables that the program was given."""
_PRODUCTION: Final = frozenset("prod prd production live".split())
"""How the names of what is in use are told from those of what is tried on."""
_BREAKS: Final = late(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_CLUSTERS: Final = frozenset("--context --kube-context --cluster".split())
_REPOSITORIES: Final = frozenset(("-R", "--repo"))
_OF_FORGE: Final = late(
    r"(?:(?:https://|git@)?(?:www\.)?(?:github|gitlab)\.com[/:])?[\w-]+(?:/[\w.-]+)+/?"
    r"(?:[?#].*)?"
)
"""A repository of the host that a program speaks with unasked: the owner of none has a dot."""
_NEAR_CLUSTER: Final = late(
    r"(?:kind|k3d)-.*|minikube|docker-desktop|rancher-desktop|colima.*|orbstack|microk8s"
)
"""Clusters that a machine has for itself."""
_PLACED: Final = (Escape.WORKS_ELSEWHERE, Escape.LOADS_CODE)


def is_local(value: str) -> bool:
    """Whether a value is a plain path that stays in the folder.

    >>> is_local("conf/jest.config.js"), is_local("../x"), is_local("a=b")
    (True, False, False)
    """
    return _LOCAL.fullmatch(value) is not None


def is_built(folder: str) -> bool:
    """Whether a folder is one that is made anew all the time, so that nobody misses what was in it.

    >>> is_built("dist"), is_built(".venv"), is_built("src")
    (True, True, False)
    """
    return _BUILT.fullmatch(folder.rstrip("/")) is not None


def is_mild(name: str, value: Word | None, why: Flag | Meaning, *, near: bool) -> bool:
    """Whether its value makes a flag harmless that a scope or its name warns of.

    With `near`, a file or folder of the place where it works may be chosen.

    >>> from assent.gate.shell.word import Exact
    >>> [is_mild("-o", Exact(text=it), Meaning.WRITES, near=False) for it in ("json", "a.json")]
    [True, False]
    >>> [is_mild("--host", Exact(text=it), Meaning.STEERS, near=False) for it in ("::1", "x.org")]
    [True, False]
    """
    if value is None or not value.known:
        return _is_mild_anyhow(name, value, why)
    text, reason = value.text, _reason(why)
    # A machine may be called anything.
    if text.casefold() in OFF and reason != Meaning.STEERS:
        return True
    if _says_nothing(name, text, reason):
        return True
    forms = _OVERVIEWS if reason == Escape.SHOWS_SECRETS else _FORMATS
    if name in _OUTPUTS and forms.fullmatch(text):
        return True
    if name in _MOUNTS:
        return _is_mounted(name, value)
    if name in _SPACES:
        return text != "host" and not text.startswith(("container:", "ns:"))
    if reason == Meaning.STEERS:
        chosen = near and isinstance(why, Meaning) and "conf" in name and is_local(text)
        return chosen or _is_near(name, text)
    if reason in _BY_REASON:
        return _BY_REASON[reason](text)
    loads = reason in _PLACED or (reason == Meaning.RUNS and name in _LOADED)
    if loads:
        return near and is_local(text)
    return text.startswith(_HARMLESS.get(name, "\0"))


def _reason(why: Flag | Meaning) -> str:
    return why.escape.partition(" ")[2] if isinstance(why, Flag) else str(why)


def _says_nothing(name: str, text: str, reason: str) -> bool:
    """Whether no file is named, and nothing that is anybody's."""
    if reason == Escape.SHOWS_SECRETS:
        # Without a value of its own a variable has the one that the agent was given.
        kept = name in _HANDING and ("=" in text or _KEPT.search(text) is None)
        return kept or _OF_SERVER.fullmatch(text) is not None
    return text in NOWHERE and reason.startswith("writes")


def _is_mild_anyhow(name: str, value: Word | None, why: Flag | Meaning) -> bool:
    """Whether it is harmless without a value, or whatever that is."""
    if value is None:
        return isinstance(why, Flag) and why.escape.endswith(
            (Escape.OVERWRITES_NON_REPORT, Escape.LISTENS)
        )
    given = name in _HANDING and "=" in value.text
    return given or (name in _MOUNTS and _is_mounted(name, value))


def _is_tried_on(name: str) -> bool:
    words = [it.casefold() for it in _BREAKS.split(name)]
    said = (one for before, one in pairwise(["", *words]) if before != "non")
    return _PRODUCTION.isdisjoint(said)


def _is_file(inventory: str) -> bool:
    return "," not in inventory


_BY_REASON: Final[dict[str, Callable[[str], bool]]] = {
    Escape.OVERWRITES_NON_REPORT: is_report,
    Escape.OVERWRITES_NON_OUTPUT: is_made,
    Escape.OVERWRITES_SOURCE: lambda it: not by_hand_in(it),
    Escape.REACHES_PRODUCTION: _is_tried_on,
    Escape.NAMES_MACHINES: _is_file,
    Escape.DELETES: is_built,
    Escape.RUNS_FILTER: lambda it: _FORM.fullmatch(it) is not None,
    Escape.PICKS_PROGRAM: lambda it: "/" not in it or is_built(it),
    Escape.SHOWS_INPUT: lambda it: _OF_ENVIRONMENT.search(_SAID.sub("", it)) is None,
    Escape.LISTENS: lambda it: _NEAR_PORT.fullmatch(it) is not None,
}
"""What is asked of a value, by why its flag does more."""


def _is_near(name: str, text: str) -> bool:
    """Whether it leads to this machine, or is a request that only asks."""
    if name in _METHODS:
        return text.upper() in _READS
    if name in _CLUSTERS:
        return _NEAR_CLUSTER.fullmatch(text) is not None
    if name in _REPOSITORIES:
        return _OF_FORGE.fullmatch(text) is not None
    if name in {"-e", "--extra-vars"}:
        return _VARIABLES.fullmatch(text) is not None
    return _LOOPBACK.fullmatch(text.casefold()) is not None


def _is_mounted(name: str, value: Word) -> bool:
    """Whether what a container is given lies in the folder, or is a volume with a name."""
    text = _QUOTES.sub("", value.text)
    if name == "--mount":
        found = sources_in(text) or ["volume" if "=" in text else text]
        return all(map(_is_inside, found))
    return _is_inside(text)


def _is_inside(text: str) -> bool:
    inside = text.startswith(_HERE) or text in {".", "~+"}
    return (inside and "/../" not in f"{text.partition(':')[0]}/") or bool(_NAMED.fullmatch(text))
