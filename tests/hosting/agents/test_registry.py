"""Lists of agents: only what names one version of one package is offered."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.gate.processes.shell_environment import inherited
from assent.hosting.install.on_path import KNOWN
from assent.hosting.install.registry import RegistryUnread, bundled, offers_in
from assent.hosting.recipes.recipes import RECIPES
from tables import each_row

NOT_OFFERED = {"opencode-ai": "a script of the package puts its program in place; none is run"}

TRIED = Path(__file__).resolve().parents[1] / "real"


def entry(**told: Any) -> dict[str, Any]:
    package = {"package": "@acme/agent@1.2.3", "args": ["--acp"], "env": {"QUIET": "1"}}
    whole = {"id": "acme", "name": "Acme", "version": "1.2.3", "distribution": {"npx": package}}
    return {**whole, **told}


def listed(*entries: object) -> list[str]:
    return [it.id for it in offers_in(json.dumps({"agents": entries}).encode())]


def test_an_offer_is_one_version_of_one_package() -> None:
    [offer] = offers_in(json.dumps({"agents": [entry()]}).encode())
    assert (offer.package, offer.version, offer.installer) == ("@acme/agent", "1.2.3", "npx")
    assert (offer.args, offer.env) == (("--acp",), {"QUIET": "1"})


@each_row(
    "package",
    [
        "@acme/agent",
        "@acme/agent@latest",
        "@acme/agent@^1.2.3",
        "@acme/agent@1.x",
        "@acme/agent@npm:other@1.2.3",
        "https://x.org/agent-1.2.3.tgz",
        "github:acme/agent#1.2.3",
        "../agent@1.2.3",
        "--prefix=/tmp@1.2.3",
        "agent@1.2.3 --foreground-scripts",
        "",
    ],
)
def test_what_could_be_another_program_tomorrow_is_not_offered(package: str) -> None:
    assert listed(entry(distribution={"npx": {"package": package}})) == []


@each_row(
    "told",
    [
        {"id": "../x"},
        {"id": ""},
        {"name": ""},
        {"name": "x" * 200},
        {"distribution": {}},
        {"distribution": {"binary": {"linux-x86_64": {"archive": "https://x.org/a.tgz"}}}},
        {"distribution": {"npx": {"package": "a@1.2.3", "env": {"A=B": "1"}}}},
        {"distribution": {"npx": {"package": "a@1.2.3", "args": [1]}}},
        {"distribution": []},
    ],
)
def test_an_entry_that_is_unfit_is_left_out_and_the_others_stay(told: dict[str, Any]) -> None:
    assert listed(entry(**told), entry(id="other"), None, 3) == ["other"]


@each_row("text", [b"", b"[]", b"{}", b'{"agents": 3}', b"<html>", b"\xff"])
def test_what_is_no_list_is_told_as_such(text: bytes) -> None:
    with pytest.raises(RegistryUnread):
        offers_in(text)


def test_the_agents_that_are_tried_are_offered_in_the_versions_that_are_tried() -> None:
    tried = {
        name: version
        for path in TRIED.glob("*/package.json")
        for name, version in json.loads(path.read_text("utf-8"))["dependencies"].items()
    }
    offered = {it.package: it.version for it in bundled()}
    assert not offered.keys() & NOT_OFFERED
    found = {name: version for name, version in tried.items() if name not in NOT_OFFERED}
    assert found
    assert found.items() <= offered.items()


def test_each_agent_that_has_a_recipe_is_offered_with_a_package_of_that_recipe() -> None:
    packages = {it.package for it in bundled()} | NOT_OFFERED.keys()
    assert [it.id for it in RECIPES if packages.isdisjoint(it.packages)] == []


def test_an_agent_reaches_the_network_as_its_person_does() -> None:
    told = {
        "HTTPS_PROXY": "http://proxy:8080",
        "no_proxy": "localhost",
        "NODE_EXTRA_CA_CERTS": "/etc/ca.pem",
        "ANTHROPIC_API_KEY": "secret",
    }
    assert {*inherited(told)} == {"HTTPS_PROXY", "no_proxy", "NODE_EXTRA_CA_CERTS"}


def test_each_recipe_is_looked_for_on_path_with_the_words_that_the_list_has() -> None:
    assert [name for name, *_ in KNOWN] == [it.id for it in RECIPES]
    listed = {it.package: it.args for it in bundled()}
    for recipe, (_, _, words) in zip(RECIPES, KNOWN, strict=True):
        for package in listed.keys() & {*recipe.packages}:
            assert words[1:] == listed[package]
