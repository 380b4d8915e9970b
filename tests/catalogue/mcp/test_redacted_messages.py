"""What the hub tells without the secrets of its servers, whatever form its answer has."""

from typing import Any

from assent.catalogue.mcp.redacted_messages import RedactedMessages
from tables import each_row


@each_row(
    ("message", "said"),
    [
        ({"id": 1, "is": True}, {"id": 1, "is": True}),
        ({"id": 1, "is": None}, {"id": 1, "is": None}),
        ({"id": 1, "is": "by postgres"}, {"id": 1, "is": "by ⟨secret⟩"}),
        ({"id": 1, "is": ["postgres", 2]}, {"id": 1, "is": ["⟨secret⟩", 2]}),
        ({"id": 1, "is": {"text": "postgres"}}, {"id": 1, "is": {"text": "⟨secret⟩"}}),
        (
            {"is": {"found": [{"name": "postgres", "says": "postgres"}]}},
            {"is": {"found": [{"name": "postgres", "says": "⟨secret⟩"}]}},
        ),
    ],
)
def test_an_answer_of_any_form_is_told_without_the_secret(
    message: dict[str, Any], said: dict[str, Any]
) -> None:
    heard: list[dict[str, Any]] = []
    redacted = RedactedMessages(heard.append)
    redacted.keep(["postgres"])
    redacted(message)
    assert heard == [said]
