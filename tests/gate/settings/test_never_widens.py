"""Whatever a workspace's settings contain, they widen nothing by themselves."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.gate.call.modes import LOOSENESS, Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.settings.agents import AgentEntry
from assent.gate.settings.collections import CollectionEntry
from assent.gate.settings.managed import SANDBOX_USES
from assent.gate.settings.manifest import manifest
from assent.gate.settings.model import Settings
from assent.gate.settings.reading import Reading, read, read_unattributed
from assent.gate.settings.wishes import Standing, Wish
from tables import each_row

# A loaded machine is slow and not wrong.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

Said = dict[str, Any]
"""What one layer says."""

KEYS = tuple(field.alias or name for name, field in Settings.model_fields.items())

WIDEST: dict[str, Any] = {
    "mode": "auto",
    "bypassPermissions": {"eliza": True},
    "agents": {"claude": {"command": "npx"}},
    "rules": {"allow": ["shell(*)"]},
    "additionalDirectories": ["/srv"],
    "models": [{"provider": "openai", "model": "m", "url": "https://m.example.org"}],
    "searchUrl": "https://s.example.org/search",
    "mcpServers": {"files": {"command": "files-server"}},
    "nodetool": "~/nodetool/bin/python",
    "nodes": ["~/nodes/*.py"],
    "collectionsUrl": "postgresql://me@db.example.org/docs",
    "collections": {"notes": {"paths": ["~/notes/**"], "embed": "openai:m"}},
    "shell": "zsh",
    "keepChats": {"days": 900},
    "telemetry": {"endpoint": "https://c.example.org", "details": True},
    "hooks": [{"event": "PreToolUse", "command": "check"}],
    "requestsPerTurn": 900,
    "tokensPerTurn": 900_000_000,
    "tokensPerPart": 900_000_000,
    "writesPerTurn": 900,
    "approvalTimeout": 0,
}
"""Of each setting that the server reads, a value that lets more happen than its default."""

WIDE_BY_DEFAULT = {"sandbox"}
"""The settings that can only make less happen."""

text = st.text() | st.characters(categories=["Cs", "Cf", "Cc"])
json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=12,
)
# Half-right values find more than noise does.
ids = st.sampled_from(["eliza", "claude", "other", "*", "Eliza", "nobody"])
agent = st.fixed_dictionaries(
    {"command": st.sampled_from(["npx", "sh", ""]) | json},
    optional={"name": text | json, "args": st.lists(text) | json, "env": json, "more": json},
)
rule = st.sampled_from(
    [
        "shell(npm test)",
        "shell(*)",
        "shell(x *)",
        "read(~/**)",
        "read(.env)",
        "effect(delete)",
        "Bash(x)",
        {"rule": "shell(ls:*)", "matches": ["ls"]},
        {"rule": "shell(ls:*)", "spares": ["ls"]},
        {"rule": "read(./a)", "agent": "nobody", "until": "2030-01-01"},
        {"rule": "read(./a)", "until": "soon"},
        {"rule": "shell(npm test)", "off": True},
        {"rule": "read(~/**)", "off": "yes"},
    ]
)
verdicts = st.sampled_from(["allow", "ask", "deny", "denny"])
rules = st.dictionaries(verdicts, st.lists(rule | json, max_size=4) | json, max_size=3)
folders = st.lists(st.sampled_from(["/srv", "~/x", "../x", "/a/../b", "~"]) | json, max_size=3)
model = st.fixed_dictionaries(
    {"provider": st.sampled_from(["ollama", "openai", "x"]), "model": st.just("m") | json},
    optional={"url": st.sampled_from(["https://m.example.org", "http://m.example.org"])},
)
hook = st.fixed_dictionaries(
    {"event": st.sampled_from(["PreToolUse", "x"]), "command": st.just("check") | json},
    optional={"seconds": st.floats()},
)
collection = st.fixed_dictionaries(
    {
        "paths": st.lists(
            st.sampled_from(["./a/**", "~/x", "/srv/*", "../x", "a/../../b", "**", "~"]) | json,
            max_size=3,
        )
    },
    optional={
        "embed": st.sampled_from(["ollama:m", "openai:m", "x"])
        | st.fixed_dictionaries({"provider": st.just("openai"), "model": st.just("m")})
    },
)
some: dict[str, st.SearchStrategy[Any]] = {
    "mode": st.sampled_from([*Mode]).map(lambda it: it.value) | json,
    "bypassPermissions": st.dictionaries(ids, st.booleans() | json, max_size=4) | json,
    "agents": st.dictionaries(ids, agent | json, max_size=4) | json,
    "rules": rules | json,
    "additionalDirectories": folders | json,
    "models": st.lists(model | json, max_size=3) | json,
    "searchUrl": st.sampled_from(["https://s.example.org/search", "x"]) | json,
    "mcpServers": st.dictionaries(ids, agent | json, max_size=4) | json,
    "nodetool": st.sampled_from(["/usr/bin/python3", "~/nodetool/bin/python", "x"]) | json,
    "nodes": st.lists(st.sampled_from(["~/nodes/*.py", "/srv/a.py", "x"]) | json, max_size=3)
    | json,
    "collectionsUrl": st.sampled_from(["postgresql://me@db.example.org/docs", "x"]) | json,
    "collections": st.dictionaries(ids, collection | json, max_size=3) | json,
    "shell": st.sampled_from(["bash", "zsh", "fish", "x"]) | json,
    "keepChats": st.fixed_dictionaries({}, optional={"days": st.integers() | json}) | json,
    "telemetry": st.fixed_dictionaries({}, optional={"endpoint": text | json}) | json,
    "hooks": st.lists(hook | json, max_size=3) | json,
    "approvalTimeout": st.integers(-1, 900) | st.floats() | json,
    "sandbox": st.sampled_from(SANDBOX_USES) | json,
    "hookWithoutEditor": st.sampled_from(["leave", "deny"]) | json,
    "serverCommand": st.lists(text) | json,
    **{key: st.integers(-1, 900_000_000) | json for key in KEYS if key.endswith(("Turn", "Part"))},
}
"""Values of each setting, some of them right. Of the others any JSON will do."""
values = {key: some.get(key, st.booleans() | json) for key in KEYS}
layer = st.fixed_dictionaries(
    {},
    optional={
        key: st.just(WIDEST[key]) | values[key] if key in WIDEST else values[key] for key in KEYS
    },
)


def layered(**layers: Said) -> dict[str, Any]:
    return {key: {name: said[key] for name, said in layers.items() if key in said} for key in KEYS}


def nobody(_: Wish) -> Standing | None:
    return None


def granted(_: Wish) -> Standing | None:
    return Standing.GRANTED


def runnable(reading: Reading) -> dict[str, AgentEntry]:
    return {it.id: it for it in reading.agents if not it.waits}


def allowing(reading: Reading) -> set[str]:
    return {it.text for it in reading.rules if it.verdict is Verdict.ALLOW}


def refusing(reading: Reading) -> set[tuple[str, Verdict]]:
    return {(it.text, it.verdict) for it in reading.rules if it.verdict > Verdict.ALLOW}


def waits(reading: Reading) -> float:
    return reading.patience or float("inf")


def wider_own(now: Reading, before: Reading) -> bool:
    new, old = now.own, before.own
    kept = evolve(
        old,
        requests=new.requests,
        tokens=new.tokens,
        part_tokens=new.part_tokens,
        writes=new.writes,
        models=new.models,
        collections=new.collections,
    )
    counts = ("requests", "tokens", "part_tokens", "writes")
    more = any(getattr(new, it) > getattr(old, it) for it in counts)
    more = more or wider_collections(new.collections, old.collections)
    return new != kept or more or not set(new.models) <= set(old.models)


def wider_collections(new: tuple[CollectionEntry, ...], old: tuple[CollectionEntry, ...]) -> bool:
    """Whether one was replaced, or added with a host or with files outside the workspace."""
    added = [it for it in new if it not in old]
    leads = any(
        it.is_elsewhere or ".." in f"{it.base}/{it.pattern}".split("/")
        for each in added
        for it in each.areas
    )
    taken = {it.name for it in added} & {it.name for it in old}
    return leads or bool(taken) or any(it.embed for it in added) or not set(old) <= set(new)


LOOSER: dict[str, Callable[[Reading, Reading], bool]] = {
    "mode": lambda now, before: LOOSENESS.index(now.mode) > LOOSENESS.index(before.mode),
    "bypassed": lambda now, before: not now.bypassed <= before.bypassed,
    "agents": lambda now, before: runnable(now) != runnable(before),
    "patience": lambda now, before: waits(now) > waits(before),
    "sandbox": lambda now, before: (
        SANDBOX_USES.index(now.sandbox) < SANDBOX_USES.index(before.sandbox)
    ),
    "holds_auto": lambda now, before: before.holds_auto and not now.holds_auto,
    "rules": lambda now, before: (
        not allowing(now) <= allowing(before) or not refusing(now) >= refusing(before)
    ),
    "suspended": lambda now, before: not now.suspended >= before.suspended,
    # What is switched off shows itself in the rules, which it is none of.
    "off": lambda now, _: bool(set(now.off) & set(now.rules)),
    "unclear": lambda now, before: not now.unclear >= before.unclear,
    "illegible": lambda now, before: before.illegible and not now.illegible,
    "additional": lambda now, before: not set(now.additional) <= set(before.additional),
    "forbidden": lambda now, before: not now.forbidden >= before.forbidden,
    "may_bypass": lambda now, before: now.may_bypass and not before.may_bypass,
    "own": wider_own,
    "hooks": lambda now, before: set(now.hooks) != set(before.hooks),
}
"""Of each part of a reading, whether it lets more happen than another."""

TELLING = {"trusted", "wishes", "claims", "problems", "complaints"}
"""What a reading says, and nothing goes by."""


def looser(now: Reading, before: Reading) -> set[str]:
    """The parts in which a reading lets more happen than another."""
    return {name for name, is_looser in LOOSER.items() if is_looser(now, before)}


def assert_no_looser(reading: Reading, before: Reading) -> None:
    assert looser(reading, before) == set()
    assert reading.patience is None or reading.patience >= 0


def test_each_part_of_a_reading_is_compared_or_only_told() -> None:
    parts = {it.name for it in fields(Reading)}
    assert parts == set(LOOSER) | TELLING
    assert not set(LOOSER) & TELLING
    assert set(some) <= set(KEYS)
    assert set(WIDEST) | WIDE_BY_DEFAULT <= set(KEYS)


@each_row("key", WIDEST)
def test_each_setting_widens_where_the_person_says_so_and_not_where_the_workspace_does(
    key: str,
) -> None:
    says, nothing = {key: WIDEST[key]}, read({}, True, nobody)
    # A bypass counts in a workspace's settings alone, once a person has agreed.
    who, stand = ("workspace", granted) if key == "bypassPermissions" else ("user", nobody)
    meant = read(layered(**{who: says}), True, stand)
    assert looser(meant, nothing), "or this value is none that widens"
    for claimed in ({"workspace": says}, {"folder": says}, {"workspace": says, "folder": says}):
        for reading in (
            read(layered(**claimed), True, nobody),
            read(layered(**claimed), False, granted),
        ):
            assert_no_looser(reading, nothing)
    assert_no_looser(read_unattributed(says, True, nobody), nothing)


@unhurried
@given(data=st.data(), where=st.sampled_from(["user", "workspace", "folder"]))
def test_what_only_the_editor_reads_changes_nothing_here(data: st.DataObject, where: str) -> None:
    key = data.draw(st.sampled_from(sorted(set(KEYS) - set(WIDEST) - WIDE_BY_DEFAULT)))
    says = {key: data.draw(values[key])}
    assert read(layered(**{where: says}), True, granted) == read({}, True, granted)


def test_what_only_the_editor_reads_is_none_that_a_workspace_sets_unasked() -> None:
    properties = manifest()["configuration"]["properties"]
    for key in set(KEYS) - set(WIDEST) - WIDE_BY_DEFAULT:
        assert properties[f"assent.{key}"]["scope"] in {"application", "machine"} or (
            f"assent.{key}" in manifest()["restrictedConfigurations"]
        )


@unhurried
@given(user=layer, workspace=layer, folder=layer, trusted=st.booleans())
def test_what_a_workspace_adds_never_widens(
    user: Said, workspace: Said, folder: Said, *, trusted: bool
) -> None:
    alone = read(layered(user=user), trusted, nobody)
    together = read(layered(user=user, workspace=workspace, folder=folder), trusted, nobody)
    assert_no_looser(together, alone)


@unhurried
@given(user=layer, workspace=layer, folder=layer)
def test_without_trust_nothing_is_asked_and_no_grant_counts(
    user: Said, workspace: Said, folder: Said
) -> None:
    reading = read(layered(user=user, workspace=workspace, folder=folder), False, granted)
    assert reading.wishes == ()
    assert_no_looser(reading, read(layered(user=user), False, nobody))


@pytest.mark.requirement("T-12")
@unhurried
@given(keys=json | st.dictionaries(st.sampled_from(KEYS), json), trusted=st.booleans())
def test_no_input_raises_and_each_wish_can_be_kept(keys: Any, *, trusted: bool) -> None:
    for reading in (read(keys, trusted, nobody), read_unattributed(keys, trusted, nobody)):
        assert reading.bypassed == frozenset()
        for wish in reading.claims:
            assert len(wish.digest) == 64
        for problem in reading.problems:
            assert len(problem) < 600
            assert problem.isprintable()


@pytest.mark.requirement("S-03")
@unhurried
@given(value=json, where=st.sampled_from(["workspace", "folder"]))
def test_of_all_values_only_true_itself_bypasses(value: Any, where: str) -> None:
    reading = read(
        {"bypassPermissions": {where: {"eliza": value}}}, True, lambda _: Standing.GRANTED
    )
    assert bool(reading.bypassed) is (value is True)


@unhurried
@given(workspace=layer, folder=layer, data=st.data())
def test_a_grant_widens_by_what_was_granted_and_nothing_else(
    workspace: Said, folder: Said, data: st.DataObject
) -> None:
    keys = layered(workspace=workspace, folder=folder)
    wishes = read(keys, True, nobody).wishes
    agreed_to = {it.digest for it in wishes if data.draw(st.booleans())}
    reading = read(keys, True, lambda wish: Standing.GRANTED if wish.digest in agreed_to else None)
    by_key = {(it.key, it.name): it for it in wishes if it.digest in agreed_to}
    if LOOSENESS.index(reading.mode) > LOOSENESS.index(Mode.DEFAULT):
        assert by_key["mode", ""].value == reading.mode.value
    for agent_id in runnable(reading):
        assert agent_id in {"eliza", "assent"} or ("agents", agent_id) in by_key
    for agent_id in reading.bypassed:
        assert ("bypassPermissions", agent_id) in by_key
    for text in allowing(reading):
        assert any(text in str(it.value) for it in wishes if it.digest in agreed_to)
    agreed = [it.value for it in wishes if it.digest in agreed_to and isinstance(it.value, list)]
    for place in reading.additional:
        assert any(place in value for value in agreed)


def test_fifty_megabytes_or_a_hundred_thousand_levels_are_just_malformed() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in ("auto" * 12_500_000, deep, {"eliza": deep}, {"claude": {"command": deep}}):
        reading = read({key: {"workspace": value} for key in KEYS}, True, nobody)
        assert reading.mode is Mode.ASK
        assert not reading.bypassed
        assert list(runnable(reading)) == ["eliza", "assent"]
        assert "*" in reading.suspended
        assert reading.additional == ()
        assert all(len(problem) < 300 for problem in reading.problems)
