"""How broad a rule may be that is offered for a command, and which spellings are the same."""

from hypothesis import given
from hypothesis import strategies as st

from assent.gate.programs.code_inputs import takes_code
from assent.gate.programs.meaning import meaning
from assent.gate.programs.nested_execution.interpreters import ASKING
from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD
from assent.gate.programs.other_spellings import spellings
from tables import each_row


@each_row(
    ("line", "words"),
    [
        ("ls -la", "ls"),
        ("git status -s", "git status"),
        ("git stash list", "git stash list"),
        ("npm test", "npm test"),
        ("npm run build -- --watch", "npm run build"),
        ("npm run test:unit", "npm run test:unit"),
        ("cargo test -p x", "cargo test"),
        ("make lint", "make lint"),
        ("docker compose up -d", "docker compose up"),
        ("docker ps", "docker ps"),
        ("kubectl get pods", "kubectl get"),
        ("gh pr view 3", "gh pr view"),
        ("pip install x", "pip install"),
        ("python -m pytest -q", "python -m pytest"),
        ("pytest tests/x.py", "pytest"),
        ("go test ./...", "go test"),
    ],
)
def test_a_broad_rule_keeps_the_words_that_matter(line: str, words: str) -> None:
    assert meaning(tuple(line.split())) == tuple(words.split())


@each_row(
    "line",
    [
        "sudo ls",
        "doas ls",
        "su -c ls",
        "sh -c x",
        "bash x.sh",
        "python x.py",
        "python -c 1",
        "python -m http.server",
        "node x.js",
        "ruby x.rb",
        "perl -e 1",
        "curl http://x.org",
        "wget http://x.org",
        "ssh host ls",
        "rm x",
        "rmdir x",
        "dd if=a of=b",
        "chmod +x a",
        "chown a b",
        "shred a",
        "env ls",
        "xargs ls",
        "timeout 5 ls",
        "./x",
        "/bin/ls",
        "~/x",
        "git",
        "git -C x status",
        "git --no-pager log",
        "npm run",
        "npm exec x",
        "docker run x",
        "docker exec x sh",
        "kubectl exec x",
        "cargo run",
        "go run x.go",
        "uv run x",
        "git config a b",
        "git submodule foreach x",
        "gh api x",
        "unheard-of x",
        "l*",
        "git $x",
        "",
    ],
)
def test_no_broad_rule_is_offered_for_what_may_do_anything(line: str) -> None:
    assert meaning(tuple(line.split())) is None


@given(st.lists(st.text(max_size=8), max_size=5).map(tuple))
def test_a_broad_rule_is_a_beginning_of_the_command(argv: tuple[str, ...]) -> None:
    words = meaning(argv)
    assert words is None or (words and argv[: len(words)] == words)


@each_row(
    ("line", "other"),
    [
        ("/bin/rm -rf x", "rm -rf x"),
        ("RM x", "rm x"),
        ("rm.exe x", "rm x"),
        ("grm x", "rm x"),
        ("busybox rm x", "rm x"),
        ("/bin/busybox rm x", "rm x"),
        ("git -C x push", "git push"),
        ("git --no-pager -c a=b push", "git push"),
        ("/usr/bin/git --git-dir=x push", "git push"),
        ("npm i x", "npm install x"),
        ("npm run-script x", "npm run x"),
        ("npm --prefix x run y", "npm run y"),
        ("docker -H x push", "docker push"),
        ("podman push", "docker push"),
        ("docker image push x", "docker push x"),
        ("docker-compose up", "docker compose up"),
        ("kubectl -n x delete y", "kubectl delete y"),
        ("python3 -m pip install x", "pip install x"),
        ("python3.11 -m pip install x", "pip install x"),
        ("python -Im pip install x", "pip install x"),
        ("python -mpip install x", "pip install x"),
        ("pip3 install x", "pip install x"),
        ("python3 x.py", "python x.py"),
        ("cargo t", "cargo test"),
        ("nodejs x", "node x"),
        ("egrep x", "grep -E x"),
        ("make -C x clean", "make clean"),
        ("unlink x", "rm x"),
        ("git -c alias.p=push p origin", "git push origin"),
        ("git -c color.ui=never -c Alias.P=push p", "git push"),
        ("git -c alias.q=push -c alias.p=q p", "git push"),
        ("git -c alias.p=!rm p x", "rm x"),
        ("git-push origin", "git push origin"),
        ("/usr/lib/git-core/git-push", "git push"),
        ("git for-each-repo --config=x push", "git push"),
        ("git reset --har", "git reset --hard"),
        ("cargo +nightly publish", "cargo publish"),
        ("npm publ", "npm publish"),
        ("chmod 0777 x", "chmod 777 x"),
        ("kill -s KILL 1", "kill -9 1"),
        ("kill -SIGKILL 1", "kill -9 1"),
        ("kill -n 9 1", "kill -9 1"),
        ("slogin host", "ssh host"),
    ],
)
def test_another_spelling_is_the_same_command(line: str, other: str) -> None:
    assert tuple(other.split()) in spellings(tuple(line.split()))


@given(st.lists(st.text(max_size=8), max_size=6).map(tuple))
def test_the_spelling_that_is_given_comes_first(argv: tuple[str, ...]) -> None:
    found = spellings(argv)
    assert found[:1] == ((argv,) if argv else ())
    assert len(set(found)) == len(found)


@each_row("line", ["kill 9", "chmod 755 x", "npm p", "git -c color.ui=x", "git -c alias.p=push"])
def test_what_only_looks_like_another_spelling_is_none(line: str) -> None:
    ways = {"kill -9", "chmod 0755 x", "npm publish", "git push"}
    assert not ways & {" ".join(it) for it in spellings(tuple(line.split()))}


def test_a_command_that_is_no_other_has_one_spelling() -> None:
    assert spellings(("ls", "-l")) == (("ls", "-l"),)


@each_row(
    "words",
    sorted([*ASKING, *(f"{name} {word}" for name, words in AFTER_WORD.items() for word in words)]),
)
def test_no_broad_rule_is_offered_for_what_runs_whatever_it_is_given(words: str) -> None:
    for more in ((), ("x",), ("x", "y", "z")):
        assert meaning((*words.split(), *more)) is None


def test_what_waits_to_be_told_takes_code() -> None:
    assert all(takes_code(words.split()) for words in ASKING)


@each_row(
    "line",
    ["ex a.txt", "vim -e -", "vimdiff -e - -", "gdb /dev/stdin", "gdb ./a.out", "dc f", "npm x -y"],
)
def test_what_takes_its_input_for_what_is_typed_takes_code_beside_a_file(line: str) -> None:
    assert takes_code(line.split())


@each_row("line", ["gdb -batch -ex bt ./a.out", "vim --version", "npm x eslint"])
def test_what_ends_by_itself_takes_none(line: str) -> None:
    assert not takes_code(line.split())


@each_row(
    "line",
    [
        "python3 /dev/stdin",
        "perl5.36.0 /dev/stdin",
        "python3 - -c x",
        "python3 -m pdb x.py",
        "node -",
    ],
)
def test_an_interpreter_that_reads_its_script_from_the_input_takes_code(line: str) -> None:
    assert takes_code(line.split())


@each_row("line", ["python3 tool.py -", "perl -ne print -", "python3 -m json.tool"])
def test_one_whose_script_stands_in_its_words_takes_none(line: str) -> None:
    assert not takes_code(line.split())


def test_a_program_that_no_table_knows_may_run_what_it_reads() -> None:
    assert takes_code(["frobnicate"])
    assert not takes_code(["git", "commit", "-F", "-"])
    assert not takes_code(["./tools/lint"])
