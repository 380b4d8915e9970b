"""The tools that one server offers, without those that nobody could be asked about."""

from collections import Counter
from typing import Any, Final

import orjson
from pydantic import ValidationError

from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.sdk import find_invalid_x_mcp_header, types
from assent.catalogue.nodes.node import definition_of, fingerprint_of, shown, unfit
from assent.gate.text.lines import one_line
from assent.gate.values import define, field

__all__ = ["MAX_TOOLS", "OfferedTools", "Sieve"]

MAX_TOOLS: Final = 10_000
_MAX_TOOL_BYTES: Final = 64 * 1024
"""In bytes: what a server says of one tool."""
MAX_TOOLS_BYTES: Final = 16 * 1024 * 1024
"""What a server says of all of them."""
_MAX_INSTRUCTIONS_LETTERS: Final = 16_000
_LEFT_OUT: Final = "assent/leftOut"
_MAX_SENTENCES: Final = 1_000
_MAX_TOOLS_NAMED: Final = 5
"""So many tools that were left out are named."""
_MAX_NAME_LETTERS: Final = 60
_PAGE_LETTERS: Final = 256 * 1024
"""In letters: about so much is listed at once."""
_HANDED: Final = ("name", "title", "description", "inputSchema")


@define
class Sieve:
    """Takes the tools out of a server's answers: one that is none would spoil the others."""

    tools: list[dict[str, Any]] = field(factory=list)
    refused: list[str] = field(factory=list)
    is_ours: bool = False
    """Whether the server is a program of ours, of which it is believed what it left out itself."""
    is_modern: bool = False
    """Whether what was agreed is the protocol of 2026, in which arguments go into headers too."""
    _bytes: int = 0

    @property
    def is_full(self) -> bool:
        """Whether nothing more is taken in."""
        return len(self.tools) >= MAX_TOOLS or self._bytes >= MAX_TOOLS_BYTES

    def mend(self, message: dict[str, Any]) -> None:
        """Take the tools out of a message, if it has any."""
        result = message.get("result")
        tools = result.get("tools") if isinstance(result, dict) else None
        if not isinstance(result, dict) or not isinstance(tools, list):
            return
        result["tools"] = []
        if self.is_ours:
            self.refused += _said_left_out(result.get("_meta"))
        for tool in tools:
            if self.is_full:
                self.cut()
                return
            if why := _why_not(tool, is_modern=self.is_modern):
                self.refused.append(f"{_called(tool)}: {why}")
            else:
                definition = definition_of(tool)
                self._bytes += len(orjson.dumps(definition))
                self.tools.append(definition)

    def cut(self) -> None:
        """Nobody takes in the rest of what there is."""
        self.refused.append(
            f"there are more than {MAX_TOOLS:,}, or more than {MAX_TOOLS_BYTES >> 20} MB are said"
            " of them"
        )


def _said_left_out(meta: Any) -> list[str]:
    """What a server says that it left out itself, a clause each."""
    said = meta.get(_LEFT_OUT) if isinstance(meta, dict) else None
    return (
        [one_line(sentence) for sentence in said[:_MAX_SENTENCES]] if isinstance(said, list) else []
    )


def _why_not(tool: Any, *, is_modern: bool) -> str:
    if not isinstance(tool, dict):
        return "it is no tool"
    why = unfit(tool.get("name"))
    if why:
        return why
    try:
        types.Tool.model_validate(tool, by_name=False)
        odd = is_modern and find_invalid_x_mcp_header(tool.get("inputSchema")) is not None
        large = len(orjson.dumps(definition_of(tool))) > _MAX_TOOL_BYTES
    except (ValidationError, RecursionError, orjson.JSONEncodeError):
        return "what is said of it could not be read"
    if odd:
        return "it wants arguments in headers that cannot be"
    return f"more than {_MAX_TOOL_BYTES >> 10} kB are said of it" if large else ""


def _called(tool: Any) -> str:
    """A name that may be none, as far as it can be shown."""
    name = str(tool.get("name", "")) if isinstance(tool, dict) else ""
    seen = "".join(char if char.isprintable() else "�" for char in name[:_MAX_NAME_LETTERS])
    return f"“{seen}”"


class OfferedTools:
    """The tools of one server, at one moment."""

    def __init__(self, launch: Launch, instructions: str, sieve: Sieve) -> None:
        counts = Counter(tool["name"] for tool in sieve.tools)
        self.clean = launch.clean
        self.server = {**launch.identity, "instructions": instructions[:_MAX_INSTRUCTIONS_LETTERS]}
        self.tools = {tool["name"]: tool for tool in sieve.tools if counts[tool["name"]] == 1}
        doubled = [
            f"“{name[:_MAX_NAME_LETTERS]}”: it is there twice"
            for name, n in counts.items()
            if n > 1
        ]
        self.refused = (*sieve.refused, *doubled)

    def described(self, tool: str) -> dict[str, Any] | None:
        """What is told of a tool; None where there is none of that name."""
        definition = self.tools.get(tool)
        if definition is None:
            return None
        hints = definition.get("annotations")
        return {
            "tool": tool,
            "schema": definition.get("inputSchema", {}),
            "fingerprint": fingerprint_of(definition, self.server),
            "text": shown(definition, self.server),
            "said": shown(definition, {"instructions": self.server["instructions"]}),
            "destructive": isinstance(hints, dict) and bool(hints.get("destructiveHint")),
        }

    def page(self, begin: int) -> dict[str, Any]:
        """The tools from the nth on, as many as go together, for a program that lists them.

        What a server says of its results, or of how harmless a tool is, is passed on to nobody:
        results are passed on as texts, and programs ask less where they are told that it is.
        """
        tools = [*self.tools.values()][begin:]
        texts: list[str] = []
        left = _PAGE_LETTERS
        for tool in tools:
            texts.append(
                orjson.dumps({name: tool[name] for name in _HANDED if name in tool}).decode()
            )
            left -= len(texts[-1])
            if left <= 0:
                break
        rest = begin + len(texts)
        is_all = rest >= len(self.tools)
        names = [handed_tool["name"] for handed_tool in tools[: len(texts)]]
        page_text = f"[{','.join(texts)}]"
        return {"tools": page_text, "names": names, "rest": None if is_all else rest}

    def note(self, name: str) -> str:
        """What was left out, as a sentence; nothing where that is nothing."""
        if not self.refused:
            return ""
        more = len(self.refused) - _MAX_TOOLS_NAMED
        reasons = "; ".join(self.refused[:_MAX_TOOLS_NAMED]) + (
            f"; and {more:,} more" if more > 0 else ""
        )
        return f"Tools of {name} were left out: {reasons}."
