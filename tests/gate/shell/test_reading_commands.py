"""Which commands run, wherever they stand."""

from hypothesis import given
from hypothesis import strategies as st

from gate.shell.reading import names, only, opaque, read, told
from tables import each_row

EVERYWHERE = [
    "rm x",
    "'rm' x",
    "\\rm x",
    "r''m x",
    "$'\\x72m' x",
    "FOO=1 rm x",
    ">o rm x",
    "true; rm x",
    "true && rm x",
    "true || rm x",
    "true | rm x",
    "true & rm x",
    "true\nrm x",
    "! rm x",
    "(rm x)",
    "{ rm x; }",
    "if rm x; then :; fi",
    "if a; then rm x; elif b; then c; else d; fi",
    "if a; then b; elif rm x; then c; fi",
    "if a; then b; else rm x; fi",
    "while rm x; do :; done",
    "until a; do rm x; done",
    "for i in 1; do rm x; done",
    "for ((i=0;i<3;i++)); do rm x; done",
    "select i in a; do rm x; done",
    "case a in a) rm x;; esac",
    "case $(rm x) in a) ;; esac",
    "f() { rm x; }",
    "function f { rm x; }",
    "f() ( rm x )",
    "echo $(rm x)",
    'echo "$(rm x)"',
    "echo `rm x`",
    'echo "`rm x`"',
    "echo $(echo $(rm x))",
    "cat <(rm x)",
    "a > >(rm x)",
    "x=$(rm x)",
    "export x=$(rm x)",
    "a[$(rm x)]=1",
    "echo ${a:-$(rm x)}",
    "echo ${a:-`rm x`}",
    "echo $((1+$(rm x)))",
    "cat <<E\n$(rm x)\nE",
    "cat <<E\n`rm x`\nE",
    "cat <<-E\n\t`rm x`\n\tE",
    "cat <<E | rm x\na\nE",
    "cat <<E\na\nE\nrm x",
    "[[ $(rm x) ]]",
    "[ -f $(rm x) ]",
    "time rm x",
    "time -p rm x",
    "coproc rm x",
    "echo a # b\nrm x",
    "echo a#b; rm x",
    "true && \\\n rm x",
    "bash -c 'rm x'",
    "bash -lc 'rm x'",
    "bash --norc -ec 'rm x'",
    'sh -c "rm x"',
    "zsh -c 'rm x'",
    "bash -c \"bash -c 'rm x'\"",
    "bash <<< 'rm x'",
    "bash <<'E'\nrm x\nE",
    "eval rm x",
    "eval 'rm x'",
    "trap 'rm x' EXIT",
    "trap -- 'rm x' 0",
    "alias y='rm x'",
    "env rm x",
    "env -i A=b rm x",
    "env -u A rm x",
    "env -S 'rm x'",
    "timeout 5 rm x",
    "timeout -k 1 --signal=KILL 5 rm x",
    "nice rm x",
    "nice -n 5 rm x",
    "nice -5 rm x",
    "nohup rm x",
    "stdbuf -oL rm x",
    "setsid -w rm x",
    "command rm x",
    "builtin command rm x",
    "exec rm x",
    "exec -a b rm x",
    "sudo rm x",
    "sudo -u bob -E A=b rm x",
    "doas rm x",
    "su bob -c 'rm x'",
    "ionice -c 3 rm x",
    "chrt -o 0 rm x",
    "taskset 1 rm x",
    "unshare -r rm x",
    "watch -n 1 rm x",
    "flock f rm x",
    "flock f -c 'rm x'",
    "strace -f -o o rm x",
    "ltrace rm x",
    "parallel rm x",
    "script -qc 'rm x' o",
    "busybox rm x",
    "chroot / rm x",
    "xargs rm x",
    "xargs -n1 -P 4 rm x",
    "xargs -I{} sh -c 'rm x'",
    "find . -exec rm x ';'",
    "find . -execdir rm x +",
    "find . -ok rm x \\;",
    "find . -exec sh -c 'rm x' \\;",
    "ssh host rm x",
    "docker exec -it c rm x",
    "uv run rm x",
    "npx -c 'rm x'",
    "git -c alias.y='!rm x' y",
    "git rebase --exec 'rm x' main",
    "git submodule foreach 'rm x'",
    "git bisect run rm x",
    "/usr/bin/env rm x",
    "sudo env nice timeout 5 bash -c 'rm x'",
]


@each_row("text", EVERYWHERE)
def test_a_command_counts_wherever_it_stands(text: str) -> None:
    assert any(it == "rm" or it.startswith("rm ") for it in told(text)), told(text)


@each_row(
    "text",
    [
        "echo rm x",
        "echo 'rm x'",
        "echo '$(rm x)' '`rm x`'",
        'echo "\\$(rm x)"',
        "# rm x",
        "ls # ; rm x",
        "cat <<'E'\n$(rm x)\nE",
        "grep 'a; rm x' f",
        "command -v rm",
        "git commit -m 'rm x'",
        "echo {rm,x}",
        "[[ rm == x ]]",
        "case rm in x) ;; esac",
    ],
)
def test_a_word_that_is_only_mentioned_is_no_command(text: str) -> None:
    assert "rm" not in names(text)
    assert not opaque(text)


def test_commands_that_stand_by_themselves_are_apart_and_in_order() -> None:
    text = "A=1 git add x >o 2>&1 && (cd a; ls $(b)) | cat <<E; f() { c; }\nhi\nE\nd"
    top = [it for it in read(text).commands if it.depth == 0]
    assert [text[it.start : it.end] for it in top] == [
        "A=1 git add x >o 2>&1",
        "cd a",
        "ls $(b)",
        "cat <<E",
        "c",
        "d",
    ]
    assert [it.operator for it in top] == ["", "", ";", "|", "", ";"]


def test_what_is_inside_a_script_stands_where_that_stands() -> None:
    text = "true; bash -c 'a && b' é"
    inner = [it for it in read(text).commands if it.depth == 1]
    assert [text[it.start : it.end] for it in inner] == ["bash -c 'a && b' é"] * 2
    assert [it.operator for it in inner] == ["", "&&"]


def test_places_are_counted_in_characters() -> None:
    text = "echo 'ä€😀'; rm é"
    assert [text[it.start : it.end] for it in read(text).commands] == ["echo 'ä€😀'", "rm é"]


def test_redirects_tell_files_and_not_descriptors() -> None:
    text = "a >x 2>>y 3<z &>w >|v 2>&1 >&2 <&3 2>&- <<<t <<E >&file\nE"
    assert [(it.operator, it.target.text) for it in only(text).redirects] == [
        (">", "x"),
        (">>", "y"),
        ("<", "z"),
        ("&>", "w"),
        (">|", "v"),
        ("&>", "file"),
    ]


def test_words_behind_a_redirect_are_still_the_commands() -> None:
    assert told("git diff > out --stat HEAD") == ["git diff --stat HEAD"]
    assert told("python3 - <<'E' 2>&1 | tail -5\nx\nE") == ["python3 -", "tail -5"]


def test_a_redirect_belongs_to_the_last_command_before_it() -> None:
    first, second = read("a && b > f").commands
    assert not first.redirects
    assert second.redirects[0].target.text == "f"
    *_, around = read("{ a; b; } > f").commands
    assert not around.argv
    assert around.redirects[0].target.text == "f"


def test_what_is_assigned_is_told() -> None:
    one = only("A=1 B='c d' E= make")
    assert [(it.name, it.value.text) for it in one.assignments] == [
        ("A", "1"),
        ("B", "c d"),
        ("E", ""),
    ]
    inner = read("env A=1 make").commands[1]
    assert [it.name for it in inner.assignments] == ["A"]
    assert [it.name for it in only("export A=1").assignments] == ["A"]


@each_row(
    ("text", "wraps"),
    [
        ("timeout 5 ls", True),
        ("nice -n 3 ls", True),
        ("env A=b ls", True),
        ("xargs ls", True),
        ("bash -lc 'ls'", True),
        ("command ls", True),
        ("time ls", True),
        ("/usr/bin/env ls", True),
        ("./env ls", False),
        ("xargs -a f ls", False),
        ("sudo ls", False),
        ("ssh h ls", False),
        ("watch ls", False),
        ("find . -exec ls ';'", False),
        ("bash -ic 'ls'", False),
        ("./bash -c 'ls'", False),
        ("docker exec c ls", False),
    ],
)
def test_only_what_adds_nothing_is_a_mere_wrapper(text: str, wraps: bool) -> None:
    assert read(text).commands[0].wraps is wraps
    assert "ls" in names(text)


def test_a_function_is_transparent_where_it_is_surely_defined() -> None:
    assert [it.wraps for it in read("f() { a; }; f x").commands] == [False, True]
    for text in (
        "f; f() { a; }",
        "c && f() { a; }; f",
        "(f() { a; }); f",
        "f() { a; }; unset -f f; f",
        "f() { a; }; command f",
        "f() { a; }; bash -c f",
        "f() { a; }; ./f",
    ):
        assert not any(it.wraps for it in read(text).commands if it.argv[0].text == "f"), text


def test_who_reads_from_another_is_fed() -> None:
    fed = {it.name: it.fed for it in read("a | b; c <<< x; d < f; e <<E; g\nE").commands}
    assert fed == {"a": False, "b": True, "c": True, "d": False, "e": True, "g": False}


@given(st.lists(st.sampled_from(["a", "b 'c'", "d $(e)", "x=1 f", "(g)"]), min_size=1, max_size=8))
def test_a_list_is_read_as_its_parts(parts: list[str]) -> None:
    together = [it for it in told("; ".join(parts)) if it]
    assert together == [it for part in parts for it in told(part) if it]


ENDS = ["\n", "\n\n", " # why\n", " # why\n  # and how\n\t", " \\\n\n"]
BEHIND = ["d && e", "d -x || e y", "! d && e", "[ -f d ] && e", "(d) && e", "X=1 d || e; f"]


@each_row("last", ["unset v", "declare v=1", "export v=1", "readonly v", "typeset v"])
def test_a_line_behind_a_declaration_in_a_pipe_is_read(last: str) -> None:
    for text in (f"a | b | {last}\nevil x && d", f"a | b | {last}\nevil x <<E\nE"):
        assert "evil" in names(text) or opaque(text)


@each_row("behind", BEHIND)
@each_row("end", ENDS)
@each_row("around", ["{}", "if x; then {}\nfi", "for i in 1 2; do {}; done", "x=$({})"])
def test_a_line_behind_a_pipe_is_read_as_behind_a_semicolon(
    around: str, end: str, behind: str
) -> None:
    found = read(around.format(f"a | b -1 | c 2{end}{behind}"))
    same = read(around.format(f"a | b -1 | c 2; {behind}"))
    assert [it.argv for it in found.commands] == [it.argv for it in same.commands]
    assert [it.because for it in found.opaque] == [it.because for it in same.opaque]
