"""Finds chats in the file: the newest of a workspace, or those that contain some words."""

from typing import TYPE_CHECKING, Final

from assent.agent.chats import rows

if TYPE_CHECKING:
    import sqlite3

__all__ = ["find", "newest"]

_LIST: Final = f"""
select {rows.COLUMNS}, owner, seal, (select count(*) from items where chat = chats.id) as entries,
  '' as found
from chats where workspace = ? order by touched desc limit ?
"""  # noqa: S608 -- our own column names

_FIND: Final = f"""
with hits as (
  select items.chat as chat, min(words.rowid) as hit from words join items on items.id = words.rowid
  where words match :wanted group by items.chat
)
select {rows.COLUMNS}, owner, seal, (select count(*) from items where chat = chats.id) as entries,
  coalesce((select snippet(words, 0, '', '', ' … ', 12) from words
            where words match :wanted and rowid = hits.hit), '') as found
from chats left join hits on hits.chat = chats.id
where workspace = :workspace and (title like :title escape '\\' or hit is not null)
order by touched desc limit :most
"""  # noqa: S608 -- our own column names


def newest(database: "sqlite3.Connection", workspace: str, most: int) -> list[rows.Row]:
    """The chats of a workspace, those first in which something happened last."""
    return rows.rows_of(database.execute(_LIST, (workspace, most)))


def find(database: "sqlite3.Connection", workspace: str, wanted: str, most: int) -> list[rows.Row]:
    """Those in which all these words were said at once, or whose title has them."""
    wanted = wanted.replace("\0", " ").strip()
    if not wanted:
        return []
    title = "".join(f"\\{char}" if char in "%_\\" else char for char in wanted)
    words = " ".join(f'"{word}"*' for word in wanted.replace('"', " ").split())
    values = {
        "wanted": words or '""',
        "workspace": workspace,
        "title": f"%{title}%",
        "most": most,
    }
    return rows.rows_of(database.execute(_FIND, values))
