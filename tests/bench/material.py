"""The rules and calls that decisions are measured with, in no engine's words.

Six in ten rules are about commands, two about files, and the rest about tools and hosts; half of
the calls meet a rule. They keep to what all engines mean alike, so that each has the same to say.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

__all__ = ["SIZES", "calls_for", "rules_of"]

SIZES: Final = (10, 1_000, 10_000)

_CALLS: Final = 600
_LISTS: Final = 150
_SHARES: Final = (("shell", 60), ("path", 20), ("mcp", 13), ("fetch", 7))
_VERDICTS: Final = ("allow",) * 7 + ("ask",) * 2 + ("deny",)

_RUNNERS: Final = (
    "npm run;pnpm run;yarn run;bun run;deno task;composer run;nx run;turbo run;make;just;task"
    ";gradle;mvn;rake;mix;bazel run"
).split(";")
_VERBS: Final = (
    "build test lint check format clean deploy release pack watch serve start migrate seed sync"
    " fetch index bench audit docs stage report trim merge sort"
).split()
_NOUNS: Final = (
    "api app web core docs site admin auth cart mail jobs data logs home shop feed maps chat news"
    " bank menu tags team user view item page card list form"
).split()
_REST: Final = ("", "--verbose", "--port {}", "-- --filter {}", "--env staging {}", "{} --quiet")

Rule = dict[str, Any]
Call = dict[str, Any]


def rules_of(size: int) -> list[Rule]:
    """That many rules, of each kind its share, in no order."""
    rules = []
    for kind, share in _SHARES:
        count = max(1, size * share // 100)
        verdicts = _chance(kind, size)
        rules += [
            {"kind": kind, "verdict": verdicts.choice(_VERDICTS), **_ABOUT[kind](number)}
            for number in _order(kind)[:count]
        ]
    _chance("all", size).shuffle(rules)
    return rules


def calls_for(rules: list[Rule]) -> list[Call]:
    """Calls of each kind its share, half of which meet a rule.

    With them come lists of three commands, and paths that are only to be located.
    """
    calls: list[Call] = []
    for kind, share in _SHARES:
        met = [rule for rule in rules if rule["kind"] == kind]
        unmet = [{"kind": kind, **_ABOUT[kind](number)} for number in _order(kind)[-600:]]
        chance = _chance(kind, len(rules))
        for number in range(_CALLS * share // 100):
            rule = chance.choice((met, unmet)[number % 2])
            calls.append(_CALLED[kind](rule, chance.randrange(1_000_000)))
    calls += _lists([call["command"] for call in calls if call["kind"] == "shell"])
    calls += [{**call, "kind": "locate"} for call in calls if call["kind"] == "path"]
    _chance("all", len(rules)).shuffle(calls)
    return calls


def _lists(commands: list[str]) -> Iterator[Call]:
    chance = _chance("list", len(commands))
    for _ in range(_LISTS):
        yield {"kind": "list", "command": " && ".join(chance.sample(commands, 3))}


def _order(kind: str) -> list[int]:
    """All that rules of a kind may be about, shuffled: the first are, the last never are."""
    numbers = list(range(len(_RUNNERS) * len(_VERBS) * len(_NOUNS)))
    _chance(kind, 0).shuffle(numbers)
    return numbers


def _chance(kind: str, size: int) -> Random:
    return Random(f"{kind} {size}")  # noqa: S311 -- the same in every run


def _task(number: int) -> tuple[str, str]:
    number, noun = divmod(number, len(_NOUNS))
    number, verb = divmod(number, len(_VERBS))
    return _RUNNERS[number], f"{_VERBS[verb]}-{_NOUNS[noun]}"


def _command(number: int) -> Rule:
    runner, task = _task(number)
    return {"words": [*runner.split(), task]}


def _files(number: int) -> Rule:
    runner, task = _task(number)
    folder = f"{('src', 'docs', 'tests')[number % 3]}/{runner.split()[0]}/{task}"
    ending = ("", ".md", "", ".json")[number % 4]
    return {"verb": ("read", "write")[number // 2 % 2], "folder": folder, "ending": ending}


def _tool(number: int) -> Rule:
    runner, task = _task(number)
    return {"server": runner.replace(" ", "-"), "tool": task}


def _host(number: int) -> Rule:
    runner, task = _task(number)
    return {"host": f"{task}.{runner.replace(' ', '-')}.example", "below": number % 2 == 0}


def _run(rule: Rule, number: int) -> Call:
    rest = _REST[number % len(_REST)].format(number)
    if rule["words"][0] == "make":
        # To make what stands behind two dashes is a target.
        rest = rest.replace("-- --filter ", "FILTER=")
    return {"kind": "shell", "command": " ".join([*rule["words"], rest]).strip()}


def _touch(rule: Rule, number: int) -> Call:
    inner = f"file{number}{rule['ending']}" if rule["ending"] else f"part{number % 9}/x{number}.py"
    return {"kind": "path", "verb": rule["verb"], "path": f"{rule['folder']}/{inner}"}


def _use(rule: Rule, number: int) -> Call:
    return {"kind": "mcp", "server": rule["server"], "tool": rule["tool"], "number": number}


def _get(rule: Rule, number: int) -> Call:
    host = f"www.{rule['host']}" if rule["below"] else rule["host"]
    return {"kind": "fetch", "host": host, "url": f"https://{host}/page/{number}"}


_ABOUT: Final = {"shell": _command, "path": _files, "mcp": _tool, "fetch": _host}
_CALLED: Final = {"shell": _run, "path": _touch, "mcp": _use, "fetch": _get}
