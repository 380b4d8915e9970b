"""Everyday work in a trial: it ends as without one, except where the documents say otherwise."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from assent.gate.sandbox.bubblewrap import OWN
from tables import each_row

pytestmark = pytest.mark.long

WITHIN_S: Final = 120
MANAGER: Final = "import multiprocessing as m; print(list(m.Manager().list([1])))"
POOL: Final = (
    "import multiprocessing as m\n"
    "if __name__ == '__main__':\n"
    "    with m.get_context('forkserver').Pool(2) as pool: print(pool.map(abs, [-1]))"
)
SERVED: Final = (
    "const s = require('http').createServer((q, r) => r.end('k')).listen(0, async () => {"
    " console.log(await (await fetch('http://127.0.0.1:' + s.address().port)).text());"
    " s.close() })"
)
SOCKET: Final = (
    "import socket as s; a = s.socket(s.AF_UNIX); a.bind('own'); a.listen();"
    " s.socket(s.AF_UNIX).connect('own')"
)
JOURNALED: Final = (
    "import sqlite3; c = sqlite3.connect('z.db'); c.execute('pragma journal_mode=wal');"
    " c.execute('create table t (a)'); c.execute('insert into t values (1)'); c.commit()"
)
RENAMED: Final = (
    "import os; f = open('one', 'w'); f.write('1'); f.flush(); os.fsync(f.fileno());"
    " os.rename('one', 'two'); os.fsync(os.open('.', os.O_RDONLY))"
)
JOBS: Final = {
    "commit": "echo b >> f && git commit -qam second && git log --format=%s",
    "branch and stash": "git checkout -qb b && echo z >> f && git stash -q && git stash pop -q",
    "work tree below": "git worktree add -q below && ls below",
    "merge": (
        "git checkout -qb side && echo s > s && git add s && git commit -qm s && git checkout -q -"
        " && git merge -q --no-ff -m merged side"
    ),
    "clone by copies": "git clone -q --no-hardlinks . copy && ls copy/f",
    "submodule": (
        "git clone -q --no-hardlinks --bare . sub.git && git -c protocol.file.allow=always"
        " submodule add -q ./sub.git sub && git commit -qm sub && ls sub/f"
    ),
    "virtual environment": "python3 -m venv --without-pip v && v/bin/python -c 'print(1)'",
    "manager": f'python3 -c "{MANAGER}"',
    "pool": f"cat > pool.py <<'END' && python3 pool.py\n{POOL}\nEND",
    "asyncio": (
        "python3 -c \"import asyncio; asyncio.run(asyncio.create_subprocess_shell('true'))\""
    ),
    "fork of node": (
        "echo 'process.send(1)' > k.js && node -e"
        " \"require('child_process').fork('./k.js').on('message', m => console.log(m))\""
    ),
    "server on this machine": f'timeout 20 node -e "{SERVED}"',
    "threads of node": (
        "node -e \"new (require('worker_threads').Worker)('console.log(1)', {eval: true})\""
    ),
    "npm": (
        "mkdir p && cd p && npm init -y > /dev/null && npm pkg set scripts.z='echo z'"
        " && npm run -s z"
    ),
    "compile": "echo 'int main(){return 0;}' > m.c && gcc m.c && ./a.out",
    "make": "printf 'all: a b\\na b:\\n\\ttouch $@\\n' > Makefile && make -j2",
    "temporary files": "cat $(mktemp) && echo x > /dev/shm/y && cat /dev/shm/y",
    "terminal": "script -qec 'tty && echo yes > seen' /dev/null > /dev/null && cat seen",
    "cache in the home": "mkdir -p ~/.cache/x && echo x > ~/.cache/x/t && cat ~/.cache/x/t",
    "who and when": "locale > /dev/null; date > /dev/null; id -un",
    "archive": "tar cf x.tar f && rm f && tar xf x.tar && cat f",
    "lock": "flock lock true",
    "own socket": f'python3 -c "{SOCKET}" && rm own',
    "database": f'python3 -c "{JOURNALED}"',
    "find and sed": "mkdir d && echo a > d/1 && find d -type f | xargs sed -i s/a/b/ && cat d/1",
    "job in the background": "sleep 30 & p=$!; kill -TERM $p; wait $p; [ $? = 143 ]",
    "pipe with a name": "mkfifo pp; (echo q > pp &); timeout 9 cat pp; rm pp",
    "rename over": f'python3 -c "{RENAMED}" && cat two',
    "patch": "echo b > g && diff -u f g > p; patch -s f p && cat f",
}
LOST: Final = {
    "network": "exec 3<> /dev/tcp/127.0.0.1/$PORT",
    "key that is tracked": "git add -f .env",
    "clone by hard links": "git clone -q . copy",
    "rename of a folder": "python3 -c \"import os; os.rename('old', 'new')\"",
}
"""What fails in a trial, as docs/sandbox.md says."""
TRY: Final = (sys.executable, "-m", "assent", "try", "--apply-all", "--")


def plant(top: Path) -> None:
    """A home, a state folder and a project."""
    for name in ("home", "state", "project/old"):
        (top / name).mkdir(parents=True)
    for name, text in (("f", "a\n"), ("old/g", "g\n"), (".env", "KEY=x\n")):
        (top / "project" / name).write_text(text, "ascii")
    git = ("git", "-C", str(top / "project"))
    words = (["init", "-q"], ["config", "user.name", "a"], ["config", "user.email", "a@a"])
    for more in (*words, ["add", "f", "old"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *more], check=True)


def work(top: Path, folder: str, job: str, *before: str) -> tuple[int, str, set[str]]:
    """Work in a copy of the project: the exit status, what was printed, and what lies there then.

    Without what git names anew each time.
    """
    copy = top / folder / "project"
    shutil.copytree(top / "project", copy, symlinks=True)
    own = {"HOME": str(top / "home"), "ASSENT_STATE_DIR": str(top / "state")}
    ended = subprocess.run(
        [*before, "bash", "-c", job],
        cwd=copy,
        env={**os.environ, "ASSENT_BWRAP": str(OWN), **own},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=WITHIN_S,
        check=False,
    )
    paths = (str(path.relative_to(copy)) for path in copy.rglob("*"))
    return ended.returncode, ended.stdout, {path for path in paths if ".git/objects" not in path}


@each_row("job", JOBS.values(), ids=JOBS)
def test_everyday_work_ends_as_it_does_without_a_trial(tmp_path: Path, job: str) -> None:
    plant(tmp_path)
    plain = work(tmp_path, "plain", job)
    assert plain[0] == 0
    assert work(tmp_path, "tried", job, *TRY) == plain


@each_row("job", LOST.values(), ids=LOST)
def test_what_the_documents_say_is_lost_ends_with_an_error_and_is_not_applied(
    tmp_path: Path, job: str
) -> None:
    plant(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as server:
        job = f"PORT={server.getsockname()[1]}; {job}"
        assert work(tmp_path, "plain", job)[0] == 0
        assert work(tmp_path, "tried", job, *TRY)[0] != 0
