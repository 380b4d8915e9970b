"""Adds a model for a person: lists what its host has, tries one, writes it down.

What it is asked with is kept in the editor under a name, and read here by that name: no key comes
or goes over these messages. The name of a key belongs to one host, so that a typed address is
never sent what another host's key is called.
"""

from contextlib import suppress
from typing import Any, Final

from assent.agent.models.provider import ModelFailed
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import beginning as shapes
from assent.editor.window.models.models import Models
from assent.editor.window.settings.setting_writes import twice, write
from assent.editor.window.settings.workspace import Workspace
from assent.gate.call.errors import AssentError
from assent.gate.settings.models.hosters import HOSTERS, Hoster, azure, key_name_at
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.settings.own import MAX_MODELS, is_safe
from assent.gate.values import define, frozen

__all__ = ["ADDRESS", "AddingModels"]

_KEY: Final = "models"
ADDRESS: Final = "address"
"""The host whose address the person types."""
AZURE: Final = "azure"
"""The host of which the person types what their resource is called."""
_TYPED: Final = "Another address"
_NO_RESOURCE: Final = (
    "That is no name of a resource on Azure: it has letters, digits and hyphens, such as"
    " `my-resource` of `https://my-resource.openai.azure.com`."
)
_UNSAFE: Final = (
    "That is no address that a key should be sent to: it begins with `https://`, or is on this"
    " machine or in its own network (`http://127.0.0.1:8080/v1`)."
)
_NONE: Final = "{} lists no model that one can talk to. Write down what it is called there."
_FULL: Final = f"There are {MAX_MODELS} models in your settings already; take one out first."
_BELOW: Final = "/v1"
"""Where models are asked on most hosts whose address somebody wrote without a path."""


@frozen(kw_only=True)
class _Place:
    """A host, as a model of it would be written down."""

    hoster: Hoster
    url: str

    def model(self, name: str = "") -> Model:
        """One of its models."""
        dialect = self.hoster.dialect
        return Model(
            id=f"{dialect}/{name}",
            name=name,
            dialect=dialect,
            model=name,
            url=self.url,
            key=self.hoster.key_name,
        )

    def entry(self, name: str, *, keyed: bool) -> dict[str, Any]:
        """The setting of one: what goes without saying is left out."""
        setting: dict[str, Any] = {"provider": str(self.hoster.dialect), "model": name}
        if self.hoster.is_own:
            return setting
        return {**setting, "url": self.url, **({"key": self.hoster.key_name} if keyed else {})}


@define(kw_only=True)
class AddingModels:
    """One for the whole server."""

    _wire: Wire
    _workspace: Workspace
    _models: Models

    async def hosts(self, _: object) -> shapes.ModelHosts:
        """`model/hosts`: those to choose from, and those whose place the person types."""
        known = [await self._describe_host(hoster) for hoster in HOSTERS]
        typed = [
            shapes.ModelHost(id=id_, name=name, url="", key_name="", has_key=False)
            for id_, name in ((AZURE, "Azure OpenAI"), (ADDRESS, _TYPED))
        ]
        # A list shows only its beginning: whoever has an address should see where it goes.
        first = {AZURE, ADDRESS, *(hoster.id for hoster in HOSTERS if hoster.is_own)}
        hosts = sorted([*known, *typed], key=lambda host: host.id not in first)
        return shapes.ModelHosts(hosts=hosts)

    async def offered(self, params: shapes.ModelPlace) -> shapes.ModelsOffered:
        """`model/offered`: what the host says that it has."""
        place = _place(params.host_id, params.url)
        try:
            models, place = await self._listed(place)
        except ModelFailed as no:
            return _without(place, str(no), wants_key=no.wants_key)
        because = "" if models else _NONE.format(place.hoster.name)
        return _offer(place, models, because)

    async def add(self, params: shapes.AddModel) -> shapes.ModelAdded:
        """`model/add`: tried first, unless the person has seen that fail and wants it anyway."""
        place = _place(params.host_id, params.url)
        model = place.model(params.model)
        if not params.untried:
            try:
                await self._try_out(model)
            except ModelFailed as no:
                return shapes.ModelAdded(model_id=None, because=str(no), wants_key=no.wants_key)
        keyed = await self._models.has_key(place.hoster.key_name)
        entry = place.entry(params.model, keyed=keyed)
        await twice(lambda: self._write(entry))
        await self._workspace.reload()
        return shapes.ModelAdded(model_id=self._id_of(entry))

    async def _describe_host(self, hoster: Hoster) -> shapes.ModelHost:
        return shapes.ModelHost(
            id=hoster.id,
            name=hoster.name,
            url=hoster.url,
            key_name=hoster.key_name,
            has_key=await self._models.has_key(hoster.key_name),
        )

    async def _listed(self, place: _Place) -> tuple[list[str], _Place]:
        """The models there; of an address without a path, also where most hosts have them."""
        from assent.agent.models.model_lists import models_at  # noqa: PLC0415 -- only where one is added

        try:
            return await models_at(await self._models.host(place.model())), place
        except ModelFailed as no:
            below = _below(place)
            if no.wants_key or below is None:
                raise
            with suppress(ModelFailed):
                return await models_at(await self._models.host(below.model())), below
            raise

    async def _try_out(self, model: Model) -> None:
        from assent.agent.models.model_lists import try_out  # noqa: PLC0415 -- only where one is added

        await try_out(await self._models.fresh(model))

    async def _write(self, entry: dict[str, Any]) -> None:
        await self._workspace.reload()
        setting = self._workspace.keys.get(_KEY, {}).get("user")
        before = setting if isinstance(setting, list) else []
        if any(_is_same(known, entry) for known in before):
            return
        if len(before) >= MAX_MODELS:
            raise AssentError(_FULL)
        new_entry = self._told_apart(entry)
        await write(self._wire, "user", _KEY, before=setting, value=[*before, new_entry])

    def _told_apart(self, entry: dict[str, Any]) -> dict[str, Any]:
        """With a name of its own where one of another host has the usual one."""
        usual = f"{entry['provider']}/{entry['model']}"
        if all(model.id != usual for model in self._workspace.reading.own.models):
            return entry
        place = entry.get("url", "").partition("//")[2].partition("/")[0] or entry["provider"]
        return {**entry, "name": f"{entry['model'][:40]} ({place[:35]})"}

    def _id_of(self, entry: dict[str, Any]) -> str | None:
        """The model by the id that it has now, in which the person may have named it."""
        url = entry.get("url", "").rstrip("/")
        for model in self._workspace.reading.own.models:
            if (model.dialect, model.model, model.url) == (entry["provider"], entry["model"], url):
                return model.id
        return None


def _place(host_id: str, url: str) -> _Place:
    """What a person chose, or typed; an address to which nothing should be sent is refused."""
    if host_id == ADDRESS:
        place = url.strip().rstrip("/")
        if not is_safe(place) or "?" in place or "#" in place:
            raise AssentError(_UNSAFE)
        return _Place(hoster=_typed(place), url=place)
    if host_id == AZURE:
        at_azure = azure(url.strip())
        if at_azure is None:
            raise AssentError(_NO_RESOURCE)
        return _Place(hoster=_typed(at_azure), url=at_azure)
    known_host = next((hoster for hoster in HOSTERS if hoster.id == host_id), None)
    if known_host is None:
        raise AssentError("There is no such host of models.")
    return _Place(hoster=known_host, url="" if known_host.is_own else known_host.url)


def _typed(url: str) -> Hoster:
    return Hoster(
        id=ADDRESS,
        name=url.partition("//")[2].partition("/")[0],
        dialect=Dialect.OPENAI,
        url=url,
        key_name=key_name_at(url),
    )


def _below(place: _Place) -> _Place | None:
    is_bare = place.hoster.id == ADDRESS and "/" not in place.url.partition("//")[2]
    return _place(ADDRESS, place.url + _BELOW) if is_bare else None


def _offer(place: _Place, models: list[str], because: str) -> shapes.ModelsOffered:
    key_name = place.hoster.key_name
    return shapes.ModelsOffered(models=models, url=place.url, key_name=key_name, because=because)


def _without(place: _Place, because: str, *, wants_key: bool) -> shapes.ModelsOffered:
    offer = _offer(place, [], because)
    return offer.model_copy(update={"wants_key": wants_key})


def _is_same(known: object, entry: dict[str, Any]) -> bool:
    return isinstance(known, dict) and all(
        known.get(member) == entry.get(member) for member in ("provider", "model", "url")
    )
