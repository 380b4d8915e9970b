"""What leaves nothing of a workspace is asked about in every mode, however it goes about that."""

from pathlib import Path

import pytest

from assent.modes import Mode
from assent.verdicts import Verdict
from policy.test_repositories import Yard


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    """A workspace that is a repository."""
    return Yard(Path(tmp_path_factory.mktemp("yard")).resolve())


@pytest.mark.parametrize(
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
    ],
)
def test_removing_each_file_of_a_listing_that_leaves_none_out_is_asked_about(
    yard: Yard, line: str
) -> None:
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "line",
    [
        "find . -name '*.orig' -delete",
        "fd -e pyc -x rm",
        r"fd '\.pyc$' -x rm",
        r"fd '\.(log|tmp)$' | xargs rm",
        "fd . build -x rm",
        "git ls-files '*.snap' | xargs rm",
        "git ls-files --deleted | xargs git rm",
        "rg -l NEVER_AGAIN | xargs rm",
        "ls *.log | xargs rm",
    ],
)
def test_removing_what_a_pattern_or_a_folder_chooses_is_not(yard: Yard, line: str) -> None:
    assert yard.rule(line, mode=Mode.AUTO).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("pytest", "pytest --cov-report=html:/home/somebody"),
        ("pytest", "pytest --cov-report=lcov:../x"),
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
