"""Places that are asked about in every mode, in whatever way they are spelled."""

from typing import Final
from urllib.parse import quote

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.calls import Call, Edit, Premise, Target
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.ruling import protected, protected_names
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import grant_for
from assent.gate.ruling.protected import protected_place
from assent.gate.ruling.weight import Level, weigh
from gate.ruling.samples import fetching, policy, reading, running, says, target, using, writing
from tables import each_row

PATHS = [
    ".vscode/settings.json",
    ".vscode",
    ".VSCode/Settings.JSON",
    ".vscode./settings.json",
    ".vscode /settings.json",
    ".vscode. . /settings.json",
    ".vscode\\settings.json",
    "sub/deep/.vscode/tasks.json",
    "./.vscode//settings.json",
    ".vscode/does/not/exist/yet",
    "till.code-workspace",
    "Till.Code-Workspace",
    "till.code-workspace.",
    "sub/till.code-workspace",
    ".git/config",
    ".GIT/CONFIG",
    ".git/hooks/post-checkout",
    ".git/info/exclude",
    ".gitmodules",
    ".mcp.json",
    ".idea/workspace.xml",
    ".envrc",
    ".husky/pre-commit",
    ".devcontainer/devcontainer.json",
    ".github/workflows/ci.yml",
    ".GitHub\\Workflows\\ci.yml",
    ".claude/settings.json",
    ".cursor/rules",
    ".gemini/settings.json",
    ".codex/config.toml",
    "opencode.json",
    "/home/ada/.bashrc",
    "/home/ada/.zshenv",
    "/home/ada/.ssh/authorized_keys",
    "/home/ada/.gitconfig",
    "/home/ada/.config/Code/User/settings.json",
    "/home/ada/.local/state/assent/journal.db",
    "/home/ada/.config/assent/x",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "web/lefthook.yml",
    ".githooks/pre-push",
    ".yarnrc.yml",
    ".npmrc",
    ".cargo/config.toml",
    "/home/ada/.local/bin/ls",
    "/usr/local/bin/ls",
    "/home/ada/.vimrc",
    "/home/ada/.gradle/init.gradle",
    "/home/ada/.gradle/init.d/x.gradle",
    "/home/ada/Library/LaunchAgents/x.plist",
    "/Library/LaunchDaemons/x.plist",
    "/var/spool/cron/ada",
    "/home/ada/.config/systemd/user/x.service",
    "/usr/lib/systemd/system/x.service",
    "/etc/hosts",
    "/etc/assent/managed.json",
    ".git-hooks/pre-commit",
    ".lefthook/pre-commit/check.sh",
    ".lfsconfig",
    ".huskyrc.json",
    ".simple-git-hooks.cjs",
    ".yarn/releases/yarn-4.1.0.cjs",
    ".yarn/plugins/x.cjs",
    ".pnpmfile.mjs",
    ".bundle/config",
    ".config/mise.toml",
    ".venv/bin/activate",
    "sitecustomize.py",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    ".github/actions/setup/action.yml",
    ".run/app.run.xml",
    ".gitpod.yml",
    ".nvim.lua",
    ".dir-locals.el",
    "till.sublime-project",
    ".pdbrc",
]

OUTSIDE = """
~/.condarc ~/.config/anything/config.toml ~/.asdfrc ~/.my.cnf ~/.terraformrc ~/.cargo/bin/cargo
~/bin/ls ~/go/bin/gopls ~/.oh-my-zsh/custom/x.zsh ~/.local/share/applications/x.desktop
~/.local/lib/python3.12/x.pth ~/Library/Preferences/x.plist /home/bob/.condarc /usr/bin/ls /bin/sh
/usr/lib/python3/dist-packages/x.pth /usr/share/bash-completion/x /opt/homebrew/bin/x /dev/sda
/proc/sys/kernel/core_pattern /boot/x /usr/local/lib/x.so
""".split()
"""Where whatever starts is run from, or configured, and no list names each."""

DATA = """
~/notes/a.md ~/.cache/pip/x ~/.npm/_cacache/x ~/.local/share/app/x ~/.m2/repository/x /dev/shm/x
~/.cargo/registry/x ~/Library/Caches/x ~/projects/.eslintrc /tmp/x /var/tmp/x /dev/null /srv/x
/usr/local/lib/node_modules/x /opt/app/x /usr/src/app/x
""".split()
"""What lies outside and steers nothing."""

COMMANDS = [
    "echo x > .vscode/settings.json",
    "sed -i s/a/b/ ~/.bashrc",
    "cp evil .GIT/HOOKS/post-checkout",
    'echo x > ".vscode"/settings.json',
    "echo x > .vs''code/settings.json",
    'echo x > .vs"c"ode/settings.json',
    "echo x > .vs\\code/settings.json",
    "echo x >> .git//hooks/pre-commit",
    "echo x >> .git/./hooks/pre-commit",
    "echo x >> .git/././/hooks/pre-commit",
    "copy evil .github\\workflows\\ci.yml",
    "touch a.code-workspace",
]

OTHERS = [
    using({"path": ".vscode/settings.json", "text": "{}"}),
    using({"edits": [{"file": {"name": "/home/ada/.bashrc"}}]}),
    using({"path": ".github\\workflows\\ci.yml"}),
    running("echo x > pre-commit", cwd="/home/ada/till/.git/hooks"),
    running("true", targets=(target(".git/config"),)),
    running(input={"command": "tee $F", "env": {"F": ".envrc"}}),
    running(input={"argv": ["tee", ".vscode/settings.json"]}),
    writing(targets=(), input={"path": ".envrc", "content": ""}),
    writing("notes.txt", targets=(target("notes.txt", resolved="/home/ada/.ssh/config"),)),
    writing(".vscode/x", targets=(target(".vscode/x", resolved="/tmp/harmless"),)),
    writing("a.txt", targets=(target("a.txt"), target(".idea/b"))),
    evolve(writing("a.txt"), edits=(Edit(path="/home/ada/till/.mcp.json", old=None, new=""),)),
]

STATE = Premise(path="/elsewhere", name="Assent's own state")

HARMLESS = [
    "src/vscode/settings.json",
    "vscode",
    ".vscodes/x",
    "a.vscode/x",
    ".github/ISSUE_TEMPLATE.md",
    ".git-blame-ignore-revs",
    ".gitignore",
    "code-workspace",
    "docs/bashrc.md",
    "x.bashrc",
    "src/com.acme.Profile",
    "src/app.npmrc.ts",
    "etc/app.conf",
    "local/bin/x",
    "lib/systemd.py",
    "docs/lefthook.yml.md",
    *("package.json Makefile conftest.py build.gradle gradle.properties .gitattributes".split()),
    *(".nvmrc .python-version .editorconfig .eslintrc.json .prettierrc .mvn/jvm.config".split()),
    *("docs/login.md src/lib/etc/hosts .bazelrc ansible.cfg".split()),
    *("CLAUDE.md .github/dependabot.yml .terraform.lock.hcl bin/activate.ts".split()),
]

WORDS = [
    "java com.acme.Profile",
    "java -cp out com.acme.Profile --port 8080",
    "dotnet run App.Login",
    "node -e 'user.profile.name'",
    "python3 -m till.envrc",
    "go run ./cmd/x.netrc",
    "rake acme.emacs.build",
    "mvn -Dtest=com.acme.Login test",
    "tool .profiles",
    "tool my.lefthook.yml",
]
"""Words in which a protected name stands that is no path."""


def _asked_in_every_mode(call: Call) -> None:
    for mode in Mode:
        for wishes in (
            policy(mode, bypass=True),
            policy(mode, says(Verdict.ALLOW), bypass=True),
            policy(mode, grant_for(call)),
        ):
            ruling = decide(call, wishes)
            assert ruling.verdict is not Verdict.ALLOW, (mode, ruling)
            assert ruling.verdict is Verdict.DENY or not ruling.lasting
    assert weigh(call).level is Level.HIGH


@each_row("path", PATHS)
def test_a_protected_path_is_asked_about_in_every_spelling(path: str) -> None:
    _asked_in_every_mode(writing(path))


@each_row("command", COMMANDS)
def test_a_protected_name_in_a_command_is_asked_about(command: str) -> None:
    _asked_in_every_mode(running(command))


@each_row(
    "command",
    ["for d in ./ src/; do rm $d.v*; done", 'for d in .v src/; do touch "$d"*/tasks.json; done'],
)
def test_a_pattern_that_a_loop_completes_may_find_a_protected_name(command: str) -> None:
    for mode in Mode:
        ruling = decide(running(command), policy(mode, bypass=True))
        assert ruling.verdict is not Verdict.ALLOW, mode


@each_row("call", OTHERS, ids=range(len(OTHERS)))
def test_a_protected_place_is_found_wherever_the_call_names_it(call: Call) -> None:
    _asked_in_every_mode(call)


def _outside(path: str) -> Target:
    """A path outside the workspace, as it is shown; the home is another than any in the tables."""
    whole = path.replace("~", "/srv/homes/ada", 1) if path.startswith("~") else path
    return Target(spelled=path, resolved=whole, inside=False, shown=path)


@each_row("path", OUTSIDE)
def test_what_configures_or_is_run_is_asked_about_by_where_it_lies(path: str) -> None:
    _asked_in_every_mode(writing(path, targets=(_outside(path),)))


@each_row("path", OUTSIDE)
def test_a_workspace_in_such_a_place_is_an_ordinary_one(path: str) -> None:
    if not protected.is_protected(path):
        inside = evolve(_outside(path), inside=True, shown="x")
        assert protected.change_of(inside) is None


@each_row("path", DATA)
def test_what_is_only_data_is_not_protected_where_it_lies_outside(path: str) -> None:
    assert protected.change_of(_outside(path)) is None


@each_row("path", HARMLESS)
def test_what_only_looks_alike_is_not_protected(path: str) -> None:
    assert protected_place(writing(path)) is None
    assert decide(writing(path), policy(Mode.AUTO)).verdict is Verdict.ALLOW


@each_row("path", PATHS)
def test_reading_a_protected_place_changes_nothing(path: str) -> None:
    assert protected_place(reading(path)) is None


@each_row("path", PATHS)
def test_a_request_whose_address_names_a_protected_place_changes_nothing(path: str) -> None:
    call = fetching(f"https://docs.example.org/{quote(path)}?about={quote(path)}")
    assert protected_place(call) is None
    assert decide(call, policy(Mode.AUTO)).verdict is Verdict.ALLOW
    assert weigh(call).level is Level.MEDIUM


def test_the_text_of_a_file_that_is_written_names_no_place() -> None:
    assert protected_place(writing("README.md", "Put it into .vscode/settings.json.\n")) is None


@given(
    st.sampled_from([path for path in PATHS if path.startswith(".")]),
    st.sampled_from(["", "a/", "./", "a/../", "/home/ada/", "C:\\x\\"]),
    st.lists(st.booleans(), min_size=50, max_size=50),
)
def test_no_prefix_and_no_case_hides_a_protected_place(
    path: str, prefix: str, upper: list[bool]
) -> None:
    flipped = (c.upper() if u else c for c, u in zip(path, upper, strict=False))
    assert protected_place(writing(prefix + "".join(flipped))) is not None


def test_the_reason_names_the_place() -> None:
    ruling = decide(writing(".vscode/settings.json"), policy(Mode.AUTO, bypass=True))
    assert ruling.because == "Changes to .vscode/settings.json are asked about in every mode."


@each_row(
    "shown",
    [
        ".git",
        "docs/.git",
        ".git/modules/x/config",
        ".git/config.worktree",
        ".github",
        ".",
        "~",
        "~/.config",
        "~/.config/git/config",
        "~/.config/fish/config.fish",
        "~/.config/VSCodium/User/settings.json",
        "~/Library/Application Support/Code/User/settings.json",
    ],
)
def test_what_holds_or_redirects_a_protected_place_is_one(shown: str) -> None:
    place = Target(spelled=shown, resolved=f"/w/{shown}", inside=True, shown=shown)
    call = evolve(writing(), edits=(), input={}, targets=(place,))
    assert protected_place(call) is not None


def test_assents_own_folder_is_protected_wherever_it_lies() -> None:
    place = Target(
        spelled="x", resolved="/elsewhere/x", inside=False, shown="/elsewhere/x", own=STATE
    )
    call = evolve(writing(), edits=(), input={}, targets=(place,))
    assert protected_place(call) == "/elsewhere/x (Assent's own state)"


@each_row("shown", [".gitignore", "src/git.py", ".github/ISSUE_TEMPLATE.md"])
def test_ordinary_files_of_similar_names_are_not(shown: str) -> None:
    place = Target(spelled=shown, resolved=f"/w/{shown}", inside=True, shown=shown)
    call = evolve(writing(), edits=(), input={}, targets=(place,))
    assert protected_place(call) is None


@each_row("command", WORDS)
def test_a_name_within_a_word_is_no_place(command: str) -> None:
    assert protected.named_in(command) is None
    assert decide(using({"what": command}), policy(Mode.AUTO)).verdict is Verdict.ALLOW


@each_row(
    "text",
    [
        "x -o.bashrc",
        "x --out=.bashrc",
        "x $d.bashrc",
        "x ${d}.bashrc",
        "x a/.bashrc",
        "x,.bashrc",
        'open("\\x2f.bashrc")',
        "print('\\n.bashrc')",
        "x a.git/config",
        "x my.code-workspace",
        "x '/home/'.bashrc",
    ],
)
def test_a_name_that_may_begin_there_is_one(text: str) -> None:
    assert protected.named_in(text) is not None


def test_what_holds_a_protected_name_is_one_for_every_name() -> None:
    for name in (*protected_names.FOLDERS, *protected_names.FILES):
        folder, _, rest = name.rpartition("/")
        if rest and folder.startswith("."):
            place = Target(
                spelled=folder, resolved=f"/h/{folder}", inside=False, shown=f"~/{folder}"
            )
            assert protected.change_of(place) is not None


def test_looking_closer_overlooks_no_protected_name() -> None:
    for name in (*protected._NAMES, *protected_names.SYSTEM, "x.code-workspace", "x.git/config"):
        assert protected.is_protected(f"/w/{name}" if name[0] != "/" else name), name


def test_every_protected_name_is_found_in_a_text() -> None:
    for name in protected._SPELLED:
        assert protected.named_in(f"one\n{name.upper()}\nmore") is not None
        assert protected.named_in(f"at//{name[0]}'{name[1:]}/x") is not None


JOINS: Final = {
    "a sum": ("'{}' + '{}'", ""),
    "a sum without blanks": ('"{}"+"{}"', ""),
    "dots": ('"{}" . "{}"', ""),
    "two dots": ('"{}" .. "{}"', ""),
    "bars": ("'{}' || '{}'", ""),
    "side by side": ('"{}" "{}"', ""),
    "in brackets": ("('{}') + ('{}')", ""),
    "marked as raw": ("'{}' + r'{}'", ""),
    "arguments": ("join('{}', '{}')", "/"),
    "a path": ("Path.home() / '{}' / '{}'", "/"),
    "an array": ('["{}","{}"]', "/"),
    "backticks": ("`{}`, `{}`", "/"),
}
"""How code puts texts together, and what comes between them."""


@each_row("way", JOINS)
def test_a_name_is_found_in_the_parts_that_code_puts_together(way: str) -> None:
    spelled, between = JOINS[way]
    for name in (*protected_names.FOLDERS, *protected_names.FILES):
        places = [at for at in range(1, len(name)) if not between or name[at] == between]
        for at in places[:: max(len(places) // 4, 1)]:
            code = spelled.format(name[:at], name[at + len(between) :].rstrip("/"))
            assert protected.named_in(code) is not None, code


@each_row("way", JOINS)
def test_parts_that_make_no_such_name_are_none(way: str) -> None:
    for one, two in (("src", "app.py"), (".", "gitignore"), ("a.b", "config"), ("x", "")):
        assert protected.named_in(JOINS[way][0].format(one, two)) is None
