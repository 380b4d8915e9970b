"""What our own agent works with, and what a workspace's settings can do to that: only less."""

from typing import Any, get_args

import pytest

from assent.agent.models.known_models import EFFORTS
from assent.gate.settings.claims import hooks_wish
from assent.gate.settings.hook_entries import HookEvent
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect
from assent.gate.settings.reading import Reading, read
from assent.gate.settings.shapes import ModelSetting
from assent.gate.settings.unreadable_settings import illegible, tightened
from assent.gate.settings.wishes import Standing
from tables import each_row

CLAUDE = {"provider": "anthropic", "model": "claude-sonnet-4-5"}
HOOK = {"event": "PreToolUse", "command": "~/bin/check", "tools": ["write"]}
TOLD = "PreToolUse for write, 10 s: ~/bin/check"


def reading(keys: dict[str, Any], *granted: str) -> Reading:
    answers = dict.fromkeys(granted, Standing.GRANTED)
    return read(keys, trusted=True, standing=lambda wish: answers.get(wish.digest))


def test_a_model_needs_no_more_than_a_provider_and_a_name() -> None:
    (model,) = reading({"models": {"user": [CLAUDE]}}).own.models
    assert (model.id, model.name) == (
        "anthropic/claude-sonnet-4-5",
        "claude-sonnet-4-5 (Anthropic)",
    )
    assert (model.dialect, model.url) == (Dialect.ANTHROPIC, "")
    assert host_of(model, None).key_name == "ANTHROPIC_API_KEY"


def test_a_model_elsewhere_is_called_by_its_host_and_gets_no_key_that_was_not_named() -> None:
    given = {"provider": "openai", "model": "qwen3", "url": "https://models.example.org/v1/"}
    (model,) = reading({"models": {"user": [given]}}).own.models
    assert (model.name, model.key) == ("qwen3 (models.example.org)", "")
    assert host_of(model, None).key_name == ""
    assert model.url == "https://models.example.org/v1"


def _deep() -> Any:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    return value


def test_a_host_may_be_asked_in_a_way_of_its_own() -> None:
    wished = {"path": "/x?v=1", "headers": {"api-key": "${AZ_KEY}"}, "body": {"n": None}}
    (model,) = reading({"models": {"user": [{**CLAUDE, **wished}]}}).own.models
    assert (model.path, model.headers, model.body) == (
        "/x?v=1",
        (("api-key", "${AZ_KEY}"),),
        '{"n": null}',
    )
    assert model.named_keys == ("AZ_KEY",)


@each_row(
    "odd",
    [
        {"path": "@evil.example.org"},
        {"path": ".evil.example.org/v1"},
        {"path": "/a b"},
        {"headers": {"a b": "c"}},
        {"headers": {"a": "b\nc: d"}},
        {"headers": {"host": 1}},
        {"body": [1]},
        {"body": {"n": float("nan")}},
        {"body": {"n": _deep()}},
    ],
)
def test_a_way_that_cannot_be_understood_leaves_the_model_out(odd: dict[str, Any]) -> None:
    found = reading({"models": {"user": [{**CLAUDE, **odd}]}})
    assert found.own.models == ()
    assert len(found.problems) == 1


@each_row("layer", ["workspace", "folder"])
@each_row("key", ["models", "searchUrl"])
def test_a_workspace_says_nothing_about_where_keys_and_words_are_sent(layer: str, key: str) -> None:
    url = "https://evil.example.org"
    value = url if key == "searchUrl" else [{**CLAUDE, "url": url}]
    found = reading({key: {layer: value}})
    assert (found.own.models, found.own.search_url, found.wishes) == ((), "", ())
    assert "your user settings alone" in found.problems[0]


@each_row(
    "url", ["http://models.example.org/v1", "ftp://x.org", "https://u:p@x.org", "x", "https://a b"]
)
def test_no_key_is_sent_where_it_could_be_read_on_the_way(url: str) -> None:
    found = reading({"models": {"user": [{**CLAUDE, "url": url}]}})
    assert found.own.models == ()
    assert len(found.problems) == 1


@each_row("url", ["http://127.0.0.1:1234/v1", "http://localhost:8080/v1"])
def test_a_model_on_this_machine_needs_no_encryption(url: str) -> None:
    assert reading({"models": {"user": [{**CLAUDE, "url": url}]}}).own.models[0].url == url


def test_how_much_a_model_may_think_is_said_with_it() -> None:
    given = [{**CLAUDE, "effort": "high"}, {**CLAUDE, "name": "b"}, {**CLAUDE, "effort": "so"}]
    found = reading({"models": {"user": given}})
    assert [it.effort for it in found.own.models] == ["high", ""]
    assert len(found.problems) == 1
    said = get_args(ModelSetting.model_fields["effort"].annotation)[0]
    assert get_args(said) == EFFORTS


@each_row("value", [7, "x", [7], [{}], [{"provider": "x", "model": "y"}], [CLAUDE] * 51])
def test_models_that_cannot_be_understood_are_left_out_and_told_of(value: object) -> None:
    found = reading({"models": {"user": value}})
    assert found.own.models == ()
    assert found.problems


@each_row("value", ["no address", "https://s.org/?q=x", 7, "file:///etc/passwd"])
def test_a_search_url_that_is_none_searches_nothing(value: object) -> None:
    found = reading({"searchUrl": {"user": value}})
    assert (found.own.search_url, len(found.problems)) == ("", 1)


@each_row("value", ["dash", "/bin/zsh", "", None, 7])
def test_a_shell_that_is_not_known_leaves_it_with_bash(value: object) -> None:
    found = reading({"shell": {"user": value}})
    assert found.own.shell == "bash"
    told = "assent.shell is none of bash, sh, zsh, fish, so bash runs commands."
    assert [*found.problems] == ([] if value is None else [told])


@each_row("layer", ["workspace", "folder"])
def test_a_workspace_does_not_choose_the_shell(layer: str) -> None:
    found = reading({"shell": {layer: "fish", "user": "zsh"}})
    assert found.own.shell == "zsh"
    assert "your user settings alone" in found.problems[0]


@pytest.mark.requirement("T-14")
@each_row(
    ("layers", "holds"),
    [
        ({}, 100),
        ({"user": 500}, 500),
        ({"workspace": 500}, 100),
        ({"workspace": 5}, 5),
        ({"user": 50, "workspace": 500}, 50),
        ({"user": 500, "workspace": 200, "folder": 300}, 200),
        ({"user": "many"}, 100),
        ({"workspace": -1}, 100),
    ],
)
@each_row("key", ["requestsPerTurn", "writesPerTurn"])
def test_a_workspace_can_only_shorten_a_turn(key: str, layers: dict[str, Any], holds: int) -> None:
    own = reading({key: layers}).own
    assert {"requestsPerTurn": own.requests, "writesPerTurn": own.writes}[key] == holds


@each_row(
    ("layers", "holds"),
    [
        ({}, 50_000_000),
        ({"user": 60_000_000}, 60_000_000),
        ({"workspace": 60_000_000}, 50_000_000),
        ({"workspace": 5_000}, 5_000),
        ({"user": 0}, 50_000_000),
    ],
)
def test_a_workspace_can_only_lessen_the_tokens_of_a_turn(
    layers: dict[str, Any], holds: int
) -> None:
    assert reading({"tokensPerTurn": layers}).own.tokens == holds


@each_row(
    ("layers", "holds"),
    [({}, 10_000_000), ({"workspace": 60_000_000}, 10_000_000), ({"workspace": 5_000}, 5_000)],
)
def test_a_workspace_can_only_lessen_the_tokens_of_a_part(
    layers: dict[str, Any], holds: int
) -> None:
    assert reading({"tokensPerPart": layers}).own.part_tokens == holds


@pytest.mark.requirement("C-08")
def test_a_hook_of_the_users_holds_at_once() -> None:
    (hook,) = reading({"hooks": {"user": [HOOK]}}).hooks
    assert (hook.event, hook.command, hook.tools) == (
        HookEvent.PRE_TOOL_USE,
        "~/bin/check",
        ("write",),
    )
    assert (hook.name, hook.seconds) == ("~/bin/check", 10)


@pytest.mark.requirement("C-08")
def test_a_hook_of_the_workspaces_is_a_wish() -> None:
    found = reading({"hooks": {"workspace": [HOOK]}})
    assert found.hooks == ()
    (wish,) = found.wishes
    assert "~/bin/check" in wish.effect
    granted = reading({"hooks": {"workspace": [HOOK]}}, hooks_wish([TOLD]).digest)
    assert len(granted.hooks) == 1


@pytest.mark.requirement("C-08")
@each_row("changed", [{"command": "evil"}, {"tools": []}, {"seconds": 1}, {"event": "PostToolUse"}])
def test_a_changed_hook_of_the_workspaces_is_another_wish(changed: dict[str, Any]) -> None:
    keys = {"hooks": {"workspace": [{**HOOK, **changed}]}}
    found = reading(keys, hooks_wish([TOLD]).digest)
    assert found.hooks == ()
    assert len(found.wishes) == 1


@pytest.mark.requirement("C-08")
@each_row("value", [7, [7], [{}], [{**HOOK, "seconds": 60}], [{**HOOK, "x": 1}]])
def test_while_a_hook_of_the_users_cannot_be_understood_every_call_is_asked_about(
    value: object,
) -> None:
    found = reading({"hooks": {"user": value}})
    assert "*" in found.suspended
    assert found.problems


def test_cards_are_kept_as_long_as_can_be_while_nobody_knows_what_the_person_wants() -> None:
    keep = {"user": {"days": 3, "megabytes": 5}}
    assert reading({"keepChats": keep}).card_days == 3
    assert reading({"keepChats": keep, "hooks": {"user": 7}}).card_days == 3_650


def test_a_workspace_cannot_make_every_call_ask_by_a_broken_hook_of_its_own() -> None:
    assert reading({"hooks": {"workspace": [7]}}).suspended == frozenset()


@pytest.mark.requirement("C-08")
def test_hooks_go_on_when_the_settings_can_no_longer_be_read() -> None:
    before = reading({"hooks": {"user": [HOOK]}})
    now = tightened(before, illegible(reading({}), {"user": "It cannot be read."}))
    assert now.hooks == before.hooks
