"""The same decisions by cedarpy, with its policies and entities parsed beforehand.

Cedar knows `permit` and `forbid`: what asks forbids, and says in its id that it only asks. It
reads no commands, so it gets none that are put together of several.
"""

import json
import sys
from pathlib import Path
from typing import Any

from bench.taking import told

sys.path.insert(0, str(Path(__file__).parent / "python_modules"))

from cedarpy import AuthzResult, Entities, PolicySet, is_authorized


def main() -> None:
    """Decide what the file says."""
    given = json.loads(Path(sys.argv[1]).read_bytes())
    texts = [_policy(number, rule) for number, rule in enumerate(given["rules"])]
    policies = PolicySet.from_str("\n".join(texts))
    entities = Entities.from_json_str("[]")
    calls = [(call["kind"], _request(call)) for call in given["calls"]]
    told(lambda request: is_authorized(request, policies, entities), _said, calls)


def _policy(number: int, rule: dict[str, Any]) -> str:
    effect = "permit" if rule["verdict"] == "allow" else "forbid"
    head, when = _ABOUT[rule["kind"]](rule)
    return f'@id("{rule["verdict"]} {number}")\n{effect}(principal, {head}) {when};'


def _commands(rule: dict[str, Any]) -> tuple[str, str]:
    words = " ".join(rule["words"])
    when = f'when {{ context.command == "{words}" || context.command like "{words} *" }}'
    return 'action == Action::"shell", resource', when


def _files(rule: dict[str, Any]) -> tuple[str, str]:
    when = f'when {{ context.path like "{rule["folder"]}/*{rule["ending"]}" }}'
    return f'action == Action::"{rule["verb"]}", resource', when


def _tool(rule: dict[str, Any]) -> tuple[str, str]:
    name = f"{rule['server']}:{rule['tool']}"
    return f'action == Action::"mcp", resource == Tool::"{name}"', ""


def _hosts(rule: dict[str, Any]) -> tuple[str, str]:
    host = rule["host"]
    test = f'like "*.{host}"' if rule["below"] else f'== "{host}"'
    return 'action == Action::"fetch", resource', f"when {{ context.host {test} }}"


_ABOUT = {"shell": _commands, "path": _files, "mcp": _tool, "fetch": _hosts}


def _request(call: dict[str, Any]) -> dict[str, Any] | None:
    if call["kind"] not in _ABOUT:
        return None
    action, resource = call["kind"], "any"
    context: dict[str, Any] = {}
    match call["kind"]:
        case "shell":
            context = {"command": call["command"]}
        case "path":
            action, context = call["verb"], {"path": call["path"]}
        case "mcp":
            resource = f"{call['server']}:{call['tool']}"
        case _:
            context = {"host": call["host"]}
    return {
        "principal": {"type": "Agent", "id": "agent"},
        "action": {"type": "Action", "id": action},
        "resource": {"type": "Tool", "id": resource},
        "context": context,
    }


def _said(result: AuthzResult) -> str:
    if result.allowed:
        return "allow"
    named = result.diagnostics.id_annotations_by_reason.values()
    return "deny" if any(name.startswith("deny") for name in named) else "ask"


if __name__ == "__main__":
    main()
