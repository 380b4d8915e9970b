"""The rows of programs that run another: their options, and what stands before the inner command.

`wraps` stands in a row only where the program itself adds nothing to what the inner one does.
"""

from typing import Final

from assent.programs.wrapper_options import Row

__all__ = ["AFTER_WORD", "ENV", "ROWS", "XARGS"]

_TEMPLATE: Final = "This puts together what it runs."

_SUDO: Final = Row(
    flags="AbBEeHiKklNnPSsVv",
    args="aCcDghpRrTtUu",
    long="askpass background bell edit set-home list login remove-timestamp reset-timestamp "
    "no-update non-interactive preserve-groups stdin shell validate version help preserve-env",
    long_args="auth-type close-from login-class chdir group host prompt chroot role type "
    "command-timeout other-user user",
    assigns=True,
    moves="D chdir",
    leaves="i login R chroot",
)
XARGS: Final = Row(
    flags="0oprtx",
    args="adEILnPs",
    glued="eil",
    long="null open-tty interactive no-run-if-empty show-limits verbose exit replace eof max-lines",
    long_args="arg-file delimiter max-args max-procs max-chars process-slot-var",
    wraps=True,
    adds="a arg-file process-slot-var p o interactive open-tty",
)
ENV: Final = Row(
    flags="i0v",
    args="uCS",
    long="ignore-environment null debug block-signal default-signal ignore-signal "
    "list-signal-handling",
    long_args="unset chdir split-string",
    assigns=True,
    moves="C chdir",
    wraps=True,
)

ROWS: Final[dict[str, Row]] = {
    "timeout": Row(
        flags="fpv",
        args="ks",
        long="foreground preserve-status verbose",
        long_args="kill-after signal",
        operands=1,
        wraps=True,
    ),
    "nice": Row(args="n", long_args="adjustment", numeric=True, wraps=True),
    "nohup": Row(wraps=True, adds=""),
    "setsid": Row(flags="cfw", long="ctty fork wait", wraps=True),
    "stdbuf": Row(args="ioe", long_args="input output error", wraps=True),
    "time": Row(
        flags="pqvaV",
        args="fo",
        long="portability quiet verbose append",
        long_args="format output",
        wraps=True,
        adds="o output",
    ),
    "command": Row(flags="pvV", wraps=True, same_shell=True, quiet="v V"),
    "builtin": Row(wraps=True, same_shell=True),
    "exec": Row(flags="cl", args="a", wraps=True, same_shell=True),
    "ionice": Row(
        flags="t",
        args="cnpPu",
        long="ignore",
        long_args="class classdata pid pgid uid",
        wraps=True,
        quiet="p P u pid pgid uid",
    ),
    "chrt": Row(
        flags="abdfiormpvR",
        args="TPD",
        long="all-tasks batch deadline fifo idle other rr max pid verbose reset-on-fork",
        long_args="sched-runtime sched-period sched-deadline",
        operands=1,
        wraps=True,
        quiet="p pid m max",
    ),
    "taskset": Row(flags="acp", long="all-tasks cpu-list pid", operands=1, wraps=True, quiet="p"),
    "unshare": Row(
        flags="mnpuiUfrcCT",
        args="SGRw",
        long="mount net pid uts ipc user fork map-root-user map-current-user cgroup time",
        long_args="setuid setgid root wd",
        moves="w wd",
        leaves="R root",
    ),
    "nsenter": Row(flags="aFrmuinpUCTZ", args="tSGW", long="all no-fork", long_args="target",
                   leaves="*"),
    "flock": Row(
        flags="enosuxF",
        args="wEc",
        long="exclusive nonblock unlock shared close no-fork verbose",
        long_args="timeout wait conflict-exit-code command",
        operands=1,
        text="c command",
    ),
    "strace": Row(flags="cCdDfFhiknqrtTvVwxyYzZ", args="aebEIoOpPsSuUX",
                  long="follow-forks", long_args="env", sets="E env"),
    "ltrace": Row(flags="bcCfhiLrStTV", args="aADeFlnopsuwx"),
    "watch": Row(
        flags="bcdegtxw",
        args="nqs",
        long="beep color differences errexit chgexit no-title exec no-wrap precise",
        long_args="interval equexit",
        joined=True,
    ),
    "sudo": _SUDO,
    "pkexec": Row(long="disable-internal-agent", long_args="user"),
    "doas": Row(flags="Lns", args="aCu"),
    "chroot": Row(
        operands=1, long="skip-chdir", long_args="groups userspec", leaves="*"
    ),
    "su": Row(
        flags="lmpPf",
        args="cCgGsuw",
        long="login preserve-environment fast pty",
        long_args="command session-command group supp-group shell whitelist-environment user",
        text="c C command session-command",
        operands=1,
        leaves="l login",
    ),
    "runuser": Row(
        flags="lmpPf",
        args="cCgGsuw",
        long="login preserve-environment fast pty",
        long_args="command session-command group supp-group shell whitelist-environment user",
        text="c C command session-command",
        leaves="l login",
    ),
    "script": Row(
        flags="aefqV",
        args="cBEImoIOT",
        glued="t",
        long="append return flush force quiet",
        long_args="command log-in log-out log-io log-timing echo output-limit",
        text="c command",
        operands=1,
    ),
    "busybox": Row(),
    "toybox": Row(),
    "ssh": Row(flags="46AaCfGgKkMNnqsTtVvXxYy", args="BbcDEeFIiJLlmOoPpQRSWw", operands=1,
               joined=True),
    "parallel": Row(flags="kuqXmt0", args="jNnLPISa", long="keep-order dry-run null",
                    long_args="jobs colsep", doubt=_TEMPLATE),
    "systemd-run": Row(flags="dPqrtGS", args="pEMHu", long="user scope pty wait",
                       long_args="unit setenv", sets="E setenv", leaves="*"),
    "flatpak-spawn": Row(long="host clear-env watch-bus sandbox no-network latest-version",
                         long_args="env directory", sets="env", leaves="*"),
    "cross-env": Row(assigns=True),
    "cross-env-shell": Row(assigns=True, joined=True),
    "setarch": Row(operands=1),
    "linux64": Row(),
    "prlimit": Row(glued="cdefilmnqrstuvxy"),
    "catchsegv": Row(),
    "fakeroot": Row(flags="u", args="lsib"),
    "proxychains": Row(flags="q", args="f"),
    "torsocks": Row(),
    "dbus-run-session": Row(),
    "xvfb-run": Row(flags="al", args="enpsf"),
    "caffeinate": Row(flags="dimsu", args="tw"),
    "rlwrap": Row(flags="acimnrR"),
    "unbuffer": Row(flags="p"),
    "npx": Row(flags="yq", args="pc", long="yes no quiet", long_args="package call",
               text="c call"),
    "chronic": Row(flags="ev"),
    "ts": Row(flags="irsm"),
}  # fmt: skip
"""Programs whose inner command begins after their options and operands."""

AFTER_WORD: Final[dict[str, tuple[str, ...]]] = {
    "uv": ("run",),
    "poetry": ("run",),
    "pipenv": ("run",),
    "hatch": ("run",),
    "pdm": ("run",),
    "rye": ("run",),
    "pixi": ("run",),
    "bundle": ("exec",),
    "npm": ("exec", "x"),
    "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"),
    "conda": ("run",),
    "mise": ("exec", "x"),
    "asdf": ("exec",),
    "direnv": ("exec",),
    "nix": ("run", "shell", "develop"),
    "docker": ("exec", "run"),
    "podman": ("exec", "run"),
    "kubectl": ("exec",),
}
"""Programs that run another after a word of theirs; what stands between is theirs too."""
