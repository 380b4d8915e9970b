"""The rows of wrappers: their options, and what comes before the inner command.

`wraps` stands in a row only where the program itself adds nothing to what the inner one does.
"""

from typing import Final

from assent.gate.programs.rows import ALWAYS, Wrapper

__all__ = ["AFTER_WORD", "AT_ONCE", "ENV", "ROWS", "XARGS"]

_TEMPLATE: Final = "This puts together what it runs."

_SUDO: Final = Wrapper(
    flags="-A -b -B -E -e -H -i -K -k -l -N -n -P -S -s -V -v -a= -C= -c= -D= -g= -h= -p= -R= -r="
    " -T= -t= -U= -u= --askpass --auth-type= --background --bell --chdir= --chroot= --close-from="
    " --command-timeout= --edit --group= --help --host= --list --login --login-class= --no-update"
    " --non-interactive --other-user= --preserve-env? --preserve-groups --prompt="
    " --remove-timestamp --reset-timestamp --role= --set-home --shell --stdin --type= --user="
    " --validate --version",
    takes_assignments=True,
    folder_flags="-D --chdir",
    leaves_folder_flags="-R -i --chroot --login",
)
XARGS: Final = Wrapper(
    flags="-0 -o -p -r -t -x -a= -d= -E= -I= -L= -n= -P= -s= -e? -i? -l? --arg-file= --delimiter="
    " --eof? --exit --interactive --max-args= --max-chars= --max-lines? --max-procs="
    " --no-run-if-empty --null --open-tty --process-slot-var= --replace? --show-limits --verbose",
    wraps=True,
    adding_flags="-a -o -p --arg-file --interactive --open-tty --process-slot-var",
)
ENV: Final = Wrapper(
    flags="-i -0 -v -u= -C= -S= --block-signal? --chdir= --debug --default-signal?"
    " --ignore-environment --ignore-signal? --list-signal-handling --null --split-string="
    " --unset=",
    takes_assignments=True,
    wraps=True,
    folder_flags="-C --chdir",
)

ROWS: Final[dict[str, Wrapper]] = {
    "timeout": Wrapper(
        flags="-f -p -v -k= -s= --foreground --kill-after= --preserve-status --signal= --verbose",
        operands_before=1,
        wraps=True,
    ),
    "nice": Wrapper(flags="-n= -# --adjustment=", wraps=True),
    "nohup": Wrapper(wraps=True),
    "setsid": Wrapper(flags="-c -f -w --ctty --fork --wait", wraps=True),
    "stdbuf": Wrapper(flags="-i= -o= -e= --error= --input= --output=", wraps=True),
    "time": Wrapper(
        flags="-p -q -v -a -V -f= -o= --append --format= --output= --portability --quiet --verbose",
        wraps=True,
        adding_flags="-o --output",
    ),
    "command": Wrapper(flags="-p -v -V", wraps=True, same_shell=True, runs_nothing_flags="-V -v"),
    "builtin": Wrapper(wraps=True, same_shell=True),
    "exec": Wrapper(flags="-c -l -a=", wraps=True, same_shell=True),
    "ionice": Wrapper(
        flags="-t -c= -n= -p= -P= -u= --class= --classdata= --ignore --pgid= --pid= --uid=",
        wraps=True,
        runs_nothing_flags="-P -p -u --pgid --pid --uid",
    ),
    "chrt": Wrapper(
        flags="-a -b -d -f -i -o -r -m -p -v -R -T= -P= -D= --all-tasks --batch --deadline --fifo"
        " --idle --max --other --pid --reset-on-fork --rr --sched-deadline= --sched-period="
        " --sched-runtime= --verbose",
        operands_before=1,
        wraps=True,
        runs_nothing_flags="-m -p --max --pid",
    ),
    "taskset": Wrapper(
        flags="-a -c -p --all-tasks --cpu-list --pid",
        operands_before=1,
        wraps=True,
        runs_nothing_flags="-p",
    ),
    "unshare": Wrapper(
        flags="-m -n -p -u -i -U -f -r -c -C -T -S= -G= -R= -w= --cgroup? --fork --ipc?"
        " --map-current-user --map-root-user --mount? --net? --pid? --root= --setgid= --setuid="
        " --time? --user? --uts? --wd=",
        folder_flags="-w --wd",
        leaves_folder_flags="-R --root",
    ),
    "nsenter": Wrapper(
        flags="-a -F -r -m -u -i -n -p -U -C -T -Z -t= -S= -G= -W= --all --no-fork --target=",
        leaves_folder_flags=ALWAYS,
    ),
    "flock": Wrapper(
        flags="-e -n -o -s -u -x -F -w= -E= -c= --close --command= --conflict-exit-code="
        " --exclusive --no-fork --nonblock --shared --timeout= --unlock --verbose --wait=",
        operands_before=1,
        shell_text_flags="-c --command",
    ),
    "strace": Wrapper(
        flags="-c -C -d -D -f -F -h -i -k -n -q -r -t -T -v -V -w -x -y -Y -z -Z -a= -e= -b= -E="
        " -I= -o= -O= -p= -P= -s= -S= -u= -U= -X= --env= --follow-forks --output=",
        variable_flags="-E --env",
        pipe_flags="-o --output",
    ),
    "ltrace": Wrapper(
        flags="-b -c -C -f -h -i -L -r -S -t -T -V -a= -A= -D= -e= -F= -l= -n= -o= -p= -s= -u="
        " -w= -x=",
    ),
    "watch": Wrapper(
        flags="-b -c -d -e -g -t -x -w -n= -q= -s= --beep --chgexit --color --differences?"
        " --equexit= --errexit --exec --interval= --no-title --no-wrap --precise",
        joins_operands=True,
    ),
    "hyperfine": Wrapper(
        flags="-i -N -w= -m= -M= -r= -s= -p= -C= -c= -P= -D= -L= -S= -u= -n= --ignore-failure?"
        " --warmup= --min-runs= --max-runs= --runs= --setup= --prepare= --conclude= --cleanup="
        " --shell= --style= --sort= --time-unit= --show-output --input= --output="
        " --export-json= --export-csv= --export-markdown= --export-asciidoc= --export-orgmode="
        " --parameter-list= --command-name=",
        shell_text_flags="-s --setup -p --prepare -C --conclude -c --cleanup",
        operands_are_scripts=True,
    ),
    "concurrently": Wrapper(
        flags="-k -r -g -n= -c= -p= -l= -m= -s= -t= --kill-others --kill-others-on-fail --raw"
        " --names= --prefix-colors= --prefix= --max-processes= --success= --group --no-color"
        " --restart-tries= --restart-after= --hide= --timings",
        operands_are_scripts=True,
    ),
    "sudo": _SUDO,
    "pkexec": Wrapper(flags="--disable-internal-agent --user="),
    "doas": Wrapper(flags="-L -n -s -a= -C= -u="),
    "chroot": Wrapper(
        flags="--groups= --skip-chdir --userspec=", operands_before=1, leaves_folder_flags=ALWAYS
    ),
    "su": Wrapper(
        flags="-l -m -p -P -f -c= -C= -g= -G= -s= -u= -w= --command= --fast --group= --login"
        " --preserve-environment --pty --session-command= --shell= --supp-group= --user="
        " --whitelist-environment=",
        operands_before=1,
        shell_text_flags="-C -c --command --session-command",
        leaves_folder_flags="-l --login",
    ),
    "runuser": Wrapper(
        flags="-l -m -p -P -f -c= -C= -g= -G= -s= -u= -w= --command= --fast --group= --login"
        " --preserve-environment --pty --session-command= --shell= --supp-group= --user="
        " --whitelist-environment=",
        shell_text_flags="-C -c --command --session-command",
        leaves_folder_flags="-l --login",
    ),
    "script": Wrapper(
        flags="-a -e -f -q -V -c= -B= -E= -I= -m= -o= -I= -O= -T= -t? --append --command= --echo="
        " --flush --force --log-in= --log-io= --log-out= --log-timing= --output-limit= --quiet"
        " --return",
        operands_before=1,
        shell_text_flags="-c --command",
    ),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "ssh": Wrapper(
        flags="-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B= -b= -c="
        " -D= -E= -e= -F= -I= -i= -J= -L= -l= -m= -O= -o= -P= -p= -Q= -R= -S= -W= -w=",
        operands_before=1,
        joins_operands=True,
    ),
    "parallel": Wrapper(
        flags="-k -u -q -X -m -t -0 -j= -N= -n= -L= -P= -I= -S= -a= --colsep= --dry-run --jobs="
        " --keep-order --null",
        doubt=_TEMPLATE,
    ),
    "systemd-run": Wrapper(
        flags="-d -P -q -r -t -G -S -p= -E= -M= -H= -u= --pty --scope --setenv= --unit= --user"
        " --wait",
        variable_flags="-E --setenv",
        leaves_folder_flags=ALWAYS,
    ),
    "flatpak-spawn": Wrapper(
        flags="--clear-env --directory= --env= --host --latest-version --no-network --sandbox"
        " --watch-bus",
        variable_flags="--env",
        leaves_folder_flags=ALWAYS,
    ),
    "cross-env": Wrapper(takes_assignments=True),
    "cross-env-shell": Wrapper(takes_assignments=True, joins_operands=True),
    "setarch": Wrapper(operands_before=1),
    "linux64": Wrapper(),
    "faketime": Wrapper(flags="-f -m -p= --exclude-monotonic", operands_before=1),
    "nix-shell": Wrapper(
        flags="-p -A= -E= -I= -i= -j= --pure --attr= --expr --packages --run= --command= --keep=",
        shell_text_flags="--run --command",
    ),
    "prlimit": Wrapper(flags="-c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y?"),
    "catchsegv": Wrapper(),
    "fakeroot": Wrapper(flags="-u -l= -s= -i= -b="),
    "proxychains": Wrapper(flags="-q -f="),
    "torsocks": Wrapper(),
    "dbus-run-session": Wrapper(),
    "xvfb-run": Wrapper(flags="-a -l -e= -n= -p= -s= -f="),
    "caffeinate": Wrapper(flags="-d -i -m -s -u -t= -w="),
    "rlwrap": Wrapper(flags="-a -c -i -m -n -r -R"),
    "unbuffer": Wrapper(flags="-p"),
    "npx": Wrapper(
        flags="-y -q -p= -c= --call= --no --no-install --offline --package= --prefer-offline"
        " --quiet --yes",
        shell_text_flags="-c --call",
    ),
    "chronic": Wrapper(flags="-e -v"),
    "xcrun": Wrapper(
        flags="-v -n -k -r -l --verbose --no-cache --run --log --sdk= --toolchain=",
        runs_project=True,
    ),
    "envconsul": Wrapper(flags="-once -pristine -prefix= -secret= -config= -consul-addr="),
    "c8": Wrapper(
        flags="-r= -o= -x= -n= --reporter= --report-dir= --temp-directory= --exclude= --include="
        " --all --src= --check-coverage --lines= --branches= --functions= --statements= --clean"
        " --per-file",
        runs_project=True,
    ),
    "nyc": Wrapper(
        flags="-r= -i= -x= -n= -e= -s -a --reporter= --report-dir= --temp-dir= --exclude="
        " --include= --all --extension= --require= --check-coverage --lines= --branches="
        " --functions= --statements= --silent --no-clean --instrument= --cwd=",
        folder_flags="--cwd",
        runs_project=True,
    ),
    "env-cmd": Wrapper(
        flags="-e= -f= -r= -x --environments= --file= --rc-file= --expand-envs --fallback"
        " --no-override --silent --use-shell --verbose",
        runs_project=True,
    ),
    "reflex": Wrapper(
        flags="-r= -R= -g= -G= -d= -s -v -e --regex= --inverse-regex= --glob= --inverse-glob="
        " --start-service --all --sequential --substitute= --verbose --decoration=",
        runs_project=True,
    ),
    "shx": Wrapper(runs_project=True),
    "start-server-and-test": Wrapper(
        flags="--expect=", operands_are_scripts=True, runs_project=True
    ),
    "ts": Wrapper(flags="-i -r -s -m"),
}
"""Programs whose inner command begins after their options and operands."""

AFTER_WORD: Final[dict[str, tuple[str, ...]]] = {
    "uv": ("run",),
    "poetry": ("run",),
    "pipenv": ("run",),
    "hatch": ("run",),
    "pdm": ("run",),
    "rye": ("run",),
    "pixi": ("run", "exec", "x"),
    "tox": ("exec",),
    "bundle": ("exec",),
    "npm": ("exec", "x", "env", "explore"),
    "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"),
    "lerna": ("exec",),
    "nx": ("exec",),
    "volta": ("run",),
    "fnm": ("exec",),
    "nvm": ("exec",),
    "conda": ("run",),
    "mamba": ("run",),
    "micromamba": ("run",),
    "mise": ("exec", "x"),
    "asdf": ("exec",),
    "pyenv": ("exec",),
    "rbenv": ("exec",),
    "direnv": ("exec",),
    "devbox": ("run",),
    "devenv": ("shell",),
    "flox": ("activate",),
    "spack": ("build-env",),
    "nix": ("run", "shell", "develop"),
    "docker": ("exec", "run"),
    "podman": ("exec", "run"),
    "devcontainer": ("exec",),
    "ddev": ("exec",),
    "kubectl": ("exec", "run"),
    "heroku": ("run",),
    "rustup": ("run",),
    "cargo": ("watch",),
    "stack": ("exec",),
    "cabal": ("exec", "v2-exec", "new-exec"),
    "dune": ("exec",),
    "opam": ("exec",),
    "esy": ("x",),
    "meson": ("devenv",),
    "bun": ("x",),
    "perf": ("stat", "record", "trace", "ftrace"),
    "op": ("run",),
    "doppler": ("run",),
    "infisical": ("run",),
    "teller": ("run",),
    "chamber": ("exec",),
    "aws-vault": ("exec",),
    "composer": ("exec",),
    "symfony": ("run",),
    "buildah": ("run",),
    "percy": ("exec",),
    "multipass": ("exec",),
    "limactl": ("shell",),
    "foreman": ("run",),
    "honcho": ("run",),
}
"""Programs that run another after a word of theirs; what stands between is theirs too."""

AT_ONCE: Final = {
    **dict.fromkeys(
        "uv poetry pipenv pdm rye hatch bundle pnpm asdf conda tox pixi lerna nx volta pyenv rbenv"
        " stack cabal dune opam".split(),
        0,
    ),
    **dict.fromkeys(("docker", "podman"), 1),
}
"""Those of which nothing but options stands between, or so many operands, and behind which all is
the other program's."""
