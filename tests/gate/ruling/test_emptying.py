"""What leaves nothing of a workspace is asked about in every mode, however it goes about that."""

from pathlib import Path

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.test_repositories import Yard
from tables import each_row


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    """A workspace that is a repository."""
    return Yard(Path(tmp_path_factory.mktemp("yard")).resolve())


@each_row(
    "line",
    [
        "rm -rf .",
        "find . -type f -delete",
        "fd -x rm",
        "fd -t f -X rm -f",
        "fd | xargs rm",
        "rg --files | xargs rm -f",
        "git ls-files | xargs rm",
        "git ls-files -z | xargs -0 shred -u",
        'git ls-files | while read -r f; do rm "$f"; done',
        "rm $(git ls-files)",
        "git rm -rf .",
        "git ls-files | xargs sed -i d",
        "sed -i '1,$d' $(git ls-files)",
        "sed -n -i '' *",
        "git ls-files | xargs sed -i '$!d;d'",
        "git ls-files | xargs sed -i '1,99999d'",
        "git ls-files | xargs sed -i '{d}'",
        "git ls-files | xargs sed -i 's/.*//'",
        "git ls-files | xargs sed -n -i 's/a/b/'",
        "truncate -s0 *",
        "truncate --size=0 **/*",
        "truncate -s +1M -s 0 *",
        "npx del-cli '**/*'",
        "npx rimraf -g '*'",
        "wipe -rf .",
        "git rm -r -f '*'",
        'for f in *; do : > "$f"; done',
        'for f in ./*; do echo x >| "$f"; done',
        'for f in *; do cp /dev/null "$f"; done',
        'for f in *; do ln -sf /dev/null "$f"; done',
        "tee * < /dev/null",
        "sponge $(git ls-files) < /dev/null",
        "git ls-files | while read -r f; do printf '' > \"$f\"; done",
    ],
)
def test_removing_each_file_of_a_listing_that_leaves_none_out_is_asked_about(
    yard: Yard, line: str
) -> None:
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ASK


@each_row(
    "line",
    [
        "find . -name '*.orig' -delete",
        "fd -e pyc -x rm",
        r"fd '\.pyc$' -x rm",
        r"fd '\.(log|tmp)$' | xargs rm",
        "fd . build -x rm",
        "git ls-files '*.snap' | xargs rm",
        "git ls-files --deleted | xargs git rm",
        "git rm -r --cached .",
        "git rm -rf build",
        "truncate -s 0 a.log",
        "truncate -s +1M *",
        "npx rimraf 'dist/**' build",
        "npx del-cli '*.log'",
        "rg -l NEVER_AGAIN | xargs rm",
        "ls *.log | xargs rm",
        'for f in *.log; do : > "$f"; done',
        'for f in src/*; do : > "$f"; done',
        'for f in *; do echo "// end" >> "$f.txt"; done',
        'for f in *; do cp "$f" "$f.bak"; done',
        'for f in *.json; do jq -S . "$f" | sponge "$f"; done',
        "tee -a *.log < notes.txt",
        "cp /dev/null a.log",
    ],
)
def test_removing_what_a_pattern_or_a_folder_chooses_is_not(yard: Yard, line: str) -> None:
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ALLOW


@each_row(
    "line",
    [
        "zpool destroy tank",
        "sudo zfs destroy -r tank/home",
        "lvremove -f vg/home",
        "cryptsetup luksFormat home.img",
        "/sbin/vgremove vg",
    ],
)
def test_taking_a_volume_of_disks_away_is_asked_about(yard: Yard, line: str) -> None:
    said = yard.rule(line, mode=Mode.AUTO)
    assert said.verdict is Verdict.ASK
    assert said.grave


@each_row("line", ["zpool status", "zfs list", "cryptsetup status home"])
def test_looking_at_one_is_not(yard: Yard, line: str) -> None:
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ALLOW


EDITS = [
    "find . -name '*.py' -exec sed -i s/a/b/ {} +",
    "find . -name '*.py' | xargs sed -i s/a/b/",
    "find . -name '*.py' -delete",
    "fd -H -e py -x sed -i s/a/b/",
]


@each_row("line", EDITS)
def test_what_a_pattern_finds_is_changed_where_nothing_protected_can_be_among_it(
    line: str, tmp_path: Path
) -> None:
    yard = Yard(tmp_path.resolve())
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ALLOW


@each_row("name", ["deep/er/sitecustomize.py", "SiteCustomize.py"])
@each_row("line", EDITS)
def test_it_is_asked_about_where_something_below_has_such_a_name(
    line: str, name: str, tmp_path: Path
) -> None:
    yard = Yard(tmp_path.resolve())
    file = yard.root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ASK


@each_row("line", EDITS)
def test_it_is_asked_about_where_a_folder_below_cannot_be_looked_into(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard = Yard(tmp_path.resolve())
    monkeypatch.setattr("assent.gate.disk.places._MAX_ENTRIES", 0)
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ASK


@each_row(
    ("rule", "line"),
    [
        ("pytest", "pytest --cov-report=html:/home/somebody"),
        ("pytest", "pytest --cov-report=lcov:../x.info"),
        ("dotnet build", "dotnet build -logger:/opt/x.dll"),
        ("pylint", "pylint --output-format=text:../x,colorized a.py"),
    ],
)
def test_a_path_in_the_value_of_a_flag_is_seen_behind_a_colon(
    yard: Yard, rule: str, line: str
) -> None:
    assert yard.rule(line, allow=(f"shell({rule}:*)",)).verdict is Verdict.ASK
    inside = line.replace("/home/somebody", "out").replace("/opt/", "").replace("../", "")
    assert yard.rule(inside, allow=(f"shell({rule}:*)",)).verdict is Verdict.ALLOW


LED = [
    ("pytest", "pytest --junitxml=led/junit.xml"),
    ("gh gist create", "gh gist create led"),
    ("go build", "go build -o led/x"),
    ("aws s3 cp", "aws s3 cp led s3://x"),
    ("make", "make -C led"),
]


@each_row(("rule", "line"), LED)
def test_a_link_that_leads_out_is_seen_whatever_it_is_called(
    rule: str, line: str, tmp_path: Path
) -> None:
    yard = Yard(tmp_path.resolve())
    allow = (f"shell({rule}:*)",)
    assert yard.rule(line, allow=allow).verdict is Verdict.ALLOW
    (yard.root / "led").symlink_to(yard.home)
    assert yard.rule(line, allow=allow).verdict is Verdict.ASK


@each_row("line", ["mytool -o led/x", "pytest --junitxml=led/x", "prettier --write led/x"])
def test_a_link_to_what_is_protected_is_seen_in_every_mode(line: str, tmp_path: Path) -> None:
    yard = Yard(tmp_path.resolve())
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ALLOW
    (yard.root / "led").symlink_to(".git/hooks")
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ASK


@each_row(
    ("folder", "verdict"),
    [("src/bin", Verdict.ALLOW), (".local/bin", Verdict.ASK)],
)
def test_a_folder_that_is_called_as_a_protected_one_is_not_it(
    folder: str, verdict: Verdict, tmp_path: Path
) -> None:
    yard = Yard(tmp_path.resolve())
    (yard.root / folder).mkdir(parents=True)
    assert yard.rule("find . -name bin -exec rm -rf {} +", mode=Mode.AUTO).verdict is verdict
