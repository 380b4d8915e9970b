"""What may end a hook of the gate is asked about in every mode, and what ends others is not."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from assent.gate.call.verdicts import Verdict
from assent.gate.disk.premises.hook_programs import is_of_gate, running
from assent.gate.ruling.decide import decide
from assent.gate.ruling.facts import UNKNOWN
from assent.gate.settings.paths import sockets_folder
from assent.hosting.hooks import gate_hook
from assent.hosting.hooks.hook_channel import HookChannel
from assent.hosting.recipes.recipes import RECIPES
from assent.hosting.terminals.launcher import launcher, line_of, words_of, write_launcher
from assent.hosting.terminals.terminals import TERMINALS
from gate.ruling.premises import Ground, build, policies, run
from host.waiting import until
from tables import each_row


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return build(tmp_path_factory.mktemp("ground"))


def verdict(ground: Ground, command: str, policy: str = "auto rules bypass hook") -> Verdict:
    found = dict(policies(ground, every=True))[policy]
    return decide(run(ground, command), found, ground.places).verdict


ENDS = r"""
pkill -9 -f gate_hook
pkill -f hook.py
pkill -f connected/hook
pkill -f 'hook claude'
pkill -f 'hook.*codex'
kill $(pgrep -f connected/hook.py)
pkill -f 'gate.hook'
pkill -f '[g]ate_hook'
pkill -f sockets
pkill -STOP -f gate_hook
pkill -9 -f "$X"
pkill -f .
pkill -f '(a+)+$'
pkill -v -f vite
pkill -9 python3
pkill -u root
pkill -P $PPID
sleep 9 & PID=$!; A=PI; printf -v ${A}D $(pgrep -f gate_hook); kill $PID
sleep 9 & PID=$!; A=PI; export ${A}D=$(pgrep -f gate_hook); kill $PID
pkill -P 1234
killall python3
killall -9 sh
killall -r 'pyth.*'
killall -u root
kill $(pgrep -f gate_hook)
kill -9 $(pgrep python)
kill $(pidof python3)
pgrep -f gate_hook | xargs kill -9
for p in $(pgrep sh); do kill -9 $p; done
kill -9 $(ps aux | grep gate_hook | awk '{print $2}')
ps aux | grep '[p]ython' | awk '{print $2}' | xargs kill
ps aux | awk '/gate_hook/{print $2}' | xargs kill -9
ps aux | awk '!/gate_hook/{print $2}' | xargs kill
kill -9 $(ps -eo pid=)
kill $PPID
kill $((PPID + 1))
kill $(pgrep -P $PPID)
pgrep -P $PPID | xargs kill
kill $(cat /proc/$PPID/task/$PPID/children)
kill $(ps --ppid $PPID -o pid=)
skill -9 python3
pkill --signal KILL --full gate_hook
pkill -SIGKILL -fi GATE_HOOK
pkill -f gate_h''ook
pkill -f "$(echo gate)_hook"
env pkill python
busybox pkill python
/usr/bin/pkill python
command pkill python
kill -9 -1
kill -9 -- -1
sudo pkill -f gate_hook
sh -c 'pkill -f gate_hook'
kill -9 -$PPID
kill -- -$PPID
xargs kill <<< $PPID
echo $PPID | xargs kill
python3 -c "import os; os.kill(os.getppid(), 9)"
reboot
shutdown now
sudo shutdown -h now
busybox poweroff
init 0
systemctl poweroff
systemctl --user exit
loginctl terminate-user ada
tmux kill-server
tmux -L x kill-ser
systemctl start poweroff.target
node -e "process.kill(process.ppid)"
""".strip().splitlines()


@each_row("command", ENDS)
def test_what_may_end_a_hook_is_asked_about_in_every_mode(ground: Ground, command: str) -> None:
    assert verdict(ground, command) is Verdict.ASK


OTHERS = r"""
kill %1
kill $!
kill 1234
kill -9 1234
kill -0 123
kill -l
kill $$
sleep 9 & kill $!
pkill node
pkill -f vite
pkill -f "npm run dev"
pkill -f 'node.*vite'
pkill -f "python manage.py runserver"
pkill -F server.pid
pkill -P $$
killall node
kill $(lsof -t -i:3000)
kill $(cat server.pid)
kill "$SERVER_PID"
kill -9 $(pgrep node)
ps aux | grep webpack | grep -v grep | awk '{print $2}' | xargs kill -9
ps aux | awk '/vite/{print $2}' | xargs kill
ps aux | awk '/vite/ && !/awk/ {print $2}' | xargs kill
pgrep -f gate_hook
shutdown -c
shutdown --help
systemctl status nginx
systemctl restart nginx
initdb -D data
tmux kill-session -t web
echo $PPID
rg getppid src
git commit -m "Use getppid in the hook"
kill %1; echo PPID
kill $(cat server.pid) # not PPID
ssh h reboot
docker exec web reboot
python3 -c "import os; print(os.getpid())"
""".strip().splitlines()


@each_row("command", OTHERS)
def test_what_ends_others_is_not_asked_about_in_auto(ground: Ground, command: str) -> None:
    assert verdict(ground, command, "auto") is Verdict.ALLOW


def test_where_nobody_knows_what_runs_it_is_asked_about(ground: Ground) -> None:
    policy = dict(policies(ground, every=True))["auto"]
    assert decide(run(ground, "pkill -f vite"), policy, UNKNOWN).verdict is Verdict.ASK


def test_the_number_of_the_server_is_one_of_the_gates(ground: Ground) -> None:
    assert verdict(ground, f"kill -9 {os.getpid()}") is Verdict.ASK


def lines_of(python: bool, *folders: Path) -> list[str]:
    name = Path(sys.executable).name if python else "sh"
    return [it.line for it in running([*map(str, folders)]) if it.name == name]


async def test_a_hook_that_runs_is_found_by_what_it_is_said_to_run_as(tmp_path: Path) -> None:
    async def rule(_: str) -> str:
        return ""

    channel = HookChannel(folder=tmp_path, name="0", key=b"", rule=rule)
    hooks = [it for it in lines_of(True, tmp_path) if gate_hook.__file__ in it]
    assert [it.rpartition(" ")[2] for it in hooks] == [it.id for it in RECIPES if it.hooking]
    assert all(it in channel.line(it.rpartition(" ")[2], 1.0) for it in hooks)
    shell = await asyncio.create_subprocess_exec(
        "sh", "-c", f"read line; {channel.line('claude', 1.0)}", stdin=asyncio.subprocess.PIPE
    )
    # Until it has become the program that was asked for, it is a copy of this one.
    await asyncio.to_thread(until, lambda: is_of_gate(shell.pid), within=20.0, what="it is there")
    await shell.communicate(b"\n")
    assert not is_of_gate(shell.pid)


def test_the_hook_of_an_agent_in_a_terminal_is_known_as_it_is_started(tmp_path: Path) -> None:
    write_launcher(tmp_path)
    program = launcher(tmp_path).with_name("hook.py")
    told = launcher(tmp_path).read_text("utf-8")
    assert f"at={program}\n" in told
    assert '"$py" -I -S "$at" "$1"' in told
    shells, pythons = (lines_of(it, sockets_folder(tmp_path)) for it in (False, True))
    for agent, terminal in TERMINALS.items():
        words = f"{agent} {words_of(agent, tmp_path)[0]}"
        assert f"{sys.executable} -I -S {program} {words}" in pythons
        line = line_of(agent, tmp_path)
        assert " ".join(line.spawned) in shells
        if not terminal.refusal:
            assert f"/bin/sh -c {line.text}" in shells


async def test_a_launcher_that_runs_is_one_of_the_gates(tmp_path: Path) -> None:
    launcher(tmp_path).parent.mkdir()
    launcher(tmp_path).write_text("read line\n", "utf-8")
    shell = await asyncio.create_subprocess_exec(
        "/bin/sh", str(launcher(tmp_path)), "claude", stdin=asyncio.subprocess.PIPE
    )
    # Until it has become the program that was asked for, it is a copy of this one.
    await asyncio.to_thread(until, lambda: is_of_gate(shell.pid), within=20.0, what="it is there")
    await shell.communicate(b"\n")
