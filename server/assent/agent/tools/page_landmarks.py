"""Which parts of a page are invisible, and which only navigate its site."""

import re
from typing import Final

from assent.agent.tools.markup import DEAF, Tag

__all__ = ["OWN", "is_unseen", "leads_around"]

_CONCEALED: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_UNSEEN: Final = DEAF | frozenset("template svg object canvas video audio".split())

_ROLES: Final = {"nav": "navigation", "footer": "contentinfo", "aside": "complementary"}
_AROUND: Final = frozenset({"navigation", "search"})
_ABOUT_SITE: Final = frozenset({"contentinfo", "complementary"})
"""These are about the site where they do not stand within what the page is about."""

OWN: Final = ("article", "main", "section")
"""What a page is about stands within these."""


def leads_around(tag: Tag, *, is_within: bool) -> bool:
    """Whether an element only leads around; `is_within` what the page is about."""
    role = tag.attributes.get("role", "").lower() or _ROLES.get(tag.name, "")
    return role in _AROUND or (role in _ABOUT_SITE and not is_within)


def is_unseen(tag: Tag) -> bool:
    """Whether a reader of the page would not see the element."""
    if tag.name in _UNSEEN or "hidden" in tag.attributes:
        return True
    return _CONCEALED.search(tag.attributes.get("style", "")) is not None
