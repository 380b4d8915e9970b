"""What is known of the folder, the variables and the functions after a simple command."""

import re
from typing import Final

from attrs import evolve

from assent.policy.shell.folders import MOVERS, moved
from assent.policy.shell.notes import Here
from assent.policy.shell.simple import Simple
from assent.policy.shell.specials import DECLARES, LOSES, NAMES_FIRST
from assent.policy.shell.state import LOST, Flow, State

__all__ = ["effect"]

_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def effect(simple: Simple, name: str, here: Here) -> Flow:
    """What is known after a command."""
    state = here.state
    if not simple.argv:
        state = assigned(simple, state)
        return state, state
    if name in MOVERS:
        return evolve(state, folders=moved(state.folders, simple.argv)), state
    if name in LOSES:
        return LOST, LOST
    if name == "exit" and not here.fed:
        return None, None
    if name in state.functions:
        called = State(
            functions=state.functions, folders=None if here.notes.moves else state.folders
        )
        return called, called
    if name in NAMES_FIRST or (name == "printf" and _assigns(simple)):
        state = _forgotten(simple, state, here)
    return state, state


def _assigns(simple: Simple) -> bool:
    return len(simple.argv) > 1 and not (simple.argv[1].known and simple.argv[1].text[:1] != "-")


def assigned(simple: Simple, state: State) -> State:
    """After assignments."""
    for it in simple.assignments:
        known = it.value.known or it.value.choices or it.value.listed
        appended = it.name in simple.appended
        state = state.assigned(it.name, it.value if known and not appended else None)
    return state


def _forgotten(simple: Simple, state: State, here: Here) -> State:
    """After a builtin that assigns the variables it names."""
    if any(not it.known for it in simple.argv[1:]):
        return State(folders=state.folders)
    if simple.argv[0].text in DECLARES:
        state = assigned(simple, state)
    for word in simple.argv[1:]:
        name = word.text.partition("=")[0].partition("[")[0]
        for it in {name, name.lstrip("-apv")}:
            if _NAME.fullmatch(it) and not any(it == given.name for given in simple.assignments):
                state = state.assigned(it, None)
    if simple.argv[0].text == "unset":
        state = evolve(state, functions=frozenset())
    last = simple.argv[-1].text
    if simple.argv[0].text == "read" and here.names is not None and _NAME.fullmatch(last):
        state = state.assigned(last, here.names)
    return state
