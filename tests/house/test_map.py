"""The pictures of the imports: no arrow leads upwards, nothing forms a cycle, both are fresh."""

from graphlib import TopologicalSorter
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from house.map import MAPS, Map, imports_between, needed_arrows

PACKAGES, GATE = MAPS
EACH_MAP = pytest.mark.parametrize("drawn", MAPS, ids=lambda drawn: drawn.package)


@EACH_MAP
def test_no_arrow_leads_upwards_or_sideways(drawn: Map) -> None:
    row_of = {name: number for number, row in enumerate(drawn.rows()) for name in row}
    edges = imports_between(drawn.package)
    assert [edge for edge in sorted(edges) if row_of[edge[0]] >= row_of[edge[1]]] == []


@EACH_MAP
def test_the_imports_form_no_cycle(drawn: Map) -> None:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for importer, imported in imports_between(drawn.package):
        sorter.add(importer, imported)
    sorter.prepare()  # raises CycleError


@EACH_MAP
def test_the_picture_in_docs_is_what_the_code_gives(drawn: Map) -> None:
    assert drawn.file.read_text("utf-8") == drawn.svg(), "run `make map`"


@EACH_MAP
def test_each_part_has_a_box_and_each_drawn_arrow_points_down(drawn: Map) -> None:
    picture = ET.fromstring(drawn.svg())  # noqa: S314 -- it is our own
    elements = {
        kind: [it for it in picture.iter() if (it.get("class") or "").split()[:1] == [kind]]
        for kind in ("name", "arrow", "head", "also")
    }
    assert {it.text for it in elements["name"]} == {name for row in drawn.rows() for name in row}
    assert len(elements["arrow"]) == len(elements["head"]) > 5
    for arrow in elements["arrow"]:
        numbers = [float(it) for it in (arrow.get("d") or "").strip("M").replace("C", " ").split()]
        assert all(above < below for above, below in pairwise(numbers[1::6]))


def test_every_import_between_parts_of_the_gate_is_an_arrow_or_named_in_a_box() -> None:
    edges = imports_between(GATE.package)
    picture = ET.fromstring(GATE.svg())  # noqa: S314 -- it is our own
    lines = [it.text or "" for it in picture.iter() if it.get("class") == "also"]
    entries = [entry for line in lines for entry in line.split(" · ")]
    others = edges.keys() - needed_arrows(set(edges))
    assert sorted(entries) == sorted(f"{edge[1]} {edges[edge]}" for edge in others)


def test_an_arrow_is_needed_unless_another_path_leads_to_its_target() -> None:
    edges = {("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")}
    assert needed_arrows(edges) == {("a", "b"), ("b", "c"), ("a", "d")}


def test_the_six_packages_are_all_there_is() -> None:
    assert [set(row) for row in PACKAGES.rows()] == [
        {"cli"},
        {"editor"},
        {"agent", "hosting"},
        {"catalogue"},
        {"gate"},
    ]
