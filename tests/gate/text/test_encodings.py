"""What is taken for Windows-1252, and what is no encoding that is known."""

from assent.gate.text.encodings import Encoding, decoded
from tables import each_row


@each_row(
    "text", ["créée à Zürich – “naïve” 5 €", "Größe: 5 µm © 2020", "x = 'ü'", "GRÖSSE – ÜBER"]
)
def test_what_western_people_write_is_windows_1252(text: str) -> None:
    assert decoded(text.encode("cp1252")) == (text, Encoding.WINDOWS)


@each_row(
    ("text", "encoding"),
    [
        ("A = 1 /* テスト */", "shift_jis"),
        ("a = 1 # ア", "shift_jis"),
        ("int x; // 功能", "big5"),
        ("x = 1  # 中文的字", "gbk"),
        ("# привет", "cp1251"),
        ("# привет, как дела", "koi8-r"),
        ("テスト", "iso-2022-jp"),
        ("value = x\r\n", "utf-16-le"),
        ("value = x\r\n", "utf-16-be"),
    ],
)
def test_what_others_write_is_nothing_that_is_known(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) is None
