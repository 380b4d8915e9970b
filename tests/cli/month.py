"""A journal of as many calls as one likes, spread over a time: made up, and the same each time."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, canonical
from assent.gate.journal import chain, integrity, records
from assent.gate.journal.journal import Entry
from gate.ruling.samples import fetching, reading, running

__all__ = ["DAY", "Month", "fill"]

DAY: Final = 86_400_000
_AGENTS: Final = ("claude", "codex", "eliza", "gemini")
_COMMANDS: Final = (
    "git status",
    "git push origin main",
    "npm test",
    "npm run build",
    "make it-so",
    "pytest tests/unit -q",
    "rm -rf build",
    "curl https://docs.example.com/a/b",
    "terraform apply",
    "docker compose up -d",
)
_RULES: Final = ("shell(git status)", "shell(npm test:*)", "shell(rm -rf:*)", "fetch(domain:x.org)")


@frozen(kw_only=True)
class Month:
    """What is made up."""

    calls: int
    days: int = 30
    begin: int = 1_790_000_000_000
    workspace: str = "/home/ada/till"
    seed: int = 7

    def rows(self) -> Iterator[tuple[int, Entry]]:
        """Each row with its time: asked, decided, ended."""
        dice = random.Random(self.seed)  # noqa: S311 -- the same each time is what is wanted
        step = self.days * DAY // self.calls
        for number in range(self.calls):
            at = self.begin + number * step
            call = _call(number, dice)
            if dice.random() < 0.4:
                yield from self._asked(call, number, at, dice)
            else:
                by = dice.choice(("rule", "mode", "mode"))
                rule = dice.choice(_RULES) if by == "rule" else None
                outcome = "refused" if rule == "shell(rm -rf:*)" else "allowed"
                said = {"outcome": outcome, "by": by, "because": f"By the {by}.", "rule": rule}
                yield at, records.decided(call, None, **said)
                if outcome == "allowed":
                    yield at + 40, records.ended(call, "succeeded", "")

    def _asked(
        self, call: Call, number: int, at: int, dice: random.Random
    ) -> Iterator[tuple[int, Entry]]:
        yield at, records.asked(call, f"t{number}", "It is asked about.")
        waited = int(dice.lognormvariate(8.5, 1.4))
        by = dice.choices(("user", "timeout", "stop"), (30, 1, 1))[0]
        risky = any(it in str(call.input) for it in ("push", "rm -rf", "terraform"))
        allowed = by == "user" and dice.random() < (0.5 if risky else 0.97)
        said: dict[str, Any] = {"outcome": "allowed" if allowed else "refused", "by": by}
        said |= {"because": "You did.", "shown_ms": min(waited, int(dice.lognormvariate(7.5, 1)))}
        yield at + waited, records.decided(call, f"t{number}", **said)


def fill(path: Path, month: Month) -> int:
    """Write it as a journal; how many rows it has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute(integrity.MAKE_TABLE)
        count = 0
        for row in _linked(month):
            names = ", ".join(f":{name}" for name in row)
            columns = ", ".join(row)
            count += 1
            database.execute(f"insert into entries ({columns}) values ({names})", row)  # noqa: S608
        database.commit()
    return count


def _linked(month: Month) -> Iterator[dict[str, Any]]:
    before = chain.START
    for seq, (at, entry) in enumerate(month.rows(), start=1):
        body = canonical({**entry.body, "workspace": month.workspace})
        row = chain.linked(
            {
                "seq": seq,
                "at": at,
                "epoch": "epoch-1",
                "kind": entry.kind,
                "chat": entry.chat,
                "call": entry.call,
                "agent": entry.agent,
                "digest": entry.digest,
                "body": body,
            },
            before,
        )
        before = row["hash"]
        yield row


def _call(number: int, dice: random.Random) -> Call:
    kind = dice.random()
    if kind < 0.7:
        command = dice.choice(_COMMANDS)
        call = running(f"{command} {number % 97}" if dice.random() < 0.5 else command)
    elif kind < 0.9:
        call = reading(f"src/part{number % 50}/a{number % 13}.py")
    else:
        call = fetching(f"https://{dice.choice('abc')}.example.org/{number % 31}")
    agent, chat = AgentId(dice.choice(_AGENTS)), ChatId(f"chat-{number // 200}")
    return evolve(call, id=CallId(f"call-{number}"), agent=agent, chat=chat)
