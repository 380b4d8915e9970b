"""The faults that are planted where other people's agents are ruled on."""

from typing import Final

from mutants.mutant import Mutant, of

__all__ = ["TABLE"]

_ALONE: Final = ("hosting/terminals/test_without_window.py",)
_HOOK: Final = (
    "hosting/agents/test_gate_hook.py",
    "hosting/agents/test_hook_socket.py",
    "hosting/agents/test_asked_before.py",
)
_SOCKET: Final = ("hosting/agents/test_hook_socket.py",)
_LEAVE: Final = ("hosting/agents/test_consent.py", "editor/wire/test_repositories.py")
_FOUND: Final = ("hosting/agents/test_repository.py",)
_AGAIN: Final = ("hosting/terminals/test_with_window.py", "hosting/terminals/test_words.py")

_FOLDER: Final = ("hosting/agents/test_call_folder.py",)

TABLE: Final[tuple[Mutant, ...]] = (
    *of(
        "hosting/terminals/launcher.py",
        _ALONE,
        ("connected-broken-is-fine", "A broken hook refuses nothing.", "  exit 2", "  exit 0"),
    ),
    *of(
        "hosting/terminals/connected_hook.py",
        _ALONE,
        (
            "connected-passes-strangers-by",
            "A hook rules by itself where whoever answered is not the gate.",
            "suppress(gate_hook.NobodyThere)",
            "suppress(Exception)",
        ),
    ),
    *of(
        "hosting/terminals/connected_agents.py",
        ("hosting/terminals/test_with_window.py",),
        (
            "connected-everywhere-is-here",
            "A folder that no window has open is ruled on as this window's own.",
            "is_here=is_open_in(asked.folder, self._roots)",
            "is_here=True",
        ),
    ),
    *of(
        "gate/settings/left_settings.py",
        _ALONE,
        (
            "connected-believes-any-settings",
            "Settings that were not left by a server are ruled by.",
            "if not hmac.compare_digest(_seal(key, text), seal):",
            "if not text:",
        ),
    ),
    *of(
        "gate/settings/foreign_settings.py",
        ("hosting/terminals/test_connecting.py",),
        (
            "connected-writes-over",
            "What somebody else wrote into an agent's settings meanwhile is lost.",
            "if text_of(path) != before:",
            "if text_of(path) is not None and before is None:",
        ),
    ),
    *of(
        "hosting/hooks/gate_hook.py",
        _HOOK,
        (
            "hook-ends-well",
            "A hook that failed ends well.",
            "REFUSED_EXIT_CODE = 2",
            "REFUSED_EXIT_CODE = 0",
        ),
        (
            "hook-believes-anybody",
            "A hook prints what somebody says who has not the key.",
            'insist(key, "ruling", nonces, message["answer"], message["proof"])',
            "pass",
        ),
        (
            "hook-in-any-folder",
            "A hook asks in a folder that others may write in.",
            "if facts.st_uid != os.geteuid() or facts.st_mode & _OTHERS:",
            "if facts.st_uid != os.geteuid():",
        ),
    ),
    *of(
        "hosting/hooks/hook_channel.py",
        _HOOK,
        (
            "hook-missing-is-fine",
            "A hook whose file is gone refuses nothing.",
            ">&2; exit 2'",
            ">&2; exit 1'",
        ),
    ),
    *of(
        "hosting/hooks/hook_conversation.py",
        ("hosting/agents/test_keys.py",),
        (
            "key-lets-many-in",
            "The key of a server lets in whoever comes with it, again and again.",
            "        del channels[channel.name]\n",
            "",
        ),
        (
            "key-guessed",
            "Whoever knows the name of a key gets in without it.",
            '_insist(channel, "hook", nonces, message["length"], message["proof"])',
            "pass",
        ),
    ),
    *of(
        "hosting/hooks/hook_conversation.py",
        _SOCKET,
        (
            "hook-unproven",
            "A call is ruled on that nobody has proven.",
            '_insist(channel, "call", nonces, asked["call"], asked["proof"])',
            "pass",
        ),
    ),
    *of(
        "hosting/permission/requests.py",
        _HOOK,
        (
            "hook-stands-for-any-request",
            "The ruling on a hook's call lets another call run.",
            "lambda call: not self._strays(call, request.tool)",
            "lambda _: True",
        ),
        (
            "request-beside-an-open-card",
            "What is judged becomes another call while its card is open.",
            "if self._recipe.is_terse or hooked.request.asking is Asking.OPEN:",
            "if self._recipe.is_terse:",
        ),
        (
            "request-stands-for-any-hook",
            "What was allowed by a request lets its hook have another call run.",
            "if requested is not None and await self._was_requested(requested, request.tool):",
            "if requested is not None:",
        ),
    ),
    *of(
        "hosting/permission/requests.py",
        ("hosting/agents/test_changed_calls.py",),
        (
            "call-may-become-another",
            "A call runs that is another by the time that it was allowed.",
            "if not self._is_still(call, tool):",
            "if tool is None:",
        ),
    ),
    *of(
        "hosting/hooks/hook_socket.py",
        _SOCKET,
        (
            "strangers-without-end",
            "Whoever never proves the key may be as many as they like.",
            "if len(self._strangers) > _MAX_STRANGERS:",
            "if not self._strangers:",
        ),
        (
            "hook-door-to-nowhere",
            "An agent is given a hook that asks where the gate lies no longer.",
            "if not self._is_there():",
            "if self._folder is None:",
        ),
    ),
    *of(
        "hosting/install/agent_package.py",
        ("hosting/agents/test_recipes.py",),
        (
            "manifest-anywhere",
            "A manifest in somebody's home makes a program of theirs a known agent.",
            "return name if lies and file in",
            "return name if file in",
        ),
    ),
    *of(
        "hosting/permission/call_drift.py",
        ("hosting/agents/test_call_drift.py",),
        (
            "another-change-is-the-same",
            "A hook's call that is shown to change something else raises no alarm.",
            "return new in after and old in before",
            "return True",
        ),
        (
            "another-folder-is-the-same",
            "A hook's command that is shown to run elsewhere raises no alarm.",
            "shown.cwd not in _led_to(folder, shown, reader)",
            "not shown.cwd",
        ),
        (
            "another-content-is-the-same",
            "A call that is told to write something else than was shown raises no alarm.",
            "return is_elsewhere or _writes_otherwise(parts.args, shown)",
            "return is_elsewhere",
        ),
        (
            "another-argument-is-the-same",
            "A call whose arguments are others than were shown raises no alarm.",
            "return value == shown",
            "return True",
        ),
        (
            "another-command-is-the-same",
            "A tool that nobody knows runs another command than was shown without an alarm.",
            "command is not None and command not in texts",
            "command is None and command not in texts",
        ),
    ),
    *of(
        "hosting/permission/toolcalls.py",
        ("hosting/agents/test_alarms.py",),
        (
            "looks-at-anything",
            "An agent looks unasked at what nobody allowed.",
            "any(call.names(*running) for call in self._calls.values())",
            "True",
        ),
    ),
    *of(
        "hosting/permission/alarms.py",
        ("hosting/agents/test_alarms.py",),
        (
            "refused-and-harmless",
            "A call that ran although it was refused raises no alarm.",
            "ruling.verdict is Verdict.ALLOW and tool.asking is Asking.NOT_YET",
            "ruling.verdict is Verdict.ALLOW",
        ),
        (
            "kind-is-believed",
            "A call that ran is judged by the kind that its agent claims.",
            'return {**whole, "kind": self._recipe.kinds.get(name_of(whole), kind)}',
            "return whole",
        ),
    ),
    *of(
        "hosting/repositories/consent.py",
        _LEAVE,
        (
            "consent-rewritten-is-fine",
            "An agent is started where hooks of a repository change what was ruled on.",
            "if unheld is not None:",
            "if unheld is None and found_in is None:",
        ),
        (
            "consent-unanswered-is-let",
            "An agent that reads a repository's files is started though nobody answered.",
            "if standing is not Standing.GRANTED:",
            "if standing is Standing.DECLINED:",
        ),
        (
            "consent-kept-off-is-let",
            "An agent that reads a repository's files is started where a person keeps it off.",
            "if standing is not Standing.GRANTED:",
            "if standing is None:",
        ),
        (
            "consent-unfit-is-let",
            "An agent is started where nobody can be shown what a repository says.",
            "raise AgentFailed(_UNFIT_READ.format(name=spec.name, unfit=files.unfit))",
            "return None",
        ),
        (
            "consent-changed-is-let",
            "An agent goes on that may have read other files than a person let.",
            "(now and now.digest) != (admitted and admitted.digest)",
            "None",
        ),
        (
            "consent-came-unfit-is-let",
            "An agent goes on that may have read a file which came while it was started.",
            "changed = files.unfit or",
            "changed =",
        ),
        (
            "consent-came-rewriting-is-let",
            "An agent goes on whose calls hooks may change that came while it was started.",
            "if changed or unheld_in(recipe.read_here, folder) is not None:",
            "if changed:",
        ),
        (
            "consent-hands-what-nobody-let",
            "An agent is handed what a repository says before a person has let it.",
            "tuple(file.taken for file in files.files) if let else ()",
            "tuple(file.taken for file in files.files)",
        ),
        (
            "consent-any-answer-lets",
            "What a person keeps off is handed to the chat that waited for the answer.",
            "return await self._leave.ask(wish, spec.name) is Standing.GRANTED",
            "return await self._leave.ask(wish, spec.name) is not None",
        ),
        (
            "consent-leaves-out-in-silence",
            "Nobody is told of what an agent is kept from.",
            "return Handed(left_out=left)",
            "return Handed()",
        ),
    ),
    *of(
        "hosting/repositories/repository.py",
        _FOUND,
        (
            "repository-believes-its-letters",
            "Servers are started whose word is spelled by escapes.",
            "or any(spelling in front for spelling in _SPELLED)",
            "",
        ),
        (
            "repository-leads-out",
            "A file elsewhere is taken for one of the repository.",
            'raise ValueError("leads out of this repository")',
            "pass",
        ),
    ),
    *of(
        "hosting/repositories/sources.py",
        _FOUND,
        (
            "sources-follow-no-link",
            "What lies behind a link to a folder is not looked for.",
            "(path := Path(at, name)).is_symlink()",
            "(path := Path(at, name)).is_file()",
        ),
        (
            "sources-pass-by-what-is-shut",
            "A folder that nobody may look into counts as one that is not there.",
            "return paths if gone else [folder, *paths]",
            "return paths",
        ),
    ),
    *of(
        "hosting/hooks/hook_words.py",
        _AGAIN,
        (
            "again-in-any-turn",
            "A question of Codex is answered by what was let in another turn.",
            "(self.session, self.turn, self.tool",
            "(self.session, other.turn, self.tool",
        ),
        (
            "again-about-anything",
            "A question of Codex about another command is answered by what was let.",
            "self.tool, self.input, self.cwd)",
            "self.tool, other.input, self.cwd)",
        ),
    ),
    *of(
        "hosting/terminals/connected_agents.py",
        _AGAIN,
        (
            "again-for-ever",
            "What was let once answers every later question of Codex about it.",
            "self.let.remove(repeated)",
            "pass",
        ),
        (
            "again-unasked",
            "Every question of Codex is answered, whatever was ruled.",
            "if is_answered else",
            "if terminal.words.again else",
        ),
    ),
    *of(
        "hosting/terminals/without_window.py",
        _AGAIN,
        (
            "again-with-nobody-there",
            "A question of Codex is ruled on where it should be left to the person.",
            "if not hooked.tool or hooked.is_again:",
            "if not hooked.tool:",
        ),
    ),
    *of(
        "hosting/connection/session.py",
        _FOLDER,
        (
            "folder-of-the-chat",
            "A call is ruled on in the folder of its chat, whatever its hook tells.",
            "reader if tool is None or tool.folder is None else reader.in_folder(tool.folder)",
            "reader",
        ),
    ),
    *of(
        "hosting/permission/external_calls.py",
        _FOLDER,
        (
            "folder-of-the-session",
            "A call in a terminal is ruled on in the folder of its session.",
            "self.reader().in_folder(hooked.cwd)",
            "self.reader()",
        ),
    ),
    *of(
        "hosting/permission/calls.py",
        _FOLDER,
        (
            "folder-that-is-gone",
            "A command in a folder that is not there is ruled on as any other.",
            "not self.places.enters(reading.cwd)",
            "False",
        ),
        (
            "folder-untold",
            "Where no folder is told, the folder of the session is taken for it.",
            'return "" if self.unplaced else self.cwd',
            "return self.cwd",
        ),
    ),
    *of(
        "hosting/terminals/connected_hook.py",
        _FOLDER,
        (
            "folder-of-the-first-call",
            "What Codex is trusted with hangs on the folder of its first call.",
            "        return os.getcwd()\n    began",
            "        return here\n    began",
        ),
    ),
)
