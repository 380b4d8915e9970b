"""`assent.nodetool` and `assent.nodes`: the person's programs whose nodes agents may use.

Both are code that is run, so they count in the person's own settings alone.
"""

from collections.abc import Iterable
from typing import Final

from assent.gate.settings.complaints import Complaints
from assent.gate.settings.layers import Layer, shown
from assent.gate.settings.tool_servers import ServerEntry

__all__ = ["FUNCTIONS", "NODETOOL", "nodes_of", "nodetool_of", "without_taken"]

NODETOOL: Final = "nodetool"
"""What the source of its nodes is called."""
FUNCTIONS: Final = "functions"
"""The same of a person's own."""
_MAX_PATH_LETTERS: Final = 1_024
_MAX_ITEMS: Final = 20


def nodetool_of(value: object, complaints: Complaints) -> str:
    """The interpreter whose packages have nodetool's worker; nothing where there is none."""
    if value is None or value == "":
        return ""
    if isinstance(value, str) and len(value) <= _MAX_PATH_LETTERS and is_whole_path(value):
        return value
    sentence = (
        "assent.nodetool is not the whole path of a Python interpreter, so nodetool has no nodes"
        " here."
    )
    complaints.refuse(Layer.USER.value, ("nodetool",), sentence)
    return ""


def nodes_of(value: object, complaints: Complaints) -> tuple[str, ...]:
    """The files whose functions are nodes, each as a path of which the name may be a pattern."""
    if value is None:
        return ()
    if isinstance(value, list) and len(value) <= _MAX_ITEMS and all(map(_is_of_files, value)):
        return tuple(value)
    sentence = (
        "assent.nodes could not be understood, so no function of yours is a node: it is a list of"
        " at most 20 whole paths, such as `~/nodes/*.py`."
    )
    complaints.refuse(Layer.USER.value, ("nodes",), sentence)
    return ()


def _is_of_files(value: object) -> bool:
    if not isinstance(value, str) or len(value) > _MAX_PATH_LETTERS or not is_whole_path(value):
        return False
    folder, _, name = value.rpartition("/")
    return name.endswith(".py") and not set(folder) & set("*?[")


def is_whole_path(value: str) -> bool:
    """Whether it says where it is, whatever folder one stands in."""
    return value.startswith(("/", "~/")) and value.isprintable()


def without_taken(
    servers: Iterable[ServerEntry], taken: Iterable[str], complaints: Complaints
) -> tuple[ServerEntry, ...]:
    """The servers whose names are not those of such programs: a rule could mean either."""
    names = frozenset(taken)
    kept = []
    for server in servers:
        if server.name not in names:
            kept.append(server)
            continue
        why = (
            f"The server {shown(server.name)} in assent.mcpServers is left out: what"
            f" assent.{_SETTING[server.name]} names is called so. Give it another name."
        )
        complaints.refuse(Layer.USER.value, ("mcpServers", server.name), why)
    return tuple(kept)


_SETTING: Final = {NODETOOL: "nodetool", FUNCTIONS: "nodes"}
