"""The table of models is what its rules make of LiteLLM's, and holds no row that it need not."""

import json
from typing import Any

from assent.agent.models.known_models import TABLE, KnownModel, Thinks, by_beginning, models, plain
from house.model_table import as_text, rows_from

USD = 1e-6


def said(provider: str, window: int, **more: Any) -> dict[str, Any]:
    """A model as LiteLLM publishes it."""
    return {"mode": "chat", "litellm_provider": provider, "max_input_tokens": window, **more}


def thinking(provider: str, window: int, **more: Any) -> dict[str, Any]:
    return said(provider, window, supports_reasoning=True, **more)


def test_the_table_that_is_shipped_is_written_as_the_rules_write_it() -> None:
    text = TABLE.read_text("utf-8")
    written = json.loads(text)
    assert as_text(models(), written["source"], written["read_on"]) == text, "run `make models`"


def test_no_row_could_be_left_out_and_each_is_named_as_names_are_looked_up() -> None:
    rows: dict[str, KnownModel] = {}
    for name in sorted(models(), key=lambda name: (len(name), name)):
        assert plain(name) == name
        assert by_beginning(rows, name) != models()[name], name
        rows[name] = models()[name]


def test_a_vendor_says_what_its_model_is_whatever_its_other_hosts_say() -> None:
    priced = {"input_cost_per_token": 2 * USD, "output_cost_per_token": 10 * USD}
    rows = rows_from(
        {
            "azure/gpt-9": said("azure", 128_000),
            "gpt-9": thinking("openai", 1_050_000, supports_xhigh_reasoning_effort=True, **priced),
            "gpt-9-2027-01-01": thinking(
                "openai", 922_000, supports_xhigh_reasoning_effort=True, **priced
            ),
            "azure/gpt-9-2027-02-02": said("azure", 128_000),
            "ft:gpt-9": said("openai", 5),
        }
    )
    assert rows == {
        "gpt-9": KnownModel(
            window=922_000,
            thinks=Thinks.ITSELF,
            efforts=("low", "medium", "high", "xhigh"),
            by_responses=True,
            price=(2.0, 10.0, 2.0),
        )
    }


def test_a_model_that_only_others_host_is_what_most_of_them_say_and_has_no_price() -> None:
    rows = rows_from(
        {
            "a/foo-1b": said("a", 32_000, supports_vision=True, input_cost_per_token=USD),
            "b/Foo-1B": said("b", 128_000),
            "c/x/foo-1b": thinking("c", 128_000, reasoning_effort_levels=["none", "high"]),
            "d/embedder-1": said("d", 512, mode="embedding"),
            "e/bar-2": said("e", 0),
        }
    )
    assert rows == {
        "foo-1b": KnownModel(window=128_000, thinks=Thinks.ITSELF, efforts=("high",), images=True)
    }


def test_claude_thinks_adaptively_or_by_a_budget_and_caches_by_marks() -> None:
    adaptively = {"supports_adaptive_thinking": True, "supports_max_reasoning_effort": True}
    rows = rows_from(
        {
            "claude-old-4-5": thinking("anthropic", 200_000),
            "claude-new-9": thinking("anthropic", 1_000_000, **adaptively),
            "eu.anthropic.claude-new-9-v1:0": said("bedrock_converse", 5),
        }
    )
    assert {name: (row.thinks, row.efforts) for name, row in rows.items()} == {
        "claude-old-4-5": (Thinks.BY_BUDGET, ()),
        "claude-new-9": (Thinks.ADAPTIVELY, ("low", "medium", "high", "max")),
    }
    assert all(row.caches_by_marks for row in rows.values())


def test_the_latest_of_a_name_is_what_the_name_means() -> None:
    rows = rows_from(
        {
            "mistral/mistral-small": said("mistral", 32_000),
            "mistral/mistral-small-latest": said("mistral", 262_144),
            "mistral/mistral-small-2402": said("mistral", 32_000),
        }
    )
    assert {name: row.window for name, row in rows.items()} == {
        "mistral-small": 262_144,
        "mistral-small-2402": 32_000,
    }
