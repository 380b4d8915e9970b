"""The answers that a ticket offers.

Broad answers are offered only in a trusted workspace, and never for a question that no rule may
lift: what would be refused later is not offered now.
"""

from typing import Final

from assent.gate.approvals.tickets import Option, OptionKind, Scope
from assent.gate.call.calls import APPLY, Call
from assent.gate.call.modes import NAMES, Mode
from assent.gate.call.verdicts import Ruling
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.ruling.policy import Policy, grant_for
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = [
    "AGENT_PREFIX",
    "ANSWER_PREFIX",
    "IN_SANDBOX",
    "TRY",
    "options_for",
    "options_for_repository",
    "options_for_wish",
]

AGENT_PREFIX = "agent:"
"""Stands before the id of an option that the agent made up."""
ANSWER_PREFIX = "answer:"
"""Stands before the place of an answer among those that an agent offers."""

TRY: Final = Option(
    id="try",
    kind=OptionKind.TRY,
    label="Try it",
    detail="Runs on a copy of the workspace, and asks about each host. You see what it changed, and"
    " apply or discard that.",
)

IN_SANDBOX: Final = Option(
    id="sandbox",
    kind=OptionKind.ALLOW_BOXED,
    label="Run in sandbox",
    detail="Changes only the workspace, and asks about each host. You are asked before anything"
    " protected changes.",
)

_OFFERS, _LABEL = 4, 120
"""How many of the agent's own options are shown, and how much of each one's words."""

_FOLDER: Final = late(r"read\(([\w.@+~/-]+)/\*\*\)")
"""A rule about reading a folder whose name could be no sentence."""


def options_for(
    call: Call,
    ruling: Ruling,
    policy: Policy,
    agent_name: str,
    drafts: Drafts = NONE,
    *,
    modes: tuple[Mode, ...] = (),
) -> tuple[Option, ...]:
    """What a person may answer to this question about a call."""
    if call.tool == "question":
        return _answers(call)
    if call.tool == "plan":
        return _for_plan(modes)
    if call.tool == "form":
        return _for_form(call)
    is_broad = ruling.lasting and policy.trusted
    if call.action == APPLY:
        for_chat = _for_this_chat() if is_broad and call.made_by is not None else ()
        return _for_changes(call.choices, (*for_chat, *_always_apply(drafts)))
    return (
        Option(id="once", kind=OptionKind.ALLOW_ONCE, label="Allow once"),
        *((TRY, IN_SANDBOX) if call.untried == "" else ()),
        *(_background() if call.detachable else ()),
        *(_broad_yes(call, policy, agent_name, drafts) if is_broad else ()),
        Option(id="deny", kind=OptionKind.DENY_ONCE, label="Deny"),
        Option(
            id="tell",
            kind=OptionKind.DENY_TELL,
            label="Deny and tell the agent…",
            detail="The agent gets your words with the refusal.",
        ),
        *(_broad_no(call, drafts) if is_broad else ()),
    )


def _answers(call: Call) -> tuple[Option, ...]:
    """The answers to what an agent wants to know: its own, other words, or none."""
    return (
        *(
            Option(id=f"{ANSWER_PREFIX}{place}", kind=OptionKind.ANSWER, label=str(choice["label"]))
            for place, choice in enumerate(call.input.get("choices", ()))
        ),
        Option(id="words", kind=OptionKind.ANSWER_WORDS, label="Answer in your words…"),
        Option(
            id="skip",
            kind=OptionKind.SKIP,
            label="Skip",
            detail="The agent is told that you did not answer, and goes on.",
        ),
    )


def _for_plan(modes: tuple[Mode, ...]) -> tuple[Option, ...]:
    """The answers to a plan; it is carried out in one of these modes."""
    return (
        *(
            Option(
                id=f"go-{mode.value}",
                kind=OptionKind.APPROVE_PLAN,
                label=f"Approve and go: {NAMES[mode]}",
                detail=f"The agent gets the plan as it stands here; {NAMES[mode]} mode holds.",
                mode=mode,
            )
            for mode in modes
        ),
        Option(id="deny", kind=OptionKind.DENY_ONCE, label="Cancel"),
        Option(
            id="tell",
            kind=OptionKind.DENY_TELL,
            label="Change…",
            detail="The agent gets your words and plans again.",
        ),
    )


def _for_form(call: Call) -> tuple[Option, ...]:
    """The answers to the form of a server or an agent, or to a page that it wants to be opened."""
    is_agent = "agent" in call.input
    return (
        Option(id="open", kind=OptionKind.OPEN_PAGE, label="Open")
        if "url" in call.input
        else Option(
            id="answer",
            kind=OptionKind.ANSWER_FORM,
            label="Answer",
            said="You answered the agent" if is_agent else "",
        ),
        Option(
            id="decline",
            kind=OptionKind.DECLINE,
            label="Decline",
            detail="The agent is told that you do not want to, and goes on with that."
            if is_agent
            else "The server is told that you do not want to, and its tool goes on with that.",
        ),
        Option(
            id="cancel",
            kind=OptionKind.CANCEL,
            label="Cancel",
            detail="The agent is told that you said neither yes nor no."
            if is_agent
            else "The server is told that you said neither yes nor no, and asks no more for this"
            " call.",
        ),
    )


def options_for_wish(label: str) -> tuple[Option, ...]:
    """What a person may answer to a wish of the workspace."""
    return (
        Option(id="keep", kind=OptionKind.KEEP_ASKING, label="Keep asking"),
        Option(id="grant", kind=OptionKind.GRANT_WISH, label=label),
    )


def options_for_repository(yes: str) -> tuple[Option, ...]:
    """What a person may answer where files of a repository configure an agent."""
    return (
        Option(
            id="keep",
            kind=OptionKind.KEEP_OFF,
            label="Keep off",
            detail="Holds until one of these files changes.",
        ),
        Option(
            id="grant",
            kind=OptionKind.GRANT_WISH,
            label=yes,
            detail="Holds for these files as they stand here, and until one of them changes.",
        ),
    )


def _for_changes(choices: tuple[str, ...], broad: tuple[Option, ...]) -> tuple[Option, ...]:
    """The answers to what a trial changed."""
    return (
        Option(
            id="once",
            kind=OptionKind.ALLOW_ONCE,
            label="Apply",
            detail="All of it becomes real, or nothing where anything fails.",
            said="You applied it",
        ),
        *(_some_of(choices) if len(choices) > 1 else ()),
        *broad,
        Option(
            id="deny",
            kind=OptionKind.DENY_ONCE,
            label="Discard",
            detail="The workspace stays as it was before the command.",
            said="You discarded it",
        ),
        Option(
            id="tell",
            kind=OptionKind.DENY_TELL,
            label="Discard and tell the agent…",
            detail="The agent gets your words with the refusal.",
            said="You discarded it",
        ),
    )


def _some_of(choices: tuple[str, ...]) -> tuple[Option, ...]:
    return (
        Option(
            id="some",
            kind=OptionKind.ALLOW_SOME,
            label="Apply some of it…",
            detail="You tick what becomes real. The agent is told what was left out.",
            said="You applied some of it",
            choices=choices,
        ),
    )


def _for_this_chat() -> tuple[Option, ...]:
    return (
        Option(
            id="chat",
            kind=OptionKind.ALLOW_CHAT,
            label="Apply for this chat",
            detail="What this command changes becomes real without a card until this chat ends. You"
            " are still asked about deletions, links, programs and protected files.",
            said="You applied it for this chat",
        ),
    )


def _always_apply(drafts: Drafts) -> tuple[Option, ...]:
    kind = OptionKind.ALLOW_ALWAYS
    if not all(rule.startswith("shell(") for rule in drafts.allow):
        return ()
    options = _ruled("always", kind, "Always apply…", drafts.allow, drafts)
    detail = (
        "Writes a rule, which you see and may change first. Such a command then runs in the sandbox"
        " without this card. You are still asked about hosts, and about files that every mode or"
        " another rule asks about."
    )
    # For one chat there is an answer of its own.
    scopes = tuple(scope for scope in _scopes(drafts, kind) if scope is not Scope.CHAT)
    return tuple(
        evolve(option, detail=detail, scopes=scopes, in_sandbox=True, said="You applied it always")
        for option in options
    )


def _background() -> tuple[Option, ...]:
    return (
        Option(
            id="background",
            kind=OptionKind.ALLOW_BACKGROUND,
            label="Allow in the background",
            detail="It runs on while the agent does other things, until it ends or you end it.",
        ),
    )


def _broad_yes(call: Call, policy: Policy, agent_name: str, drafts: Drafts) -> tuple[Option, ...]:
    return (
        Option(
            id="chat",
            kind=OptionKind.ALLOW_CHAT,
            label="Allow for this chat",
            detail=f"Covers {grant_for(call).text}, and nothing else, until this chat ends."
            f" {drafts.why}".rstrip(),
        ),
        *_folder(drafts.allow),
        *_ruled("always", OptionKind.ALLOW_ALWAYS, "Always allow…", drafts.allow, drafts),
        *_project(drafts),
        *(_bypass(agent_name) if policy.may_bypass else ()),
        *(
            Option(
                id=AGENT_PREFIX + offer.id,
                kind=OptionKind.AGENT_ALWAYS,
                label=f"Let {agent_name} remember this itself: “{offer.label[:_LABEL]}”",
                detail="Assent will not see such a call again.",
            )
            for offer in call.offers[:_OFFERS]
        ),
    )


def _folder(rules: tuple[str, ...]) -> tuple[Option, ...]:
    """Leave to read one folder until the chat ends, where that is all that the call lacks."""
    found = _FOLDER.fullmatch(rules[0]) if len(rules) == 1 else None
    if found is None:
        return ()
    folder = found[1]
    return (
        Option(
            id="folder",
            kind=OptionKind.ALLOW_CHAT,
            label=f"Allow reading {folder} in this chat",
            detail="Covers all that lies below it, until this chat ends.",
            said=f"You allowed reading {folder} for this chat",
            rules=rules,
        ),
    )


def _bypass(agent_name: str) -> tuple[Option, ...]:
    return (
        Option(
            id="bypass",
            kind=OptionKind.BYPASS_AGENT,
            label=f"Stop asking for {agent_name}…",
            detail="Written to this workspace's settings; you are asked once more first.",
        ),
    )


def _broad_no(call: Call, drafts: Drafts) -> tuple[Option, ...]:
    return (
        Option(
            id="denyChat",
            kind=OptionKind.DENY_CHAT,
            label="Deny for this chat",
            detail=f"Refuses {grant_for(call).text} without a card until this chat ends.",
        ),
        *_ruled("never", OptionKind.DENY_ALWAYS, "Never allow…", drafts.deny, drafts),
    )


def _ruled(
    option_id: str, kind: OptionKind, label: str, rules: tuple[str, ...], drafts: Drafts
) -> tuple[Option, ...]:
    """An answer that is written as rules; without a rule to begin with, it is not offered."""
    if not rules:
        return ()
    return (
        Option(
            id=option_id,
            kind=kind,
            label=label,
            detail="Writes a rule, which you see and may change first.",
            rules=rules,
            scopes=_scopes(drafts, kind),
        ),
    )


def _scopes(drafts: Drafts, kind: OptionKind) -> tuple[Scope, ...]:
    """Where a rule may be written; a person begins with the workspace, which is what they see.

    What is refused in one folder is for the settings of that folder to say.
    """
    workspace = (Scope.WORKSPACE,) if drafts.for_workspace else ()
    folder = (Scope.HERE,) if drafts.for_folder and kind is OptionKind.ALLOW_ALWAYS else ()
    return (*workspace, Scope.CHAT, *folder, Scope.USER)


def _project(drafts: Drafts) -> tuple[Option, ...]:
    """The rules of this call, and with them those for what a project's files name."""
    rules = tuple(dict.fromkeys((*drafts.allow, *drafts.project)))
    if not drafts.allow or len(rules) == len(drafts.allow):
        return ()
    return (
        Option(
            id="project",
            kind=OptionKind.ALLOW_ALWAYS,
            label="Always allow this and the project's commands…",
            detail="What builds, tests, lints and commits it, by its files. You tick what is"
            " written to your own settings, for this folder alone.",
            rules=rules,
            scopes=(Scope.HERE,),
        ),
    )
