"""What cannot be told before it runs is said to be so."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from assent.gate.programs.harmless_variables import SHAPED
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.variables import is_dangerous, is_harmless, is_tame
from gate.shell.reading import names, opaque, read
from tables import each_row

DOUBTFUL = [
    "$x y",
    '"$x" y',
    "$(a) b",
    "`a` b",
    "l* y",
    "x='ls -la'; \"$x\"",
    "x=$(date); $x -la",
    'a=; "$a" ls',
    "${x:-ls} y",
    "eval ls",
    "source a",
    ". a",
    "trap a DEBUG",
    "alias a=b",
    "unalias a",
    "enable -f a b",
    "hash -p a b",
    "complete -F a b",
    "bind -x a",
    "mapfile -C a b",
    "coproc a",
    "ls a\\\n# ; rm b",
    "ls $(a)\\\n# ; rm b",
    "ls a\\ \\\n# ; rm b",
    "cat <& -b",
    "cat 2>& -'b'",
    "exec > f",
    "let x=1",
    "set -k",
    "shopt -s expand_aliases",
    "bash",
    "a | bash",
    "bash < f",
    "bash -s",
    "bash <(a)",
    'bash -c "$x"',
    "bash <<< $x",
    "bash --rcfile f -c a",
    "fish -c a",
    "pwsh -c a",
    "xargs $x",
    "timeout $x ls",
    "env $x ls",
    "parallel ls",
    "git -c alias.a='!b' a",
    "echo ${!x}",
    "echo ${x@P}",
    "echo ${x:=a}",
    "echo ${x[$y]}",
    "echo \"${x:-'$(a)'}\"",
    "echo ${x:-`a`}",
    "echo $((x))",
    "echo $((a[0]))",
    "echo $[x]",
    "((x))",
    "x=a; ((x))",
    "read x; echo $((x))",
    "for ((i=x;i<3;i++)); do :; done",
    "[[ $x -eq 1 ]]",
    "[[ -v 'a[$(b)]' ]]",
    "[ -v 'a[$(b)]' ]",
    "test -v a[x]",
    "[ $x ]",
    "printf -v 'a[$(b)]' c",
    "printf -v $x c",
    "read 'a[$(b)]'",
    "declare 'a[$(b)]=1'",
    "declare -i x=y",
    "declare -n x=y",
    "export $x",
    "unset 'a[$(b)]'",
    "a[x]=1",
    "echo `echo \\`a\\``",
    'cat <<E\n"$(a "b")"\nE',
    "cat <<E\na",
    "time A=b c",
    "ls &&",
    "ls (",
    "'",
    "if a; then",
    "done",
    "echo a # b $(c\n)",
    "git() { a; }; env() { b; }; env git",
    "cd() { a; }",
    "f() { $1; }; f $a",
    "f() { $1$2 sub; }; f c d; cat a",
    "f() { command ${1}d sub; }; f c; cat a",
    'f() { "$@"; }; x=c; f ${x}d sub; cat a',
    'f() { "$@"; }; f export PATH=bin',
    "f() { r$1 < a; }; f ead",
    "x=export; $x PATH=bin",
    "\\export PATH=bin",
    "command export LD_PRELOAD=a",
    "bash 3<<E\nls\nE",
    "bash <<E <&3\nls\nE",
    "bash <<E < a\nls\nE",
    "echo {1..100000}",
    "a\\\nb",
    "ls \x00",
    "ls \x1b[0m",
    "ls \u202e",
    "ls\u00a0-la",
    "ls \u200b",
    "ls \u3164",
    "ls \ue000",
    "ls \r\n",
    "a=([y]=1)",
    "a+=([y]=1)",
    "declare -a a=([y]=1)",
    "declare -A a=([$(x)]=1)",
    "x[0]=1; declare x=$(cat f)",
    "x[ 0 ]=1; typeset x=$(cat f)",
    "f() { x[1]=2; local -g x=$(cat f); }; f",
    'read "x[0]" <<< 1; declare x=$(cat f)',
    'n=x; read "$n[0]" <<< 1; declare x=$(cat f)',
    'read -"a" x <<< 1; declare x=$(cat f)',
    "y=a; read -$y x <<< 1; declare x=$(cat f)",
    "y=-a; read $y x <<< 1; declare x=$(cat f)",
    'declare "-a" x; declare x=$(cat f)',
    "y=a; declare -$y x; declare x=$(cat f)",
    "y=-a; declare $y x; declare x=$(cat f)",
    "y=-a; builtin declare $y x; declare x=$(cat f)",
    "declare DIRSTACK=$(cat f)",
    "true; declare PIPESTATUS=$(cat f)",
    'y=$(cat f); "declare" -a x="$y"',
    'y=$(cat f); command declare -a "x=$y"',
    'd=declare; y=$(cat f); $d -a x="$y"',
    "A=1 declare -a x=$(cat f)",
    "RANDOM=x; cat $RANDOM",
    "unset SECONDS",
    "for LINENO in a; do :; done",
    "read RANDOM",
    "local UID",
    "readonly x=a; export x=b; cat $x",
    "readonly x=a\nx=b\ncat $x",
    "declare -r x=a; x=b",
    "declare -l x=a",
    "ls() { :; }",
    "wc() { :; }",
    "cat <<< $GH_TOKEN",
    "cat <<E\n$MY_SECRET\nE",
    "git --config-env=alias.a=X a",
    "PATH=. ls",
    "export PATH=.",
    "export 'PATH=.'",
    'export "PATH=$x"',
    "declare -x LD_PRELOAD=a",
    "env IFS=a ls",
    "env GIT_SSH_COMMAND=a git fetch",
    "for PATH in .; do ls; done",
    "read PATH",
    "printf -v PATH a",
    "unset PATH",
    "GIT_PAGER=less git log",
    "BASH_ENV=a ls",
    "HTTPS_PROXY=a curl b",
    "NODE_OPTIONS=a node b",
]


@each_row("text", DOUBTFUL)
def test_what_only_running_it_would_tell_is_doubted(text: str) -> None:
    assert opaque(text)
    assert all(it.endswith(".") for it in opaque(text))


@each_row(
    "text",
    [
        "echo $((1+2)) $((0x1f << 2)) $(( $# + 1 ))",
        "i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done",
        "for ((i=0;i<3;i++)); do echo $i; done",
        "for i in {1..20}; do echo $((i*2)); done",
        "f() { local x=$(find . -name a -maxdepth 2); echo $x; }; f",
        "f() { local x=$(grep 'v[0-9]' f); echo $x; }; f",
        "i=1; ((i++)); echo $i",
        "x=3; [[ $x -eq 3 ]]",
        "[[ $? -eq 0 ]]",
        "[ $# -gt 0 ]",
        '[ "$x" = y ]',
        "[[ $x == y* && -f a ]]",
        "echo ${x:-y} ${x%.py} ${x##*/} ${x/a/b} ${x:1:2} ${#x} ${x^^}",
        'cat <<E\n$x and ${y} "quoted" it\'s\nE',
        "cat <<-E\n\t$(a)\n\tE",
        "set -euo pipefail; make",
        "shopt -s globstar nullglob",
        "PAGER=cat git log; GIT_PAGER= git log",
        "export A=b; unset A",
        "bash script.sh",
        "~/.local/bin/x y; $HOME/bin/y",
        "GOOS=linux go build",
        'while IFS= read -r l; do echo "$l"; done < f',
        "AWS_PROFILE=a PYTHONWARNINGS=ignore pytest",
        "ls \\\n# a comment\nls # another\\\n# and one more",
        "cat < a 2>& - <&-",
        'grep "x$ " a; echo $ 5$ "$"',
        "ls # a comment with `backticks` and $(more)",
        'x=$(wc -l < a); echo "$x"',
        'git commit -m "$(cat <<\'E\'\nit\'s "x" (y)\nE\n)"',
        "cat <<'E'\n`a` $(b) ${c}\nE",
        "cat > x.ts <<'E'\n" + "const a = {b: (c) => [d, `${e}`]};\n" * 120 + "E",
        "SECONDS=0; ls; echo $SECONDS",
        'declare -A m=([foo]=1 ["a b"]=2)',
        "readonly x=a; cat $x",
        "[ $(wc -l < a) -gt 10 ]",
        "t=0; for f in *; do n=$(wc -l < $f); t=$((t + n)); done",
    ],
)
def test_the_everyday_is_not_doubted(text: str) -> None:
    assert not opaque(text)


@each_row("text", DOUBTFUL)
def test_what_is_doubted_stays_so_beside_anything(text: str) -> None:
    if "<<" not in text:
        assert opaque(f"ls; {text}")
        assert opaque(f"bash -c 'ls' && {text}")


def test_what_is_said_names_where_it_stands() -> None:
    text = "ls && PATH=. git status"
    (one,) = read(text).opaque
    assert text[one.start : one.end] == "PATH=. git status"
    assert "PATH" in one.because


@each_row(
    ("dialect", "text"),
    [
        ("zsh", "echo =ls"),
        ("zsh", "echo *(e:ls:)"),
        ("zsh", "cat =(ls)"),
        ("zsh", "[[ a =~ b ]]"),
        ("zsh", "echo ${(e)x}"),
        ("zsh", "path=(/tmp); ls"),
        ("zsh", "x=a; cat $x:h"),
        ("zsh", "<README.md"),
        ("zsh", "printf '%d' 'a[$(x)]'"),
        ("zsh", "cdpath=(/etc); cd a"),
        ("sh", "export x=$y"),
        ("zsh", "repeat 3 ls"),
        ("sh", "echo $'a'"),
        ("sh", "rm {a,b}"),
        ("sh", "a &> b"),
        ("powershell", "ls"),
        ("cmd", "dir"),
        ("fish", "ls"),
        ("C:\\Windows\\System32\\cmd.exe", "dir"),
        ("anything", "ls"),
        ("./bash", "ls"),
        ("/tmp/bash", "ls"),
    ],
)
def test_what_another_shell_reads_otherwise_is_doubted(dialect: str, text: str) -> None:
    assert opaque(text, dialect)


@each_row("dialect", ["", "bash", "sh", "zsh", "dash", "/bin/bash", "/usr/bin/zsh"])
def test_what_all_read_alike_is_read(dialect: str) -> None:
    script = read("git status && cd a | grep 'b c'", dialect)
    assert not script.opaque
    assert len(script.commands) == 3


def test_a_shell_without_a_reader_still_tells_its_words() -> None:
    script = read("Remove-Item 'a b' -Recurse; r'm' x", "powershell")
    assert not script.commands
    assert {"Remove-Item", "-Recurse", "rm"} <= script.words


def test_more_than_fifty_commands_are_doubted_and_all_told() -> None:
    assert not opaque("ls;" * 50)
    assert opaque("ls;" * 50 + "rm x")
    assert names("ls;" * 50 + "rm x")[-1] == "rm"


def test_what_is_too_long_is_not_read_and_its_words_are_told() -> None:
    assert not opaque("#" + "a" * 9_999)
    script = read("echo " + "a " * 5_000 + "; r''m 'x y'")
    assert script.opaque
    assert not script.commands
    assert {"rm", "echo", "x", "y"} <= script.words
    assert not read("rm x;" * 40_000).words


def test_names_of_variables_are_told_apart() -> None:
    assert all(map(is_dangerous, ["PATH", "LD_AUDIT", "GIT_SSH", "MY_PAGER", "npm_config_x"]))
    assert not any(map(is_dangerous, ["FOO", "NODE_ENV", "CI", "LANG", "PORT", "MY_PATHS"]))
    assert all(map(is_harmless, ["LANG", "LC_ALL", "TZ", "NO_COLOR", "CI"]))
    assert not any(map(is_harmless, ["FOO", "PATH", "LANGX", "x"]))
    assert is_tame("GIT_PAGER", "cat")
    assert not is_tame("GIT_PAGER", "cat x")
    assert not is_tame("PATH", "cat")


@each_row("name", SHAPED)
def test_a_value_of_many_like_pieces_is_told_in_little_time(name: str) -> None:
    # Each more would double the time, did a pattern find the pieces in more than one way.
    for piece in ("-Wa", "-Aa--cfgb", "-a", "-Xmx1", "gctrace=1", "-q", "a=1", "-D-a", "localhost"):
        for before in ("", "target", "gctrace=1"):
            assert not is_tame(name, f"{before}{piece * 60}!")


HARD = {
    "brackets": "(" * 100_000,
    "few brackets": "(" * 9_999,
    "braces": "${" * 4_000,
    "here-documents": "<<E " * 2_000,
    "a long word": "a" * 10_000_000,
    "many commands": "true;" * 24_000,
    "fewer commands": "true;" * 1_900,
    "substitutions": "$(" * 300 + "a" + ")" * 300,
    "quoted substitutions": '"$(echo ' * 39 + "a" + ')"' * 39,
    "expansions": "${a:-" * 390 + "}" * 390,
    "tests": "[[ a && " * 1_000,
    "signs": ">" * 9_999,
    "other signs": "<" * 9_999,
    "patterns": "x) " * 3_300,
    "ifs": "if " * 3_000,
    "nested loops": "for i in a; do x=$i;" * 12 + " rm $x;" + "done;" * 12,
    "scripts in scripts": "bash -c " * 100 + "ls",
    "wrappers": "env " * 2_400 + "ls",
    "finds": "find . " + "-exec find . " * 700,
    "words": "é " * 4_900,
    "variables": "$a " * 3_300,
    "backticks": "`" * 9_999,
    "quotes": '"' * 9_999,
    "brace expansions": "{a,b}" * 1_900,
    "open braces": "{a," * 3_000,
    "evals": "eval \"eval 'eval ls'\" ;" * 390,
    "joined finds": "a|" * 1_190 + "a",
    "markers": "a <<E;" * 1_000 + "\n" + "E\n" * 1_000,
    "backslashes": "\\" * 9_999,
}


@each_row("text", HARD.values(), ids=HARD.keys())
def test_no_text_is_too_hard_to_be_read(text: str) -> None:
    script = read_script(text)
    assert script.commands or script.opaque


LETTERS = st.text(alphabet=" \t\n\\'\"`$(){}[];&|<>#!*?~=-+,.:@%^/ax1é")
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "$(",
                ")",
                "`",
                "'",
                '"',
                "${",
                "}",
                "<<E\n",
                "\nE\n",
                "((",
                "))",
                "[[ ",
                " ]]",
                "&&",
            ),
            *("|", ";", "\n", "#", "\\", "if ", " then ", " fi", "case a in ", "a)", ";;", " esac"),
            *("for i in ", "do ", " done", "f() ", "{ ", "time ", "x=", ">", "<(", "eval ", "a "),
        ]
    )
).map("".join)


@given(LETTERS | PIECES | st.text())
@settings(max_examples=600, deadline=None)
@example("\ud800")
@example("")
@example("x\x00y")
@example("<1<1).")
@example("1=0<0")
def test_nothing_raises_and_every_place_is_in_the_text(text: str) -> None:
    script = read_script.__wrapped__(text)
    at = 0
    for command in script.commands:
        assert 0 <= command.start <= command.end <= len(text)
        if command.depth == 0 and not script.opaque:
            assert command.start >= at
            at = command.end
    for doubt in script.opaque:
        assert 0 <= doubt.start <= doubt.end <= len(text)


SUBSTITUTED = ["echo $({0}\n{1}\n)", 'echo "$({0}\n{1}\n)"', "cat <({0}\n{1}\n)", "x=$({0}\n{1})"]


@each_row("form", SUBSTITUTED)
def test_a_body_does_not_begin_within_what_stands_behind_its_marker(form: str) -> None:
    # The shell runs what stands there, and takes the body from behind it.
    assert opaque("cat <<E; " + form.format("ls", "evil x\nE") + "\nE\n")
    assert not opaque(
        "cat <<E; " + form.replace("\n", ";", 1).replace("\n", "").format("ls", "d x") + "\nE\n"
    )
