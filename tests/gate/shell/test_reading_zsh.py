"""What zsh takes for something else than bash is doubted, name by name and form by form."""

import shutil
import subprocess

import pytest

from assent.gate.programs.read_lines import read_script
from assent.gate.programs.variables import is_dangerous


def doubted(text: str) -> bool:
    return bool(read_script(text, "zsh").opaque)


@pytest.mark.parametrize(
    "text",
    [
        "a=lxyz; cat $a[1]",
        'a=lxyz; cat "$a[1]"',
        "a=xl; cat l$a[-1]",
        "for i in lxyz; do cat $i[1]; done",
        "cat $@[1]",
        "cat {+..l}",
        "cat {m..:}",
        "cat {a..e..2}",
        "cat {-../}env",
        "cat {..-}env",
        'cat {"-"../}env',
        "cat 12<f",
        "grep -h . 12<f",
        "echo a 10>f",
        "x==ls; cat $x",
        "x=a:=ls",
        "cat {=ls,f}",
        "MODULE_PATH=.; echo $commands",
        "module_path=.; echo $commands",
        "CDPATH=/etc; cd a",
    ],
)
def test_what_bash_takes_for_letters_is_doubted(text: str) -> None:
    assert doubted(text)
    # Also where another shell hands it on.
    assert read_script(f"zsh -c {text!r}").opaque or '"' in text


@pytest.mark.parametrize(
    "text",
    [
        "ls {1..3}",
        "ls {a..c}",
        "cat a{b,c}",
        "ls 2>/dev/null",
        "ls >&2",
        "ls ../src",
        "{ cd ..; ls; }",
        'x=src; ls "$x"',
        "grep a=b f",
        "OUT_PATH=src; ls $OUT_PATH",
    ],
)
def test_what_both_take_alike_is_read(text: str) -> None:
    assert not doubted(text)


def test_no_name_that_zsh_ties_to_what_it_does_is_given_a_value() -> None:
    if shutil.which("zsh") is None:
        pytest.skip("there is no zsh here")
    told = subprocess.run(["zsh", "-fc", "typeset +"], capture_output=True, text=True, check=True)
    lines = [line.split() for line in told.stdout.splitlines()]
    # A value of one of these changes its other half; one that is loaded when it is used is code.
    names = {
        line[-1] for line in lines if {"tied", "undefined"} & {*line} and "readonly" not in line
    }
    assert {"MODULE_PATH", "module_path", "commands", "CDPATH", "cdpath"} <= names
    assert {it for it in names if not (doubted(f"{it}=.; ls") or is_dangerous(it))} == set()
