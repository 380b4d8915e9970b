"""The preset of the nodetool application: where it is, and with what it goes."""

import pytest

from assent.gate.settings.tool_servers import entry_of
from tables import each_row


def test_it_is_at_the_applications_own_address_where_nobody_says_otherwise() -> None:
    entry = entry_of("nodetool", {"preset": "nodetool"})
    assert (entry.preset, entry.url) == ("nodetool", "http://127.0.0.1:7777/mcp")


def test_another_address_and_headers_may_stand_beside_it() -> None:
    url = "https://nodes.example/mcp"
    headers = {"Authorization": "Bearer ${secret:NODES}"}
    entry = entry_of("nodes", {"preset": "nodetool", "url": url, "headers": headers})
    assert (entry.preset, entry.url, entry.headers) == ("nodetool", url, headers)


@each_row(
    "more",
    [
        {"command": "x"},
        {"args": ["x"]},
        {"env": {"A": ""}},
        {"headed": True},
        {"url": "http://nodes.example/mcp"},
        {"url": "file:///mcp"},
    ],
)
def test_it_is_neither_started_nor_seen_nor_asked_where_others_can_read(
    more: dict[str, object],
) -> None:
    with pytest.raises(ValueError, match=r"started|address"):
        entry_of("nodetool", {"preset": "nodetool", **more})
