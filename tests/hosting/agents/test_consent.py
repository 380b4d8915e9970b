"""What a repository may tell an agent: asked before it starts, and looked at again afterwards."""

from pathlib import Path

import pytest
from attrs import define, field

from assent.gate.call.errors import AgentFailed
from assent.gate.settings.wishes import Standing, Wish
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.recipes.recipes import RECIPES
from assent.hosting.repositories.consent import Consent, Handed
from assent.hosting.repositories.consent_answers import ConsentAnswers
from tables import each_row

KNOWN = {it.id: it for it in RECIPES}
SPEC = AgentSpec(id="a", name="A", command="a")
SERVER = '{"mcpServers": {"it": {"command": "make"}}}'


@define
class Person(ConsentAnswers):
    """Somebody who answers each card alike, and of whom it is known."""

    answer: Standing | None
    asked: list[Wish] = field(factory=list)

    def standing(self, wish: Wish) -> Standing | None:
        """What they said before."""
        return self.answer if wish in self.asked else None

    async def ask(self, wish: Wish, name: str) -> Standing | None:
        """What they say."""
        self.asked.append(wish)
        return self.answer


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.mark.parametrize("answer", [None, Standing.DECLINED])
async def test_an_agent_that_reads_files_is_not_started_unless_they_are_let(
    tmp_path: Path, told: list[str], answer: Standing | None
) -> None:
    put(tmp_path / ".codex" / "config.toml", "model = 'x'\n")
    person = Person(answer)
    with pytest.raises(AgentFailed, match="not started here"):
        await Consent(person).admit(SPEC, KNOWN["codex"], str(tmp_path), told.append)
    assert len(person.asked) == 1
    assert "its card is open" in told[0]


async def test_what_was_let_once_is_asked_no_second_time(tmp_path: Path, told: list[str]) -> None:
    put(tmp_path / ".codex" / "config.toml", "model = 'x'\n")
    person = Person(Standing.GRANTED)
    it, codex = Consent(person), KNOWN["codex"]
    wish = await it.admit(SPEC, codex, str(tmp_path), told.append)
    assert wish == await it.admit(SPEC, codex, str(tmp_path), told.append) == person.asked[0]
    assert len(person.asked) == 1
    await it.insist(SPEC, codex, str(tmp_path), wish)


@pytest.mark.parametrize(
    ("agent", "file", "text"),
    [
        ("codex", ".codex/hooks.json", "{}"),
        ("copilot", ".github/hooks/a.json", "{}"),
        ("opencode", ".opencode/plugin/a.js", ""),
    ],
)
async def test_an_agent_whose_calls_a_repository_could_change_is_not_started(
    tmp_path: Path, told: list[str], agent: str, file: str, text: str
) -> None:
    put(tmp_path / file, text)
    person = Person(Standing.GRANTED)
    with pytest.raises(AgentFailed, match="may change what was ruled on"):
        await Consent(person).admit(SPEC, KNOWN[agent], str(tmp_path), told.append)
    assert person.asked == []


async def test_an_agent_is_not_started_where_nobody_can_be_shown_what_is_said(
    tmp_path: Path, told: list[str]
) -> None:
    put(tmp_path / ".codex" / "rules" / "a.rules", "x" * 2_000_000)
    with pytest.raises(AgentFailed, match="nobody can be shown"):
        await Consent(Person(Standing.GRANTED)).admit(
            SPEC, KNOWN["codex"], str(tmp_path), told.append
        )


LATER = {
    "another file": (".codex/rules/b.rules", "allow"),
    "another text": (".codex/config.toml", "model = 'y'\n"),
    "what nobody can be shown": (".codex/rules/b.rules", "x" * 2_000_000),
    "hooks": (".codex/hooks.json", "{}"),
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
@pytest.mark.parametrize("before", [True, False], ids=["some before", "none before"])
async def test_what_comes_while_an_agent_starts_ends_its_session(
    tmp_path: Path, told: list[str], later: tuple[str, str], before: bool
) -> None:
    it, codex = Consent(Person(Standing.GRANTED)), KNOWN["codex"]
    if before:
        put(tmp_path / ".codex" / "config.toml", "model = 'x'\n")
    wish = await it.admit(SPEC, codex, str(tmp_path), told.append)
    assert (wish is not None) is before
    put(tmp_path / later[0], later[1])
    with pytest.raises(AgentFailed, match="changed while it was being started"):
        await it.insist(SPEC, codex, str(tmp_path), wish)


async def test_what_says_nothing_but_of_hooks_later_ends_a_session_as_well(
    tmp_path: Path, told: list[str]
) -> None:
    it, opencode = Consent(Person(Standing.GRANTED)), KNOWN["opencode"]
    assert await it.admit(SPEC, opencode, str(tmp_path), told.append) is None
    put(tmp_path / ".opencode" / "plugin" / "a.js", "")
    with pytest.raises(AgentFailed, match="changed while it was being started"):
        await it.insist(SPEC, opencode, str(tmp_path), None)


@pytest.mark.parametrize("answer", [None, Standing.DECLINED, Standing.GRANTED])
async def test_an_agent_that_can_be_kept_off_is_handed_only_what_was_let(
    tmp_path: Path, told: list[str], answer: Standing | None
) -> None:
    put(tmp_path / ".mcp.json", SERVER)
    person = Person(answer)
    it, claude = Consent(person), KNOWN["claude"]
    assert await it.admit(SPEC, claude, str(tmp_path), told.append) is None
    first = await it.handed(SPEC, claude, str(tmp_path), told.append)
    assert (first.taken, first.left_out) == ((), (".mcp.json",))
    wish = first.wish
    assert wish is not None
    assert await it.ask(SPEC, wish) is (answer is Standing.GRANTED)
    now = await it.handed(SPEC, claude, str(tmp_path), told.append)
    assert [server["name"] for one in now.taken for server in one.servers] == (
        ["it"] if answer is Standing.GRANTED else []
    )
    assert now.left_out == (() if answer is Standing.GRANTED else (".mcp.json",))
    assert it.is_granted(wish) is (answer is Standing.GRANTED)


async def test_what_an_agent_is_kept_from_is_told_and_nobody_is_asked(
    tmp_path: Path, told: list[str]
) -> None:
    put(tmp_path / ".opencode" / "command" / "a.md", "!`make`")
    person = Person(Standing.GRANTED)
    it, opencode = Consent(person), KNOWN["opencode"]
    assert await it.admit(SPEC, opencode, str(tmp_path), told.append) is None
    handed = await it.handed(SPEC, opencode, str(tmp_path), told.append)
    assert handed == Handed(left_out=(".opencode/command/a.md",))
    assert (person.asked, told) == ([], [])


PARTLY = {
    ".mcp.json": '{"mcpServers": {"it": {"command": "make"}, "b": {"command": "${X}"}}}',
    ".claude/settings.json": '{"permissions": {"allow": ["Bash"]}}',
    ".claude/settings.local.json": '{"hooks": {',
}


@each_row("name", PARTLY)
async def test_a_file_of_which_not_everything_is_handed_on_is_named_whatever_a_person_let(
    tmp_path: Path, told: list[str], name: str
) -> None:
    put(tmp_path / name, PARTLY[name])
    it = Consent(Person(Standing.GRANTED))
    wish = (await it.handed(SPEC, KNOWN["claude"], str(tmp_path), told.append)).wish
    if wish is not None:
        await it.ask(SPEC, wish)
    handed = await it.handed(SPEC, KNOWN["claude"], str(tmp_path), told.append)
    assert handed.left_out == (name,)
    assert bool(handed.taken) is (name == ".mcp.json")
