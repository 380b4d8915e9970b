"""Programs that run what they are given, as data: elsewhere, or as code that they read."""

from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = [
    "ASKING",
    "ASKS",
    "CLIENTS",
    "CONTAINER",
    "COPIERS",
    "DESCRIBED",
    "ELSEWHERE",
    "ENTERING",
    "INTERPRETERS",
    "SAYS",
    "SCRIPTED",
]

CONTAINER: Final = "in the container"
_WHERE: Final = {
    "on the other machine": "ssh slogin mosh autossh sshpass wsl vagrant heroku fly gcloud aws az",
    CONTAINER: "docker podman nerdctl kubectl oc lxc lxc-attach incus machinectl"
    " systemd-nspawn toolbox distrobox",
    "on the device": "adb",
    "under another root": "nsenter chroot flatpak-spawn flatpak unshare",
}
ELSEWHERE: Final = {name: where for where, names in _WHERE.items() for name in names.split()}
"""Programs whose inner command runs on another machine, or among other files; where that is."""
ENTERING: Final = {
    **dict.fromkeys(("docker", "podman", "nerdctl"), frozenset(("run", "exec", "attach"))),
    **dict.fromkeys(
        ("kubectl", "oc"), frozenset(("run", "exec", "attach", "debug", "rsh", "replace"))
    ),
    **dict.fromkeys(("gcloud", "aws", "az", "fly"), frozenset(("ssh", "console", "start-session"))),
    "heroku": frozenset(("run", "run:inside", "ps:exec", "console")),
    "vagrant": frozenset(("ssh", "winrm", "powershell")),
    "adb": frozenset(("shell",)),
}
"""The words by which some of these go there; the others always do."""
SCRIPTED: Final = r"[gmn]?awk|g?sed|g?make|ninja|just"
"""Programs that do what a script of their own language says, and can start others by it."""
DESCRIBED: Final = late(
    rf"{SCRIPTED}|docker|podman|nerdctl|buildah|kubectl|oc|helm|pip[\d.]*|uv|ansible\S*|terraform|tofu"
    r"|jq|find|tclsh[\d.]*|cmake|packer|bazel|gradle|mvn|npm|npx|curl|as|cpp|(?:g?cc|[gc]\+\+"
    r"|clang(?:\+\+)?)(?:-[\d.]+)?"
)
"""Programs that do what a file describes: where that is the input, it is code."""

INTERPRETERS: Final = late(
    r"(?:python|pypy|node|nodejs|deno|bun|ruby|irb|perl|php|lua|luajit|Rscript|R|julia|tclsh|wish"
    r"|expect|guile|racket|sbcl|clisp|ecl|ghci|runghc|scala|groovy|jshell|osascript|octave"
    r"|gnuplot|maxima|swift|iex|elixir|erl|ocaml|utop|sml|gosh|chibi|raku|emacs"
    r"|ts-node|tsx|ipython|bpython|crystal|nim|dart|kotlin|kotlinc|clojure|clj|bb|nu|dash"
    r"|at|batch)(?:-?[\d.]+)?"
)
TYPED: Final = late(r"gdb|lldb|r?vi|[gr]?vim|nvim|r?view|g?vimdiff|ex|r?ed|dc")
"""Programs that take what they read for what somebody types, also beside the files they are given;
each of these can start others."""
CLIENTS: Final = late(
    r"psql|pgcli|mysql|mariadb|mycli|sqlite3?|duckdb|mongo|mongosh|redis-cli|valkey-cli|cqlsh|sqlcmd"
    r"|sqlplus|isql|clickhouse(?:-client)?|cockroach|snowsql|bq|influx|ftp|sftp|lftp|telnet|nc|ncat"
    r"|netcat|socat|xargs|parallel|crontab|fdisk|sfdisk|parted|debugfs|nsupdate|ldapmodify"
)
COPIERS: Final = late(r"[ls]?ftp|tftp|ncftp")
"""Those whose name says that they copy, and that run commands here besides (`!cat .env`)."""
ASKING: Final = frozenset(
    """rails console,rails c,rails dbconsole,flask shell,django-admin shell,django-admin dbshell
    terraform console,prisma db,supabase db,heroku pg:psql,firebase functions:shell
    poetry shell,pipenv shell,hatch shell,nix develop,nix shell,devbox shell,pixi shell""".replace(
        "\n    ", ","
    ).split(",")
)
"""Commands of programs that wait to be told what to do."""
SAYS: Final = tuple(
    (late(names), late(rf"(?:{flags}|--(?:eval|print|command|execute|query|expression)(?:=.*)?)"))
    for names, flags in (
        (r"(?:i?python|pypy)[\d.]*", "-[A-Za-z]*[cm]"),
        (r"node(?:js)?|tsx|ts-node|bun", "-p?e|-p"),
        (r"php[\d.]*", "-[rBR]"),
        (r"psql|pgcli|cockroach|duckdb", "-[cf]"),
        (r"mysql|mariadb|mycli", "-e"),
        (r"redis-cli|valkey-cli|crontab", "--"),
        (r"\w*sh|nu", "-[A-Za-z]*c[A-Za-z]*"),
        (r".*", "-[A-Za-z]*[eE]"),
    )
)
"""The flags of programs after which the words themselves say what runs."""
ASKS: Final = frozenset("code pdb asyncio IPython sqlite3 bpython ptpython idlelib".split())
"""Modules of Python that ask for input, whatever else is said."""
