"""Every setting, once: its type, its default, its scope, and what it says of itself.

What the editor offers, what the README lists and what the server accepts are made from this
model. It says what a setting may look like, never whether a layer may set it.
"""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from assent.policy.modes import NAMES, Mode
from assent.settings.completion import EFFECT_FORMS, FORMS, RULE_SCHEMA, snippets

__all__ = ["IDENTIFIER", "AgentSetting", "RuleSetting", "RulesSetting", "Settings"]

IDENTIFIER: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"
"""An agent's id. One case only, so that no two ids look alike; `*` is none."""

MODE_SAYS: Final[dict[Mode, str]] = {
    Mode.PLAN: (
        "Reads the workspace, by commands too. Asks before it reads elsewhere, and refuses the"
        " rest."
    ),
    Mode.ASK: "Asks before every call.",
    Mode.DEFAULT: "Reads the workspace, by commands too. Asks before everything else.",
    Mode.ACCEPT_EDITS: "Reads the workspace and edits its files. Asks before everything else.",
    Mode.AUTO: (
        "Does everything without asking, except changes to settings, hooks and start-up files,"
        " removals of everything, and what cannot be read."
    ),
}
"""What each mode does, for the list that the settings editor offers."""

LONGEST_WAIT: Final = 7 * 24 * 60 * 60
"""In seconds: a week."""


def _startable(text: str) -> str:
    """Refuse what no program can be given: NUL, or half of a character."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("cannot be handed to a program")
    return text


def _one_line(text: str) -> str:
    """Refuse names with characters that would not be seen, or that would break a line."""
    if not text.isprintable() or not text.strip():
        raise ValueError("cannot be shown as a name")
    return text


def _mode_named(value: Any) -> Any:
    """The mode of that name; what is no text is not even looked up, since that may go deep."""
    return _MODES.get(value, value) if isinstance(value, str) else value


_MODES: Final = {mode.value: mode for mode in Mode}

Word = Annotated[str, Field(max_length=4_096), AfterValidator(_startable)]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=128)]
Identifier = Annotated[str, Field(pattern=IDENTIFIER)]


RuleText = Annotated[str, Field(max_length=4_096, json_schema_extra=RULE_SCHEMA)]
Sentence = Annotated[str, Field(max_length=500)]
Example = Annotated[str, Field(max_length=4_096)]


class _Model(BaseModel):
    """What both models have in common: strict, frozen, nothing unknown, camelCase outside."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        frozen=True,
        strict=True,
        use_attribute_docstrings=True,
    )


class AgentSetting(_Model):
    """How to start an agent."""

    name: Annotated[str, Field(max_length=80), AfterValidator(_one_line)] = ""
    """What cards call it. Its id, where nothing is said."""
    command: Annotated[Word, Field(min_length=1)]
    """The program to start."""
    args: Annotated[list[Word], Field(max_length=64)] = []
    """What it is started with, one word each; no shell reads them."""
    env: Annotated[dict[Variable, Word], Field(max_length=64)] = {}
    """Variables that are set for it, beside those that it inherits."""


class RuleSetting(_Model):
    """A rule with what else there is to say of it."""

    rule: RuleText
    """The rule itself."""
    why: Sentence = ""
    """Why it is there, for whoever is asked or refused by it."""
    matches: Annotated[list[Example], Field(max_length=100)] = []
    """Calls that it must cover: commands, paths, hosts or names. If it does not, it is refused."""
    spares: Annotated[list[Example], Field(max_length=100)] = []
    """Calls that it must not cover. If it does, it is refused."""
    agent: Identifier | None = None
    """The only agent that it is about."""
    mode: Annotated[Mode, BeforeValidator(_mode_named)] | None = None
    """The only mode in which it counts."""
    until: str | None = Field(default=None, max_length=40, examples=["2030-12-31"])
    """The last day on which it counts, or the time until which it does, such as `2030-12-31`."""


def _offering(*examples: str) -> Any:
    """What the editor offers as an item of a list of rules."""
    offered: dict[str, Any] = {"defaultSnippets": snippets(examples)}
    return Field(json_schema_extra=offered)


Rule = RuleText | RuleSetting
MostRules = Field(max_length=20_000)


class RulesSetting(_Model):
    """What is allowed, asked about and denied, whatever the mode says."""

    allow: Annotated[list[Annotated[Rule, _offering(*FORMS)]], MostRules] = []
    """What is done without asking, unless another rule asks or denies."""
    ask: Annotated[list[Annotated[Rule, _offering(*FORMS, *EFFECT_FORMS)]], MostRules] = []
    """What is asked about in every mode."""
    deny: Annotated[list[Annotated[Rule, _offering(*FORMS, *EFFECT_FORMS)]], MostRules] = []
    """What is refused in every mode."""


def _setting(default: Any, *, title: str, says: str, scope: str, **more: Any) -> Any:
    """A field, with what the editor wants to know about it beside its type."""
    extra = {"scope": scope, **more}
    return Field(default=default, title=title, description=says, json_schema_extra=extra)


class Settings(_Model):
    """The section `assent`, in the order in which the settings editor shows it."""

    mode: Annotated[Mode, BeforeValidator(_mode_named)] = _setting(
        Mode.DEFAULT,
        title="Mode",
        says="How much agents may do unasked in a new chat. A chat's own mode can be changed in"
        " the chat. A workspace's settings make this stricter at once, and looser only after you"
        " have agreed on this machine.",
        scope="resource",
        enumItemLabels=[NAMES[mode] for mode in Mode],
        enumDescriptions=[MODE_SAYS[mode] for mode in Mode],
        restricted=True,
    )
    bypass_permissions: dict[Identifier, bool] = _setting(
        {},
        title="Bypass permissions",
        says="Agents that work in this workspace without asking you: the agent's id and `true`,"
        ' such as `{"eliza": true}`. It counts in a workspace\'s settings only, and only after'
        " you have agreed on this machine; `false` counts at once. Refusals still hold, and"
        " calls that would change what is allowed later are still asked about.",
        scope="resource",
        ignoreSync=True,
        restricted=True,
    )
    agents: dict[Identifier, AgentSetting] = _setting(
        {},
        title="Agents",
        says="Agents that speak the Agent Client Protocol, by an id of your choice. Eliza is"
        " built in. For example:\n\n```json\n"
        '"assent.agents": {\n  "claude": {\n    "name": "Claude Code",\n    "command": "npx",\n'
        '    "args": ["-y", "@agentclientprotocol/claude-agent-acp"]\n  }\n}\n```\n\n'
        "An agent that a workspace's settings name is not started before you have agreed to its"
        " exact command on this machine.",
        scope="machine-overridable",
        restricted=True,
    )
    rules: RulesSetting = _setting(
        RulesSetting(),
        title="Rules",
        says="What is allowed, asked about or denied, whatever the mode says. Denying goes before"
        " asking, and asking before allowing. For example:\n\n```json\n"
        '"assent.rules": {\n  "allow": ["shell(npm test:*)", "read(~/notes/**)"],\n'
        '  "ask": ["shell(git push:*)"],\n'
        '  "deny": [{ "rule": "read(./.env)", "why": "It has passwords in it." }]\n}\n```\n\n'
        "`shell(git status:*)` is a command that begins with these words, `shell(npm test)` this"
        " command to the letter. Paths begin with `./` for the workspace, `~/` or `/`. There are"
        " `fetch(domain:example.org)`, `mcp(server:tool)`, `run(node:NAME)`, `agent(NAME)`, and,"
        " to ask or deny, `effect(write:outside)`. What a workspace's settings allow counts only"
        " after you have agreed on this machine; what they ask about or deny counts at once.",
        scope="resource",
        restricted=True,
    )
    additional_directories: Annotated[list[Example], Field(max_length=100)] = _setting(
        [],
        title="Additional directories",
        says="Folders outside the workspace in which agents may work as if they lay in it, such as"
        ' `["~/notes"]`. Those that a workspace\'s settings name count only after you have agreed'
        " on this machine.",
        scope="resource",
        restricted=True,
    )
    approval_timeout: Annotated[float, Field(ge=0, le=LONGEST_WAIT, allow_inf_nan=False)] = (
        _setting(
            300,
            title="Approval timeout",
            says="Seconds after which a question that nobody has answered is refused. `0` waits"
            " for as long as it takes. A workspace's settings can only shorten this.",
            scope="window",
        )
    )
    notifications: bool = _setting(
        True,
        title="Notifications",
        says="Show a notification when a card has waited for ten seconds and nobody has seen it.",
        scope="application",
    )
    interpreter: str = _setting(
        "",
        title="Interpreter",
        says="The Python, 3.11 or newer, that runs Assent's server. Where nothing is said, one is"
        " looked for. One that a workspace's settings name is used only after you have agreed.",
        scope="machine-overridable",
        restricted=True,
    )
    server_command: list[str] = _setting(
        [],
        title="Server command",
        says="The whole command that starts Assent's server, one word each, instead of the server"
        ' that comes with the extension: `["/path/to/venv/bin/assent", "serve"]` for one.',
        scope="machine",
        restricted=True,
    )
