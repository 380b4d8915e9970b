"""What the transport promises, over a real process: first what stock pygls gets wrong."""

import asyncio
import functools
import itertools
import json
import re
from typing import Any

import pytest

from assent.editor.lsp.frames import MAX_FRAME_BYTES
from editor.wire.client import Client, Refusal, frame
from editor.wire.house import DIGEST
from editor.wire.side import Side

UNREADABLE, MALFORMED, UNKNOWN, INVALID, INTERNAL = -32700, -32600, -32601, -32602, -32603
CANCELLED, FAILED = -32800, -32803


async def prompt(client: Client, text: str) -> str:
    turn = await client.request("agent/prompt", {"chatId": "c1", "text": text})
    return str(turn.because)


async def report(client: Client) -> Any:
    return json.loads(await prompt(client, "report"))


async def refused(client: Client, method: str, params: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await client.request(method, params)
    return caught.value


def an_answer(**members: object) -> dict[str, object]:
    good = {
        "approvalId": "a1",
        "chatId": "c1",
        "revision": 1,
        "digest": DIGEST,
        "optionId": "allow-once",
        "shownMs": 400,
    }
    return {**good, **members}


def question(method: str, key: object, **members: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": key, "method": method, **members}


# What stock pygls gets wrong.


SETTINGS: list[dict[str, object]] = [
    {"file-path": 1, "class": 2, "from": 3, "_a": 4},
    {"type_name": "not an identifier", "deep": [{"type_name": "x y"}]},
    {"jsonrpc": "2.0", "deep": {"jsonrpc": "2.0", "id": 1, "method": "exit"}},
    {"__class__": 1, "__proto__": {"a": 1}, "params": None, "": ""},
]


async def test_settings_arrive_under_the_keys_they_were_sent_with(
    house: Client, side: Side
) -> None:
    for settings in SETTINGS:
        house.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert json.loads((await side.line()).removeprefix("settings ")) == settings


async def test_a_message_within_a_message_is_only_a_value(house: Client) -> None:
    inner = {"jsonrpc": "2.0", "id": 7, "method": "shutdown"}
    refusal = await refused(house, "agent/prompt", {"chatId": "c", "text": "say", "x": inner})
    assert (refusal.code, refusal.message) == (INVALID, "agent/prompt: `x` is not known.")
    assert await prompt(house, "say still here") == "still here"


async def test_absent_and_null_parameters_are_no_parameters(house: Client) -> None:
    assert (await house.request("agent/list")).agents == []
    _, asked = house.ask("agent/list", {})
    house.send(frame(question("agent/list", "k", params=None)))
    assert (await asked).agents == []
    await house.until(lambda: [stray["id"] for stray in house.strays] == ["k"])
    assert house.strays[0]["result"] == {"agents": []}


async def test_an_extra_member_beside_the_parameters_does_no_harm(house: Client) -> None:
    house.send(frame(question("agent/list", "k", extra=True, params={})))
    await house.until(lambda: bool(house.strays))
    assert house.strays[0]["result"] == {"agents": []}


async def test_bad_parameters_of_an_lsp_method_are_answered(house: Client) -> None:
    for params in ({"command": 5}, {}, [], None, "x", {"command": "none"}):
        refusal = await refused(house, "workspace/executeCommand", params)
        assert refusal.code == INVALID, params
        assert "data" not in refusal.error, params


async def test_two_thousand_notifications_leave_nothing_behind(house: Client, side: Side) -> None:
    for number in range(2000):
        house.notify("workspace/didChangeConfiguration", {"settings": number})
    for number in range(2000):
        assert await side.line() == f"settings {number}"
    house.notify("$/setTrace", {"value": "off"})
    for _ in range(20):
        house.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
    kept = await report(house)
    assert (kept["running"], kept["result types"]) == (1, 1), "only the one that asks"
    assert kept["asks"] == 0


async def test_a_late_answer_is_logged_and_shown_to_nobody(house: Client) -> None:
    house.editor.choose = lambda _: "Yes"
    assert await prompt(house, "impatient Really?") == "gave up"
    assert await house.expect("$/cancelRequest") == {"id": 1}
    assert (await report(house))["asks"] == 0
    assert house.told("window/showMessage") == []
    assert await house.leave() == 0
    assert "An answer came that nobody waits for." in house.log


async def test_the_two_sides_may_use_the_same_keys(house: Client, side: Side) -> None:
    key, waiting = house.ask("agent/prompt", {"chatId": "c1", "text": "wait"})
    assert await side.line() == "waiting"
    house.send(frame({"jsonrpc": "2.0", "id": key, "result": {"reason": "done"}}))
    house.editor.choose = lambda _: "Yes"
    assert await prompt(house, "confirm Really?") == "Yes"
    assert not waiting.done()
    house.cancel(key)
    with pytest.raises(Refusal):
        await waiting


async def test_answers_arrive_while_every_thread_is_busy(house: Client) -> None:
    assert await prompt(house, "threads 100") == "busy"
    _, approval = house.ask("agent/prompt", {"chatId": "c1", "text": "approve"})
    card = await house.expect("tool/approvalRequest")
    receipt = await house.request("tool/approvalResponse", an_answer(approvalId=card.approval_id))
    assert receipt.kind == "applied"
    assert (await approval).because == "allow-once"
    assert await prompt(house, "release") == "free"


async def test_a_client_that_does_not_read_does_not_stop_the_loop(
    house: Client, side: Side
) -> None:
    house.stop_reading()
    _, flood = house.ask("agent/prompt", {"chatId": "c1", "text": "flood 50000000"})
    # Answered on the side while everything above stands in the way of an answer by the pipe.
    stops = []
    for number in range(50):
        stops.append(house.ask("agent/stop", {"chatId": f"c{number}"})[1])
        assert await side.line() == f"stop c{number}"
    word, held = (await side.line()).split()
    assert word == "flooded"
    assert int(held) <= 8 * 1024 * 1024 + 64 * 1024, "what waits is bounded"
    house.resume_reading()
    assert (await flood).because == "flooded"
    for stop in stops:
        await stop
    last = await house.expect("agent/event", lambda event: "lost" in event.event.append)
    numbers = [event.seq for event in house.told("agent/event")]
    gaps = [after - before - 1 for before, after in itertools.pairwise(numbers)]
    lost = int(last.event.append.split()[1])
    assert [gap for gap in gaps if gap] == [lost], "one gap, as long as was told"
    assert last.seq == numbers[-1] == 50_000 + 1


async def test_a_log_that_nobody_reads_does_not_stop_the_loop(house: Client) -> None:
    house.stop_reading_the_log()
    assert await prompt(house, "log 10000") == "logged"
    assert await prompt(house, "say still here") == "still here"
    house.resume_reading()
    assert await house.leave() == 0
    assert "lines were lost here" in house.log


async def test_answers_that_nobody_reads_end_the_connection_before_they_fill_the_memory(
    house: Client, side: Side
) -> None:
    house.stop_reading()
    for _ in range(80):
        house.ask("agent/prompt", {"chatId": "c1", "text": "long 1000000"})
    assert await side.line() == "falls"
    assert await house.ended() == 1
    assert "has not read" in house.log


async def test_a_header_is_known_by_its_name_in_any_case(house: Client) -> None:
    body = json.dumps(question("agent/list", "k")).encode()
    head = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    for name in (b"content-length", b"CONTENT-LENGTH", b"cOnTeNt-LeNgTh "):
        house.send(head + name + b":%d\r\n\r\n" % len(body) + body)
    await house.until(lambda: len(house.strays) == 3)
    assert [stray["result"] for stray in house.strays] == [{"agents": []}] * 3


async def test_what_is_printed_goes_to_the_log(house: Client) -> None:
    await prompt(house, "print Content-Length: 3")
    await prompt(house, "child echo from a child")
    assert await prompt(house, "say still here") == "still here"
    assert await house.leave() == 0
    assert house.log.count("Content-Length: 3") == 2
    assert "from a child" in house.log


async def test_a_child_cannot_read_the_stream(house: Client) -> None:
    assert await prompt(house, 'child test -z "$(head -c 40)" && sleep 0.1') == "0"
    assert await prompt(house, "say still here") == "still here"


async def test_a_child_inherits_nothing_but_its_three_descriptors(
    house: Client, side: Side
) -> None:
    await prompt(house, "child ls -l /proc/self/fd")
    assert await house.leave() == 0
    targets = dict(re.findall(r" (\d+) -> (\S+)", house.log))
    assert targets.pop("0") == "/dev/null"
    assert targets.pop("1") == targets.pop("2"), "both are the log"
    assert targets.pop(str(side.writer)), "which this test hands down itself"
    assert [target for target in targets.values() if not target.startswith("/proc/")] == []


NEARLY: list[tuple[str, object]] = [
    ("revision", "1"),
    ("revision", 1.9),
    ("revision", True),
    ("revision", None),
    ("optionId", None),
    ("optionId", 1),
    ("shownMs", "400"),
    ("shownMs", -1),
    ("digest", "0" * 63),
    ("digest", None),
    ("approvalId", ""),
    ("approvalId", "x" * 129),
    ("chatId", 5),
    ("approval_id", "a1"),
    ("approved", "false"),
]


async def test_an_answer_that_is_not_exactly_in_shape_is_refused_by_name(house: Client) -> None:
    for member, value in NEARLY:
        refusal = await refused(house, "tool/approvalResponse", an_answer(**{member: value}))
        assert (refusal.code, f"`{member}`" in refusal.message) == (INVALID, True), (member, value)
        assert "data" not in refusal.error


async def test_a_member_has_one_spelling_only(house: Client) -> None:
    spelled = an_answer()
    spelled["approval_id"] = spelled.pop("approvalId")
    refusal = await refused(house, "tool/approvalResponse", spelled)
    assert refusal.code == INVALID
    assert "`approvalId` is missing, `approval_id` is not known" in refusal.message


async def test_an_answer_that_lacks_a_member_is_refused_by_name(house: Client) -> None:
    for member in an_answer():
        lacking = an_answer()
        del lacking[member]
        refusal = await refused(house, "tool/approvalResponse", lacking)
        assert refusal.code == INVALID
        assert refusal.message == f"tool/approvalResponse: `{member}` is missing."


async def test_lsp_types_are_not_coerced(house: Client) -> None:
    folder = {"uri": 5, "name": "x"}
    house.notify(
        "workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}}
    )
    house.notify("$/setTrace", {"value": 3})
    house.notify("$/setTrace", {"value": "messages"})
    assert (await house.expect("agent/event")).event.append == "trace messages"
    assert await house.leave() == 0
    assert "uri" in house.log


# Frames and messages that are none.


@pytest.mark.parametrize(
    "junk", [b"hello\r\n", b"Content-Length: -5\r\n\r\n", b"Content-Length: 2\n\n{}", b"x" * 9000]
)
async def test_broken_framing_ends_the_server_cleanly(
    house: Client, side: Side, junk: bytes
) -> None:
    house.send(junk)
    assert await side.line() == "falls"
    assert await house.ended() == 1
    assert "The connection is over." in house.log
    assert "Traceback" not in house.log


async def test_a_frame_of_announced_length_is_never_waited_for_in_memory(house: Client) -> None:
    house.send(b"Content-Length: 4000000000\r\n\r\n" + b"x" * 1000)
    assert await house.ended() == 1
    assert "is larger than" in house.log or "not a number" in house.log


async def test_a_question_that_is_too_large_is_refused_and_the_connection_lives(
    house: Client,
) -> None:
    text = "say " + "x" * MAX_FRAME_BYTES
    with pytest.raises(Refusal, match="had more") as caught:
        await house.request("agent/prompt", {"chatId": "c", "text": text}, within=20)
    assert caught.value.code == INVALID
    turn = await house.request("agent/prompt", {"chatId": "c", "text": "say on"})
    assert turn.because == "on"


async def test_an_answer_that_is_too_large_is_refused_and_the_connection_lives(
    house: Client,
) -> None:
    params = {"chatId": "c", "text": f"long {MAX_FRAME_BYTES + 1}"}
    with pytest.raises(Refusal, match="too large to be sent"):
        await house.request("agent/prompt", params, within=20)
    assert (await house.request("agent/prompt", {"chatId": "c", "text": "say on"})).because == "on"


async def test_an_editors_answer_that_is_too_large_counts_as_none(house: Client) -> None:
    house.answer_with = lambda key: {
        "jsonrpc": "2.0",
        "id": key,
        "result": {"action": "x" * MAX_FRAME_BYTES},
    }
    turn = await house.request("agent/prompt", {"chatId": "c", "text": "confirm Sure?"}, within=20)
    assert "too large" in turn.because
    turn = await house.request("agent/prompt", {"chatId": "c", "text": "say on"})
    assert turn.because == "on"


async def test_a_large_frame_within_the_bound_is_read_whole(house: Client) -> None:
    text = "say " + "x" * 999_000
    turn = await house.request("agent/prompt", {"chatId": "c", "text": text}, within=20)
    assert len(turn.because) == 999_000


async def test_a_length_too_short_ends_the_server_and_runs_nothing(house: Client) -> None:
    body = json.dumps(question("agent/stop", "k", params={"chatId": "c"})).encode()
    house.send(b"Content-Length: %d\r\n\r\n%b\r\n" % (len(body) - 3, body))
    assert await house.ended() == 1
    assert [stray["error"]["code"] for stray in house.strays] == [UNREADABLE]


async def test_a_length_too_long_swallows_the_next_and_runs_neither(
    house: Client, side: Side
) -> None:
    body = json.dumps(question("agent/stop", "k", params={"chatId": "c"})).encode()
    house.send(b"Content-Length: %d\r\n\r\n%b" % (len(body) + 9, body))
    house.send(frame(question("agent/stop", "l", params={"chatId": "c"})))
    assert await house.ended() == 1
    assert [stray["error"]["code"] for stray in house.strays] == [UNREADABLE]
    assert await side.line() == "falls", "and no stop before it"


async def test_a_frame_cut_off_by_the_end_runs_nothing(house: Client, side: Side) -> None:
    whole = frame(question("agent/stop", "k", params={"chatId": "c"}))
    house.send(whole[:-1])
    house.close_stdin()
    assert await side.line() == "falls"
    assert await house.ended() == 1
    assert "within a message" in house.log


async def test_a_message_may_come_byte_by_byte(house: Client) -> None:
    for number in range(300):
        part = frame(question("agent/list", "k"))[number : number + 1]
        house.send(part)
        await asyncio.sleep(0)
    await house.until(lambda: bool(house.strays))
    assert house.strays[0]["result"] == {"agents": []}


NO_JSON = [
    b"",
    b"{",
    b"nonsense",
    b"\xff\xfe{}",
    b'{"jsonrpc":"2.0","method":"agent/list","params":{"x":"\xff"}',
    b"\0" * 20,
    b"[" * 100_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    b"1" * 10_000,
]


async def test_what_is_no_json_is_answered_and_the_stream_goes_on(house: Client) -> None:
    for body in NO_JSON:
        house.send(frame(body))
    assert await prompt(house, "say still here") == "still here"
    told = [(stray["id"], stray["error"]["code"]) for stray in house.strays]
    assert told == [(None, UNREADABLE)] * len(NO_JSON)


NO_TEXT = [rb'"say \ud83d"', rb'"say \udc00\ud800"', rb"NaN", rb"1e999999", b'"say\0"']


async def test_half_characters_and_numbers_that_are_none_are_refused(house: Client) -> None:
    head = b'{"jsonrpc":"2.0","id":"k","method":"agent/prompt","params":{"chatId":"c","text":'
    for text in NO_TEXT:
        house.send(frame(head + text + b"}}"))
    assert await prompt(house, "say still here") == "still here"
    assert [stray["error"]["code"] for stray in house.strays] == [UNREADABLE] * len(NO_TEXT)
    # The last is no JSON to anybody; of the others a laxer reader finds out whose they were.
    assert [stray["id"] for stray in house.strays] == ["k", "k", "k", "k", None]


async def test_an_id_that_cannot_be_spelled_is_answered_without_it(house: Client) -> None:
    for key in (rb'"\ud83d"', b"1" + b"0" * 30):
        house.send(frame(b'{"jsonrpc":"2.0","id":%b,"method":"agent/list","x":"\\ud800"}' % key))
    assert await prompt(house, "say still here") == "still here"
    assert [stray["id"] for stray in house.strays] == [None, None]


async def test_half_characters_in_a_refusal_are_spelled_out(house: Client) -> None:
    refusal = await refused(house, "agent/prompt", {"chatId": "c", "text": "halfway"})
    assert (refusal.code, refusal.message) == (FAILED, r"half \ud83d of it")
    assert await prompt(house, "say still here") == "still here"


async def test_a_zero_character_in_a_text_arrives(house: Client) -> None:
    assert await prompt(house, "say a\0b") == "a\0b"


async def test_half_characters_of_an_agent_go_out_as_escapes(house: Client) -> None:
    assert await prompt(house, "surrogate") == "whole \udc00"
    assert (await house.expect("agent/event")).event.append == "half \ud83d of it"


NO_MESSAGE: list[object] = [
    [],
    [question("agent/list", 1)],
    1,
    None,
    "x",
    {},
    {"jsonrpc": "2.0"},
    {"jsonrpc": "1.0", "id": 1, "method": "agent/stop", "params": {"chatId": "c"}},
    {"id": 1, "method": "agent/stop", "params": {"chatId": "c"}},
    question("agent/stop", None, params={"chatId": "c"}),
    question("agent/stop", 1.5, params={"chatId": "c"}),
    question("agent/stop", True, params={"chatId": "c"}),
    question("agent/stop", [1], params={"chatId": "c"}),
    question("agent/stop", {"a": 1}, params={"chatId": "c"}),
    question("agent/stop", 2**70, params={"chatId": "c"}),
    {"jsonrpc": "2.0", "id": 1, "method": 5},
    {"jsonrpc": "2.0", "method": ["agent/stop"], "params": {"chatId": "c"}},
    {"jsonrpc": "2.0", "method": "agent/stop", "params": {"chatId": "c"}},
    {"jsonrpc": "2.0", "id": [], "result": 1},
    {"jsonrpc": "2.0", "id": True, "result": 1},
    {"jsonrpc": "2.0", "id": 99, "error": "x"},
    {"jsonrpc": "2.0", "id": None, "error": {"code": "x", "message": 5}},
    {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": [1]}},
    {"jsonrpc": "2.0", "method": "$/cancelRequest"},
    {"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": 5},
    {"jsonrpc": "2.0", "method": "no/such", "params": 5},
    {"jsonrpc": "2.0", "method": "tool/approvalRequest", "params": {}},
]


async def test_a_message_that_is_none_runs_nothing_and_the_stream_goes_on(
    house: Client, side: Side
) -> None:
    for message in NO_MESSAGE:
        house.send(frame(message))
        await house.request("agent/stop", {"chatId": "after"})
        assert await side.line() == "stop after", f"and nothing before it, but {message}"
    assert all(stray["error"]["code"] == MALFORMED for stray in house.strays)


async def test_methods_that_nobody_serves_are_answered_so(house: Client) -> None:
    for method in ("no/such", "textDocument/hover", "agent/bypass", "tool/approvalRequest"):
        assert (await refused(house, method, {})).code == UNKNOWN
    assert (await refused(house, "settings/write", {"scope": "user"})).code == UNKNOWN


async def test_a_key_in_use_cannot_be_used_again(house: Client, side: Side) -> None:
    key, waiting = house.ask("agent/prompt", {"chatId": "c1", "text": "wait"})
    assert await side.line() == "waiting"
    house.send(frame(question("agent/stop", key, params={"chatId": "c"})))
    with pytest.raises(Refusal, match="still open"):
        await waiting
    house.cancel(key)
    assert await side.line() == "cancelled", "and no stop before it"


# What handlers do.


async def test_a_handler_that_breaks_is_answered_plainly_and_logged_whole(house: Client) -> None:
    refusal = await refused(house, "agent/prompt", {"chatId": "c", "text": "fail"})
    assert refusal.code == INTERNAL
    assert set(refusal.error) == {"code", "message"}
    assert "/" not in refusal.message
    assert await prompt(house, "say still here") == "still here"
    assert await house.leave() == 0
    assert "Traceback" in house.log
    assert "/a/secret/path" in house.log


async def test_an_answer_in_another_shape_never_leaves(house: Client) -> None:
    refusal = await refused(house, "agent/setMode", {"chatId": "c", "mode": "ask"})
    assert refusal.code == INTERNAL


async def test_a_notification_that_breaks_is_logged_and_shown_to_nobody(
    house: Client, side: Side
) -> None:
    house.notify("workspace/didChangeConfiguration", {"settings": "explode"})
    house.notify("workspace/didChangeConfiguration", {"settings": 1})
    assert await side.line() == "settings 1"
    assert house.notices == []
    assert await house.leave() == 0
    assert "/a/secret/path" in house.log


async def test_what_the_house_refuses_is_told_in_its_words(house: Client) -> None:
    refusal = await refused(house, "agent/prompt", {"chatId": "c", "text": "refuse Not today."})
    assert (refusal.code, refusal.message) == (FAILED, "Not today.")


async def test_a_cancelled_question_is_stopped_and_answered(house: Client, side: Side) -> None:
    key, waiting = house.ask("agent/prompt", {"chatId": "c1", "text": "wait"})
    assert await side.line() == "waiting"
    house.cancel(key)
    with pytest.raises(Refusal) as caught:
        await waiting
    assert caught.value.code == CANCELLED
    assert await side.line() == "cancelled"
    assert (await report(house))["running"] == 1


async def test_a_question_cancelled_before_its_first_step_is_answered(house: Client) -> None:
    params = {"chatId": "c", "text": "wait"}
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "k"}}
    house.send(frame(question("agent/prompt", "k", params=params)) + frame(cancel))
    await house.until(lambda: bool(house.strays))
    assert house.strays[0]["error"]["code"] == CANCELLED
    kept = await report(house)
    assert (kept["running"], kept["cancelled"]) == (1, 0)


async def test_cancelling_what_is_over_or_never_was_does_nothing(house: Client) -> None:
    assert await prompt(house, "say one") == "one"
    for key in (1, 2, 99, "x"):
        house.notify("$/cancelRequest", {"id": key})
    assert await prompt(house, "say two") == "two"
    assert house.strays == []


# What the server asks.


async def test_an_editor_that_does_not_know_a_question_is_told_apart(house: Client) -> None:
    house.editor.refuses = frozenset({"ui/confirm"})
    assert await prompt(house, "confirm A?") == "NotOffered: The editor does not know ui/confirm."
    told = await prompt(house, "configuration")
    assert told == "NotOffered: The editor does not know workspace/configuration."


WRONG: list[tuple[dict[str, object], str]] = [
    ({"result": {"action": 5}}, "`action` should be a string"),
    ({"result": {"action": None, "more": 1}}, "`more` is not known"),
    ({"result": None}, "should be an object"),
    ({}, "carries no result"),
    ({"error": {"code": -32603, "message": "out of order"}}, "out of order"),
    ({"error": None}, "did not do ui/confirm"),
    ({"error": "x"}, "did not do ui/confirm"),
]


async def test_a_wrong_answer_of_the_editor_is_a_refusal(house: Client) -> None:
    for answer, because in WRONG:
        house.answer_with = functools.partial(_wrongly, answer)
        told = await prompt(house, "confirm A?")
        assert told.startswith("EditorRefused"), answer
        assert because in told


def _wrongly(answer: dict[str, object], key: int) -> object:
    return {"jsonrpc": "2.0", "id": key, **answer}


async def test_an_answer_that_is_no_json_is_a_refusal(house: Client) -> None:
    house.answer_with = lambda key: b'{"jsonrpc":"2.0","id":%d,"result":{"action":"\\ud83d"}}' % key
    assert "not valid JSON" in await prompt(house, "confirm A?")


async def test_who_asks_an_editor_that_leaves_is_told(house: Client, side: Side) -> None:
    house.answer_with = lambda _: b""
    house.ask("agent/prompt", {"chatId": "c1", "text": "confirm A?"})
    await house.request("agent/stop", {"chatId": "c"})
    house.close_stdin()
    assert await side.line() == "stop c"
    assert {await side.line(), await side.line()} == {"The editor is gone.", "falls"}
    assert await house.ended() == 1
    assert "Traceback" not in house.log
