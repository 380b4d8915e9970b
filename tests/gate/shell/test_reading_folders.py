"""Where commands run, after `cd`."""

from assent.gate.shell.script import Missed
from gate.shell.reading import read
from tables import each_row

Ways = tuple[tuple[str, ...], ...] | None


@each_row(
    ("text", "folders"),
    [
        ("ls", ((),)),
        ("cd a && ls", (("a",),)),
        ("cd a; ls", (("a",), ())),
        ("cd a || exit 1; ls", (("a",),)),
        ("cd a && cd b && ls", (("a", "b"),)),
        ("(cd a); ls", ((),)),
        ("(cd a && ls)", (("a",),)),
        ("{ cd a && ls; }", (("a",),)),
        ("cd a | ls", ((),)),
        ("cd a & ls", ((),)),
        ("cd a && true | ls", (("a",),)),
        ("cd; ls", (("~",), ())),
        ("cd ~/x && ls", (("~/x",),)),
        ("cd '~' && ls", (("./~",),)),
        ("cd /tmp && ls", (("/tmp",),)),
        ("cd -- a && ls", (("a",),)),
        ("cd -P a && ls", (("a",),)),
        ("cd - && ls", None),
        ("cd a && cd - && ls", ((),)),
        ("cd a && cd b && cd - && ls", (("a",),)),
        ("cd a && cd - && cd - && ls", (("a",),)),
        ("cd a; cd - && ls", None),
        ("cd a && bash -c 'cd - && ls'", None),
        ("set -e; cd a; ls", (("a",), ())),
        ("for n in 1; do cd a && break; exit; done; ls", None),
        ("case a in a) cd a;& b) ls;; esac", ((), ("a",))),
        ("f() { c\\d a; }; f; ls", None),
        ("f() { $'\\143d' a; }; f; ls", None),
        ("time ! cd a && ls", (("a",), ())),
        ("cd $x && ls", None),
        ("cd a b && ls", None),
        ("cd a* && ls", None),
        ("x=a; cd $x && ls", (("a",),)),
        ("for d in a b; do (cd $d && ls); done", (("a",), ("b",))),
        ("for d in a b; do cd $d; done; ls", None),
        ("while c; do cd a; done; ls", None),
        ("if cd a; then ls; fi", (("a",),)),
        ("if c; then cd a; fi; ls", ((), ("a",))),
        ("! cd a && ls", ((),)),
        ("pushd a && ls", (("a",),)),
        ("pushd a && popd; ls", None),
        ("command cd a && ls", (("a",),)),
        ("env cd a && ls", ((),)),
        ("bash -c 'cd a && b' && ls", ((),)),
        ("echo $(cd a); ls", ((),)),
        ("eval cd a; ls", None),
        ("f() { cd a; }; f; ls", None),
        ("cd a &&\\\n ls", (("a",),)),
        ("env -C a ls", (("a",),)),
        ("env -C a -S 'ls b'", None),
        ("sudo -D a ls", (("a",),)),
        ("sudo --chdir=a ls", (("a",),)),
        ("sudo -C 3 ls", ((),)),
        ("sudo -i ls", None),
        ("unshare -w a ls", (("a",),)),
        ("bwrap --bind / / --chdir a ls", None),
        ("uv --directory a run ls", None),
        ("uv run --directory a ls", None),
        ("uv run ls", ((),)),
        ("npm --prefix a exec -- ls", None),
        ("chroot a ls", None),
        ("systemd-run ls", None),
        ("find . -execdir ls {} \\;", None),
        ("find . -exec ls {} \\;", ((),)),
        ("fd --base-directory a -x ls", None),
        ("cd +1 && ls", None),
        ("cd link/.. && ls", (("link/..",),)),
        ("cd link && cd ../.. && ls", (("link", "../.."),)),
        ("bash -c 'cd a && ls'", (("a",),)),
        ("case x in x) cd a;; esac; ls", ((), ("a",))),
    ],
)
def test_the_folder_is_followed(text: str, folders: Ways) -> None:
    last = [it for it in read(text).commands if it.name == "ls"][-1]
    given = None if last.folders is None else set(last.folders)
    assert given == (None if folders is None else set(folders))


def test_the_last_part_of_a_pipe_may_leave_the_folder_of_some_shells() -> None:
    text = "true | cd a; ls"
    assert read(text, "bash").commands[-1].folders == ((),)
    assert read(text, "zsh").commands[-1].folders == (("a",), ())
    assert set(read(text, "ksh").commands[-1].folders or ()) == {("a",), ()}
    inner = read(f"sh -c {text!r}").commands[-1]
    assert set(inner.folders or ()) == {("a",), ()}


def test_the_last_part_of_a_pipe_may_assign_in_some_shells() -> None:
    text = "f=a; ls | f=b; cat $f"
    assert read(text, "bash").commands[-1].argv[1].text == "a"
    assert read(text, "ksh").commands[-1].argv[1].choices == ("b", "a")


def test_after_an_exit_nothing_is_known() -> None:
    assert read("exit; ls").commands[-1].folders is None


@each_row(
    "text",
    [
        *("cd a; ls", "(cd a; ls)", "{ cd a; ls; }", "set -e\ncd a\nls", "cd a 2>/dev/null; ls"),
        *(
            "cd 'a b'; ls",
            "cd a >/dev/null 2>&1; ls",
            "if x; then cd a; ls; fi",
            "cd a | b; cd a; ls",
        ),
    ],
)
def test_a_way_tells_which_cd_failed_on_it(text: str) -> None:
    failed = missed(text)
    assert [it.chains[0][0][0] for it in failed] == ["a"]
    assert all(text[: it.end].rstrip("b' ").endswith(("a", "null", "&1")) for it in failed)


@each_row(
    "text",
    [
        *("chdir a; ls", "cd -P a; ls", "cd a b; ls", "cd; ls", "pushd a; ls", "command cd a; ls"),
        *("cd a >&9; ls", "cd a > b; ls", "cd a < b; ls", "cd a <<< b; ls", "cd a 2>&9; ls"),
        *("x=1 cd a; ls", "{ cd a; ls; } & b", "{ cd a; ls; } | b", "b | { cd a; ls; }"),
        *("for i in 1 2; do (cd a; ls); done", "while x; do (cd a; ls); done", "echo $(cd a; ls)"),
        *(
            "bash -c 'cd a; ls'",
            "cat <(cd a; ls)",
            "find . -exec sh -c 'cd a; ls' \\;",
            "time cd a; ls",
        ),
        "cat <<E\n$(cd a; ls)\nE",
    ],
)
def test_of_any_other_cd_nobody_can_tell_that_it_did_well(text: str) -> None:
    assert missed(text) == set()


def test_each_cd_that_failed_is_told() -> None:
    ways = read("cd a; cd ..; ls").commands[-1].ways
    told = {(it.steps, frozenset(each.chains for each in it.missed)) for it in ways or ()}
    a, up, both = ((("a",),), ((("..",),)), ((("a", ".."),)))
    assert told == {
        (("a", ".."), frozenset()),
        (("..",), frozenset({a})),
        (("a",), frozenset({both})),
        ((), frozenset({a, up})),
    }


def missed(text: str) -> set[Missed]:
    """What failed on one of the ways to `ls`."""
    last = [it for it in read(text).commands if it.name == "ls"][-1]
    return {each for way in last.ways or () for each in way.missed}
