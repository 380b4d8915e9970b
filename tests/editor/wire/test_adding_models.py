"""A model is added from nothing: its host is chosen, lists what it has, one is tried and kept."""

from typing import Any

import pytest

from assent.gate.settings.models.hosters import names_by_place
from assent.gate.settings.own import is_safe
from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.own import model
from editor.wire.scene import Scene, Stage
from models.script import text
from models.server import ModelServer

__all__ = ["model"]

requirement = pytest.mark.requirement
WITHIN = 30.0
WRONG = {"status": 401, "message": "Incorrect API key provided"}


async def begun(stage: Stage, model: ModelServer, **editor: Any) -> Scene:
    env = {"OLLAMA_HOST": model.url, "OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": ""}
    return await stage(editor=Editor(**editor), env=env)


async def offered(scene: Scene, url: str, host: str = "address") -> Any:
    place = {"hostId": host, "url": url}
    return await scene.client.request("model/offered", place, within=WITHIN)


async def add(scene: Scene, url: str, name: str = "tiny", **more: Any) -> Any:
    wanted = {"hostId": "address", "url": url, "model": name, **more}
    return await scene.client.request("model/add", wanted, within=WITHIN)


def kept(scene: Scene) -> Any:
    return scene.editor.layers.get("user", {}).get("models")


@requirement("M-04")
async def test_a_model_is_added_from_nothing_and_replies(stage: Stage, model: ModelServer) -> None:
    scene = await begun(stage, model)
    told = await scene.client.request("model/hosts", {})
    # The beginning is all that a list shows at once.
    ids = [it.id for it in told.hosts]
    assert ids[:4] == ["anthropic", "openai", "azure", "address"]
    assert "openrouter" in ids
    url = f"{model.url}/v1"
    assert (await offered(scene, url)).models == ["tiny"]
    model.reply(text("Here."))
    added = await add(scene, url)
    assert (added.model_id, added.because) == ("openai/tiny", "")
    assert kept(scene) == [{"provider": "openai", "model": "tiny", "url": url}]
    model.reply(text("So."))
    chat = {"agentId": "assent", "model": added.model_id}
    opened = await scene.client.request("agent/newChat", chat)
    await scene.turn(opened.chat_id, "Hello?")
    assert scene.heard(opened.chat_id) == "So."


async def test_what_one_cannot_talk_to_is_not_offered_and_the_newest_stands_first(
    stage: Stage, model: ModelServer
) -> None:
    model.listed = [
        {"id": "older", "created": 1},
        {"id": "text-embedding-3"},
        {"id": "whisper-1", "created": 9},
        {"id": "newer", "created": 2},
    ]
    scene = await begun(stage, model)
    assert (await offered(scene, f"{model.url}/v1")).models == ["newer", "older"]


async def test_an_address_without_a_path_is_looked_at_where_most_hosts_have_their_models(
    stage: Stage, model: ModelServer
) -> None:
    scene = await begun(stage, model)
    told = await offered(scene, f"{model.url}/")
    assert told.models == ["tiny"]
    assert told.url == f"{model.url}/v1"


async def test_the_key_is_read_by_the_name_that_belongs_to_its_host_alone(
    stage: Stage, model: ModelServer
) -> None:
    name = f"KEY_{model.url.partition('//')[2].replace('.', '_').replace(':', '_')}"
    secrets = {f"modelKey.{name}": "its-own", "modelKey.OPENAI_API_KEY": "of-another"}
    scene = await begun(stage, model, secrets=secrets)
    url = f"{model.url}/v1"
    assert (await offered(scene, url)).key_name == name
    [listed] = [it for it in model.others if it.path == "/v1/models"]
    assert listed.headers["authorization"] == "Bearer its-own"
    model.reply(text("Here."))
    await add(scene, url)
    assert kept(scene) == [{"provider": "openai", "model": "tiny", "url": url, "key": name}]
    assert "its-own" not in str(scene.editor.written)


async def test_a_wrong_key_a_model_that_is_not_there_and_nobody_at_all_are_sentences(
    stage: Stage, model: ModelServer
) -> None:
    scene = await begun(stage, model)
    url = f"{model.url}/v1"
    model.reply(WRONG)
    refused = await add(scene, url)
    assert refused.model_id is None
    assert refused.wants_key
    model.reply({"status": 404, "message": "The model `huge` does not exist"})
    absent = await add(scene, url, "huge")
    assert "has no model huge" in absent.because
    assert not absent.wants_key
    nobody = await offered(scene, "http://127.0.0.1:1/v1")
    assert nobody.models == []
    assert "Nobody answers at http://127.0.0.1:1/v1" in nobody.because
    assert kept(scene) is None, "what did not reply is written down nowhere"


@pytest.mark.parametrize("host", ["openai", "anthropic"])
async def test_a_host_that_answers_nobody_without_a_key_has_it_asked_for_first(
    stage: Stage, model: ModelServer, host: str
) -> None:
    told = await offered(await begun(stage, model), "", host)
    assert told.models == []
    assert told.wants_key
    assert told.key_name == f"{host.upper()}_API_KEY"


async def test_one_that_did_not_reply_is_added_where_the_person_wants_it_anyway(
    stage: Stage, model: ModelServer
) -> None:
    scene = await begun(stage, model)
    url = f"{model.url}/v1"
    assert (await add(scene, url, untried=True)).model_id == "openai/tiny"
    assert (await add(scene, url, untried=True)).model_id == "openai/tiny"
    assert len(kept(scene)) == 1, "the same is not written down twice"
    assert model.requests == []


async def test_a_resource_on_azure_is_asked_where_azure_has_it(
    stage: Stage, model: ModelServer
) -> None:
    scene = await begun(stage, model)
    ref = {"hostId": "azure", "url": "My-Resource", "model": "mini", "untried": True}
    assert (await scene.client.request("model/add", ref)).model_id == "openai/mini"
    assert kept(scene) == [
        {
            "provider": "openai",
            "model": "mini",
            "url": "https://my-resource.openai.azure.com/openai/v1",
        }
    ]
    for name in ("", "a.example.org", "a/b", "-a", "a@b", "x" * 65):
        with pytest.raises(Refusal, match="no name of a resource on Azure"):
            await scene.client.request("model/offered", {"hostId": "azure", "url": name})


async def test_what_answers_at_a_port_of_this_machine_is_called_by_its_address(
    stage: Stage, model: ModelServer
) -> None:
    scene = await begun(stage, model)
    hosts = (await scene.client.request("model/hosts", {})).hosts
    here = {host.name: host.url for host in hosts if host.url.startswith("http:")}
    assert here.keys() == {"LM Studio", "llama.cpp", "vLLM"}
    assert all(is_safe(url) for url in here.values())
    assert not {"127.0.0.1", "localhost"} & names_by_place().keys()


@requirement("S-06")
@pytest.mark.parametrize(
    "url", ["http://example.com/v1", "https://u:p@example.com", "file:///etc", "", "https://x/?k=1"]
)
async def test_nothing_is_sent_to_what_is_no_address_for_a_key(
    stage: Stage, model: ModelServer, url: str
) -> None:
    scene = await begun(stage, model)
    with pytest.raises(Refusal, match="no address that a key should be sent to"):
        await offered(scene, url)
    with pytest.raises(Refusal, match="no address that a key should be sent to"):
        await add(scene, url)
    assert kept(scene) is None


async def test_one_whose_name_another_host_has_already_is_told_apart(
    stage: Stage, model: ModelServer
) -> None:
    other = {"provider": "openai", "model": "tiny", "url": "http://127.0.0.1:1/v1"}
    scene = await begun(stage, model, layers={"user": {"models": [other]}})
    added = await add(scene, f"{model.url}/v1", untried=True)
    assert added.model_id == f"tiny ({model.url.partition('//')[2]})"


async def test_models_that_stand_there_already_stay(stage: Stage, model: ModelServer) -> None:
    mine = {"provider": "ollama", "model": "mine"}
    scene = await begun(stage, model, layers={"user": {"models": [mine]}})
    await add(scene, f"{model.url}/v1", untried=True)
    assert kept(scene)[0] == mine
    assert len(kept(scene)) == 2


async def test_a_beginning_tells_what_is_there_and_asks_nobody_elsewhere(
    stage: Stage, model: ModelServer
) -> None:
    model.tags = [{"name": "tiny"}]
    scene = await begun(stage, model)
    told = await scene.client.request("start/look", {}, within=WITHIN)
    [found] = told.found
    assert (found.name, found.says) == ("Ollama", "on this machine, 1 model")
    assert [it.name for it in found.models] == ["tiny (Ollama)"]
    assert told.lacking == ""
    assert len(told.offered) == 3
    model.tags = []
    told = await scene.client.request("start/look", {}, within=WITHIN)
    assert told.found == []
    assert told.lacking.startswith("Ollama runs, and has no model yet")
