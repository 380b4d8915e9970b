"""A journal with a little of everything, as the gate writes it."""

from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from assent.gate.call.calls import AgentId, Call, CallId, Effect, Target
from assent.gate.journal import records
from assent.gate.journal.journal import Entry, Journal
from gate.ruling.samples import running, using

HOUR = 3_600_000


def some(now: int) -> Iterator[tuple[int, Entry]]:
    """What is written, and when in milliseconds."""
    push = _of("claude", "1", evolve(running("git push origin main"), cwd="/home/me/app"))
    yield now - 50 * HOUR, records.asked(push, "t1", "It leaves the machine.")
    yield now - 50 * HOUR, _refused(push, by="rule", rule="shell(git push:*)")
    yield now - 3 * HOUR, records.decided(push, None, outcome="allowed", by="user", because="You.")
    file = Target(
        spelled="src/a.py", resolved="/home/me/app/src/a.py", inside=True, shown="src/a.py"
    )
    read = _of("codex", "2", evolve(using({}), tool="read", effect=Effect.READ, targets=(file,)))
    yield now - 2 * HOUR, records.decided(read, None, outcome="allowed", by="mode", because="It.")
    fetch = {"url": "https://docs.Example.com:8443/a?x"}
    fetched = _of("codex", "3", evolve(using(fetch), tool="fetch", effect=Effect.EXTERNAL))
    yield now - HOUR, _refused(fetched, by="user")
    cat = _of("codex", "4", evolve(running("cat ./src/b.py>/tmp/out"), cwd="/home/me/app"))
    yield now - HOUR, records.decided(cat, None, outcome="allowed", by="mode", because="It reads.")


async def write(path: Path, now: int) -> None:
    """Write all of it into a journal."""
    rows = list(some(now))
    times = iter([at for at, _ in rows])
    journal = Journal(path=path, epoch="epoch-1", now=lambda: next(times))
    try:
        for _, entry in rows:
            await journal.keep(entry)
    finally:
        journal.close()


def _of(agent: str, id: str, call: Call) -> Call:  # noqa: A002 -- its name
    return evolve(call, agent=AgentId(agent), id=CallId(id))


def _refused(call: Call, by: str, rule: str | None = None) -> Entry:
    return records.decided(call, None, outcome="refused", by=by, because="No.", rule=rule)
