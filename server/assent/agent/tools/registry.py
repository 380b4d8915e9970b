"""The list of all tools of our own agent, in the order in which the model sees them.

What a model writes becomes a call here or not at all. Whoever carries a call out uses what its
input says, since that is what was judged.
"""

import json
from functools import cache
from typing import Any, Final

from assent.agent.models.conversation import Toolcard, Wanted
from assent.agent.tools.arguments import ArgumentsWrong, arguments_in, arguments_of
from assent.agent.tools.ask_person import ASK_PERSON
from assent.agent.tools.collections import LIST_COLLECTIONS, QUERY_COLLECTION, SEARCH_COLLECTIONS
from assent.agent.tools.edit_file import EDIT_FILE
from assent.agent.tools.find_files import FIND_FILES
from assent.agent.tools.generate_image import GENERATE_IMAGE
from assent.agent.tools.kill_shell import KILL_SHELL
from assent.agent.tools.list_files import LIST_FILES
from assent.agent.tools.nodes import GET_NODE, LIST_NODES, RUN_NODE
from assent.agent.tools.present_plan import PRESENT_PLAN
from assent.agent.tools.read_file import READ_FILE
from assent.agent.tools.run_command import RUN_COMMAND
from assent.agent.tools.run_subtask import RUN_SUBTASK
from assent.agent.tools.schema import schema_of
from assent.agent.tools.search_text import SEARCH_TEXT
from assent.agent.tools.shell_output import SHELL_OUTPUT
from assent.agent.tools.speak import SPEAK
from assent.agent.tools.todo_write import TODO_WRITE
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool
from assent.agent.tools.use_skill import USE_SKILL
from assent.agent.tools.web_fetch import WEB_FETCH
from assent.agent.tools.web_search import WEB_SEARCH
from assent.agent.tools.workflows import GET_WORKFLOW, LIST_WORKFLOWS, RUN_WORKFLOW
from assent.agent.tools.write_file import WRITE_FILE
from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.call.errors import CallUnreadable
from assent.gate.values import evolve, frozen

__all__ = [
    "BELT",
    "ArgumentsWrong",
    "Made",
    "call_for",
    "carry_out",
    "made",
    "ready",
    "remake",
    "toolcards",
]

BELT: Final[tuple[Tool[Any], ...]] = (
    READ_FILE,
    WRITE_FILE,
    EDIT_FILE,
    LIST_FILES,
    FIND_FILES,
    SEARCH_TEXT,
    RUN_COMMAND,
    SHELL_OUTPUT,
    KILL_SHELL,
    TODO_WRITE,
    WEB_FETCH,
    WEB_SEARCH,
    RUN_SUBTASK,
    ASK_PERSON,
    PRESENT_PLAN,
    USE_SKILL,
    LIST_NODES,
    GET_NODE,
    RUN_NODE,
    LIST_COLLECTIONS,
    SEARCH_COLLECTIONS,
    QUERY_COLLECTION,
    LIST_WORKFLOWS,
    GET_WORKFLOW,
    RUN_WORKFLOW,
    GENERATE_IMAGE,
    SPEAK,
)

_MAX_NAME_LETTERS: Final = 60


@frozen(kw_only=True)
class Made:
    """What a model wrote, as a call that can be judged."""

    tool: Tool[Any]
    arguments: Arguments
    call: Call


def toolcards() -> tuple[Toolcard, ...]:
    """The tools, as a model is told of them."""
    return tuple(map(_card_of, BELT))


@cache
def _card_of(tool: Tool[Any]) -> Toolcard:
    """A tool's card; each chat is given the same one, since a schema takes a while to make."""
    return Toolcard(name=tool.name, says=tool.says, schema=schema_of(tool.arguments))


async def ready(wanted: Wanted, bench: Bench) -> None:
    """Have the tool look at what it must know before its call is made; raises `ArgumentsWrong`."""
    tool = _tool_named(wanted.name, bench)
    if tool.ready is None:
        return
    try:
        await tool.ready(arguments_of(tool, wanted.arguments), bench)
    except CallUnreadable as error:
        raise ArgumentsWrong(f"{tool.name} was not called: {error}") from error


def made(
    wanted: Wanted,
    bench: Bench,
    *,
    chat: ChatId,
    agent: AgentId,
    id: CallId,  # noqa: A002 -- it is the call's
    part: str = "",
    caution: str = "",
) -> Made:
    """The call that a model wrote; raises `ArgumentsWrong`."""
    tool = _tool_named(wanted.name, bench)
    arguments = arguments_of(tool, wanted.arguments)
    try:
        aim = tool.aim(arguments, bench)
    except CallUnreadable as error:
        raise ArgumentsWrong(f"{tool.name} was not called: {error}") from error
    call = call_for(aim, bench, chat=chat, agent=agent, id=id)
    return Made(
        tool=tool,
        arguments=arguments,
        call=evolve(call, part=part, caution=caution or call.caution),
    )


def call_for(aim: Aim, bench: Bench, *, chat: ChatId, agent: AgentId, id: CallId) -> Call:  # noqa: A002 -- as above
    """The call with this aim."""
    return Call(
        id=id,
        chat=chat,
        agent=agent,
        tool=aim.tool,
        effect=aim.effect,
        input=aim.input,
        cwd=bench.cwd if aim.cwd is None else aim.cwd,
        folder=aim.folder,
        targets=aim.targets,
        edits=aim.edits,
        action=aim.action,
        says=aim.says,
        detachable=aim.detachable,
        untried=aim.untried,
        has_sandbox=aim.has_sandbox,
        as_of=aim.as_of,
        tried_before=aim.tried_before,
        agreed=aim.agreed,
        choices=aim.choices,
        made_by=aim.made_by,
        editable=aim.editable,
        code=aim.code,
        scripts=aim.scripts,
        steps=aim.steps,
        described=aim.described,
        caution=aim.caution,
        beside=aim.beside,
    )


def remake(before: Made, given: dict[str, Any], bench: Bench) -> Made:
    """Build a call again with another input of the same form; raises `CallUnreadable`."""
    tool = before.tool
    try:
        arguments = arguments_in(tool, given)
    except ArgumentsWrong as error:
        raise CallUnreadable(f"{tool.name} takes no such input") from error
    try:
        aim = tool.aim(arguments, bench)
    except CallUnreadable as error:
        raise CallUnreadable(str(error).rstrip(".")) from error
    if not _is_same(aim.input, given):
        raise CallUnreadable(f"{tool.name} would not use this input as it stands")
    old = before.call
    call = call_for(aim, bench, chat=old.chat, agent=old.agent, id=old.id)
    call = evolve(
        call,
        part=old.part,
        caution=old.caution,
        says=old.says,
        tool_call_id=old.tool_call_id,
    )
    return Made(tool=tool, arguments=arguments, call=call)


async def carry_out(tool: Tool[Any], call: Call, bench: Bench) -> Done:
    """Do what was judged; raises `ToolFailed`."""
    return await tool.do(arguments_in(tool, call.input), call, bench)


def _tool_named(name: str, bench: Bench) -> Tool[Any]:
    tool = next((tool for tool in BELT if tool.name == name), None)
    if tool is None:
        names = ", ".join(bench.offered())
        shown = name if len(name) <= _MAX_NAME_LETTERS else f"{name[:_MAX_NAME_LETTERS]}…"
        raise ArgumentsWrong(f"There is no tool `{shown}`. There are: {names}.")
    return tool


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether they are the same JSON, in which a truth is no number."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
