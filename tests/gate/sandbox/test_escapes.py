"""What a command in a box cannot reach, and what it can do as everywhere else.

Each attempt has an eye outside the box. The twins show that the attempts fail by the box, and not
because nothing works in it.
"""

import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import pytest

from gate.sandbox.conftest import PROTECTED, PYTHON, SECRET, Ground


def system_call(words: str) -> str:
    """A program that makes a system call, and tells where the kernel took it."""
    return f"import ctypes\nprint('{SECRET}' if ctypes.CDLL(None).syscall({words})>=0 else '')"


SHELL_ATTEMPTS: Final = {
    "write outside": "echo bad > $OUT/victim",
    "write to a folder beside": "mkdir $PWD-evil; echo bad > $PWD-evil/x",
    "write through a link": "ln -s $OUT/victim l; echo bad > l",
    "write through a hard link": "ln $OUT/victim h && echo bad > h",
    "move a file in": "mv $OUT/victim stolen",
    "write by ..": "echo bad > ../outside/victim",
    "swap a folder for a link": (
        "mkdir d; (for i in $(seq 100); do rm -rf d; ln -s $OUT d; rm d; mkdir d; done) &"
        " for i in $(seq 200); do echo bad > d/victim; done 2>/dev/null; wait"
    ),
    "start-up file of the home": "echo bad >> ~/.bashrc",
    "read a key": "cat ~/.ssh/id",
    "read a key by another root": "cat /proc/self/root$HOME/.ssh/id /proc/1/root$HOME/.ssh/id",
    "read .env": "cat .env; cat src/../.env; cp .env e2; cat e2",
    "read .env by a hard link": "ln .env e3; cat e3",
    "read .env renamed": "mv .env e4; cat e4",
    "read .env by git": "git diff --no-index /dev/null .env; git hash-object -w .env",
    "unmount the mask": "umount ~/.ssh; unshare -Urm umount ~/.ssh; cat ~/.ssh/id",
    "look into others' variables": "cat /proc/*/environ | tr '\\0' '\\n'",
    "variables hold no secret": "env",
    "namespace of its own": f"unshare -Ur echo {SECRET}",
    "mount": f"mkdir m; mount -t tmpfs x m && echo {SECRET}",
    "device": f"mknod y c 1 1 && echo {SECRET}; head -c1 /dev/vda && echo {SECRET}",
    "other terminals": f"ls /dev/pts | grep -q '[1-9]' && echo {SECRET}",
    "temporary files of others": "cat /tmp/*/secret /var/tmp/secret /dev/shm/secret",
    "loopback of the machine": "cat < /dev/tcp/127.0.0.1/$(cat src/port)",
    "set a system value": (
        "cp /proc/sys/kernel/core_pattern p;"
        f" for f in $(find /proc/sys /proc/irq -type f -writable 2>/dev/null | head -20); do"
        f" cat $f > v 2>/dev/null && cat v > $f 2>/dev/null && echo {SECRET} $f; done"
    ),
    "processes outside": (
        f"kill -0 $OUTER && echo {SECRET}; cat /proc/$OUTER/environ && echo {SECRET};"
        f" dd if=/proc/$OUTER/mem of=/dev/null bs=1 count=1 && echo {SECRET}"
    ),
    "descriptors that it inherits": (
        f"for n in /proc/self/fd/*; do [ ${{n##*/}} -gt 2 ] && [ -e $n ] && echo {SECRET}; done;"
        " for n in 3 4 5 6 7 8 9 10 11 12; do echo bad >&$n; cat <&$n; done"
    ),
    "change bubblewrap while it runs": f"echo x >> /proc/1/exe && echo {SECRET}",
    "remount what protects": (
        "mount -o remount,rw,bind .env; umount .env;"
        " unshare -Urm sh -c 'umount .env; mount -o remount,rw /'; cat .env; echo x > $OUT/victim"
    ),
    "sysrq and cgroups": (
        f"echo h > /proc/sysrq-trigger && echo {SECRET};"
        f" find /sys/fs/cgroup -name release_agent -writable | grep -q . && echo {SECRET}"
    ),
    "more rights by a program": (
        f"su -c true < /dev/null && echo {SECRET}; sudo -n true && echo {SECRET};"
        f" grep -q 'NoNewPrivs:.1' /proc/self/status || echo {SECRET};"
        f" grep -q 'CapEff:.0000000000000000' /proc/self/status || echo {SECRET}"
    ),
    "run later by the machine": (
        "systemd-run --user touch x; echo 'touch x' | at now; echo '* * * * * x' | crontab -;"
        f" ls /var/spool/cron/crontabs/* && echo {SECRET}"
    ),
    "services of the machine": (
        f"docker ps && echo {SECRET}; dbus-send --system --dest=org.freedesktop.DBus /"
        f" org.freedesktop.DBus.ListNames && echo {SECRET}"
    ),
    "shared memory of System V": f"ipcs -m | grep -q 0x && echo {SECRET}",
    "outlive the run": (
        "(setsid nohup sh -c 'while ! echo bad > $OUT/victim; do sleep 0.1; done'"
        " > /dev/null 2>&1 &)"
    ),
    "write to /etc": f"echo x > /etc/assent-probe && echo {SECRET}",
}
"""None of these may print the secret, or change anything outside the workspace."""

PYTHON_ATTEMPTS: Final = {
    "ptrace": (
        "import ctypes,os,signal\nl=ctypes.CDLL(None)\np=os.fork()\nif p==0: signal.pause()\n"
        f"print('{SECRET}' if l.ptrace(16,p,0,0)==0 else '');os.kill(p,9)"
    ),
    "run from memory": (
        "import os\nd=os.memfd_create('x',0);os.write(d,open('/bin/sh','rb').read())\n"
        "os.execve(d,['sh','-c','echo bad > $OUT/victim; cat ~/.ssh/id'],os.environ)"
    ),
    "calls of x32": system_call("0x40000000+39"),
    "UDP": (
        "import socket\ns=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)\n"
        "try:\n s.sendto(b'x',('127.0.0.1',int(open('src/port').read())))\n"
        " s.settimeout(0.2);s.recv(9)\n"
        "except OSError as e: print(e)\nimport subprocess\n"
        f"print('{SECRET}' if b'UP' in subprocess.run(['ip','link','show','eth0'],"
        "capture_output=True).stdout else '')"
    ),
    **{
        f"socket in {place}": (
            "import os,socket\ns=socket.socket(socket.AF_UNIX)\n"
            f"try: s.connect(os.path.expandvars('{path}'));print(s.recv(99))\n"
            "except OSError as e: print(e)"
        )
        for place, path in {
            "the home": "$HOME/agent.sock",
            "the workspace": "dev.sock",
            "another folder": "$OUT/x.sock",
        }.items()
    },
    "clone3": (
        "import ctypes\nl=ctypes.CDLL(None)\na=(ctypes.c_uint64*11)(0x10000000,0,0,0,17)\n"
        f"r=l.syscall(435,a,88)\nprint('{SECRET}' if r>0 else '')"
    ),
    "open by handle": (
        "import ctypes,os\nl=ctypes.CDLL(None)\nh=ctypes.create_string_buffer(136)\n"
        f"print('{SECRET}' if l.syscall(304,os.open('/',0),h,0)>=0 else '')"
    ),
    "io_uring": system_call("425,8,bytes(120)"),
    "keys of the kernel": system_call("250,0,-3,0"),
    "bpf": system_call("321,0,bytes(120),120"),
    "type into the terminal": (
        "import fcntl,os\ntry:\n m,s=os.openpty();fcntl.ioctl(s,0x5412,b'x')\n"
        f" print('{SECRET}')\nexcept OSError as e: print(e)"
    ),
    "packet and vsock sockets": (
        "import socket\nfor f,k in ((17,3),(40,1),(38,5)):\n try: socket.socket(f,k);"
        f" print('{SECRET}')\n except OSError as e: print(e)"
    ),
    "abstract socket of another": (
        "import socket\ns=socket.socket(socket.AF_UNIX)\ntry: s.connect('\\0assent-escape');"
        "print(s.recv(99))\nexcept OSError as e: print(e)"
    ),
}

PLANTED: Final = {
    "a hook": "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
    "a hook in a moved repository": (
        "mv .git .git2; mkdir -p .git/hooks; cp -r .git2/. .git/; echo x > .git/hooks/pre-commit"
    ),
    "a setting of git": "git config core.hooksPath evil",
    "a setting of git by its lock": "cd .git; cp config config.lock; mv config.lock config",
    "an attribute of git": "mkdir -p .git/info; echo '* filter=evil' > .git/info/attributes",
    "a nested repository's hook": "git init -q sub; cd sub/.git; mkdir -p hooks; echo x > hooks/p",
}
"""In a trial these are changes that a person sees; the real files stay as they are."""

TWINS: Final = {
    "write": ("echo ok > src/b && cat src/b", "ok"),
    "read": ("cat src/a.txt", "a"),
    "rename": ("mv src/a.txt src/c && mv src s2 && cat s2/c", "a"),
    "links": ("ln -s src/a.txt l; cat l; ln src/a.txt h && echo hard", "hard"),
    "neighbour of a protected name": (
        "mkdir .vscodex && echo z > .vscodex/s && cat .vscodex/s",
        "z",
    ),
    "commit": (
        (
            "git add src && git -c user.name=a -c user.email=a@a commit -qm x && git log --oneline"
            " | wc -l"
        ),
        "1",
    ),
    "new repository": ("git init -q sub && test -f sub/.git/HEAD && echo made", "made"),
    "signal a child": ("sleep 9 & kill $! ; wait $!; echo st$?", "st143"),
    "own /tmp": ("echo t > /tmp/own && cat /tmp/own", "t"),
    "child in a session of its own": ("setsid sh -c 'echo in > s1'; cat s1", "in"),
    "pipe": ("mkfifo p; (echo ff > p &) ; cat p", "ff"),
    "run a new program": ("printf '#!/bin/sh\\necho ran\\n' > x; chmod +x x; ./x", "ran"),
    "many children": ("for i in $(seq 50); do true & done; wait; echo fk", "fk"),
}
PYTHON_TWINS: Final = {
    "own listener": (
        (
            "import socket\nl=socket.socket();l.bind(('127.0.0.1',0));l.listen()\n"
            "c=socket.create_connection(l.getsockname(),2);a,_=l.accept();a.send(b'hi')\n"
            "print(c.recv(9).decode())"
        ),
        "hi",
    ),
    "own unix socket": (
        (
            "import socket\nl=socket.socket(socket.AF_UNIX);l.bind('my.sock');l.listen()\n"
            "c=socket.socket(socket.AF_UNIX);c.connect('my.sock');a,_=l.accept();a.send(b'hi')\n"
            "print(c.recv(9).decode())"
        ),
        "hi",
    ),
    "terminal": (
        (
            "import pty,os\npid,fd=pty.fork()\nif pid==0: os.execvp('echo',['echo','tt'])\n"
            "print(os.read(fd,99).decode())"
        ),
        "tt",
    ),
    "shared memory": (
        (
            "from multiprocessing import shared_memory as m\ns=m.SharedMemory(create=True,size=9)\n"
            "s.buf[0]=65;print(bytes(s.buf[:1]).decode());s.close();s.unlink()"
        ),
        "A",
    ),
    "netlink": ("import socket\nsocket.socket(16,3);print('ok')", "ok"),
}


@pytest.mark.parametrize("trial", [True, False], ids=["trial", "live"])
def test_nothing_outside_the_workspace_is_changed_and_no_secret_is_read(
    ground: Ground, trial: bool
) -> None:
    wrong = []
    with ExitStack() as serving:
        port = serving.enter_context(closing(Server(socket.create_server(("127.0.0.1", 0))))).port
        (ground.workspace / "src/port").write_text(str(port), "ascii")
        for path in ("\0assent-escape", *map(str, sockets(ground))):
            serving.enter_context(closing(listening_at(path)))
        before = outside(ground)
        for name, command in attempts().items():
            _, said = ground.run(*command, trial=trial)
            if SECRET in said:
                wrong.append(f"{name}: {said[-200:]}")
            if outside(ground) != before:
                wrong.append(f"{name}: changed something outside")
    assert wrong == []


def test_what_would_run_later_stays_as_it_is(ground: Ground) -> None:
    hooks = ground.workspace / ".git/hooks"
    before = inside(ground)
    wrong = []
    for name, command in PLANTED.items():
        ground.run("/bin/bash", "-c", command)
        if inside(ground) != before:
            wrong.append(f"{name}: in a trial")
        if not ground.changes() and "lock" not in name:
            wrong.append(f"{name}: nothing to be seen")
    kept = {path: (ground.workspace / path).exists() for path in PROTECTED}
    assert kept[".git/hooks"]
    ground.run("/bin/bash", "-c", PLANTED["a hook"], trial=False)
    ground.run("/bin/bash", "-c", PLANTED["a hook in a moved repository"], trial=False)
    ground.run("/bin/bash", "-c", PLANTED["a setting of git"], trial=False)
    assert not (hooks / "pre-commit").exists()
    assert "evil" not in (ground.workspace / ".git/config").read_text()
    assert wrong == []


@pytest.mark.parametrize("trial", [True, False], ids=["trial", "live"])
def test_what_is_done_everywhere_works_in_a_box(ground: Ground, trial: bool) -> None:
    wrong = []
    for name, (command, expected) in TWINS.items():
        status, said = ground.run("/bin/bash", "-c", command, trial=trial)
        if expected not in said:
            wrong.append(f"{name}: {status} {said[-200:]}")
        fresh(ground)
    for name, (code, expected) in PYTHON_TWINS.items():
        status, said = ground.run(PYTHON, "-c", code, trial=trial)
        if expected not in said:
            wrong.append(f"{name}: {status} {said[-200:]}")
    assert wrong == []


def attempts() -> dict[str, tuple[str, ...]]:
    """Each attempt as a command."""
    shell = {name: ("/bin/bash", "-c", text) for name, text in SHELL_ATTEMPTS.items()}
    return {**shell, **{name: (PYTHON, "-c", text) for name, text in PYTHON_ATTEMPTS.items()}}


def outside(ground: Ground) -> dict[str, str]:
    """All files beside the workspace and the layers."""
    paths = (path for folder in ("home", "outside") for path in (ground.top / folder).rglob("*"))
    listed = {str(path): path.read_text() if path.is_file() else "" for path in paths}
    return {**listed, "beside": str(sorted(ground.top.glob("workspace*")))}


def inside(ground: Ground) -> dict[str, str]:
    """All real files of the workspace."""
    paths = ground.workspace.rglob("*")
    return {str(path): path.read_text(errors="replace") if path.is_file() else "" for path in paths}


def fresh(ground: Ground) -> None:
    """Put the workspace back after a live run."""
    subprocess.run(
        ["git", "-C", str(ground.workspace), "clean", "-fdxq", "-e", ".env", "-e", "src"],
        check=True,
    )
    for path in ("src", "s2"):
        subprocess.run(["rm", "-rf", str(ground.workspace / path)], check=True)
    (ground.workspace / "src").mkdir()
    (ground.workspace / "src/a.txt").write_text("a\n", "ascii")


def sockets(ground: Ground) -> list[Path]:
    """Where programs outside listen."""
    return [
        ground.home / "agent.sock",
        ground.workspace / "dev.sock",
        ground.top / "outside/x.sock",
    ]


def listening_at(path: str) -> "Server":
    """Tell the secret to everybody who comes to a name; one of none begins with a zero byte."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen()
    return Server(listening)


class Server:
    """Tells the secret to everybody who comes."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self.port = listening.getsockname()[1] if listening.family == socket.AF_INET else 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()

    def _serve(self) -> None:
        accept: Callable[[], tuple[socket.socket, object]] = self._listening.accept
        while True:
            try:
                came, _ = accept()
            except OSError:
                return
            with came:
                came.send(SECRET.encode())
