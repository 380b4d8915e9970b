"""Every message of ours, in one table.

The table feeds the server's converter, `client-ts/src/shared/protocol.ts`, the golden messages and
the extension's allow-list. What is not in it is not spoken.
"""

from typing import Final

from assent.editor.protocol import (
    agents,
    approvals,
    beginning,
    changes,
    chats,
    collections,
    earlier,
    editor,
    editor_models,
    happenings,
    history,
    offers,
    records,
    references,
    replicas,
    repositories,
    rules,
    sight,
    terminals,
    toolservers,
)
from assent.editor.protocol.method import Method

__all__ = ["BY_NAME", "METHODS"]


METHODS: Final[tuple[Method, ...]] = (
    # Approvals.
    Method(
        name="tool/approvalRequest",
        sender="server",
        params=approvals.ApprovalRequest,
        webview=True,
    ),
    Method(
        name="tool/approvalResponse",
        sender="client",
        params=approvals.ApprovalResponse,
        result=approvals.Receipt,
        webview=True,
    ),
    Method(
        name="tool/approvalSettled",
        sender="server",
        params=approvals.ApprovalSettled,
        webview=True,
    ),
    Method(
        name="tool/card",
        sender="client",
        params=approvals.WantCard,
        result=approvals.CardShown,
        webview=True,
    ),
    Method(
        name="tool/openDiff",
        sender="client",
        params=editor.OpenDiffTicket,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="tool/editText",
        sender="client",
        params=approvals.EditText,
        result=approvals.TextEdited,
    ),
    Method(
        name="tool/kill",
        sender="client",
        params=records.CallRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="tool/background",
        sender="client",
        params=records.CallRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="tool/undo",
        sender="client",
        params=records.CallRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="tool/again",
        sender="client",
        params=records.FlowAgain,
        result=chats.TurnEnd,
        webview=True,
    ),
    Method(
        name="tool/record",
        sender="client",
        params=records.WantRecord,
        result=records.RecordKept,
        webview=True,
    ),
    Method(
        name="tool/sound",
        sender="client",
        params=records.WantRecord,
        result=agents.SoundKept,
        webview=True,
    ),
    Method(
        name="tool/openRecordDiff",
        sender="client",
        params=records.RecordFile,
        result=chats.Nothing,
        webview=True,
    ),
    # Files that were changed.
    Method(
        name="change/show",
        sender="client",
        params=changes.WantChange,
        result=changes.ChangeShown,
        webview=True,
    ),
    Method(
        name="change/openDiff",
        sender="client",
        params=changes.WantChange,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="change/openDiffs",
        sender="client",
        params=changes.AtChanges,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="change/keep",
        sender="client",
        params=changes.AtChanges,
        result=changes.ChangesDone,
        webview=True,
    ),
    Method(
        name="change/undo",
        sender="client",
        params=changes.AtChanges,
        result=changes.ChangesDone,
        webview=True,
    ),
    Method(
        name="change/keepHunk",
        sender="client",
        params=changes.AtHunk,
        result=changes.ChangesDone,
        webview=True,
    ),
    Method(
        name="change/undoHunk",
        sender="client",
        params=changes.AtHunk,
        result=changes.ChangesDone,
        webview=True,
    ),
    Method(
        name="change/redo",
        sender="client",
        params=changes.Redo,
        result=changes.ChangesDone,
        webview=True,
    ),
    Method(
        name="chat/planRewind",
        sender="client",
        params=changes.WantRewind,
        result=changes.RewindPlan,
        webview=True,
    ),
    Method(
        name="chat/rewind",
        sender="client",
        params=changes.Rewind,
        result=changes.ChangesDone,
        webview=True,
    ),
    # Shells.
    Method(name="shell/list", sender="client", params=chats.ChatRef, result=records.ShellList),
    Method(
        name="shell/output",
        sender="client",
        params=records.ReadShell,
        result=records.ShellOutput,
    ),
    Method(
        name="shell/kill",
        sender="client",
        params=records.ShellRef,
        result=chats.Nothing,
        webview=True,
    ),
    # Rules.
    Method(
        name="tool/previewRules",
        sender="client",
        params=rules.Preview,
        result=rules.Previewed,
        webview=True,
    ),
    Method(name="policy/rules", sender="client", params=chats.Nothing, result=rules.RuleList),
    Method(name="policy/remove", sender="client", params=rules.RemoveRule, result=chats.Nothing),
    Method(name="policy/switch", sender="client", params=rules.SwitchRule, result=chats.Nothing),
    Method(name="policy/explain", sender="client", params=rules.Explain, result=rules.Explained),
    # The journal.
    Method(name="journal/startNew", sender="client", params=chats.Nothing, result=chats.Nothing),
    Method(
        name="history/list",
        sender="client",
        params=history.WantHistory,
        result=history.HistoryPage,
        webview=True,
    ),
    Method(
        name="history/show",
        sender="client",
        params=history.RecordRef,
        result=history.HistoryRecord,
        webview=True,
    ),
    Method(
        name="history/previewRule",
        sender="client",
        params=history.PreviewRule,
        result=rules.Previewed,
        webview=True,
    ),
    Method(
        name="history/makeRule",
        sender="client",
        params=history.MakeRule,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="history/revoke",
        sender="client",
        params=history.RecordRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="history/askAgain",
        sender="client",
        params=history.RecordRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="history/export", sender="client", params=history.WantExport, result=history.Exported
    ),
    Method(
        name="history/insights",
        sender="client",
        params=history.WantInsights,
        result=history.InsightsPage,
    ),
    # Chats.
    Method(
        name="agent/subscribe",
        sender="client",
        params=replicas.Subscribe,
        result=replicas.Subscribed,
        webview=True,
    ),
    Method(name="agent/event", sender="server", params=happenings.AgentEvent, webview=True),
    Method(
        name="agent/turns",
        sender="client",
        params=chats.WantTurns,
        result=chats.Turns,
        webview=True,
    ),
    Method(
        name="agent/list",
        sender="client",
        params=chats.Nothing,
        result=chats.AgentList,
        webview=True,
    ),
    Method(
        name="agent/newChat",
        sender="client",
        params=chats.NewChat,
        result=chats.ChatRef,
        webview=True,
    ),
    Method(
        name="agent/closeChat",
        sender="client",
        params=chats.ChatRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/prompt",
        sender="client",
        params=chats.Prompt,
        result=chats.TurnEnd,
        webview=True,
    ),
    Method(
        name="agent/references",
        sender="client",
        params=references.WantReferences,
        result=references.ReferencesFound,
        webview=True,
    ),
    Method(
        name="agent/stop",
        sender="client",
        params=chats.ChatRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/retry",
        sender="client",
        params=chats.ChatRef,
        result=chats.TurnEnd,
        webview=True,
    ),
    Method(
        name="agent/tryNow",
        sender="client",
        params=chats.ChatRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/setMode",
        sender="client",
        params=chats.SetMode,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/setModel",
        sender="client",
        params=chats.SetModel,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/setEffort",
        sender="client",
        params=chats.SetEffort,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/setOption",
        sender="client",
        params=agents.SetOption,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/answerLater",
        sender="client",
        params=approvals.AnswerLater,
        result=chats.Nothing,
        webview=True,
    ),
    Method(
        name="agent/bypass",
        sender="client",
        params=editor.Bypass,
        result=chats.Nothing,
        webview=True,
    ),
    # Chats that are kept.
    Method(name="chat/list", sender="client", params=earlier.ListChats, result=earlier.ChatList),
    Method(name="chat/open", sender="client", params=chats.ChatRef, result=chats.ChatRef),
    Method(
        name="chat/continue",
        sender="client",
        params=chats.ChatRef,
        result=chats.Nothing,
        webview=True,
    ),
    Method(name="chat/rename", sender="client", params=earlier.RenameChat, result=chats.Nothing),
    Method(name="chat/delete", sender="client", params=chats.ChatRef, result=chats.Nothing),
    Method(name="chat/export", sender="client", params=earlier.ExportChat, result=earlier.ChatText),
    # Adding an agent.
    Method(name="agent/offers", sender="client", params=chats.Nothing, result=offers.AgentOffers),
    Method(
        name="agent/add", sender="client", params=offers.AgentOfferRef, result=offers.AgentAdded
    ),
    Method(
        name="agent/stopAdding",
        sender="client",
        params=offers.AgentOfferRef,
        result=chats.Nothing,
    ),
    # A beginning, and adding a model.
    Method(
        name="start/look",
        sender="client",
        params=chats.Nothing,
        result=beginning.Beginnings,
        webview=True,
    ),
    Method(name="model/hosts", sender="client", params=chats.Nothing, result=beginning.ModelHosts),
    Method(
        name="model/offered",
        sender="client",
        params=beginning.ModelPlace,
        result=beginning.ModelsOffered,
    ),
    Method(
        name="model/add", sender="client", params=beginning.AddModel, result=beginning.ModelAdded
    ),
    # Agents in terminals.
    Method(
        name="terminal/list",
        sender="client",
        params=chats.Nothing,
        result=terminals.TerminalAgents,
    ),
    Method(
        name="terminal/change",
        sender="client",
        params=terminals.ChangeTerminal,
        result=terminals.TerminalChanged,
    ),
    # Logging in to agents.
    Method(
        name="agent/logIn",
        sender="client",
        params=agents.LogInBy,
        result=chats.Nothing,
        webview=True,
    ),
    Method(name="agent/wishLogIn", sender="client", params=chats.ChatRef, result=chats.Nothing),
    # Repositories that configure an agent.
    Method(
        name="repository/list",
        sender="client",
        params=chats.Nothing,
        result=repositories.RepositoryAnswers,
    ),
    Method(
        name="repository/forget",
        sender="client",
        params=repositories.ForgetRepository,
        result=chats.Nothing,
    ),
    # Servers of tools.
    Method(
        name="source/list",
        sender="client",
        params=chats.Nothing,
        result=toolservers.ToolServers,
    ),
    Method(
        name="source/restart",
        sender="client",
        params=toolservers.ToolServerRef,
        result=toolservers.ToolServer,
    ),
    Method(
        name="source/stop",
        sender="client",
        params=toolservers.ToolServerRef,
        result=toolservers.ToolServer,
    ),
    Method(
        name="source/logIn",
        sender="client",
        params=toolservers.LogInAt,
        result=toolservers.ToolServer,
    ),
    Method(
        name="source/stopLogIn",
        sender="client",
        params=toolservers.ToolServerRef,
        result=chats.Nothing,
    ),
    Method(
        name="source/logOut",
        sender="client",
        params=toolservers.ToolServerRef,
        result=toolservers.ToolServer,
    ),
    # Collections of documents.
    Method(
        name="collection/list",
        sender="client",
        params=chats.Nothing,
        result=collections.CollectionStates,
    ),
    Method(
        name="collection/index",
        sender="client",
        params=collections.CollectionRef,
        result=collections.CollectionState,
    ),
    Method(
        name="collection/stop",
        sender="client",
        params=collections.CollectionRef,
        result=collections.CollectionState,
    ),
    Method(name="collection/changed", sender="server", params=collections.CollectionState),
    # What the server asks of the editor.
    Method(
        name="settings/inspect",
        sender="server",
        params=editor.Inspect,
        result=editor.Inspected,
    ),
    Method(
        name="settings/write",
        sender="server",
        params=editor.WriteSetting,
        result=editor.Written,
    ),
    Method(name="secret/get", sender="server", params=editor.SecretName, result=editor.SecretValue),
    Method(name="secret/set", sender="server", params=editor.SetSecret, result=chats.Nothing),
    Method(
        name="ui/askSecret", sender="server", params=editor.AskSecret, result=editor.SecretAsked
    ),
    Method(
        name="ui/askInput", sender="server", params=toolservers.AskInput, result=editor.SecretAsked
    ),
    Method(
        name="ui/runInTerminal",
        sender="server",
        params=editor.RunInTerminal,
        result=editor.RunEnded,
    ),
    Method(name="ui/confirm", sender="server", params=editor.Confirm, result=editor.Confirmed),
    Method(name="ui/openPage", sender="server", params=editor.OpenPage, result=editor.PageOpened),
    Method(name="ui/progress", sender="server", params=editor.Progress, result=chats.Nothing),
    Method(name="editor/look", sender="server", params=sight.Look, result=sight.Sight),
    Method(
        name="editor/problems", sender="server", params=sight.WantProblems, result=sight.Problems
    ),
    Method(
        name="editor/terminal",
        sender="server",
        params=sight.WantTerminal,
        result=sight.TerminalSaid,
    ),
    Method(
        name="editor/changes",
        sender="server",
        params=sight.WantChanges,
        result=sight.GitChanges,
    ),
    Method(
        name="editor/symbols",
        sender="server",
        params=sight.WantSymbols,
        result=sight.Symbols,
    ),
    # The editor's own models.
    Method(
        name="model/list",
        sender="server",
        params=chats.Nothing,
        result=editor_models.EditorModels,
    ),
    Method(
        name="model/ask",
        sender="server",
        params=editor_models.AskModel,
        result=editor_models.ModelAnswered,
    ),
    Method(
        name="model/said",
        sender="client",
        params=editor_models.ModelSaid,
        result=chats.Nothing,
    ),
    Method(name="model/changed", sender="client", params=chats.Nothing, result=chats.Nothing),
    Method(name="ui/openDiff", sender="server", params=editor.OpenDiff, result=chats.Nothing),
    Method(name="ui/openDiffs", sender="server", params=editor.OpenDiffs, result=chats.Nothing),
)

BY_NAME: Final[dict[str, Method]] = {method.name: method for method in METHODS}
