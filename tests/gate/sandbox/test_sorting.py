"""Which changes of a trial are made real by whom: sorted as the gate would rule on each."""

import subprocess
from typing import Final

from assent.gate.call.calls import AgentId, ChatId, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.notation import written
from assent.gate.ruling.policy import Grant, Policy
from assent.gate.sandbox.changes import Change, Kind, stamp_of
from assent.gate.sandbox.sorting import Sorted, sort_changes
from gate.sandbox.conftest import Ground

PLAIN: Final = (
    "src/new.py",
    ".git/objects/18/74",
    ".git/refs/heads/hooks",
    ".git/worktrees/w/index",
    ".github/x",
)
LATER: Final = (
    ".vscode/tasks.json",
    ".git/config",
    ".git/objects/info/alternates",
    ".git/rebase-merge/git-rebase-todo",
    ".git/modules/b/hooks/x",
    ".git/hooks/pre-commit",
    "sub/.git/info/attributes",
    ".mcp.json",
    ".husky/pre-commit",
)


def sort(ground: Ground, *paths: str, kind: Kind = Kind.MADE) -> Sorted:
    """Sort changes of these paths."""
    changes = [
        Change(kind=kind, path=path, before=stamp_of(ground.workspace / path)) for path in paths
    ]
    return sorted_by_gate(ground, changes)


def sorted_by_gate(ground: Ground, changes: list[Change]) -> Sorted:
    """Sort changes by the rules of the ground."""
    reading = ground.reading
    policy = Policy(mode=Mode.DEFAULT, book=reading.book, trusted=True)
    return sort_changes(str(ground.workspace), changes, policy, AgentId(""), reading.places)


def paths(changes: tuple[Change, ...]) -> list[str]:
    return [change.path for change in changes]


def test_only_what_steers_or_runs_later_takes_a_word_of_its_own(ground: Ground) -> None:
    assert [path for path in PLAIN if not sort(ground, path).plain] == []
    assert [path for path in LATER if not sort(ground, path).protected] == []


def test_a_folder_that_git_takes_hooks_from_is_like_its_own(ground: Ground) -> None:
    git = ("git", "-C", str(ground.workspace))
    subprocess.run([*git, "config", "core.hooksPath", "checks"], check=True)
    assert paths(sort(ground, "checks/pre-commit").protected) == ["checks/pre-commit"]


def test_what_a_rule_asks_about_takes_a_word_of_its_own_and_an_effect_can_be_denied(
    ground: Ground,
) -> None:
    ground.rules = (
        written("write(./src/**)", Verdict.ASK),
        written("effect(delete)", Verdict.DENY),
    )
    assert paths(sort(ground, "src/new").protected) == ["src/new"]
    assert paths(sort(ground, "src/a.txt", kind=Kind.DELETED).denied) == ["src/a.txt"]
    assert paths(sort(ground, "new").plain) == ["new"]


def test_a_folder_of_which_no_rule_is_about_a_part_can_go(ground: Ground) -> None:
    assert paths(sort(ground, "src", kind=Kind.DELETED).plain) == ["src"]


def test_what_was_denied_for_the_chat_does_not_go_with_its_folder(ground: Ground) -> None:
    path = str(ground.workspace / "src/a.txt")
    grant = Grant(
        chat=ChatId("chat"),
        agent=AgentId(""),
        text="src/a.txt",
        effect=Effect.WRITE,
        paths=frozenset({path}),
        verdict=Verdict.DENY,
    )
    policy = Policy(mode=Mode.DEFAULT, trusted=True, rules=(grant,))
    gone = Change(kind=Kind.DELETED, path="src", before=stamp_of(ground.workspace / "src"))
    places = ground.reading.places
    found = sort_changes(str(ground.workspace), [gone], policy, AgentId(""), places)
    assert paths(found.denied) == ["src"]


def test_a_link_in_a_repository_is_no_history(ground: Ground) -> None:
    links = (".git/objects", ".git/logs", ".git/refs/heads/x", ".git/index")
    assert paths(sort(ground, *links, kind=Kind.LINK).protected) == [*links]


def test_where_gits_settings_name_files_of_the_workspace_all_takes_a_word_of_its_own(
    ground: Ground,
) -> None:
    git = ("git", "-C", str(ground.workspace))
    assert paths(sort(ground, "shared/gitconfig").plain) == ["shared/gitconfig"]
    subprocess.run([*git, "config", "include.path", "../shared/gitconfig"], check=True)
    assert paths(sort(ground, "shared/gitconfig").protected) == ["shared/gitconfig"]


def test_a_link_that_gives_names_to_all_that_is_in_a_folder_takes_a_word_of_its_own(
    ground: Ground,
) -> None:
    (ground.workspace / "led").symlink_to("src/a.txt")
    changes = [
        Change(kind=Kind.MADE, path="tools/activate"),
        Change(kind=Kind.FOLDER, path="cfg"),
        Change(kind=Kind.LINK, path="to-file", target="src/a.txt"),
        Change(kind=Kind.LINK, path="tools/to-new", target="activate"),
        Change(kind=Kind.LINK, path="to-program", target="/bin/sh"),
        Change(kind=Kind.LINK, path="to-machine", target="/etc/passwd"),
        Change(kind=Kind.LINK, path=".venv/bin", target="../tools"),
        Change(kind=Kind.LINK, path="sub/.cargo", target="../cfg"),
        Change(kind=Kind.LINK, path="to-nothing", target="later"),
        Change(kind=Kind.LINK, path="to-link", target="led"),
    ]
    found = sorted_by_gate(ground, changes)
    plain = ["tools/activate", "cfg", "to-file", "tools/to-new", "to-program"]
    assert paths(found.plain) == plain
    asked = ["to-machine", ".venv/bin", "sub/.cargo", "to-nothing", "to-link"]
    assert paths(found.protected) == asked


def test_a_submodule_of_an_odd_name_hides_no_settings_among_its_commits(ground: Ground) -> None:
    steering = (
        ".git/modules/x/logs/foo.git/config",
        ".git/modules/x/refs/y/config",
        ".git/modules/x/refs/y/hooks/post-commit",
        ".git/objects/x/.git/config",
    )
    assert paths(sort(ground, *steering).protected) == [*steering]


def test_deleting_all_commits_takes_a_word_of_its_own_and_tidying_up_does_not(
    ground: Ground,
) -> None:
    for name in ("objects/18", "objects/pack", "refs/heads/x"):
        (ground.workspace / ".git" / name).mkdir(parents=True, exist_ok=True)
    lost = (".git/objects", ".git/objects/pack", ".git/refs", ".git/refs/heads")
    assert paths(sort(ground, *lost, kind=Kind.DELETED).protected) == [*lost]
    assert paths(sort(ground, ".git/refs/heads/x", kind=Kind.DELETED).protected) == []
    tidied = (".git/objects/18", ".git/objects/18/74")
    assert paths(sort(ground, *tidied, ".git/HEAD", kind=Kind.DELETED).plain) == []
    packed = Change(kind=Kind.MADE, path=".git/objects/pack/pack-1.pack")
    gone = [Change(kind=Kind.DELETED, path=path) for path in tidied]
    assert paths(sorted_by_gate(ground, [*gone, packed]).protected) == []
    elsewhere = Change(kind=Kind.MADE, path="x.pack")
    assert paths(sorted_by_gate(ground, [*gone, elsewhere]).protected) == [*tidied]
    assert sort(ground, ".git/objects/info/commit-graph", ".git/objects/info/packs").plain
    beside = (".git/info/attributes", ".git/info/exclude", ".git/info/refs/x")
    listed = sort(ground, ".git/info/refs", *beside)
    assert (paths(listed.plain), paths(listed.protected)) == ([".git/info/refs"], [*beside])


def test_a_repository_by_another_name_takes_a_word_of_its_own(ground: Ground) -> None:
    inside = ("x/bare/HEAD", "x/bare/config", "x/bare/objects", "x/bare/refs", "x/bare/refs/a/b")
    found = sort(ground, "x/HEAD", "y/HEAD", *inside)
    assert paths(found.protected) == [*inside]
    halves = ("foo/HEAD", "foo/commondir")
    assert paths(sort(ground, *halves, "bar/config").protected) == [*halves]
    assert paths(found.plain) == ["x/HEAD", "y/HEAD"]


def test_a_program_with_the_rights_of_its_owner_takes_a_word_of_its_own(ground: Ground) -> None:
    changes = [
        Change(kind=Kind.MADE, path="plain", mode=0o755),
        Change(kind=Kind.MADE, path="su", mode=0o4755),
        Change(kind=Kind.MODE, path="sg", mode=0o2755),
        Change(kind=Kind.FOLDER, path="shared", mode=0o2775),
    ]
    found = sorted_by_gate(ground, changes)
    assert paths(found.protected) == ["su", "sg"]


def test_what_a_rule_denies_is_told_and_never_made_real(ground: Ground) -> None:
    ground.rules = (written("write(./src/a.txt)", Verdict.DENY),)
    assert paths(sort(ground, "src/a.txt", kind=Kind.CHANGED).denied) == ["src/a.txt"]
    assert paths(sort(ground, "src", kind=Kind.DELETED).denied) == ["src"]
    assert paths(sort(ground, "src/b.txt").plain) == ["src/b.txt"]


def test_where_a_rule_about_writing_cannot_be_read_nothing_is_made_real(ground: Ground) -> None:
    ground.suspended = frozenset({"write"})
    assert paths(sort(ground, "new").denied) == ["new"]


def test_pipes_sockets_and_devices_are_apart(ground: Ground) -> None:
    assert paths(sort(ground, "p", kind=Kind.SPECIAL).special) == ["p"]
