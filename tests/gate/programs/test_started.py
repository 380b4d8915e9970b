"""Code in the words of a program is read for what it starts, as the text of `sh -c` is."""

import shlex

from assent.gate.programs.nested_execution.commands_in_code import commands_in_code
from assent.gate.programs.read_lines import read_script, words_of
from tables import each_row

STARTS = (
    (("python3", "-c", "import os; os.system('git push')"), "git push"),
    (("python3", "-c", "__import__('os').popen('ls -l').read()"), "ls -l"),
    (("python3", "-c", "from os import system as s; s('ls')"), "ls"),
    (("python3", "-c", "import subprocess as s; s.run(['git', 'push'], check=True)"), "git push"),
    (("python3", "-c", "import subprocess; subprocess.run('a b', shell=True)"), "a b"),
    (("python3", "-c", "import os; os.execvp('git', ['git', 'push'])"), "git push"),
    (("python3.11", "-c", "import pty; pty.spawn(['sh', '-c', 'ls'])"), "sh -c ls"),
    (("node", "-e", 'require("child_process").execSync("git push")'), "git push"),
    (
        ("node", "-e", "require('child_process').spawnSync('git',['push'],{stdio:'pipe'})"),
        "git push",
    ),
    (("node", "-e", "import {execSync as e} from 'child_process'; e('ls')"), "ls"),
    (("node", "-e", "const {exec}=require('child_process'); exec('git push')"), "git push"),
    (("perl", "-e", "system 'git push'"), "git push"),
    (("perl", "-e", "exec 'ls'"), "ls"),
    (("perl", "-e", "open(F, '|crontab -')"), "crontab -"),
    (("perl", "-e", "print qx{git push}"), "git push"),
    (("ruby", "-e", "puts `git push`"), "git push"),
    (("ruby", "-e", "IO.popen('crontab -', 'w')"), "crontab -"),
    (("php", "-r", "proc_open('git push', [], $p);"), "git push"),
    (("lua", "-e", "os.execute('ls')"), "ls"),
    (("awk", 'BEGIN{system("git push")}'), "git push"),
    (("awk", '{print | "sort -u"}'), "sort -u"),
    (("awk", 'BEGIN{"date" | getline}'), "date"),
    (("vim", "-es", "-c", "%!git push", "-c", "q"), "git push"),
    (("vim", "-es", "-c", "call system('ls')"), "ls"),
    (("sqlite3", "x.db", ".shell git push"), "git push"),
    (("sqlite3", "x.db", ".once |crontab -"), "crontab -"),
    (("psql", "-c", "\\! git push"), "git push"),
    (("gdb", "-ex", "shell ls"), "ls"),
    (("make", "--eval", "x:;git push", "x"), "git push"),
    (("make", "--eval", "A := $(shell git push)"), "git push"),
)

STARTS_NOTHING_KNOWN = (
    ("python3", "-c", "subprocess.run(['rm', path])"),
    ("python3", "-c", "os.system('rm ' + path)"),
    ("python3", "-c", "os.system(f'rm {path}')"),
    ("python3", "-c", "os.system('rm %s' % path)"),
    ("python3", "-c", "import re; re.compile('(').search('x')"),
    ("python3", "a.py", "os.system('git push')"[:2]),
    ("node", "-e", "console.log(/a/.exec('git push'))"),
    ("node", "-e", "execSync(`rm ${path}`)"),
    ("ruby", "-e", "db.exec(x)"),
    ("vim", "-es", "-c", "%s/a!b/c/", "-c", "wq"),
    ("make", "CC=gcc", "all"),
    ("sqlite3", "x.db", "select 1"),
    ("grep", "system('git push')", "a.py"),
)


@each_row(("words", "text"), STARTS, ids=lambda it: " ".join(it)[:60])
def test_what_code_starts_is_told_as_a_line_for_a_shell(words: tuple[str, ...], text: str) -> None:
    inside = commands_in_code(words_of(shlex.join(words)))

    assert inside is not None
    assert inside.texts == (text,)
    assert not inside.wraps


@each_row("words", STARTS_NOTHING_KNOWN, ids=lambda it: " ".join(it)[:60])
def test_what_code_computes_or_does_otherwise_is_not_told(words: tuple[str, ...]) -> None:
    assert commands_in_code(words_of(shlex.join(words))) is None


@each_row("words", [it for it, _ in STARTS], ids=lambda it: " ".join(it)[:60])
def test_the_program_itself_is_judged_beside_what_it_starts(words: tuple[str, ...]) -> None:
    script = read_script(shlex.join(words))

    assert [it.carried for it in script.commands[:2]] == [False, True]


def test_code_that_is_fed_is_read_as_well_and_a_script_s_own_input_is_not() -> None:
    def names(line: str) -> list[str]:
        return [it.name for it in read_script(line).commands]

    code = "import os\nos.system('git push')\n"
    assert names(f"python3 - <<'E'\n{code}E") == ["python3", "git"]
    assert names(f"python3 <<'E'\n{code}E") == ["python3", "git"]
    assert names(f"python3 a.py <<'E'\n{code}E") == ["python3"]


def test_what_is_started_in_another_folder_is_not_taken_to_run_here() -> None:
    here = commands_in_code(words_of("python3 -c 'import os; os.system(\"ls\")'"))
    there = commands_in_code(words_of('python3 -c \'import os; os.chdir("x"); os.system("ls")\''))

    assert here is not None
    assert there is not None
    assert here.folder is None
    assert there.folder is not None
