"""An agent asks in its own words (`elicitation/create`), and hears what the person answers."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from editor.wire.editor import Editor
from editor.wire.scene import IN_TIME, Scene, Stage
from hosting.eliza.odd import maker

requirement = pytest.mark.requirement

FORM: Final = {
    "mode": "form",
    "message": "Which database, says Assent?",
    "requestedSchema": {
        "type": "object",
        "title": None,
        "properties": {
            "kind": {
                "type": "string",
                "title": "Kind",
                "enum": None,
                "oneOf": [
                    {"const": "Redis", "title": "Redis", "description": "in memory"},
                    {"const": "pg", "title": "Postgres", "description": None},
                ],
            },
            "more": {"type": "string", "title": "Other", "maxLength": None},
        },
        "required": ["kind"],
    },
}
PAGE: Final = {
    "mode": "url",
    "message": "Sign in.",
    "url": "https://example.org/in?x=1",
    "elicitationId": "e1",
}
HELPERS: Final = """
def elicit(number, **params):
    send(id=number, method="elicitation/create", params={"sessionId": "s", **params})

def came(answer):
    say(json.dumps(answer.get("result", answer.get("error")), sort_keys=True))

"""
ASKING: Final = """
number = begin()
for at, question in enumerate(QUESTIONS):
    elicit(at, **question)
    came(answer_to(at))
end(number)
until("never")
"""


async def talking(
    stage: Stage, tmp_path: Path, body: str, *questions: Any, **user: Any
) -> tuple[Scene, str]:
    """A chat with an agent that does that."""
    file = tmp_path / "questions.json"
    file.write_text(json.dumps(questions))
    spec = maker(tmp_path)(f"QUESTIONS = json.load(open({str(file)!r}))\n{HELPERS}{body}")
    entry = {"name": "One", "command": spec.command, "args": [*spec.args]}
    scene = await stage(editor=Editor(layers={"user": {"agents": {"one": entry}, **user}}))
    return scene, await scene.chat("one")


def words(spans: Any) -> str:
    return "".join(it.text for it in spans)


def answers(scene: Scene, chat: str) -> list[Any]:
    """What the agent heard, in order."""
    decoder, text, found = json.JSONDecoder(), scene.heard(chat), []
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def outcomes(scene: Scene) -> list[str]:
    rows = [row["body"] for row in scene.rows("decided")]
    return [row["outcome"] for row in rows if row["tool"] == "form"]


@requirement("N-08")
async def test_a_form_names_the_agent_as_the_settings_do_and_its_answer_is_sent_back(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await talking(stage, tmp_path, ASKING, FORM)
    turn = scene.say(chat, "go")
    shown = await scene.card()
    card, body = shown.card, shown.card.body
    assert words(card.title) == "One asks you something"
    assert (card.agent_name, words(body.server)) == ("One", "One")
    assert (body.kind, words(body.message)) == ("form", "Which database, says Assent?")
    labels = [words(choice.label) for choice in body.fields[0].choices]
    assert labels == ["Redis: in memory", "Postgres (pg)"]
    assert (card.members, card.says) == ([], None)
    told = "Whoever asks this is told what you answer, and is allowed nothing."
    assert card.because.text == told
    details = {option.id: option.detail for option in card.options}
    assert list(details) == ["answer", "decline", "cancel"]
    assert "server" not in "".join(details.values())
    unfit = await scene.answer(shown, "answer", values={"kind": "x", "more": ""})
    assert (unfit.kind, unfit.because) == ("stillOpen", "“Kind” takes one of its choices.")
    receipt = await scene.answer(shown, "answer", values={"kind": "pg", "more": ""})
    assert (receipt.kind, receipt.outcome) == ("applied", "answered")
    assert (await turn).reason == "done"
    assert answers(scene, chat) == [{"action": "accept", "content": {"kind": "pg"}}]
    decided = [row["body"] for row in scene.rows("decided")]
    assert [row["because"] for row in decided] == ['You answered the agent: {"kind":"pg"}']


async def test_a_page_is_shown_whole_and_opened_by_a_yes_alone(
    stage: Stage, tmp_path: Path
) -> None:
    near = {**PAGE, "url": "http://localhost:9/in"}
    scene, chat = await talking(stage, tmp_path, ASKING, PAGE, near)
    turn = scene.say(chat, "go")
    shown = await scene.card()
    assert words(shown.card.title) == "One asks you to open a page"
    assert (shown.card.body.url, words(shown.card.body.host)) == (PAGE["url"], "example.org")
    assert [option.id for option in shown.card.options] == ["open", "decline", "cancel"]
    await scene.answer(shown, "open")
    shown = await scene.card()
    assert "is on this machine or its own network." in shown.card.because.text
    await scene.answer(shown, "decline")
    assert (await turn).reason == "done"
    assert answers(scene, chat) == [{"action": "accept"}, {"action": "decline"}]


async def test_a_page_that_is_not_encrypted_is_called_that(stage: Stage, tmp_path: Path) -> None:
    scene, chat = await talking(stage, tmp_path, ASKING, {**PAGE, "url": "http://example.org/"})
    turn = scene.say(chat, "go")
    shown = await scene.card()
    assert shown.card.because.text.endswith("is not encrypted on its way.")
    await scene.answer(shown, "cancel")
    assert (await turn).reason == "done"
    assert answers(scene, chat) == [{"action": "cancel"}]


@requirement("N-08")
async def test_nobody_is_asked_for_a_secret_or_to_open_a_page_that_a_rule_denies(
    stage: Stage, tmp_path: Path
) -> None:
    fields = {
        "by its format": {"pin": {"type": "string", "format": "password"}},
        "by its name": {"apiToken": {"type": "string"}},
        "by what is said of a choice": {
            "where": {
                "type": "string",
                "oneOf": [{"const": "a", "title": "a", "description": "Type your password below"}],
            },
            "note": {"type": "string"},
        },
    }
    forms = [
        {**FORM, "requestedSchema": {"type": "object", "properties": each}}
        for each in fields.values()
    ]
    rules = {"deny": ["fetch(domain:example.org)"]}
    scene, chat = await talking(stage, tmp_path, ASKING, *forms, PAGE, rules=rules)
    assert (await scene.turn(chat, "go")).reason == "done"
    assert answers(scene, chat) == [{"action": "cancel"}] * 4
    assert outcomes(scene) == ["refused"] * 4
    assert scene.rows("asked") == []


@requirement("N-08")
async def test_what_is_malformed_or_of_another_session_is_an_error_and_nothing_is_shown(
    stage: Stage, tmp_path: Path
) -> None:
    field = {"type": "object", "properties": {"a": {"type": "object"}}}
    questions: list[dict[str, Any]] = [
        {},
        {**FORM, "message": None},
        {**FORM, "message": "x" * 4_001},
        {**FORM, "mode": "other"},
        {**FORM, "mode": ["form"]},
        {**FORM, "requestedSchema": "name"},
        {**FORM, "requestedSchema": field},
        {**FORM, "requestedSchema": {"type": "object", "properties": [1]}},
        {**PAGE, "url": "javascript:alert(1)"},
        {**PAGE, "url": "https://user@example.org/"},
        {**PAGE, "url": 7},
        {**PAGE, "elicitationId": None},
        {**FORM, "sessionId": "another"},
        {**FORM, "sessionId": None},
        {**FORM, "sessionId": 5},
        # The request of a prompt is no log-in, and nothing that others made is.
        *({**FORM, "sessionId": None, "requestId": at} for at in (True, 1, 2, 3, "1", [1])),
    ]
    scene, chat = await talking(stage, tmp_path, ASKING, *questions)
    assert (await scene.turn(chat, "go")).reason == "done"
    assert [answer.get("code") for answer in answers(scene, chat)] == [-32602] * len(questions)
    assert [row for row in scene.rows() if row["body"].get("tool") == "form"] == []


async def test_stop_takes_the_cards_back_and_what_is_asked_after_it_is_cancelled_unseen(
    stage: Stage, tmp_path: Path
) -> None:
    body = """
number = begin()
elicit(0, **QUESTIONS[0])
elicit(1, **QUESTIONS[0])
heard = {}
while len(heard) < 2:
    message = hear()
    if message.get("id") in (0, 1):
        heard[message["id"]] = message
elicit(2, **QUESTIONS[1])
for answer in (heard[0], heard[1], answer_to(2)):
    came(answer)
end(number, "cancelled")
until("never")
"""
    scene, chat = await talking(stage, tmp_path, body, FORM, PAGE)
    turn = scene.say(chat, "go")
    shown = await scene.card()
    await scene.card(lambda other: other.approval_id != shown.approval_id)
    await scene.client.request("agent/stop", {"chatId": chat})
    assert (await turn).reason == "stopped"
    assert answers(scene, chat) == [{"action": "cancel"}] * 3
    late = await scene.answer(shown, "answer", values={"kind": "pg", "more": ""})
    assert late.kind == "alreadyDecided"
    assert outcomes(scene) == ["refused", "refused"]


async def test_an_agent_takes_its_card_back_by_its_request_or_once_its_page_is_done(
    stage: Stage, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    body = f"""
def wait():
    with open({str(gate)!r}) as file:
        file.read()

number = begin()
elicit(0, **QUESTIONS[0])
wait()
send(method="$/cancel_request", params={{"requestId": 0}})
came(answer_to(0))
elicit(1, **QUESTIONS[1])
wait()
for page in ("other", "", None, "e1"):
    send(method="elicitation/complete", params={{"elicitationId": page}})
came(answer_to(1))
end(number)
until("never")
"""
    scene, chat = await talking(stage, tmp_path, body, FORM, PAGE)
    turn = scene.say(chat, "go")
    for asks in ("asks you something", "asks you to open a page"):
        shown = await scene.card(lambda card, asks=asks: asks in words(card.card.title))
        await asyncio.to_thread(gate.write_text, "on")
        assert (await scene.settled(shown)).outcome == "withdrawn"
    assert (await turn).reason == "done"
    assert [answer["code"] for answer in answers(scene, chat)] == [-32800, -32800]


async def test_no_more_than_ten_are_open_at_once(stage: Stage, tmp_path: Path) -> None:
    body = """
number = begin()
for at in range(11):
    elicit(at, **QUESTIONS[0])
came(answer_to(10))
end(number)
until("never")
"""
    scene, chat = await talking(stage, tmp_path, body, FORM)
    assert (await scene.turn(chat, "go")).reason == "done"
    assert [answer["code"] for answer in answers(scene, chat)] == [-32602]

    def cards() -> set[str]:
        return {card.approval_id for card in scene.client.told("tool/approvalRequest")}

    await scene.client.until(lambda: len(cards()) == 10)
    await scene.client.request("agent/closeChat", {"chatId": chat})


LOGGING_IN: Final = """
asked = until("initialize")
assert asked["params"]["clientCapabilities"]["elicitation"] == {"form": {}, "url": {}}
send(id=asked["id"],
     result={"protocolVersion": 1, "authMethods": [{"id": "device", "name": "Device"}]})
told = []
while True:
    message = hear()
    number = message.get("id")
    if message["method"] == "session/new" and "accept" in told:
        send(id=number, result={"sessionId": "s"})
    elif message["method"] == "session/new":
        send(id=number, error={"code": -32000, "message": "Authentication required"})
    elif message["method"] == "authenticate":
        elicit("ask", sessionId=None, requestId=number, **QUESTIONS[0])
        told.append(answer_to("ask")["result"]["action"])
        elicit("late", sessionId=None, requestId=number - 1, **QUESTIONS[0])
        told.append(answer_to("late")["error"]["code"])
        is_in = told[-2] == "accept"
        send(id=number, **({"result": {}} if is_in else {"error": {"code": 1, "message": "no"}}))
    elif message["method"] == "session/prompt":
        came({"result": told})
        end(number)
"""


@pytest.mark.parametrize("option", ["decline", "open"])
async def test_an_agent_that_logs_a_person_in_asks_them_to_open_its_page(
    stage: Stage, tmp_path: Path, option: str
) -> None:
    scene, chat = await talking(stage, tmp_path, LOGGING_IN, PAGE)
    assert (await scene.outcome(chat, "go")).reason == "error"
    logging_in = scene.client.ask("agent/logIn", {"chatId": chat, "way": "device"})[1]
    shown = await scene.card()
    assert words(shown.card.title) == "One asks you to open a page"
    await scene.answer(shown, option)
    await asyncio.wait_for(logging_in, IN_TIME)
    said = [it.event for it in scene.client.told("agent/event") if it.event.kind == "logIn"]
    if option == "decline":
        assert said[-1].log_in.because == "One could not log you in: no"
    else:
        assert (await scene.turn(chat, "go")).reason == "done"
        assert answers(scene, chat) == [["accept", -32602]]
