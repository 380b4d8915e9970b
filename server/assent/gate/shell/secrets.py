"""Variables whose names say that they hold a secret."""

import re
from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = ["tells_secrets"]

_SECRET: Final = late(
    r"\$\{?[!#]?\w*(?:TOKEN(?!IZ)|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL)",
    re.IGNORECASE,
)


def tells_secrets(text: str) -> bool:
    """Whether a variable is named in it whose name says that it is nobody's business.

    >>> tells_secrets("Authorization: ${GITHUB_TOKEN}"), tells_secrets("the token of $USER")
    (True, False)
    """
    return _SECRET.search(text) is not None
