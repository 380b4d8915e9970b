"""Builds the models of our own agent, and what adds another."""

from assent.editor.lsp.connection import Handler
from assent.editor.window.models.adding_models import AddingModels
from assent.editor.window.models.models import Models
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.gate.values import frozen

__all__ = ["ModelsParts", "build_models"]


@frozen
class ModelsParts:
    """What others need of the models."""

    models: Models
    handlers: dict[str, Handler]


def build_models(run: Run, settings: SettingsParts) -> ModelsParts:
    """No model is looked for before somebody could want one."""
    workspace = settings.workspace
    models = Models(run.wire, lambda: workspace.reading, run.board.tell_agents, run.spawn)
    adding = AddingModels(wire=run.wire, workspace=workspace, models=models)
    handlers: dict[str, Handler] = {
        "model/said": models.hear,
        "model/changed": models.look_again,
        "model/hosts": adding.hosts,
        "model/offered": adding.offered,
        "model/add": adding.add,
    }
    return ModelsParts(models, handlers)
