"""What a gate cannot live with in pygls: each test shows the fault in stock pygls, and not in ours.

Both servers run in the test's own process and serve the same handlers. `closes` names the
overrides of `assent.editor.lsp.overrides` that a test is about; each of them has one.
"""

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from assent.editor.lsp.connection import AssentServer, House
from assent.editor.lsp.frames import MAX_FRAME_BYTES, Frames, framed
from assent.editor.lsp.overrides import GateProtocol, GateServer
from assent.editor.protocol import approvals, chats, editor
from assent.editor.protocol.methods import METHODS
from assent.gate.call.errors import EditorRefused, Refused

MALFORMED, INVALID, INTERNAL, CANCELLED, FAILED = -32600, -32602, -32603, -32800, -32803
CHAT = {"chatId": "c1"}
PROMPT = {"chatId": "c1", "text": "go"}
ANSWER: dict[str, object] = {
    "approvalId": "a1",
    "chatId": "c1",
    "revision": 1,
    "digest": "0" * 64,
    "optionId": "allow-once",
    "shownMs": 400,
}

Handlers = dict[str, Callable[[Any], Any]]
COVERED: set[str] = set()


def closes(*overrides: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say which overrides a test is about."""
    COVERED.update(overrides)
    return lambda test: test


class Stock:
    """pygls as it comes."""

    def __init__(self, handlers: Handlers) -> None:
        self.server: LanguageServer = LanguageServer("stock", "1")
        self.protocol: LanguageServerProtocol = self.server.protocol
        self.protocol.set_writer(self, include_headers=False)
        self.failures: list[Exception] = []
        self._said: list[bytes] = []
        self.tell("initialize", {"capabilities": {}}, key="open")
        for name, handler in handlers.items():
            self.server.feature(name)(handler)
        self._said.clear()

    def write(self, data: bytes) -> None:
        """What pygls has to say."""
        self._said.append(data)

    def close(self) -> None:
        """pygls closes what it writes to."""

    def tell(self, method: str, params: object = None, key: object = None) -> None:
        """Say a message of the editor."""
        self.feed(message(method, params, key))

    def feed(self, data: object) -> None:
        """Read a message as `pygls.io_` does."""
        try:
            read = json.loads(json.dumps(data), object_hook=self.protocol.structure_message)
            self.protocol.handle_message(read)
        except Exception as error:  # noqa: BLE001 -- what is raised here, pygls shows to the person
            self.failures.append(error)

    async def said(self) -> list[Any]:
        """What the server has said since this was last asked."""
        await settled()
        said, self._said = self._said, []
        return [json.loads(body) for body in said]


class Ours:
    """pygls with the overrides."""

    def __init__(self, handlers: Handlers, **options: Any) -> None:
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        self.server = AssentServer(frames=Frames(), writer=writer)
        self.protocol = self.server.protocol
        opening = {"capabilities": {}, "processId": None, "rootUri": None}
        self.server.welcome({"id": "open", "params": opening})
        self.server.serve(House(handlers=handlers, **options))
        self._frames = Frames()

    def tell(self, method: str, params: object = None, key: object = None) -> None:
        """Say a message of the editor."""
        self.feed(message(method, params, key))

    def feed(self, data: object) -> None:
        """Read a message."""
        self.protocol.feed(framed(json.dumps(data).encode()))

    async def said(self) -> list[Any]:
        """What the server has said since this was last asked."""
        await settled()
        try:
            data = os.read(self._reader, 1024 * 1024)
        except BlockingIOError:
            return []
        return [json.loads(body) for body in self._frames.feed(data)]


def message(method: str, params: object, key: object) -> dict[str, object]:
    """A message of the editor."""
    head = {"jsonrpc": "2.0", "method": method, "params": params}
    return head if key is None else {**head, "id": key}


async def settled() -> None:
    """Let the loop go round until nothing is left that does not wait for something else."""
    for _ in range(10):
        await asyncio.sleep(0)


async def refusal(ours: Ours) -> tuple[int, str]:
    """The one answer that was given, which is an error of code and message alone."""
    (answer,) = await ours.said()
    assert set(answer["error"]) == {"code", "message"}
    return answer["error"]["code"], answer["error"]["message"]


def of_one(handler: Callable[[Any], Any], method: str = "agent/prompt") -> tuple[Stock, Ours]:
    """Both servers, with one handler."""
    return Stock({method: handler}), Ours({method: handler})


async def test_each_method_that_the_editor_may_call_is_a_feature_of_pygls() -> None:
    names = [row.name for row in METHODS if row.sender == "client"]
    ours = Ours({name: lambda _: None for name in names})
    assert set(names) <= ours.protocol.fm.features.keys()


async def test_a_method_that_only_the_server_may_send_cannot_be_served() -> None:
    with pytest.raises(ValueError, match="tool/approvalRequest"):
        Ours({"tool/approvalRequest": lambda _: None})


# What a message is made of.


@closes("get_message_type")
async def test_parameters_in_any_shape_reach_the_handler() -> None:
    came: list[Any] = []
    stock, ours = of_one(lambda params: came.append(params), "tool/approvalResponse")
    forged = {**ANSWER, "revision": "1", "approved": "false"}
    stock.tell("tool/approvalResponse", forged, "k")
    assert came.pop().approved == "false", "a namedtuple of whatever was sent"
    ours.tell("tool/approvalResponse", forged, "k")
    assert came == []
    assert (await refusal(ours))[0] == INVALID
    ours.tell("tool/approvalResponse", ANSWER, "k")
    assert type(came.pop()) is approvals.ApprovalResponse


@closes("get_result_type", "_handle_request")
async def test_any_result_is_sent() -> None:
    stock, ours = of_one(lambda _: chats.AgentList(agents=[]), "agent/stop")
    stock.tell("agent/stop", CHAT, "k")
    assert "result" in (await stock.said())[0]
    ours.tell("agent/stop", CHAT, "k")
    assert (await refusal(ours))[0] == INTERNAL


@closes("structure_message")
async def test_an_object_within_a_message_is_taken_for_a_message() -> None:
    came: list[Any] = []
    stock, ours = of_one(lambda params: came.append(params), "workspace/didChangeConfiguration")
    settings = {"a": {"jsonrpc": "2.0", "id": 1, "method": "exit"}}
    stock.tell("workspace/didChangeConfiguration", {"settings": settings})
    assert type(came.pop().settings["a"]) is types.ExitNotification
    ours.tell("workspace/didChangeConfiguration", {"settings": settings})
    assert came.pop().settings == settings


@closes("structure_message")
async def test_a_malformed_question_is_never_answered() -> None:
    stock, ours = of_one(lambda _: None)
    stock.tell("workspace/executeCommand", {}, "k")
    assert (await stock.said(), len(stock.failures)) == ([], 1)
    ours.tell("workspace/executeCommand", {}, "k")
    code, sentence = await refusal(ours)
    assert code == INVALID
    assert "command" in sentence


async def test_a_number_becomes_a_string() -> None:
    came: list[Any] = []
    stock, ours = of_one(lambda params: came.append(params), "workspace/didChangeWorkspaceFolders")
    event = {"added": [{"uri": "file:///a", "name": 5}], "removed": []}
    stock.tell("workspace/didChangeWorkspaceFolders", {"event": event})
    await settled()
    assert came.pop().event.added[0].name == "5"
    ours.tell("workspace/didChangeWorkspaceFolders", {"event": event})
    await settled()
    assert came == []


# How a handler runs, and how a question is answered.


@closes("_execute_handler")
async def test_an_answer_comes_after_what_its_handler_has_set_off() -> None:
    said: list[str] = []

    async def handler(_: Any) -> chats.TurnEnd:
        asyncio.get_running_loop().call_soon(said.append, "what came of it")
        return chats.TurnEnd(reason="done", because="")

    async def order(of: Stock | Ours) -> list[str]:
        said.clear()
        send = of.protocol._send_response

        def note(*given: Any, **named: Any) -> None:
            said.append("answer")
            send(*given, **named)

        of.protocol._send_response = note  # type: ignore[method-assign]  # it is only watched
        of.tell("agent/prompt", PROMPT, "k")
        await settled()
        return list(said)

    stock, ours = of_one(handler)
    assert await order(stock) == ["what came of it", "answer"]
    assert await order(ours) == ["answer", "what came of it"]


@closes("_execute_handler")
async def test_a_notification_is_kept_for_good() -> None:
    async def handler(_: Any) -> None: ...

    stock, ours = of_one(handler, "workspace/didChangeConfiguration")
    for server in (stock, ours):
        for _ in range(3):
            server.tell("workspace/didChangeConfiguration", {"settings": 1})
        await settled()
    assert (len(stock.protocol._request_futures), len(ours.protocol._request_futures)) == (3, 0)


async def test_a_key_of_an_answered_question_may_be_used_before_the_loop_has_gone_round() -> None:
    hold: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def handler(params: chats.Prompt) -> chats.TurnEnd:
        if params.text == "first":
            asyncio.get_running_loop().call_soon(ours.tell, "agent/prompt", PROMPT, "k")
        else:
            await hold
        return chats.TurnEnd(reason="done", because=params.text)

    ours = Ours({"agent/prompt": handler})
    ours.tell("agent/prompt", {**PROMPT, "text": "first"}, "k")
    assert [answer["result"]["because"] for answer in await ours.said()] == ["first"]
    ours.tell("$/cancelRequest", {"id": "k"})
    assert (await refusal(ours))[0] == CANCELLED


@closes("_handle_cancel_notification")
async def test_a_cancelled_question_frees_its_key_while_its_handler_runs() -> None:
    cleaned_up: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    ran: list[str] = []

    async def handler(_: Any) -> chats.TurnEnd:
        ran.append("ran")
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await cleaned_up
        raise AssertionError

    stock, ours = of_one(handler)
    for server in (stock, ours):
        server.tell("agent/prompt", PROMPT, "k")
        await settled()
        server.tell("$/cancelRequest", {"id": "k"})
        await settled()
        server.tell("agent/prompt", PROMPT, "k")
        await settled()
    assert ran == ["ran"] * 3, "twice under one key in stock pygls"
    assert await refusal(ours) == (MALFORMED, "A question with this id is still open.")
    cleaned_up.set_result(None)
    assert (await refusal(ours))[0] == CANCELLED
    await ours.protocol.finish()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:  # type: ignore[operator]  # it is one
        task.cancel()
    await stock.said()


async def test_a_question_cancelled_before_its_first_step_is_answered_once() -> None:
    ran: list[str] = []

    async def handler(_: Any) -> None:
        ran.append("ran")

    ours = Ours({"agent/stop": handler})
    ours.tell("agent/stop", CHAT, "k")
    ours.tell("$/cancelRequest", {"id": "k"})
    ours.tell("$/cancelRequest", {"id": "k"})
    assert (await refusal(ours), ran) == ((CANCELLED, "Cancelled."), [])


async def test_a_handler_that_cancels_itself_and_returns_is_answered_once() -> None:
    async def handler(_: Any) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    ours = Ours({"agent/stop": handler})
    ours.tell("agent/stop", CHAT, "k")
    assert [answer["id"] for answer in await ours.said()] == ["k"]


async def test_a_handler_that_does_not_heed_its_cancelling_is_answered_once() -> None:
    async def handler(_: Any) -> None:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            return

    ours = Ours({"agent/stop": handler})
    ours.tell("agent/stop", CHAT, "k")
    await settled()
    ours.tell("$/cancelRequest", {"id": "k"})
    assert [(answer["id"], answer["result"]) for answer in await ours.said()] == [("k", {})]


@closes("_send_handler_result")
async def test_what_the_house_refuses_is_told_as_a_fault() -> None:
    def handler(_: Any) -> None:
        raise Refused("Not today.")

    stock, ours = of_one(handler, "agent/stop")
    stock.tell("agent/stop", CHAT, "k")
    assert (await stock.said())[0]["error"]["code"] == INTERNAL
    ours.tell("agent/stop", CHAT, "k")
    assert await refusal(ours) == (FAILED, "Not today.")


@closes("_send_response")
async def test_an_error_carries_its_traceback_and_its_secrets() -> None:
    def handler(_: Any) -> None:
        raise RuntimeError("/a/secret/path")

    stock, ours = of_one(handler, "agent/stop")
    stock.tell("agent/stop", CHAT, "k")
    error = (await stock.said())[0]["error"]
    assert "/a/secret/path" in error["message"]
    assert __file__ in str(error["data"])
    ours.tell("agent/stop", CHAT, "k")
    code, sentence = await refusal(ours)
    assert (code, "/" in sentence) == (INTERNAL, False)


@closes("_send_response", "_send_data")
async def test_an_answer_is_written_whether_there_is_room_or_not() -> None:
    stock, ours = of_one(
        lambda _: chats.TurnEnd(reason="done", because="x" * (MAX_FRAME_BYTES + 1))
    )
    stock.tell("agent/prompt", PROMPT, "k")
    assert len((await stock.said())[0]["result"]["because"]) == MAX_FRAME_BYTES + 1
    ours.tell("agent/prompt", PROMPT, "k")
    code, sentence = await refusal(ours)
    assert (code, "too large" in sentence) == (FAILED, True)


@closes("_check_handler_result", "report_server_error")
async def test_an_error_in_a_notification_is_shown_to_the_person(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def handler(_: Any) -> None:
        raise RuntimeError("/a/secret/path")

    stock, ours = of_one(handler, "workspace/didChangeConfiguration")
    stock.tell("workspace/didChangeConfiguration", {"settings": 1})
    (toast,) = await stock.said()
    assert toast["method"] == "window/showMessage"
    assert "/a/secret/path" in toast["params"]["message"]
    caplog.clear()
    ours.tell("workspace/didChangeConfiguration", {"settings": 1})
    assert await ours.said() == []
    assert "Traceback" in caplog.text
    assert "in handler" in caplog.text


# What the server asks.


@closes("send_request_async", "send_request")
async def test_an_answer_of_the_editor_ends_a_handler_with_the_same_key() -> None:
    async def handler(_: Any) -> None:
        await asyncio.get_running_loop().create_future()

    stock, ours = of_one(handler, "agent/stop")
    for server in (stock, ours):
        server.tell("agent/stop", CHAT, 1)
        await settled()
        server.feed({"jsonrpc": "2.0", "id": 1, "result": {}})
        server.tell("$/cancelRequest", {"id": 1})
    assert await stock.said() == [], "nobody can cancel it any more, or use its key"
    assert stock.protocol._request_futures == {}
    assert (await refusal(ours))[0] == CANCELLED
    with pytest.raises(TypeError, match="send_request_async"):
        ours.server.window_show_message_request(
            types.ShowMessageRequestParams(type=types.MessageType.Info, message="?")
        )


@closes("send_request_async")
async def test_a_question_that_nobody_waits_for_is_kept_and_its_editor_is_not_told() -> None:
    stock, ours = Stock({}), Ours({})
    for server in (stock, ours):
        items = types.ConfigurationParams(items=[])
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await server.server.workspace_configuration_async(items)
    assert [said["method"] for said in await stock.said()] == ["workspace/configuration"]
    assert len(stock.protocol._request_futures) == 1
    told = [said["method"] for said in await ours.said()]
    assert told == ["workspace/configuration", "$/cancelRequest"]
    assert len(ours.protocol.asks) == 0


FORGED: list[dict[str, Any]] = [
    {"id": "1", "result": {"action": "Yes"}},
    {"id": True, "result": {"action": "Yes"}},
    {"id": 1.0, "result": {"action": "Yes"}},
    {"id": 2, "result": {"action": "Yes"}},
    {"id": None, "result": {"action": "Yes"}},
]
WRONG: list[dict[str, Any]] = [
    {"id": 1, "result": {"action": 1}},
    {"id": 1, "result": {"action": "Yes", "more": 1}},
    {"id": 1, "result": {"action": "Yes"}, "error": {"code": 1, "message": "no"}},
    {"id": 1},
]


async def test_only_the_first_answer_under_its_own_key_and_in_shape_counts() -> None:
    question = editor.Confirm(title="Really?", detail="", actions=["Yes"])
    for wrong in [*WRONG, None]:
        ours = Ours({})
        asked = asyncio.ensure_future(
            ours.server.wire.request("ui/confirm", question, editor.Confirmed)
        )
        await settled()
        for forged in FORGED:
            ours.feed({"jsonrpc": "2.0", **forged})
        await settled()
        assert not asked.done()
        ours.feed({"jsonrpc": "2.0", **(wrong or {"id": 1, "result": {"action": "Yes"}})})
        ours.feed({"jsonrpc": "2.0", "id": 1, "result": {"action": "No"}})
        if wrong is None:
            assert (await asked).action == "Yes"
        else:
            with pytest.raises(EditorRefused):
                await asked


# How the connection ends.


@closes("lsp_shutdown")
async def test_shutdown_cancels_what_still_runs() -> None:
    async def handler(_: Any) -> None:
        await asyncio.get_running_loop().create_future()

    stock, ours = of_one(handler, "agent/stop")
    for server in (stock, ours):
        server.tell("agent/stop", CHAT, "k")
        await settled()
        server.tell("shutdown", None, "l")
    assert "error" in next(answer for answer in await stock.said() if answer["id"] == "k")
    assert [answer["id"] for answer in await ours.said()] == ["l"]
    ours.tell("agent/stop", CHAT, "m")
    assert await refusal(ours) == (MALFORMED, "The server is shutting down.")
    await ours.protocol.finish()
    assert (await refusal(ours))[0] == CANCELLED


@closes("lsp_exit")
async def test_exit_leaves_the_process_at_once() -> None:
    stock, ours = Stock({}), Ours({})
    with pytest.raises(SystemExit):
        stock.tell("exit")
    ours.tell("exit")
    assert (await ours.protocol.ended).code == 1


# What can be registered.


@closes("feature")
async def test_a_method_of_an_object_cannot_be_registered() -> None:
    class Room:
        def stop(self, _: chats.ChatRef) -> None: ...

        def __repr__(self) -> str:
            raise AssertionError("a room may hold the whole server")

    with pytest.raises(AttributeError):
        Stock({"agent/stop": Room().stop})
    ours = Ours({"agent/stop": Room().stop})
    ours.tell("agent/stop", CHAT, "k")
    assert [answer["result"] for answer in await ours.said()] == [{}]


@closes("feature")
async def test_a_handler_that_takes_any_object_is_given_the_server() -> None:
    came: list[object] = []

    def handler(*params: object) -> None:
        came.append(params[0])

    handler.__annotations__["params"] = object
    stock, ours = of_one(handler, "agent/stop")
    stock.tell("agent/stop", CHAT, "k")
    assert came.pop() is stock.server
    ours.tell("agent/stop", CHAT, "k")
    assert came == [chats.ChatRef(chat_id="c1")]


async def test_the_text_of_every_open_document_is_kept() -> None:
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": "secret"}
    stock, ours = of_one(lambda _: None, "textDocument/didOpen")
    for server in (stock, ours):
        server.tell("textDocument/didOpen", {"textDocument": document})
        await settled()
    assert len(stock.server.workspace.text_documents) == 1
    assert len(ours.server.workspace.text_documents) == 0


def test_each_override_is_of_something_in_pygls_and_has_a_test() -> None:
    pairs = ((GateProtocol, LanguageServerProtocol), (GateServer, LanguageServer))
    overrides = {
        name
        for ours, stock in pairs
        for name, member in vars(ours).items()
        if callable(member) and hasattr(stock, name) and not name.startswith("__")
    }
    assert overrides == COVERED
    for name in ("_handle_request", "_handle_notification", "_serialize_message", "lsp_initialize"):
        assert callable(getattr(LanguageServerProtocol, name))
