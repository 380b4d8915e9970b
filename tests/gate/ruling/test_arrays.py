"""Arrays of which it is known what is in them, and those of which it is not."""

from pathlib import Path

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "src").mkdir(parents=True)
    for name in ("x.py", "y.py", "src/z.py"):
        (root / name).write_text("1\n")
    return root


@each_row(
    "line",
    [
        'a=(x.py); a+=(y.py); cat "${a[@]}"',
        'a=(); a+=(x.py y.py); cat "${a[@]}"',
        'files=(src/*.py); wc -l "${files[@]}"',
        'files=(src/*.py); echo "${#files[@]}"; head -3 "${files[0]}"',
        'for f in a.txt b.txt; do echo $f; done; a=(*.py); for f in "${a[@]}"; do wc -l "$f"; done',
        'a=(src/*.py docs/*.md); for f in "${a[@]}"; do wc -l "$f"; done',
        'a=(); for f in *.py; do a+=("$f"); done; wc -l "${a[@]}"',
        'a=(); for f in src/*.py; do [ -s "$f" ] && a+=("$f"); done; head "${a[@]}"',
    ],
)
def test_names_that_patterns_give_are_followed_through_an_array(root: Path, line: str) -> None:
    assert ruled(root, line, Mode.DEFAULT).verdict is Verdict.ALLOW


@each_row(
    "line",
    [
        'a=(src/*.py); a+=(/etc/passwd); cat "${a[@]}"',
        'a=(x.py); a+=(/etc/passwd); cat "${a[@]}"',
        'a=(x.py); a[1]=/etc/passwd; cat "${a[@]}"',
        'a=(x.py); a+=(../../x); cat "${a[@]}"',
        'a=(src/*.py); cd /; cat "${a[@]}"',
        'a=(*.py); mapfile a < a.txt; cat "${a[@]}"',
        'a=(x.py); read -a a < a.txt; cat "${a[@]}"',
        'a=(x.py); a=/etc/passwd; cat "${a[@]}"',
        'a=(x.py); a+=/../../../etc/passwd; cat "${a[@]}"',
        'a=(*.py); a+=(-o/x); sort "${a[@]}"',
        'a=(); for f in /etc/*; do a+=("$f"); done; cat "${a[@]}"',
        'a=(); while read f; do a+=("$f"); done < x; cat "${a[@]}"',
        'a=(); for f in *.py; do a+=("$f"); a+=(/etc/passwd); done; cat "${a[@]}"',
        'a=(); for f in *.py; do a+=("$f" "$1"); done; cat "${a[@]}"',
        'a=(x.py); a+=(y) a+=(/etc/passwd); cat "${a[@]}"',
        'a=(x.py) a+=(/etc/passwd); cat "${a[@]}"',
        'a=(/etc/passwd) a+=(x.py); cat "${a[@]}"',
        'a=(x.py); b=1 a+=(/etc/passwd); cat "${a[@]}"',
        'a=(x.py); declare a+=(/etc/passwd); cat "${a[@]}"',
        'a=(x.py); f() { a+=(/etc/passwd); }; f; cat "${a[@]}"',
        'a=(); [ -f x ] && a+=(/etc/passwd); a+=(y.py); cat "${a[@]}"',
        'a=(); if true; then a+=(/etc/passwd); fi; a+=(*.py); cat "${a[@]}"',
        'a=(*.py); if true; then a=(/etc/passwd); fi; cat "${a[@]}"',
        'a=(); x=/etc/passwd; a+=($x); cat "${a[@]}"',
        'a=(*.py); unset a; a=/etc/passwd; cat "${a[@]}"',
        'a=(*.py); cat "/etc/${a[@]}"',
        'a=(*.py); cat "${a[@]/x/..}"',
        'a=(*.py); cat "${a[@]%.py}/../../x"',
        'a=(../*.py); cat "${a[@]}"',
        'a=(~/*.py); cat "${a[@]}"',
        'a=(/etc/passwd); f() { local a=(*.py); }; f; cat "${a[@]}"',
        'a=(/etc/passwd); (a=(*.py)); cat "${a[@]}"',
        'a=(/etc/passwd); a=(*.py) true; cat "${a[@]}"',
        'a=(/etc/passwd); echo | a=(*.py); cat "${a[@]}"',
        'a=(/etc/passwd); a=(*.py) & cat "${a[@]}"',
        "a=(*.py); eval 'a=(/etc/passwd)'; cat \"${a[@]}\"",
        'a=(*.py); f() { a=(/etc/passwd); }; trap f DEBUG; cat "${a[@]}"',
        'a=(*.py); . ./x.sh; cat "${a[@]}"',
        'a=(*.py); set -- /etc/passwd; a=("$@"); cat "${a[@]}"',
        'a=(*.py); printf -v a %s /etc/passwd; cat "${a[@]}"',
        "a=(*.py); printf -v 'a[0]' %s /etc/passwd; cat \"${a[@]}\"",
        'a=(*.py); for a in /etc/passwd; do cat "${a[@]}"; done',
        'a=(*.py); getopts x a; cat "${a[@]}"',
        'a=(*.py); coproc a { ls; }; cat "${a[@]}"',
        'a=(*.py); : "${a[0]:=/etc/passwd}"; cat "${a[@]}"',
        'a=(*.py); : "${a:=/etc/passwd}"; unset a; : "${a:=/etc/passwd}"; cat "${a[@]}"',
        'a=(); cat "${a[@]:-/etc/passwd}"',
        'a=(*.py); a[0]+=/../../etc/passwd; cat "${a[@]}"',
        'a=(*.py); a+=/../../etc/passwd; cat "${a[@]}"',
        'a=(*.py); ((a[0]=1)); cat "${a[@]}"; exec "${a[@]}"',
        'a=(*.py); read a < x; cat "${a[@]}"',
        'a=(*.py); wait -p a; cat "${a[@]}"',
        'a=([5]=/etc/passwd *.py); cat "${a[@]}"',
        'a=(x.py [0]=/etc/passwd); a+=(y.py); cat "${a[@]}"',
        'a=(*.py); a+=([0]=/etc/passwd); cat "${a[@]}"',
        'a=(src/*.py "a /etc/passwd"); for f in "${a[@]}"; do cat $f; done',
        'a=(); a+=(*.txt "a /etc/passwd"); for f in "${a[@]}"; do wc $f; done',
        'a=(); for f in "a /etc/passwd" *.py; do a+=($f); done; cat "${a[@]}"',
        'a=(*"/b "/etc/pass*); for f in "${a[@]}"; do cat $f; done',
        f"for f in 'a /etc/passwd' {' '.join(f'x{it}' for it in range(17))}; do cat $f; done",
        "for f in 'src/a /etc/pass'* *.py; do cat $f; done",
        'x="a /etc/$(ls)"; cat $x',
    ],
)
def test_what_else_may_be_in_it_is_asked_about(root: Path, line: str) -> None:
    assert ruled(root, line, Mode.DEFAULT).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "line",
    ["a=(.e*)", "a=(*.py .e*)", "a=(src/*); a+=(.env)", "shopt -s dotglob; a=(*)"],
)
def test_a_denied_file_may_be_among_them(root: Path, line: str) -> None:
    (root / ".env").write_text("KEY=1\n")
    said = ruled(root, f'{line}; cat "${{a[@]}}"', deny="read(./.env)")
    assert said.verdict is not Verdict.ALLOW


@each_row(
    "line",
    [
        'for f in src/*.py "src/a *"; do rm -rf $f; done',
        'for f in src/*.py "src/a .envrc"; do tee $f < x.py; done',
        "for f in src/*.py 'src/[/]etc/passwd'; do tee $f < x.py; done",
        "for f in 'src/a /etc/pass'*; do tee $f < x.py; done",
    ],
)
def test_a_name_that_the_shell_splits_is_no_name_below_the_folder(root: Path, line: str) -> None:
    assert ruled(root, line).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "line",
    [
        'cd templ; a=(J*); cd ..; tee "${a[@]}" < x.py',
        'cd templ; a=(J?nkinsfile); cd ..; tee "${a[@]}" < x.py',
        'cd templ; a=(*); cd ..; cp templ/a "${a[0]}"',
        "mkdir t; cd t; for f in J*; do (cd ..; tee $f < x.py); done",
    ],
)
def test_what_a_pattern_found_elsewhere_is_any_name_here(root: Path, line: str) -> None:
    (root / "templ").mkdir()
    (root / "templ/Jenkinsfile").write_text("x\n")
    assert ruled(root, line).verdict is Verdict.ASK


@each_row(
    "line",
    [
        "for f in 'my notes'/*.md; do cat \"$f\"; done",
        "for f in src/*.py x.py; do cat $f; done",
        'cd src; a=(*.py); wc -l "${a[@]}"',
    ],
)
def test_one_that_is_quoted_or_has_nothing_to_split_passes(root: Path, line: str) -> None:
    assert ruled(root, line, Mode.DEFAULT).verdict is Verdict.ALLOW
