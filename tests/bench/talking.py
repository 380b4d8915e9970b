"""An agent of other people that tells more than anybody reads, and a person who answers cards."""

import sys
from pathlib import Path
from typing import Final

from bench.flood import answered
from bench.window import Talker, window
from hosting.eliza.odd import SCRIPTED

__all__ = ["CARDS", "TOLD", "flooded_by_an_agent"]

CARDS: Final = "a card's answer, an agent floods"
TOLD: Final = "what it told meanwhile"

_FLOOD: Final = """
number, over, told = begin(), threading.Event(), 0
threading.Thread(target=lambda: (until("session/cancel"), over.set()), daemon=True).start()
while not over.is_set():
    for at in range(100):
        say("x" * 60)
        update(sessionUpdate="plan", entries=[{"content": str(at), "status": "pending"}])
        update(sessionUpdate="tool_call", toolCallId=str(told + at), title="x", kind="other")
    told += 300
open(COUNTED, "w").write(str(told))
end(number, "cancelled")
until("never")
"""
_CARDS: Final = 60
_BETWEEN: Final = 0.05
"""In seconds, so that the answers are spread over the flood."""
_LEAST: Final = 10_000
"""Fewer messages were no flood."""


def flooded_by_an_agent(model: Talker, home: Path) -> dict[str, list[float]]:
    """In ms how long each answer took, and how many messages the agent told."""
    program, counted = home / "agent.py", home / "counted"
    program.write_text(f"{SCRIPTED}\nCOUNTED = {str(counted)!r}\n{_FLOOD}", encoding="utf-8")
    agent = {"name": "Flood", "command": sys.executable, "args": [str(program)]}
    with window(model, home, agents={"flood": agent}) as opened:
        other, chat = opened.chat("eliza"), opened.chat("flood")
        flood = opened.say(chat, "go on")
        opened.until(lambda it: it.event.get("kind") == "said" and it.params["chatId"] == chat)
        answers: list[float] = []
        while len(answers) < _CARDS:
            answers.append(answered(opened, other, f"note-{len(answers)}"))
            opened.pass_by(_BETWEEN)
        if flood in opened.answers:
            raise AssertionError(f"the flood was over: {opened.answers[flood].message}")
        opened.answer(opened.ask("agent/stop", {"chatId": chat}))
        opened.answer(flood)
        told = int(counted.read_text(encoding="utf-8"))
    if told < _LEAST:
        raise AssertionError(f"the agent told only {told} messages")
    return {CARDS: answers, TOLD: [float(told)]}
