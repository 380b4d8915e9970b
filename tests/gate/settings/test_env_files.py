"""A file of variables that a repository wrote is read at once, whatever stands in it."""

import pytest

from assent.gate.settings.env_files import MAX_FILE_BYTES, EnvFileUnfit, variables_in
from tables import each_row


@each_row("begun", ["A=", "A", "", "export ", "A='x'"])
def test_a_long_line_of_blanks_holds_nobody_up(begun: str) -> None:
    with pytest.raises(EnvFileUnfit, match="line 2"):
        variables_in(f"B=1\n{begun}{' ' * MAX_FILE_BYTES}'")


@each_row(
    "name",
    [
        *("Npm_Config_registry", "DOTNET_STARTUP_HOOKS", "ERL_AFLAGS"),
        *("CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS", "npm_config_tokenHelper"),
    ],
)
def test_what_decides_which_code_runs_is_not_taken_unseen(name: str) -> None:
    with pytest.raises(EnvFileUnfit, match=f"it sets {name}, which decides"):
        variables_in(f"{name}=x")


@each_row("name", ["AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "NPM_TOKEN"])
def test_a_key_is_taken_although_its_service_has_variables_that_decide(name: str) -> None:
    assert variables_in(f"{name}=x") == {name: "x"}
