"""Where commands run, after `cd`."""

import pytest

from policy.shell.reading import read

Ways = tuple[tuple[str, ...], ...] | None


@pytest.mark.parametrize(
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


def test_after_an_exit_nothing_is_known() -> None:
    assert read("exit; ls").commands[-1].folders is None
