"""`assent.telemetry`: where counts are sent; only the person's own settings can say.

A workspace that could name a collector would be told of each call. What is not surely a place of
the person's own is none: nothing goes over the network that others could read on the way.
"""

from typing import Final

from pydantic import ValidationError

from assent.gate.settings.complaints import Complaints
from assent.gate.settings.layers import Layer
from assent.gate.settings.shapes import TelemetrySetting
from assent.gate.text.addresses import is_private

__all__ = ["TELLS_NOTHING", "TelemetrySetting", "telemetry_of"]

TELLS_NOTHING: Final = TelemetrySetting.model_construct()


def telemetry_of(value: object, complaints: Complaints) -> TelemetrySetting:
    """What the person says of it; what cannot be understood sends nothing."""
    if value is None:
        return TELLS_NOTHING
    try:
        setting = TelemetrySetting.model_validate(value)
    except (ValidationError, RecursionError):
        return _nothing("assent.telemetry could not be understood, so nothing is sent.", complaints)
    endpoint = setting.endpoint.rstrip("/")
    if endpoint and not _is_fit(endpoint):
        sentence = (
            "The endpoint in assent.telemetry is none that anything is sent to: it begins with"
            " `https://`, or on this machine with `http://localhost`, `http://127.0.0.1` or"
            " `http://[::1]`, and names neither a user nor a question."
        )
        return _nothing(sentence, complaints)
    return setting.model_copy(update={"endpoint": endpoint})


def _nothing(sentence: str, complaints: Complaints) -> TelemetrySetting:
    complaints.refuse(Layer.USER.value, ("telemetry",), sentence)
    return TELLS_NOTHING


def _is_fit(endpoint: str) -> bool:
    return is_private(endpoint) and "?" not in endpoint
