"""What a pattern stands for on the disk."""

from pathlib import Path

from assent.gate.disk.places import Places


def test_a_pattern_finds_files_in_a_folder_whose_name_looks_like_one(tmp_path: Path) -> None:
    folder = tmp_path / "a[b]*"
    folder.mkdir()
    (folder / "x.ts").write_text("x")
    places = Places(roots=(str(folder),), home=str(tmp_path))
    assert places.names("*.ts", str(folder)) == (f"{folder}/./x.ts",)
