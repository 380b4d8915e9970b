"""Parses the notation of rules: returns a rule, or explains how to write it.

What stands in the brackets is compared, never run: there is no pattern language but `*`, `**` and
`?` in paths, a leading `*.` in hosts, and a trailing `:*` after the words of a command.
"""

import re
import shlex
from collections.abc import Callable, Iterable
from typing import Any, Final

from assent.gate.call.verdicts import Verdict
from assent.gate.programs.variables import is_dangerous, is_plain, only_says_where
from assent.gate.rules.arguments import Arguments, arguments_of, braced, check_tool
from assent.gate.rules.spelling import (
    EXAMPLES,
    OTHERS,
    RuleRefused,
    brief,
    listed,
    meant_by,
    with_host,
    without_stars,
    without_wildcard,
)
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.text.addresses import address_of, host_of
from assent.gate.text.host_and_port import MAX_PORT, host_and_port
from assent.gate.text.lazy_patterns import late

__all__ = ["EFFECTS", "TOOLS", "RuleRefused", "tool_of", "written"]

_VARIABLE: Final = late(r"[A-Za-z_]\w*=", re.ASCII)
_QUOTED: Final = late(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.""", re.DOTALL)

MAX_RULE_LETTERS: Final = 4_096
MAX_WORDS: Final = 64
MAX_SEGMENTS: Final = 128

EFFECTS: Final = frozenset(
    "read read:inside read:outside write write:inside write:outside"
    " delete delete:inside delete:outside execute external network".split()
)
"""What rules about effects may name."""


def written(text: str, verdict: Verdict, **more: Any) -> WrittenRule:
    """The rule that a text stands for, with what else is known of it.

    >>> rule = written("shell(PORT=80 npm test:*)", Verdict.ALLOW)
    >>> rule.variables, rule.words, rule.exact
    ((('PORT', '80'),), ('npm', 'test'), False)
    >>> written("Bash(npm test *)", Verdict.ALLOW)
    Traceback (most recent call last):
        ...
    assent.gate.rules.spelling.RuleRefused: Write `shell(npm test:*)`.
    """
    if not isinstance(text, str) or not text.strip():
        raise RuleRefused("A rule is a text such as `shell(git status:*)`.")
    if len(text) > MAX_RULE_LETTERS:
        raise RuleRefused(f"It is longer than {MAX_RULE_LETTERS:,} characters.")
    if not text.isprintable():
        raise RuleRefused("It has characters that cannot be seen.")
    text = text.strip()
    tool, bracket, rest = text.partition("(")
    arguments: Arguments = ()
    if tool == "mcp" and rest.endswith("}") and "){" in rest:
        rest, _, named = rest[:-1].partition("){")
        rest, arguments = f"{rest})", arguments_of(named)
    if tool not in _READERS or not bracket or not rest.endswith(")"):
        raise RuleRefused(meant_by(text))
    about = rest[:-1].strip()
    if not about:
        raise RuleRefused(f"Nothing stands between the brackets: write {EXAMPLES[tool]}.")
    about = _all(tool, verdict) if about in _ALL.get(tool, ()) else _READERS[tool](about, verdict)
    body = about.removesuffix(":*") if tool == "shell" and about != "*" else ""
    variables, words = _parted(_split(body))
    if more.get("in_sandbox") and (verdict is not Verdict.ALLOW or tool != "shell"):
        raise RuleRefused("Only a rule that allows commands counts in the sandbox alone.")
    return WrittenRule(
        text=f"{tool}({about}){braced(arguments)}",
        verdict=verdict,
        tool=tool,
        words=words,
        variables=variables,
        arguments=arguments,
        exact=body == about,
        **more,
    )


def tool_of(text: object) -> str:
    """The tool that a refused rule was surely about, or `*` where that cannot be told.

    >>> tool_of("Bash(npm test"), tool_of("no rule at all")
    ('shell', '*')
    """
    tool = text.partition("(")[0].strip().casefold() if isinstance(text, str) else ""
    tool = OTHERS.get(tool, tool)
    return tool if tool in TOOLS else "*"


_SEVERAL: Final = late(r"[,;|]\s*(?:[!.~]?/|(?:read|write)\()")
"""Where a second path begins in what is meant for a list."""
_CLOSED: Final = late(r"[^()]*\)")


def _parted(words: tuple[str, ...]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The variables that stand before a program, and the program with its words."""
    at = next((at for at, word in enumerate(words) if not _VARIABLE.match(word)), len(words))
    pairs = (word.partition("=") for word in words[:at])
    return tuple((name, value) for name, _, value in pairs), words[at:]


def _check_variables(variables: Iterable[tuple[str, str]], verdict: Verdict) -> None:
    """What denies or asks is about every spelling, and some variables nothing may allow."""
    for name, value in variables:
        if verdict is not Verdict.ALLOW:
            raise RuleRefused(
                "A rule that denies or asks is about a command whatever it is given: leave out"
                f" `{brief(name)}`."
            )
        if is_dangerous(name) and not (is_plain(name, value) or only_says_where(name)):
            raise RuleRefused(
                f"`{brief(name)}` may decide what other programs do: no rule allows it."
            )


_ALL: Final = {
    **dict.fromkeys(("shell", "mcp", "run", "agent"), ("*",)),
    **dict.fromkeys(("read", "write"), ("*", "**")),
    "fetch": ("*", "domain:*"),
    "network": ("*",),
}
"""How a rule about all that a tool may do is written."""
_TOO_MUCH: Final = {"mcp": "mcp(server:*)", "run": "mcp(server:tool)", "agent": "agent(NAME)"}
"""Where no rule allows all, and what is written instead."""


def _all(tool: str, verdict: Verdict) -> str:
    example = _TOO_MUCH.get(tool)
    if example and verdict is Verdict.ALLOW:
        raise RuleRefused(f"Allowing `{tool}(*)` is too much for one rule: write `{example}`.")
    return "*"


def _shell(about: str, verdict: Verdict) -> str:
    body = about.removesuffix(":*")
    words = _split(body)
    variables, named = _parted(words)
    _check_variables(variables, verdict)
    if not named:
        raise RuleRefused("It names no program: write `shell(git status:*)`, or `shell(*)`.")
    if len(words) > MAX_WORDS:
        raise RuleRefused(f"It has more than {MAX_WORDS} words.")
    bare = _QUOTED.sub("", body)
    if "*" in bare:
        raise RuleRefused(without_wildcard(words))
    if re.search(r"[;&|<>`]|\$\(", bare):
        raise RuleRefused(
            "It is about one simple command: each command of a list or a pipe needs a rule of its"
            " own, and redirects are `read()` and `write()` of their files."
        )
    return about


def _split(body: str) -> tuple[str, ...]:
    if not re.search(r"['\"\\]", body):
        return tuple(body.split())
    try:
        return tuple(shlex.split(body))
    except ValueError as error:
        raise RuleRefused("A quote is opened in it and never closed.") from error


def _path(about: str, verdict: Verdict) -> str:
    if about.startswith("**/"):
        about = f"./{about}"
    if not about.startswith(("./", "~/", "/")) and about not in {".", "~"}:
        raise RuleRefused(
            "A path begins with `./` for the workspace, `~/` for your home, or `/`: write"
            f" `{brief('./' + about)}`."
        )
    if _SEVERAL.search(about) or about.count("(") != about.count(")") or _CLOSED.match(about):
        raise RuleRefused("A rule is about one path: write one rule for each.")
    segments = about.split("/")
    if ".." in segments:
        raise RuleRefused("A path has no `..` in it: write where it leads.")
    if len(segments) > MAX_SEGMENTS:
        raise RuleRefused(f"It has more than {MAX_SEGMENTS} folders.")
    if re.search(r"\{[^{}/]*,[^{}/]*\}", about):
        raise RuleRefused("Braces are no pattern here: write one rule for each of them.")
    mixed = next((segment for segment in segments if "**" in segment and segment != "**"), None)
    if mixed is not None:
        raise RuleRefused(without_stars(mixed, widens=verdict is not Verdict.ALLOW))
    return about


def _fetch(about: str, _: Verdict) -> str:
    kind, colon, host = about.partition(":")
    if kind != "domain" or not colon:
        raise RuleRefused(with_host(about))
    host = host.strip().rstrip(".").lower()
    if not host.isascii():
        raise RuleRefused("A host is written as it stands in addresses, such as `xn--p1ai`.")
    if not re.fullmatch(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]", host):
        raise RuleRefused(
            "A host is a name without scheme, port or path: write `fetch(domain:example.org)`, or"
            " `fetch(domain:*.example.org)` for what lies below it."
        )
    return f"domain:{_numbered(host) if host.startswith('[') else host}"


def _network(about: str, _: Verdict) -> str:
    host, port = host_and_port(about)
    host = host.strip().lower().rstrip(".")
    is_named = port != "" or about.endswith(":")
    if is_named and not (_PORT.fullmatch(port) and int(port) <= MAX_PORT):
        raise RuleRefused(f"A port is a number from 1 to {MAX_PORT:,}: write `{_EXAMPLE}`.")
    name = host.removeprefix("*.")
    address = host_of(name)
    if name == "*" and port:
        return f"*:{port}"
    if address is None or (":" in name and not name.startswith("[")):
        raise RuleRefused(
            f"A host is a name without scheme or path, and its port follows: write `{_EXAMPLE}`, or"
            " `network(*.example.org:443)` for what lies below it."
        )
    below = "*." if host.startswith("*.") else ""
    return f"{below}{address.host}{f':{port}' if port else ''}"


_PORT: Final = late(r"[1-9][0-9]{0,4}")
_EXAMPLE: Final = "network(example.org:443)"


def _numbered(host: str) -> str:
    """An address of numbers in its one spelling, as the hosts of calls have it."""
    address = address_of(f"https://{host}/")
    if address is None:
        raise RuleRefused(f"`{brief(host)}` is no address.")
    return address.host


def _mcp(about: str, verdict: Verdict) -> str:
    check_tool(about, allows=verdict is Verdict.ALLOW)
    return about


def _run(about: str, _verdict: Verdict) -> str:
    kind, _, name = about.partition(":")
    if kind not in {"node", "workflow"} or not name or ("*" in name and name != "*"):
        raise RuleRefused(
            "Say what is run: write `run(workflow:NAME)`. A server's tool is `mcp(server:tool)`."
        )
    return about


def _agent(about: str, _verdict: Verdict) -> str:
    if "*" in about:
        raise RuleRefused("An agent is named in full: write `agent(NAME)`.")
    return about


def _effect(about: str, verdict: Verdict) -> str:
    if verdict is Verdict.ALLOW:
        raise RuleRefused("Rules about effects ask or deny; what is allowed names a tool.")
    if about not in EFFECTS:
        raise RuleRefused(f"There is no effect of that name: it is one of {listed(EFFECTS)}.")
    return about


_READERS: Final[dict[str, Callable[[str, Verdict], str]]] = {
    "shell": _shell,
    "read": _path,
    "write": _path,
    "fetch": _fetch,
    "network": _network,
    "mcp": _mcp,
    "run": _run,
    "agent": _agent,
    "effect": _effect,
}

TOOLS: Final = tuple(_READERS)
"""The tools that rules may be about."""
