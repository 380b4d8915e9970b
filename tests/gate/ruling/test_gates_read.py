"""What makes a gate, ours or an editor's, is read unasked in no mode; all beside it is, as ever."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.editor.protocol.editor import EditorPlace, Inspected
from assent.editor.window.settings.premises_survey import premises_of_editor
from assent.gate.call.calls import Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.secret_flows import KEY_NAMES
from assent.gate.settings.paths import agent_hosts, editor_data_folders
from assent.gate.settings.premises import premises_of_machine
from assent.hosting.permission.calls import Reader
from gate.ruling.premises import AGENT
from gate.settings.test_started_later import plant

ENTRY = "agent-host/local-endpoint/entries/0123abcd.json"

STATE = ".local/state/assent"

KEPT = f"""
.config/Code/{ENTRY}
.vscode-server-insiders/data/{ENTRY}
.vscode-server/cli/agent-host-stable.lock
{STATE}/journal.db
{STATE}/chats.db-wal
{STATE}/attestations/0123abcd.json
{STATE}/changes/0123abcd.log
""".split()

HARMLESS = f"""
.config/Code/User/globalStorage/github.copilot-chat/a.json
.config/Code/User/workspaceStorage/0123abcd/chatSessions/a.json
.config/Code/logs/main.log
.vscode-server/data/logs/main.log
.vscode-server/cli/servers/a.log
.claude/projects/till/a.jsonl
.codex/sessions/a.jsonl
.copilot/session-state/a.json
.local/share/opencode/log/a.log
{STATE}/browser/mine/page.png
{STATE}/agents/npx/package.json
""".split()
"""What agents and editors keep for themselves, and what an agent is given to look at."""

READS = r"""
cat @
cat < @
head -c 9 @
ls @
stat @
base64 @
cp @ here
tar -cf here.tar @
grep -r x $(dirname @)
grep -rn x @/../..
f=@; cat "$f"
cat $(echo @)
cat @*
sqlite3 @ .dump
python3 -c 'print(open("@").read())'
curl --unix-socket @ http://localhost/
""".strip().splitlines()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    plant(home, {f"{it}": "{}" for it in (*KEPT, *HARMLESS, "till/a.txt")})
    return home


@pytest.fixture(scope="module")
def places(home: Path) -> Places:
    (home / "till/led").symlink_to(home / ".config/Code/agent-host")
    (home / "till/journal").symlink_to(home / STATE / "journal.db")
    roots = (f"{home}/till",)
    found = premises_of_machine(home / STATE, home, roots)
    return Places(roots=roots, home=str(home), premises=Premises.of(found, roots))


def policies(places: Places) -> Iterator[Policy]:
    """Each mode, with a rule for all of it and without."""
    allowed = [written(text, Verdict.ALLOW) for text in ("shell(*)", "read(/**)")]
    for mode in Mode:
        for rules in ([], allowed):
            book = Book.of(rules, places.roots, places.home)
            yield Policy(mode=mode, book=book, bypassed=frozenset({AGENT}), trusted=True)


def read(places: Places, kind: str, **given: Any) -> Call:
    reader = Reader(chat=ChatId("c"), agent=AGENT, cwd=places.roots[0], places=places)
    return reader.read({"toolCallId": "t", "kind": kind, "rawInput": given})


def reads(places: Places, path: str) -> Iterator[Call]:
    """The calls that read a file."""
    yield read(places, "read", path=path)
    yield read(places, "search", path=str(Path(path).parent), pattern="x")
    yield from (read(places, "execute", command=it.replace("@", path)) for it in READS)


def test_no_call_reads_it_unasked_in_any_mode(home: Path, places: Places) -> None:
    for path in KEPT:
        for call in reads(places, f"{home}/{path}"):
            for policy in policies(places):
                verdict = decide(call, policy, places).verdict
                assert verdict is not Verdict.ALLOW, (policy.mode, call.input)


def test_nor_does_one_that_goes_through_a_folder_above_or_a_link(
    home: Path, places: Places
) -> None:
    config = f"{home}/.config"
    calls = [
        read(places, "search", path=config, pattern="connectionToken"),
        read(places, "search", path=f"{home}/{STATE}/..", regex="x"),
        read(places, "read", path="led/local-endpoint/entries/0123abcd.json"),
        read(places, "read", path="journal"),
        *(
            read(places, "execute", command=it)
            for it in (
                f"grep -r connectionToken {config}/Code",
                f"rg --no-ignore token {config}",
                f"find {config} -name '*.json' -exec cat {{}} +",
                f"find {home}/.local -name '*.db' | xargs strings",
                f"cat {config}/*/agent-host/*/*/*.json",
                f"cat {config}/Code/**/0*.json",
                "cat led/local-endpoint/entries/*",
                "cat journal",
                "cat ~/.config/Code/agent-host/local-endpoint/metadata.json",
                "cd ~/.config/Code/agent-host && cat local-endpoint/entries/*.json",
            )
        ),
    ]
    for call in calls:
        for policy in policies(places):
            assert decide(call, policy, places).verdict is not Verdict.ALLOW, call.input


def test_what_agents_and_editors_keep_beside_it_is_read_as_ever(home: Path, places: Places) -> None:
    ordinary = Places(roots=places.roots, home=places.home)
    commands = ("cat @", "ls @", "grep x @", "wc -l @", "ls $(dirname @)", "tail -f @")
    calls = [
        read(places, "read", path=str(home)),
        read(places, "search", path=f"{home}/.config/Code/User", pattern="x"),
        *(
            read(places, "execute", command=it)
            for it in ("ls ~", "ls -la ~/.config", "ls ~/.config/Code", "find ~ -name '*.md'")
        ),
    ]
    for path in HARMLESS:
        calls.append(read(places, "read", path=f"{home}/{path}"))
        calls += [
            read(places, "execute", command=it.replace("@", f"{home}/{path}")) for it in commands
        ]
    for call in calls:
        for policy in policies(places):
            verdict = decide(call, policy, places).verdict
            assert verdict is decide(call, policy, ordinary).verdict, (policy.mode, call.input)


DATA = {
    "linux": ({}, ".config/{}"),
    "linux elsewhere": ({"XDG_CONFIG_HOME": "{home}/kept"}, "kept/{}"),
    "darwin": ({}, "Library/Application Support/{}"),
    "win32": ({}, "AppData/Roaming/{}"),
    "win32 elsewhere": ({"APPDATA": "{home}/Roaming"}, "Roaming/{}"),
    "linux told": ({"VSCODE_APPDATA": "{home}/told"}, "told/{}"),
}
"""Where editors keep a person's data on each kind of machine."""


def test_the_usual_editors_are_known_on_each_kind_of_machine(tmp_path: Path) -> None:
    flavours = ("Code", "Code - Insiders", "Code - OSS", "VSCodium", "Cursor", "Windsurf")
    servers = (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server")
    for number, (kind, (environment, pattern)) in enumerate(DATA.items()):
        home = tmp_path / str(number)
        env = {name: value.format(home=home) for name, value in environment.items()}
        own = [home / pattern.format(it) for it in flavours]
        remote = [*(home / it / "data" for it in servers), home / ".local/share/code-server"]
        for folder in (*own, *remote):
            folder.mkdir(parents=True)
        platform = kind.split()[0]
        assert {*own, *remote} == {*editor_data_folders(home, platform, env)}, kind
        hosts = agent_hosts(home, platform, env)
        assert {it / "agent-host" for it in (*own, *remote)} <= {*hosts}, kind
        assert home / ".cursor-server/cli/agent-host-stable.lock" in hosts
        # A search by name finds them in any folder.
        assert {it.name for it in hosts} <= {*KEY_NAMES}, kind
    # A variable adds a folder; an editor that was started without it uses the usual one.
    for kind, (environment, pattern) in DATA.items():
        env = {name: value.format(home=tmp_path) for name, value in environment.items()}
        places = [pattern.format("Code"), DATA[kind.split()[0]][1].format("Code")]
        for folder in places:
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        known = editor_data_folders(tmp_path, kind.split()[0], env)
        assert {tmp_path / it for it in places} <= {*known}, kind
    portable = {"VSCODE_PORTABLE": str(tmp_path / "stick")}
    (tmp_path / "stick/user-data").mkdir(parents=True)
    assert tmp_path / "stick/user-data/agent-host" in agent_hosts(tmp_path, "linux", portable)


def test_wherever_an_editor_says_that_its_data_lies_its_agents_are_answered_there(
    tmp_path: Path,
) -> None:
    place = EditorPlace(uri=(tmp_path / "odd").as_uri(), kind="data")
    inspected = Inspected.model_validate({"trusted": True, "keys": {}, "places": [place]})
    found = Premises.of(premises_of_editor(inspected))
    token = found.around(f"{tmp_path}/odd/{ENTRY}")
    assert token is not None
    assert token.keys
    beside = found.around(f"{tmp_path}/odd/User/a.json")
    assert beside is not None
    assert not beside.keys
