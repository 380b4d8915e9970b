"""The ways to log in that an agent tells of, read within bounds."""

from typing import Any

from assent.hosting.connection.shapes import Greeting
from assent.hosting.install.login import ways_in
from tables import each_row


def kinds(*methods: Any) -> list[tuple[str, str]]:
    greeting = Greeting.model_validate({"protocolVersion": 1, "authMethods": list(methods)})
    return [(it.id, it.kind) for it in ways_in(greeting)]


def by(*names: str, **more: Any) -> dict[str, Any]:
    return {"id": "a", "type": "env_var", "vars": [{"name": it, **more} for it in names]}


def test_each_of_the_three_kinds_is_a_way() -> None:
    methods = [{"id": "a"}, {**by("API_KEY"), "id": "b"}, {"id": "c", "type": "terminal"}]
    assert kinds(*methods) == [("a", "agent"), ("b", "env_var"), ("c", "terminal")]


@each_row(
    "unfit",
    [
        {},
        {"id": 5},
        {"id": ""},
        {"id": "x" * 129},
        {"id": "a", "type": "unheard of"},
        {"id": "a", "type": ["agent"]},
        {"id": "a", "type": "env_var"},
        by(),
        by("A B"),
        by("A", "A"),
        by(*(f"A{at}" for at in range(9))),
        *(
            by(it)
            for it in ("PATH", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "BASH_ENV", "home")
        ),
        {"id": "a", "type": "terminal", "args": "--login"},
        {"id": "a", "type": "terminal", "args": [1]},
        {"id": "a", "type": "terminal", "args": ["x" * 201]},
        {"id": "a", "type": "terminal", "args": ["a\0b"]},
        {"id": "a", "type": "terminal", "env": {"A": "b"}},
    ],
)
def test_what_is_not_wholly_known_is_no_way(unfit: Any) -> None:
    assert kinds(unfit) == []


def test_of_ways_with_one_id_the_first_counts_and_there_are_no_more_than_are_read() -> None:
    assert kinds({"id": "a"}, {"id": "a", "type": "terminal"}) == [("a", "agent")]
    assert len(kinds(*({"id": f"a{at}"} for at in range(20)))) == 8


def test_what_an_agent_can_do_without_is_not_asked_for() -> None:
    both = by("API_KEY")["vars"] + by("BASE_URL", optional=True)["vars"]
    greeting = Greeting.model_validate(
        {"protocolVersion": 1, "authMethods": [{"id": "a", "type": "env_var", "vars": both}]}
    )
    [way] = ways_in(greeting)
    assert way.variables == ("API_KEY",)
