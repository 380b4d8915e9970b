"""The parts of a trial's changes among which a person chooses."""

from assent.agent.tools.trial_choices import chosen_of, parts_of
from assent.gate.sandbox.changes import Change, Kind


def of(text: str) -> list[Change]:
    """Changes, written as `kind path` with commas between them."""
    rows = (row.split() for row in text.split(","))
    return [Change(kind=Kind(kind), path=path) for kind, path in rows]


def test_the_parts_of_changes() -> None:
    for text, folded, wanted in [
        ("made a, changed b", "", "a b"),
        ("deleted a, made b", "", "a (deleted) b"),
        ("made b, deleted a", "", "a (deleted) b"),
        ("folder new, made new/a, made new/b", "", "new/a new/b"),
        ("folder new, folder new/empty", "", "new/empty"),
        ("folder new", "", "new"),
        ("folder new, made new/a, made new/b", "new", "new/"),
        ("changed .git/index, made .git/refs/heads/x, made a", "", ".git/ a"),
        ("folder sub, folder sub/.git, made sub/.git/HEAD, made sub/a", "", "sub/.git/ sub/a"),
        # A folder in the place of a file, or of another folder: the one is not without the other.
        ("deleted d, folder d, made d/a", "", "d/"),
        ("deleted d, made d", "", "d"),
        ("mode d, made d/a", "", "d d/a"),
        # Half of a repository, or a repository without what it is of, is nothing.
        ("folder c, made c/a, folder c/.git, made c/.git/HEAD", "c", "c/"),
        ("deleted f, folder f, folder f/.git, made f/.git/HEAD, made f/x", "", "f/"),
        ("folder w, made w/.git, made w/a", "", "w/.git w/a"),
        ("changed .GIT/index, changed a", "", ".GIT/ a"),
    ]:
        parts = parts_of(of(text), {*folded.split()})
        assert " ".join(dict.fromkeys(parts.values())) == wanted, text


def test_what_is_chosen_comes_with_the_new_folders_that_it_lies_in() -> None:
    for text, chosen, wanted in [
        ("made a, changed b", "b", "b"),
        ("folder n, folder n/m, made n/m/a, made n/b", "n/m/a", "n n/m n/m/a"),
        ("folder n, folder n/m, made n/m/a, made n/b", "n/b", "n n/b"),
        ("deleted d, folder d, made d/a, made e", "d/", "d d d/a"),
        ("deleted d, folder d, made d/a, made e", "e", "e"),
        ("mode d, made d/a", "d/a", "d/a"),
    ]:
        changes = of(text)
        taken = chosen_of(changes, parts_of(changes, set()), {*chosen.split()})
        assert " ".join(change.path for change in taken) == wanted, (text, chosen)


def test_all_parts_together_are_all_of_the_changes() -> None:
    changes = of("folder n, made n/a, deleted d, folder d, made d/a, mode m, changed .git/index")
    parts = parts_of(changes, set())
    assert chosen_of(changes, parts, {*parts.values()}) == changes


def test_there_is_no_choice_among_too_many_or_by_a_name_that_cannot_be_shown() -> None:
    many = of(",".join(f"made {number}" for number in range(201)))
    unseen = [
        [*of("made a"), Change(kind=Kind.MADE, path=path)]
        for path in ("b\n", "a\u034f", "a\ufe0f", "a\u200b", "b" * 1_001)
    ]
    for changes in (many, *unseen):
        assert parts_of(changes, set()) == {}
        assert chosen_of(changes, {}, set()) == changes
