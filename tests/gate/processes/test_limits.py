"""What is limited: how much is kept and shown, how many run, how often anybody is told."""

import asyncio
import contextlib
import os
import re
from pathlib import Path

import pytest

from assent.gate.call.calls import ChatId
from assent.gate.processes import output
from assent.gate.processes.live_output import Showing
from assent.gate.processes.output import Tape
from assent.gate.processes.overflow import Allowance, Spill
from assent.gate.processes.shell import ShellFailed, ShellState
from assent.gate.processes.shell_registry import ShellRegistry
from gate.processes.stand import BOUND, Hour, Stand, put
from tables import each_row

MIB = 1024 * 1024


@pytest.mark.requirement("C-05")
async def test_a_flood_passes_through_and_only_its_end_is_kept(stand: Stand) -> None:
    shell = await stand.run("yes | head -c 200M; echo the end")
    assert shell.size == 200 * MIB + len("the end\n")
    assert shell.tail(10).text == "the end\n"
    first = shell.read(0, 100)
    assert first.missing == first.start
    kept = shell.size - first.start
    assert 64 * MIB <= kept <= 64 * MIB + output.MAX_MEMORY_BYTES
    assert len(shell._tape._memory) == output.MAX_MEMORY_BYTES
    assert stand.shell_registry._allowance.left == 36 * MIB
    assert len(stand.shown) <= 64 * 1024
    assert stand.shown.startswith("y\ny\n")
    assert stand.shown.endswith("y\nthe end\n")
    assert re.search(r"\n… 209,\d\d\d,\d\d\d bytes left out …\n", stand.shown)


async def test_no_limit_is_waited_for_over_a_command_that_has_ended(
    still: Stand, hour: Hour
) -> None:
    shell = await still.start("true")
    await shell.ended()
    before = list(hour.ahead)
    shell.limit(500)
    assert hour.ahead == before


async def test_the_loop_is_told_once_until_it_has_looked(
    still: Stand, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, told = asyncio.get_running_loop(), []
    tell = loop.call_soon_threadsafe
    monkeypatch.setattr(
        loop, "call_soon_threadsafe", lambda *what: (told.append(what), tell(*what))[1]
    )
    fifo = still.folder / "fifo"
    os.mkfifo(fifo)
    shell = await still.start("yes | head -c 20M; echo done > fifo; sleep 600")
    async with asyncio.timeout(BOUND):
        await hour.until(1 / 30)
        assert await asyncio.to_thread(fifo.read_text) == "done\n"
    assert shell.size > 10 * MIB
    assert hour.ahead == [1 / 30]
    assert len([what for what, *_ in told if what == shell._showing.more]) == 1
    assert still.times == 0
    hour.comes(1 / 30)
    assert still.times == 1
    assert hour.ahead == []


@pytest.mark.requirement("C-05")
async def test_no_more_than_eight_run_at_once_and_it_is_said(stand: Stand) -> None:
    for _ in range(8):
        await stand.start("sleep 600")
    with pytest.raises(ShellFailed, match=r"8 commands run in this chat already.*kill_shell"):
        await stand.start("true")
    async with asyncio.timeout(BOUND):
        await stand.shell_registry.shells[2].kill()
    assert (await stand.run("echo again")).state is ShellState.EXITED


async def test_the_last_sixteen_that_ended_can_be_read(stand: Stand) -> None:
    kept = await stand.start("sleep 600")
    for number in range(20):
        await stand.run(f"echo {number}")
    assert [it.id for it in stand.shell_registry.shells] == ["1", *map(str, range(6, 22))]
    assert stand.shell_registry.find("5") is None
    assert stand.shell_registry.find("6").read(0, 10).text == "4\n"  # type: ignore[union-attr]
    assert stand.shell_registry.shells[0] is kept


async def test_where_the_disk_is_used_up_the_oldest_give_theirs_back(tmp_path: Path) -> None:
    shell_registry = ShellRegistry(chat=ChatId("c"), changed=lambda _: None, folder=str(tmp_path))
    stand = Stand(folder=tmp_path)
    stand.shell_registry = shell_registry
    first = await stand.run("head -c 80M /dev/zero")
    assert shell_registry._allowance.left == 36 * MIB
    second = await stand.run("head -c 80M /dev/zero")
    assert shell_registry._allowance.left == 36 * MIB
    assert first.size - first.read(0, 10).start <= output.MAX_MEMORY_BYTES
    assert second.size - second.read(0, 10).start >= 64 * MIB
    await shell_registry.end()
    assert shell_registry._allowance.left == 100 * MIB


async def test_what_prints_without_an_end_of_line_is_shown_as_it_comes(stand: Stand) -> None:
    shell = await stand.start("printf .; read -t 600 < <(sleep 600)")
    await stand.until(lambda: stand.shown == ".")
    await shell.kill()


async def test_letters_that_come_in_pieces_are_whole(stand: Stand) -> None:
    said = await stand.says(r"printf '\xe2\x82'; sleep 0.1; printf '\xac\xff\n'")
    assert said == stand.shown == "€\ufffd\n"


def view(printed: list[str], hour: Hour) -> tuple[Showing, Tape]:
    one = Tape(spill=Spill(most=10 * MIB, allowance=Allowance(left=20 * MIB)))

    def show(text: str, /, *, is_error: bool = False) -> None:
        printed.append(f"2> {text}" if is_error else text)

    return Showing(tape=one, printed=show, later=hour), one


def test_a_view_is_given_no_more_than_it_can_hold() -> None:
    printed: list[str] = []
    hour = Hour()
    showing, one = view(printed, hour)
    for number in range(2_000):
        put(one, f"{number:05} {'x' * 5_000}\n".encode())
        showing.more()
        showing.more()
        assert hour.ahead == [1 / 30]
        hour.comes(1 / 30)
    one.finish()
    showing.finish()
    text = "".join(printed)
    assert 48 * 1024 < len(text) <= 64 * 1024
    assert text.startswith("00000 xxx")
    assert "01999" in text
    assert sum("by now" in it for it in printed) == 2
    assert "bytes left out" in text
    one.release()


@each_row("extra", [0, 1, 100, 8 * 1024, 8 * 1024 + 1, 20_000])
def test_what_is_a_little_too_long_is_shown_whole_or_says_what_is_not(extra: int) -> None:
    printed: list[str] = []
    showing, one = view(printed, Hour())
    lines = "".join(f"{number:06}\n" for number in range((48 * 1024 + extra) // 7))
    put(one, lines.encode())
    one.finish()
    showing.finish()
    text = "".join(printed)
    if "left out" not in text:
        assert text == lines
    else:
        # What is shown as it comes ends with a line, so a little more than the rest was unseen.
        assert extra > 8 * 1024 - 7
        assert text.splitlines()[-1] == lines.splitlines()[-1]
    one.release()


async def test_who_holds_the_pipe_and_is_not_the_commands_is_not_waited_for(stand: Stand) -> None:
    # Another process takes the pipe, as a daemon does that a command speaks with.
    shell = await stand.start("echo $$; read -t 600 < <(sleep 600)")
    (pid,) = await stand.numbers(1)
    other = await asyncio.create_subprocess_exec(
        *("bash", "-c", f"exec 5> /proc/{pid}/fd/1; echo; exec yes >&5"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert other.stdout is not None
    assert await other.stdout.readline() == b"\n"
    async with asyncio.timeout(BOUND):
        await shell.kill()
    with contextlib.suppress(ProcessLookupError):
        # Nobody reads what it writes any more, which may have ended it.
        other.kill()
    await other.wait()
