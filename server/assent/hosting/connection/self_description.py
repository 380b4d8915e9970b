"""What an agent reports about itself: the content it accepts, its commands, its plan.

Read tolerantly and within bounds; what is not well formed tells nothing.
"""

import math
import re
from typing import Any, Final

from assent.gate.call.calls import ChatId
from assent.gate.journal.agent_events import Command
from assent.gate.journal.events import PlanLine, PlanMade, Used

__all__ = ["commands_in", "plan_in", "title_in", "used_in"]

_MAX_COMMANDS: Final = 200
_MAX_NAME_LETTERS: Final = 80
_MAX_TEXT_LETTERS: Final = 200
_PLAN_STATES: Final = {"in_progress": "inProgress", "completed": "done"}
_COMMAND: Final = re.compile(r"[^\s/]\S*")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_MAX_AMOUNT: Final = 1 << 50
"""Beyond that no number is a count of tokens, or of money."""


def used_in(chat: ChatId, update: dict[str, Any]) -> Used | None:
    """A `usage_update`: what is taken of what its model can read, and what that has cost."""
    used, size = _count(update.get("used")), _count(update.get("size"))
    if used is None or size is None:
        return None
    return Used(chat=chat, read=used, wrote=0, window=size, cost=_cost_in(update.get("cost")))


def commands_in(update: dict[str, Any]) -> tuple[Command, ...]:
    """An `available_commands_update`: those that can be said, each once."""
    reported = update.get("availableCommands")
    commands = (
        [_command_in(command) for command in reported[:_MAX_COMMANDS]]
        if isinstance(reported, list)
        else []
    )
    return tuple({command.name: command for command in commands if command is not None}.values())


def plan_in(chat: ChatId, update: dict[str, Any]) -> PlanMade:
    """A `plan`: what the agent means to do, a line for each step."""
    entries = update.get("entries")
    known = (
        [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    )
    lines = [
        PlanLine(
            text=str(step.get("content") or ""),
            state=_PLAN_STATES.get(str(step.get("status")), "pending"),
        )
        for step in known
    ]
    return PlanMade(chat=chat, lines=tuple(lines))


def title_in(update: dict[str, Any]) -> str | None:
    r"""A `session_info_update`: what the agent calls the chat; None where it says nothing.

    >>> title_in({"title": "  Fix the rounding\n "}), title_in({"title": None}), title_in({})
    ('Fix the rounding', '', None)
    """
    if "title" not in update:
        return None
    title = update["title"]
    return (
        " ".join(title[: 4 * _MAX_TEXT_LETTERS].split())[:_MAX_TEXT_LETTERS]
        if isinstance(title, str)
        else ""
    )


def _command_in(reported: object) -> Command | None:
    reported = reported if isinstance(reported, dict) else {}
    name, says, takes = reported.get("name"), reported.get("description"), reported.get("input")
    name = name.removeprefix("/") if isinstance(name, str) else ""
    if len(name) > _MAX_NAME_LETTERS or not _COMMAND.fullmatch(name):
        return None
    hint = takes.get("hint") if isinstance(takes, dict) else ""
    return Command(name=name, says=_line(says), hint=_line(hint))


def _line(text: object) -> str:
    return (
        " ".join(text[: 4 * _MAX_TEXT_LETTERS].split())[:_MAX_TEXT_LETTERS]
        if isinstance(text, str)
        else ""
    )


def _count(number: object) -> int | None:
    is_count = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_count or not 0 <= number < _MAX_AMOUNT:  # type: ignore[operator]  # it is a number
        return None
    return int(number)  # type: ignore[call-overload, no-any-return]  # the same


def _cost_in(reported: object) -> str:
    cost = reported if isinstance(reported, dict) else {}
    amount, currency = cost.get("amount"), cost.get("currency")
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        return ""
    if not isinstance(currency, str) or not _CURRENCY.fullmatch(currency):
        return ""
    return (
        f"{amount:,.2f} {currency}" if math.isfinite(amount) and 0 <= amount < _MAX_AMOUNT else ""
    )
