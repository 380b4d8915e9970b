"""What rules refuse to be read and a command may come upon: looked for on the disk, and in names.

A rule for `.env` anywhere is about every folder, so that without a look each search, copy and list
would be asked about. Whatever is really there, or may come to lie there, is asked about as before.
"""

from pathlib import Path
from typing import Final

import pytest
from attrs import evolve

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.files_below import files_below, looked_below
from gate.ruling.test_pathspecs import ruled
from gate.ruling.test_repositories import Yard
from tables import each_row

ENV: Final = "read(**/.env)"

FILES: Final = (
    *".env src/app.py src/util.py docs/a.md held/.env held/a.py".split(),
    *"infra/main.tf infra/x.tfvars".split(),
    "deep/a/b/.env",
    *"my.app/key.conf deep/v1.2/a.py".split(),
)

NOTHING_THERE: Final = (
    "grep -rn x src",
    "cd src && grep -rn x .",
    "mv src/util.py src/helpers.py",
    "mkdir -p lib && cp -r src lib",
    "cat > src/new.py <<'E'\nx = 1\nE\ngrep -rn x src",
    "cp -r src /tmp/src",
    "tar -czf /tmp/src.tgz src",
    "find src -name '*.py' | sort | xargs head -3",
    "find src -type f -exec wc -l {} +",
    "docker build src",
    "grep -rn x . --include='*.md'",
    "grep -rn x . --exclude=.env",
    "rg -t md x",
    "find src docs -type f | xargs cat",
    "grep -rl x src docs | xargs sed -i s/x/y/",
    "rg -l x src docs | xargs wc -l",
    "rg -l x -t md | xargs sed -i s/x/y/",
    "git ls-files | xargs cat",
    "git ls-files '*.py' | xargs cat",
    "git grep x",
    "git grep x -- '*.py' docs",
    "git grep -n x src",
    "git -C src grep x",
    "git status && git grep x -- ':!docs'",
)

MAY_BE_THERE: Final = (
    "sops -d x.enc > src/.env; grep -r x src",
    "make env; grep -rn x src",
    "./mkdir src/n; grep -rn x src",
    "git merge x && grep -rn x src",
    "npm run build && grep -rn x src",
    "git archive -o x.tar HEAD~1",
    "git -C src grep x HEAD~1",
    "grep -rhv -e --exclude=.env .",
    "rg --files | xargs cat",
    "grep -rn x .",
    "grep -rn x held",
    "grep -rn x deep",
    "cp -r . /tmp/x",
    "cp -r held /tmp/x",
    "cp -r held src/n && grep -rn x src",
    "mv held src/n && grep -rn x src",
    "git mv held src/n && grep -rn x src",
    "git checkout side && grep -rn x src",
    "git stash pop && grep -rn x src",
    "tar xf a.tgz -C src && grep -rn x src",
    "unzip a.zip -d src && grep -rn x src",
    "ln -s ../.env src/e.py && find src -name '*.py' | xargs cat",
    "ln -s .. src/up && grep -Rn x src",
    "find linked -name '*.py' | xargs cat",
    "find . -name '*.py' -exec cat {} +",
    "ls linked | xargs -I{} cat linked/{}",
    "grep -Rn x linked",
    "ls -A | xargs cat",
    "ls .e* | xargs cat",
    "shopt -s dotglob; ls * | xargs cat",
    "find . -type f | xargs cat",
    "find . ! -name '*.py' -exec cat {} \\;",
    "find . -name '*e[n]v' -exec cat {} \\;",
    "rg --hidden -l x | xargs cat",
    "rg -l x -g '.e*' | xargs cat",
    "rg -l x . .env | xargs cat",
    "git ls-files -o | xargs cat",
    "git ls-files -o held | xargs cat",
    "git ls-files -o held docs | xargs cat",
    "find . -type d -name held | xargs grep -r x",
    "find . -type d -name held -exec grep -r x {} +",
    "ls -d held/.* | xargs cat",
    "git grep --untracked x",
    "git grep --no-index x",
    "git grep x HEAD~1",
    "git diff --name-only HEAD~1 | xargs cat",
    "git diff --cached --name-only | xargs cat",
    "git add -f held; git grep x",
    "grep -rn x . --exclude=env",
    "grep -rn x . --exclude=./.env",
    "grep -rn x . --exclude=.env --include='.e*'",
    "tar -czf /tmp/x.tgz --anchored --exclude=.env .",
    "tar -czf /tmp/x.tgz --exclude=held/.env .",
    "rsync -a --include=.env --exclude=.env ./ /tmp/x/",
    "find src . -type f | xargs cat",
    "grep -rl x src . | xargs sed -i s/x/y/",
    "grep -rl x src held | xargs cat",
    "grep -rl -f list src docs . | xargs cat",
    "rg -uul x src linked/ | xargs cat",
    "git add -f held; git ls-files | xargs cat",
    "git ls-files -c -o | xargs cat",
    "git ls-files -co | xargs cat",
    "find src linked/ -type f | xargs cat",
    "grep -r --include='s*' x .",
    "git grep x -- .env",
    "git grep x HEAD -- '*.py'",
    "git grep x side '*.py'",
    "git grep x HEAD -- .",
    "git grep -O x",
    "git --git-dir=other/.git grep x",
    "rg -t odd x --hidden",
    "docker build held",
    "podman build .",
    "docker compose build",
)


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    yard = Yard(tmp_path_factory.mktemp("yard").resolve())
    written(yard.root, dict.fromkeys(FILES, "x\n"))
    (yard.root / "linked").mkdir()
    (yard.root / "linked/a.py").symlink_to("../.env")
    yard.git("add", "src", "docs")
    yard.git("commit", "-q", "-m", "files")
    return yard


def written(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@each_row("line", NOTHING_THERE)
def test_where_nothing_lies_that_is_refused_nobody_is_asked(yard: Yard, line: str) -> None:
    assert ruled(yard, line, Mode.AUTO, ENV) is Verdict.ALLOW


@each_row("line", MAY_BE_THERE)
def test_what_may_be_refused_does_not_pass(yard: Yard, line: str) -> None:
    assert ruled(yard, line, Mode.AUTO, ENV) is not Verdict.ALLOW


def test_a_link_that_leads_round_is_found_like_a_file(tmp_path: Path) -> None:
    (tmp_path / ".env").symlink_to(".env")
    assert files_below(str(tmp_path), (".env",), 99)[0] == (f"{tmp_path}/.env",)


def test_no_more_is_looked_at_for_one_call_however_often_it_asks(yard: Yard) -> None:
    folders = [yard.root / f"many/{name}" for name in "abcd"]
    for folder in folders:
        written(folder, {f"{at}.py": "" for at in range(5)})
    places = evolve(yard.places())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("assent.gate.disk.places._MAX_ENTRIES", 15)
        assert [places.lies_below(str(it), {".env"}) for it in folders] == [
            False,
            False,
            True,
            True,
        ]
        assert not places.lies_below(str(folders[0]), {".env"})


@each_row(
    ("rule", "line", "passes"),
    [
        ("read(**/*.tfvars)", "grep -rn x src", True),
        ("read(**/*.tfvars)", "grep -rn x infra", False),
        ("read(./infra/**)", "grep -rn x src", True),
        ("read(./infra/**)", "find . -name '*.tf' -type f | xargs cat", False),
        ("read(**/infra/*.tf)", "find infra -name 'm*' -type f | xargs cat", False),
        ("read(**/SRC/**)", "find . -name '*.py' -type f | xargs cat", False),
        ("read(**/a.py)", "ls -d held/* | xargs cat", False),
        ("read(**/a.py)", "ls -d held/* docs/* | xargs cat", False),
        ("read(**/app.py)", "git ls-files src docs | xargs cat", False),
        ("read(*)", "grep -rn x src", False),
        # Of a folder among the names of a pattern, who reads files reads nothing.
        ("read(./held/**)", "wc -l *", True),
        ("read(./held/**)", "touch a; cat *", True),
        ("read(./held/**)", "cp * /tmp/x", True),
        ("read(./held/a.py)", "cat * /dev/null", True),
        ("read(./held/**)", "cat */*", False),
        ("read(./held/**)", "grep -r x *", False),
        ("read(./held/**)", "diff * /tmp/x", False),
        ("read(./held/**)", "git diff -- 'h*'", False),
        ("read(./held/**)", "make x; cat *", False),
        ("read(./held/a.py)", "diff held /tmp/x", False),
        *[
            (f"{what}(./infra/**)", line.format(path, by), False)
            for path in ("./infra/*", "./in*/m*", "*/main.tf")
            for what, by in (("read", "cat"), ("write", "rm"))
            for line in (
                "find . -path '{}' -type f | xargs {}",
                "find . -path '{}' -type f -exec {} {{}} +",
                "{1} $(find src . -path '{0}' -type f)",
            )
        ],
        ("write(**/*.lock)", "rm -rf src", True),
        ("write(**/*.lock)", "make x; rm -rf src", False),
        ("write(**/app.py)", "rm -rf src", False),
        ("write(./gone/**)", "find . -name x -delete", True),
        ("write(./gone/**)", "mv docs gone; find . -name x -delete", False),
    ],
)
def test_any_rule_is_looked_for_by_its_names(
    yard: Yard, rule: str, line: str, *, passes: bool
) -> None:
    assert (ruled(yard, line, Mode.AUTO, rule) is Verdict.ALLOW) is passes


@each_row(
    ("rule", "line", "passes"),
    [
        ("read(./my.app)", "rg -g '*.conf' key", False),
        ("read(./my.app/)", "grep -r --include=*.conf key .", False),
        ("read(./my.app)", "grep -r --include=*.conf key .", False),
        ("read(./my.app)", "find . -name '*.conf' -type f | xargs cat", False),
        ("read(./my.app)", "cat m*/*.conf", False),
        ("read(**/my.app)", "cat my.app/*.conf", False),
        ("read(**/v1.2)", "grep -r --include=*.py key deep", False),
        ("read(**/v1.2)", "cat deep/*/*.py", False),
        ("read(**/v1.2)", "grep -r --include=*.py key src", True),
        ("read(**/v1.2)", "cat src/*.py", True),
        ("read(./src/app.py)", "grep -r --include=*.conf key .", True),
        ("read(./gone.app)", "grep -r --include=*.conf key .", True),
        ("read(**/app.py)", "find . -name '*.conf' -type f | xargs cat", True),
    ],
)
def test_a_folder_with_a_dot_in_its_name_is_no_file_that_is_left_out(
    yard: Yard, rule: str, line: str, *, passes: bool
) -> None:
    assert (ruled(yard, line, Mode.AUTO, rule) is Verdict.ALLOW) is passes


def test_of_a_folder_that_cannot_be_looked_through_nobody_knows(tmp_path: Path) -> None:
    written(tmp_path, {"a/b.py": "", "a/c/d.pem": ""})
    found = [looked_below(f"{tmp_path}/a", {it}, 100)[0] for it in ("b.py", "*.pem", ".env")]
    assert found == [True, True, False]
    folders = [looked_below(f"{tmp_path}/a", {it}, 100)[0] for it in ("c/", "b.py/", "d.pem/")]
    assert folders == [True, False, False]
    assert looked_below(f"{tmp_path}/a", {".env"}, 2)[0]
    assert not looked_below(f"{tmp_path}/a/b.py", {".env"}, 100)[0]
    assert not looked_below(f"{tmp_path}/none", {".env"}, 100)[0]


# What the lists of git leave out, a search that heeds them does not look into.

SEARCHED: Final = (
    "rg x",
    "rg -n x . | head",
    "rg --hidden x",
    "rg x src docs",
    "timeout 20 rg -l x -g '!node_modules'",
    "git status -s; rg -t js x",
    "cd src && rg x",
    "timeout 30 git grep -n x -- tests | head",
    "time rg -c x",
    "rg -g '*.json' x",
    "rg -g '!src' -g 'key.pem' x",
    "rg --iglob 'KEY.PEM' x",
)

NOT_LEFT_OUT: Final = (
    "rg -u x",
    "rg -uu x",
    "rg -nu x",
    "rg --no-ignore x",
    "rg --no-ignore-vcs x",
    "rg x secrets",
    "cd secrets && rg x",
    "rg -g '*' x",
    "rg -g '**/key.pem' x",
    "echo '!secrets' > .ignore; rg x",
    "rm .gitignore; rg x",
    "sed -i d .gitignore && rg x",
    "mv .git x; rg x",
    "RIPGREP_CONFIG_PATH=x rg x",
    "export RIPGREP_CONFIG_PATH=x; rg x",
    "X=RIPGREP_CONFIG; export ${X}_PATH=x; rg x",
    "env RIPGREP_CONFIG_PATH=x rg x",
    "rg -L x",
    "rg --ignore-file x y",
    "rg $X y",
    "(sleep 1; rg x) & rm .gitignore",
    "git init secrets; rg x",
    "git config core.excludesFile x; rg x",
    "grep -r x .",
    "ripgrep x",
    "find . -type f | xargs rg x",
    "rg x ./secrets/../secrets",
    "chmod 000 .gitignore; rg x",
    "bash -c 'rm .gitignore' & rg x",
    "unshare -r rg x",
    "alias rg='rg -uu'; rg x",
    'rg() { command rg -uu "$@"; }; rg x',
    "rg --hidden -g '.env' x",
    "rg -g 'secrets/*' x",
    "rg -g 's*' -g '*.pem' x",
    "rg -g '{secrets,src}/**' x",
    "rg -g '*.json' --no-ignore -g '*.pem' x",
)


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    yard = Yard(tmp_path_factory.mktemp("listed").resolve())
    names = (*FILES[1:3], "docs/a.md", "tests/a.py", "secrets/key.pem", ".env")
    written(yard.root, dict.fromkeys(names, "x\n") | {".gitignore": ".env\nsecrets/\n"})
    yard.git("add", ".")
    yard.git("commit", "-q", "-m", "files")
    return yard


@each_row("line", SEARCHED)
def test_what_git_leaves_out_is_not_searched(listed: Yard, line: str) -> None:
    assert ruled(listed, line, Mode.AUTO, ENV) is Verdict.ALLOW
    assert ruled(listed, line, Mode.AUTO, "read(**/secrets/**)") is Verdict.ALLOW


@each_row("line", NOT_LEFT_OUT)
def test_what_a_search_is_told_to_look_into_all_the_same_does_not_pass(
    listed: Yard, line: str
) -> None:
    told = {ruled(listed, line, Mode.AUTO, it) for it in (ENV, "read(**/secrets/**)")}
    assert told != {Verdict.ALLOW}
