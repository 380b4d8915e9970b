"""Builds what our own agent is given to work with."""

import os
import platform
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from assent.agent.loop.setup import Limits, Setup
from assent.agent.tools.folder_view import plainly
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.workflows.runs import Runs
from assent.editor.window.agents.own.command_trials import CommandTrials
from assent.editor.window.agents.own.guides import Guides
from assent.editor.window.agents.own.prepared import Prepared
from assent.editor.window.agents.own.sight import Eyes
from assent.editor.window.agents.own.skill_texts import Skill
from assent.editor.window.collections.collections import Collections
from assent.editor.window.models.makers import MakingModels
from assent.editor.window.models.models import Models
from assent.editor.window.rules.read_rulings import readable_by, ruling_on
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.editor.window.settings.policies import Policies
from assent.editor.window.settings.workspace import Workspace
from assent.gate.call.calls import AgentId, ChatId, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.journal.events import ShellMoved
from assent.gate.processes.shell import Shell
from assent.gate.processes.shell_environment import interpreter
from assent.gate.ruling.policy import Policy
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.paths import runs_file

__all__ = ["guides_of", "prepared_for", "setup_of", "target_told"]


def setup_of(
    run: Run,
    settings: SettingsParts,
    models: Models,
    *,
    go_in: Callable[[ChatId, Mode], None],
    prepared: Callable[[ChatId], Prepared],
    nodes: Catalogue,
    documents: Collections,
) -> Setup:
    """All that our own agent may ask of the house."""
    workspace, policies = settings.workspace, settings.policies
    places = workspace.places

    def may_read(chat: ChatId, agent: AgentId, path: str) -> bool:
        return _may_read(policies, places(), chat, agent, path)

    def tells(chat: ChatId, path: str) -> str | None:
        return _name_told(policies, places(), chat, path)

    guides = guides_of(policies, places, ASSENT.id)
    eyes = Eyes(wire=run.wire, tells=tells)
    return Setup(
        provider=models.provider,
        mode=lambda chat: policies.of(chat, AgentId("")).mode,
        go_in=go_in,
        limits=lambda: _limits(workspace),
        search_url=lambda: workspace.reading.own.search_url,
        interpreter=lambda: workspace.reading.own.shell,
        facts=lambda _: _facts(places(), workspace.reading.own.shell),
        guides=lambda chat: (
            guides.of_place(chat)
            | {"skills": prepared(chat).note(), "servers": _servers_note(nodes)}
        ),
        skill=lambda chat, name: _skill(prepared(chat), name),
        guides_near=guides.on_way_to,
        state_folder=run.state,
        look=eyes.look,
        problems=eyes.problems,
        nodes=nodes,
        maker=MakingModels(models=models),
        trials=CommandTrials(policies, places, run.state, lambda: workspace.reading),
        documents=documents,
        runs=Runs(runs_file(run.state), run.epoch, run.epochs.lives),
        buffers=settings.buffers,
        may_read=may_read,
        denies_none=lambda chat, agent: _denies_none(policies, places(), chat, agent),
        changed_shell=lambda chat, shell: run.board.tell(_moved(chat, shell)),
    )


def prepared_for(
    policies: Policies,
    places: Callable[[], Places],
    taken: Callable[[], Iterable[Skill]],
    chat: ChatId,
) -> Prepared:
    """What is prepared for our own agent, as far as it may be read in a chat."""
    return Prepared(
        places=places,
        may_read=lambda path: _may_read(policies, places(), chat, ASSENT.id, path),
        taken=taken,
    )


def _servers_note(nodes: Catalogue) -> str:
    names = ", ".join(nodes.source.names)
    return f"[MCP servers, whose tools list_nodes finds: {names}.]" if names else ""


def _skill(prepared: Prepared, name: str) -> str | None:
    skill = prepared.skills().get(name)
    return None if skill is None else skill.text


def guides_of(policies: Policies, places: Callable[[], Places], agent: AgentId) -> Guides:
    """What may be told to an agent unasked of what folders say."""

    def tells(chat: ChatId, path: str) -> bool:
        policy = policies.whole(chat, agent)
        return target_told(policy, places(), chat, agent, path) is not None

    return Guides(
        places=places,
        tells=tells,
        may_read=lambda chat, path: _may_read(policies, places(), chat, agent, path),
    )


def _limits(workspace: Workspace) -> Limits:
    own = workspace.reading.own
    return Limits(
        rounds=own.requests,
        tokens=own.tokens,
        part_tokens=own.part_tokens,
        writes=own.writes,
    )


def _may_read(policies: Policies, places: Places, chat: ChatId, agent: AgentId, path: str) -> bool:
    """Whether no rule denies reading a file or asks about it; the mode has had its say."""
    return readable_by(policies.whole(chat, agent), places, chat, agent, path)


def _denies_none(policies: Policies, places: Places, chat: ChatId, agent: AgentId) -> bool:
    """Whether no rule is about reading files, and no keys lie in the workspace."""
    policy = policies.whole(chat, agent)
    said = any(rule.ruling.verdict is not Verdict.ALLOW for rule in policy.rules)
    books = (policy.book, policy.more)
    refuses = any(book.refuses_paths or book.on_effects or book.suspended for book in books)
    folders = (*places.roots, *map(os.path.realpath, places.roots))
    return not (said or refuses or places.premises.below(*folders))


def _name_told(policies: Policies, places: Places, chat: ChatId, path: str) -> str | None:
    """What a file is called, where our own agent may be told of it and of what stands in it."""
    target = target_told(policies.whole(chat, ASSENT.id), places, chat, ASSENT.id, path)
    return None if target is None else plainly(target.shown)


def target_told(
    policy: Policy, places: Places, chat: ChatId, agent: AgentId, path: str
) -> Target | None:
    """Where a path leads, if an agent may be told of the file there and of what stands in it.

    That is where reading it would be allowed unasked, by the mode as well: the one place in which
    that is said of what the agent did not ask for.
    """
    try:
        target = places.locate(path, "/")
    except CallUnreadable:
        return None
    ruling = ruling_on(policy, places, chat, agent, target)
    return target if ruling.verdict is Verdict.ALLOW else None


def _facts(places: Places, shell: str) -> str:
    """What a newcomer would like to know of the place."""
    folders = ", ".join(places.roots) or "none is open"
    sentences = [
        f"Today is {datetime.now().astimezone():%Y-%m-%d}.",
        f"The system is {platform.system()} ({platform.machine()}).",
        f"Folders of the workspace: {folders}.",
        f"Commands are run by {interpreter(places.executables, shell) or shell}.",
    ]
    if any(Path(root, ".git").exists() for root in places.roots):
        sentences.append("It is a git repository.")
    return f"[{' '.join(sentences)}]"


def _moved(chat: ChatId, shell: Shell) -> ShellMoved:
    return ShellMoved(
        chat=chat,
        shell=shell.id,
        call=shell.call,
        command=shell.command,
        state=shell.state.value,
        code=shell.code,
        in_background=shell.in_background,
    )
