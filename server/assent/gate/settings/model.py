"""Every setting, once: its type, its default, its scope, and what it says of itself.

What the editor offers, what `docs/settings.md` lists and what the server accepts are made from
this model. It says what a setting may look like, never whether a layer may set it.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from assent.gate.call.modes import NAMES, Mode
from assent.gate.settings.collection_shape import CollectionName, CollectionSetting
from assent.gate.settings.server_shape import ServerName, ServerSetting
from assent.gate.settings.shapes import (
    SHELLS,
    AgentSetting,
    Example,
    HookSetting,
    Identifier,
    KeepSetting,
    ModelSetting,
    ModeName,
    RulesSetting,
    ShellName,
    Strict,
    TelemetrySetting,
)

__all__ = ["Settings"]

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

_ALONE: Final = "It counts in your user settings alone."
_LESS: Final = "A workspace's settings can only make this less."
LONGEST_WAIT: Final = 7 * 24 * 60 * 60
"""In seconds: a week."""


def _setting(default: Any, *, title: str, says: str, scope: str, **more: Any) -> Any:
    """A field, with what the editor wants to know about it beside its type."""
    extra = {"scope": scope, **more}
    return Field(default=default, title=title, description=says, json_schema_extra=extra)


class Settings(Strict):
    """The section `assent`, in the order in which the settings editor shows it."""

    mode: ModeName = _setting(
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
        says="Agents that speak the Agent Client Protocol, by an id of your choice. Assent and"
        " Eliza are built in. For example:\n\n```json\n"
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
        " `fetch(domain:example.org)`, `mcp(server:tool)`, `mcp(server:get_*)`,"
        " `run(workflow:NAME)`, `agent(NAME)`, and, to ask or deny, `effect(write:outside)`. What a"
        " workspace's settings allow counts only after you have agreed on this machine;"
        " what they ask about or deny counts at once.",
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
    models: Annotated[list[ModelSetting], Field(max_length=50)] = _setting(
        [],
        title="Models",
        says="The models that Assent's own agent can work with, beside those of an Ollama that runs"
        " on this machine, which are found by themselves. For example:\n\n```json\n"
        '"assent.models": [\n  { "provider": "anthropic", "model": "claude-sonnet-4-5" },\n'
        '  { "provider": "openai", "model": "qwen3-coder", "url": "http://127.0.0.1:1234/v1" }\n]'
        "\n```\n\nKeys are taken from the environment (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`) or"
        " from the editor's secret storage, by the command “Assent: Set a Model's Key…”. It"
        " counts in your user settings alone.",
        scope="machine",
        restricted=True,
    )
    search_url: Annotated[str, Field(max_length=1_024)] = _setting(
        "",
        title="Search URL",
        says="Where Assent's own agent searches the web: the address of a SearXNG instance that"
        f" answers in JSON, such as `https://searx.example.org/search`. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    mcp_servers: Annotated[dict[ServerName, ServerSetting], Field(max_length=100)] = _setting(
        {},
        title="MCP servers",
        says="Servers of the Model Context Protocol whose tools agents may use, by a name of"
        " your choice: Assent's own finds them, and those that Assent starts are handed them."
        " For example:\n\n```json\n"
        '"assent.mcpServers": {\n  "github": {\n    "command": "github-mcp-server",\n'
        '    "args": ["stdio"],\n'
        '    "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "${secret:GITHUB}" }\n  }\n}\n```\n\n'
        "One at an address has a `url`, and may have `headers`, in the place of these. A server is"
        " started when an agent first looks for a tool. Each call of a tool is ruled"
        f" on as `mcp(github:create_issue)`. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    nodetool: Annotated[str, Field(max_length=1_024)] = _setting(
        "",
        title="Nodetool",
        says="The Python interpreter, by its whole path, of an environment that has"
        " `nodetool-core` and node packs for it, such as `~/nodetool/bin/python`. Its worker is"
        " started when an agent first looks for a tool, and that loads its packs. Each run of a"
        f" node is ruled on as `mcp(nodetool:NODE)`. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    nodes: Annotated[list[Annotated[str, Field(max_length=1_024)]], Field(max_length=20)] = (
        _setting(
            [],
            title="Nodes",
            says='Python files whose functions agents may use, such as `["~/nodes/*.py"]`. Each'
            " public function with type hints and a docstring is a node `functions:NAME`. To find"
            " them the files are run, in a process of their own, when an agent first looks for a"
            f" tool. Each run of a function is ruled on as `mcp(functions:NAME)`. {_ALONE}",
            scope="machine",
            restricted=True,
        )
    )
    collections: Annotated[dict[CollectionName, CollectionSetting], Field(max_length=50)] = (
        _setting(
            {},
            title="Collections",
            says="Documents that Assent's own agent may search, by a name of your choice. For"
            ' example:\n\n```json\n"assent.collections": {\n  "docs": {\n'
            '    "paths": ["./docs/**/*.md"],\n    "embed": "ollama:nomic-embed-text"\n  }\n}'
            "\n```\n\nWithout `embed` they are searched by words alone. Their texts are kept in an"
            " index of Assent's own, which is made when the agent first searches them; what a rule"
            " denies, or keeps secrets, is not in it. Meaning is compared only by a model on this"
            " machine; one elsewhere is sent nothing. A workspace's settings may name files of the"
            " workspace, and no model.",
            scope="resource",
            restricted=True,
        )
    )
    collections_url: Annotated[str, Field(max_length=1_024)] = _setting(
        "",
        title="Collections URL",
        says="A team's PostgreSQL in which the indexes of collections are kept, in the place of"
        " this machine, such as `postgresql://me:${secret:TEAM}@db.example.org/docs`. The texts"
        " of your collections are sent there. Without `${secret:…}` the password stands in"
        f" `PGPASSFILE` or `~/.pgpass`, and never here. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    shell: ShellName = _setting(
        "bash",
        title="Shell",
        says="The shell that runs the commands of Assent's own agent, without your start-up files."
        f" {_ALONE}",
        scope="machine",
        restricted=True,
        enumDescriptions=[*SHELLS.values()],
    )
    keep_chats: KeepSetting = _setting(
        KeepSetting(),
        title="Keep chats",
        says="How long chats are kept on this machine, and how much of all of them:"
        ' `{"days": 90, "megabytes": 1000}`. When a window opens, what is older or more is'
        " deleted, the oldest first; with `0` days that is all of them, which stay on the disk"
        f" until then. The cards that History shows are deleted after as many days, too. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    telemetry: TelemetrySetting = _setting(
        TelemetrySetting(),
        title="Telemetry",
        says="A collector of your own that is told, by OpenTelemetry, how many calls were decided"
        ' how, and how long that took: `{"endpoint": "http://127.0.0.1:4318"}`. Nothing is sent'
        " anywhere unless you name one. No command, path, host or word of an agent is sent unless"
        ' you add `"details": true`. It counts in your user settings alone.',
        scope="machine",
        restricted=True,
    )
    hooks: Annotated[list[HookSetting], Field(max_length=20)] = _setting(
        [],
        title="Hooks",
        says="Commands that are run before a call is judged (`PreToolUse`), after it ran"
        " (`PostToolUse`), and when a card waits (`Notification`). Each gets the call as JSON, and"
        " can deny it, have it asked about, allow what the mode would ask, or change its input."
        " For example:\n\n```json\n"
        '"assent.hooks": [{ "event": "PreToolUse", "tools": ["write"], "command": "~/bin/check" }]'
        "\n```\n\nThose that a workspace's settings name are run only after you have agreed to"
        " their exact commands on this machine.",
        scope="resource",
        restricted=True,
    )
    requests_per_turn: Annotated[int, Field(ge=1, le=10_000)] = _setting(
        100,
        title="Requests per turn",
        says=f"How often Assent's own agent may ask its model within one turn. {_LESS}",
        scope="window",
    )
    tokens_per_turn: Annotated[int, Field(ge=1, le=1_000_000_000)] = _setting(
        50_000_000,
        title="Tokens per turn",
        says="How many tokens the model of Assent's own agent may read and write within one turn,"
        f" all requests together, what hosts read from their cache included. {_LESS}",
        scope="window",
    )
    tokens_per_part: Annotated[int, Field(ge=1, le=1_000_000_000)] = _setting(
        10_000_000,
        title="Tokens per part",
        says="How many tokens one part of a turn (`run_subtask`) may take, with the parts within"
        f" it. Then the turn ends, and *Continue* lets the part go on from where it was. {_LESS}",
        scope="window",
    )
    writes_per_turn: Annotated[int, Field(ge=0, le=10_000)] = _setting(
        100,
        title="Writes per turn",
        says=f"How many changes to files Assent's own agent may make within one turn. {_LESS}",
        scope="window",
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
    hook_without_editor: Literal["leave", "deny"] = _setting(
        "leave",
        title="Hook without editor",
        says="What becomes of a question of an agent in a terminal (`assent connect`) while no"
        " editor is open: `leave` has the agent ask it itself, where it can, and `deny` refuses."
        " It counts in your user settings alone.",
        scope="application",
        enumDescriptions=[
            "The agent asks the question itself. One that cannot be made to ask is refused.",
            "Whatever would be asked is refused.",
        ],
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
