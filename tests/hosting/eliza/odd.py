"""Agents of a few lines, for doing what no decent agent does."""

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import evolve

from assent.hosting.connection.spec import AgentSpec

__all__ = ["SCRIPTED", "maker"]

SCRIPTED = '''
import json, os, subprocess, sys, threading, time

def send(**body):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **body}) + "\\n")
    sys.stdout.flush()

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

HERE = os.getcwd()

def until(method):
    """Read on until a message of that method, and give it back."""
    global HERE
    while True:
        message = hear()
        # Where its session begins, which is where it says that its calls run.
        HERE = message.get("params", {}).get("cwd") or HERE
        if message.get("method") == method:
            return message

def answer_to(number):
    """Read on until the answer to a request of ours."""
    while True:
        message = hear()
        if message.get("id") == number and "method" not in message:
            return message

def update(**members):
    send(method="session/update", params={"sessionId": "s", "update": members})

def say(text):
    update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})

ONCE = {"optionId": "yes", "name": "Yes", "kind": "allow_once"}
ALWAYS = {"optionId": "ever", "name": "Yes, for ever", "kind": "allow_always"}
NO = {"optionId": "no", "name": "No", "kind": "reject_once"}

def ask(number, call, options=(ONCE, ALWAYS, NO)):
    send(id=number, method="session/request_permission",
         params={"sessionId": "s", "toolCall": call, "options": list(options)})

def begin(capabilities=None):
    """Everything up to the first prompt, whose id is given back."""
    send(id=until("initialize")["id"],
         result={"protocolVersion": 1, "agentCapabilities": capabilities or {}})
    send(id=until("session/new")["id"], result={"sessionId": "s"})
    return until("session/prompt")["id"]

def end(number, reason="end_turn"):
    send(id=number, result={"stopReason": reason})
'''


def maker(folder: Path) -> Callable[..., AgentSpec]:
    """Makes an agent of a few lines of Python; see `SCRIPTED` for what they can use."""

    def make(body: str, **changes: Any) -> AgentSpec:
        path = folder / "agent.py"
        path.write_text(SCRIPTED + textwrap.dedent(body))
        return evolve(
            AgentSpec(id="odd", name="Odd", command=sys.executable, args=(str(path),)), **changes
        )

    return make
