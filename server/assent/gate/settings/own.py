"""The settings of our own agent: models, web search, limits of a turn.

Models and addresses are the person's own: what a workspace's settings say of them does nothing,
since a key would be sent there. A workspace can shorten a turn and never lengthen it.
"""

import json
from typing import Final, get_args

from pydantic import ValidationError

from assent.gate.settings.collections import CollectionEntry, collections_of
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.database import Database, database_of
from assent.gate.settings.layers import Layer, said, shown
from assent.gate.settings.model import DEFAULTS, Settings
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.settings.shapes import KeepSetting, ModelSetting, ShellName
from assent.gate.settings.telemetry import TELLS_NOTHING, TelemetrySetting, telemetry_of
from assent.gate.settings.tool_servers import ServerEntry, servers_of
from assent.gate.settings.workers import FUNCTIONS, NODETOOL, nodes_of, nodetool_of, without_taken
from assent.gate.text.addresses import address_of
from assent.gate.values import evolve, frozen

__all__ = ["KEEPS_ALL", "MAX_MODELS", "NOTHING_OWN", "Own", "is_safe", "own_of"]

MAX_MODELS: Final = 50
KEEPS_ALL: Final = KeepSetting.model_construct(days=3_650, megabytes=100_000)
"""As long, and as much, as can be said."""
_PERSONAL: Final = (
    "models",
    "searchUrl",
    "mcpServers",
    "nodetool",
    "nodes",
    "collectionsUrl",
    "shell",
    "keepChats",
    "telemetry",
)


@frozen(kw_only=True)
class Own:
    """What our own agent works with."""

    models: tuple[Model, ...] = ()
    search_url: str = ""
    servers: tuple[ServerEntry, ...] = ()
    """The servers whose tools it may find."""
    nodetool: str = ""
    """The interpreter that has nodetool's worker; nothing where there is none."""
    nodes: tuple[str, ...] = ()
    """The files whose functions are nodes."""
    collections: tuple[CollectionEntry, ...] = ()
    """The documents that it may search."""
    database: Database | None = None
    """The team's database in which their indexes are; None where they are on this machine."""
    shell: ShellName = DEFAULTS.shell
    """What runs its commands."""
    keep: KeepSetting = DEFAULTS.keep_chats
    """How long chats are kept, and how much of them."""
    telemetry: TelemetrySetting = TELLS_NOTHING
    """Who is told how many calls were decided how."""
    requests: int = DEFAULTS.requests_per_turn
    """How often a model may be asked within one turn."""
    tokens: int = DEFAULTS.tokens_per_turn
    """How many tokens one turn may take."""
    part_tokens: int = DEFAULTS.tokens_per_part
    """How many tokens one part of the work may take."""
    writes: int = DEFAULTS.writes_per_turn
    """How many changes to files one turn may make."""


NOTHING_OWN: Final = Own()


def own_of(keys: object, complaints: Complaints, *, trusted: bool) -> Own:
    """What the settings say of our own agent."""
    for key in _PERSONAL:
        for layer in said(keys, key):
            if layer is not Layer.USER:
                sentence = (
                    f"assent.{key} counts in your user settings alone, not in {layer.words!s}."
                )
                complaints.refuse(layer.value, (key,), sentence)
    nodetool = nodetool_of(said(keys, "nodetool").get(Layer.USER), complaints)
    nodes = nodes_of(said(keys, "nodes").get(Layer.USER), complaints)
    taken = [name for name, entry in ((NODETOOL, nodetool), (FUNCTIONS, nodes)) if entry]
    servers = servers_of(said(keys, "mcpServers").get(Layer.USER), complaints)
    return Own(
        models=_models(said(keys, "models").get(Layer.USER), complaints),
        search_url=_search_url(said(keys, "searchUrl").get(Layer.USER), complaints),
        servers=without_taken(servers, taken, complaints),
        nodetool=nodetool,
        nodes=nodes,
        collections=collections_of(keys, complaints, trusted=trusted),
        database=database_of(said(keys, "collectionsUrl").get(Layer.USER), complaints),
        shell=_shell(said(keys, "shell").get(Layer.USER), complaints),
        keep=_keep(said(keys, "keepChats").get(Layer.USER), complaints),
        telemetry=telemetry_of(said(keys, "telemetry").get(Layer.USER), complaints),
        requests=_least(keys, "requestsPerTurn", DEFAULTS.requests_per_turn, complaints),
        tokens=_least(keys, "tokensPerTurn", DEFAULTS.tokens_per_turn, complaints),
        part_tokens=_least(keys, "tokensPerPart", DEFAULTS.tokens_per_part, complaints),
        writes=_least(keys, "writesPerTurn", DEFAULTS.writes_per_turn, complaints),
    )


def _models(value: object, complaints: Complaints) -> tuple[Model, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_MODELS:
        sentence = "assent.models could not be understood, so it adds no model."
        complaints.refuse(Layer.USER.value, ("models",), sentence)
        return ()
    models: dict[str, Model] = {}
    for index, given in enumerate(value):
        try:
            model = _model(ModelSetting.model_validate(given))
        except (ValueError, RecursionError):
            # Also where its body is no JSON, or goes too deep for any.
            why = f"Model {index + 1} in assent.models could not be understood, so it is left out."
            complaints.refuse(Layer.USER.value, ("models", index), why)
            continue
        if model.url and not is_safe(model.url):
            why = (
                f"The address {shown(model.url)} of {shown(model.model)} in assent.models is none"
                " that a key should be sent to: it begins with `https://`, or is on this"
                " machine or in its own network."
            )
            complaints.refuse(Layer.USER.value, ("models", index), why)
            continue
        models.setdefault(model.id, model)
    return tuple(models.values())


def _model(setting: ModelSetting) -> Model:
    dialect = Dialect(setting.provider)
    model = Model(
        id=setting.name or f"{dialect}/{setting.model}",
        name=setting.name,
        dialect=dialect,
        model=setting.model,
        url=setting.url.rstrip("/"),
        key=setting.key,
        window=setting.window,
        effort=setting.effort or "",
        path=setting.path,
        headers=tuple(setting.headers.items()),
        body=json.dumps(setting.body, allow_nan=False) if setting.body else "",
        kinds=tuple(setting.kinds),
    )
    return evolve(model, name=setting.name or f"{setting.model} ({_place(model)})")


def _place(model: Model) -> str:
    """Who hosts a model, or plays one."""
    return host_of(model, None).name if model.dialect.has_host else str(model.dialect)


def is_safe(url: str) -> bool:
    """Whether what is sent there cannot be read on the way, or only in one's own network."""
    address = address_of(url)
    return address is not None and (url.lower().startswith("https://") or address.near)


def _search_url(value: object, complaints: Complaints) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, str) and "?" not in value and address_of(value) is not None:
        return value
    sentence = "assent.searchUrl is no plain web address, so the web is not searched."
    complaints.refuse(Layer.USER.value, ("searchUrl",), sentence)
    return ""


def _shell(value: object, complaints: Complaints) -> ShellName:
    usual = DEFAULTS.shell
    try:
        return usual if value is None else Settings.model_validate({"shell": value}).shell
    except ValidationError:
        names = ", ".join(get_args(ShellName))
        sentence = f"assent.shell is none of {names}, so {usual} runs commands."
        complaints.refuse(Layer.USER.value, ("shell",), sentence)
        return usual


def _keep(value: object, complaints: Complaints) -> KeepSetting:
    """What cannot be understood deletes nothing."""
    try:
        return DEFAULTS.keep_chats if value is None else KeepSetting.model_validate(value)
    except (ValidationError, RecursionError):
        sentence = "assent.keepChats could not be understood, so no kept chat or card is deleted."
        complaints.refuse(Layer.USER.value, ("keepChats",), sentence)
        return KEEPS_ALL


def _least(keys: object, key: str, default: int, complaints: Complaints) -> int:
    """The least that any layer says."""
    limits = []
    for layer, value in said(keys, key).items():
        try:
            settings = Settings.model_validate({key: value})
        except ValidationError:
            sentence = (
                f"assent.{key} in {layer.words!s} could not be understood, so {default} counts."
            )
            complaints.refuse(layer.value, (key,), sentence)
        else:
            limits.append(int(settings.model_dump(by_alias=True)[key]))
            default = max(default, limits[-1]) if layer is Layer.USER else default
    return min([default, *limits])
