"""Of a test that runs many times `make test` runs every fourth case, and one at least of each."""

from few_of_many import left_out


def test_every_fourth_case_of_many_is_kept_and_all_of_few() -> None:
    many = [f"test_a.py::test_many[{number}]" for number in range(9)]
    few = [f"test_a.py::test_few[{number}]" for number in range(3)]
    kept = {*many, *few, "test_a.py::test_alone"} - {
        *left_out([*many, *few, "test_a.py::test_alone"])
    }
    assert kept == {*many[::4], *few, "test_a.py::test_alone"}


def test_the_cases_of_one_test_are_counted_wherever_they_stand() -> None:
    names = [f"test_{at}.py::test_it[{number}]" for number in range(4) for at in "ab"]
    assert [name for name in names if name not in left_out(names)] == names[:2]
