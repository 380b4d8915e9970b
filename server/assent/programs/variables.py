"""Names of variables that decide what a program does, and those that only decide how it looks.

What passes without a question is listed here and nowhere else: `is_plain` is asked about a
variable before a command, of a declaration, of a wrapper and of a call's own field alike. A name
that stands in no table is asked about by every mode that asks about anything, since nobody knows
which programs it steers.
"""

import re
from typing import Final

from assent.text.patterns import late

__all__ = [
    "PLACED",
    "is_dangerous",
    "is_filled",
    "is_harmless",
    "is_plain",
    "is_tame",
    "only_says_where",
]

_NAME: Final = late(r"[A-Za-z_]\w*", re.ASCII)
_DANGEROUS: Final = late(
    r"PATH|IFS|HOME|ENV|CDPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_\w+|PS[0-4]|PROMPT_\w+|GLOBIGNORE"
    r"|FIGNORE|MAIL|MAILPATH|MAILCHECK|HISTFILE|POSIXLY_CORRECT|FPATH|FUNCNEST|ZDOTDIR|TMPPREFIX"
    r"|READNULLCMD|NULLCMD|TRAP\w+|STTY|PWD|OLDPWD|REPLY|OPTARG|XDG_\w+|TERMINFO\w*|LOCPATH"
    r"|LD_\w+|DYLD_\w+|GCONV_PATH|NLSPATH|MALLOC_\w+|GLIBC_TUNABLES|LOCALDOMAIN|HOSTALIASES"
    r"|RES_OPTIONS|GETCONF_DIR|RESOLV_\w+|LIBPATH|SHLIB_PATH|_RLD\w*"
    r"|GIT_\w+|SSH_\w+|GPG_\w+|GNUPGHOME|HG\w*|SVN_\w+|CVS_RSH|RSYNC_\w+|RSH"
    r"|\w*PAGER|\w*EDITOR|VISUAL|\w*BROWSER|LESS\w*|MORE|MANOPT|MANPATH|MANROFF\w*|GROFF\w*"
    r"|SIMPLE_BACKUP_SUFFIX|LS_OPTIONS|GREP_OPTIONS|TAR_OPTIONS|GZIP|UNZIP|UNZIPOPT|ZIPOPT|XZ_\w+|BZIP2?|ZSTD_\w+"
    r"|RIPGREP_CONFIG_PATH|FZF_\w+|JQ_\w+|AWKPATH|AWKLIBPATH|TREE_\w+|SED\w*|BAT_\w+|FD_\w+"
    r"|NODE_(?!ENV$)\w+|(?i:npm_config_(?!yes$)\w+)|NPM_TOKEN|YARN_\w+|COREPACK_\w+|BUN_\w+"
    r"|DENO_\w+|TS_NODE_\w+|ESLINT_\w+|ELECTRON_\w+|PLAYWRIGHT_\w+|PUPPETEER_\w+|HUSKY\w*"
    r"|PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|HASHSEED$|UTF8$|IOENCODING$)\w+"
    r"|PIP_\w+|UV_\w+|POETRY_\w+|PIPENV_\w+|CONDA_\w+|PYTEST_(?:ADDOPTS|PLUGINS)|TOX_\w+|COVERAGE_PROCESS_\w+"
    r"|PERL\w*|RUBY\w*|GEM_\w+|BUNDLE_\w+|RAKE\w*|PHP\w*|COMPOSER\w*|LUA_\w+|R_\w+|JULIA_\w+"
    r"|JAVA_\w+|_JAVA_OPTIONS|JDK_\w+|CLASSPATH|MAVEN_\w+|MVN_\w+|GRADLE_\w+|ANT_\w+|SBT_\w+"
    r"|DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE|ROOT\w*)|COR(?:ECLR)?_\w+|COMPlus_\w+"
    r"|ERL_\w+|ELIXIR_ERL_OPTIONS|OCAML(?:RUNPARAM|LIB|PATH)|CAMLRUNPARAM|TCLLIBPATH|GUILE_\w+"
    r"|GO(?!OS$|ARCH$|MAXPROCS$|GC$|TEST_\w+$)[A-Z]\w*|CGO_(?!ENABLED$)\w+"
    r"|RUSTC\w*|RUSTUP_\w+|RUSTFLAGS|RUSTDOC\w*|CARGO(?!_TERM_\w+$)\w*"
    r"|CC|CXX|CPP|LD|AR|AS|NM|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|CMAKE_\w+|CTEST_\w+|COMPILER_PATH"
    r"|GCC_\w+|LIBRARY_PATH|C(?:PLUS)?_INCLUDE_PATH|CPATH|MAKE\w*|MFLAGS|GNUMAKEFLAGS|PKG_CONFIG\w*"
    r"|DOCKER_(?!BUILDKIT$)\w+|BUILDKIT_(?!PROGRESS$)\w+"
    r"|COMPOSE_(?!PROJECT_NAME$|PROFILES$)\w+|KUBE\w+|HELM_\w+|TF_(?!VAR_)\w+|ANSIBLE_\w+|VAGRANT_\w+"
    r"|AWS_(?!PROFILE$|REGION$|DEFAULT_REGION$)\w+"
    r"|AZURE_\w+|GOOGLE_\w+|GCLOUD_\w+|CLOUDSDK_\w+|BOTO_\w+"
    r"|\w*_PROXY|\w*_proxy|SSL_\w+|SSLKEYLOGFILE|OPENSSL_\w+|CURL_\w+|WGETRC|WGET_\w+|NETRC"
    r"|REQUESTS_CA_BUNDLE|GNUTLS_\w+|KRB5\w*|LDAP\w*"
    r"|PGPASSFILE|PGSERVICEFILE|PGSYSCONFDIR|MYSQL_(?!PWD$)\w+|SQLITE_\w+|PSQL\w*|PSQLRC"
    r"|DBUS_\w+|XAUTHORITY|QT_\w+|GTK\w*|GIO_\w+|SUDO_\w+|ASSENT_\w+"
    r"|CLAUDE_\w+|CODEX_\w+|(?:ANTHROPIC|OPENAI|GEMINI)_(?!API_KEY$)\w+|VSCODE_\w+|INPUTRC|SCREENRC|TMUX\w*"
)
"""What loads code, chooses a program or a file that configures one, or sends somewhere else."""

_HARMLESS: Final = late(
    r"LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|TERM|COLORTERM"
    r"|COLUMNS|LINES|NODE_ENV|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONUTF8"
    r"|PYTHONIOENCODING|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_\w+|GOOS|GOARCH|GOMAXPROCS|LS_COLORS"
    r"|GREP_COLORS?|QUOTING_STYLE|TIME_STYLE|BLOCKSIZE|BLOCK_SIZE|DEBUG|VERBOSE|LOG_?LEVEL"
)
"""What only changes a language, a colour, a time zone or how much is said."""

_SEARCHED: Final = frozenset(
    """PYTHONPATH NODE_PATH PERL5LIB RUBYLIB CLASSPATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH
    JAVA_HOME GEM_PATH KUBECONFIG ANSIBLE_CONFIG""".split()
)
"""What only says where a program finds modules or its settings."""
_FILLED: Final = frozenset(
    """GEM_HOME BUNDLE_PATH RUSTUP_HOME CARGO_HOME CARGO_TARGET_DIR GOPATH GOBIN GOCACHE GOMODCACHE
    GOTMPDIR PIP_CACHE_DIR UV_CACHE_DIR UV_PROJECT_ENVIRONMENT POETRY_CACHE_DIR npm_config_cache
    NPM_CONFIG_CACHE YARN_CACHE_FOLDER XDG_CACHE_HOME GRADLE_USER_HOME COMPOSER_HOME
    HELM_CACHE_HOME PLAYWRIGHT_BROWSERS_PATH PUPPETEER_CACHE_DIR TF_DATA_DIR
    TF_PLUGIN_CACHE_DIR""".split()
)
"""What only says where a program puts what it makes or fetches."""

PLACED: Final = _SEARCHED | _FILLED
"""What only says where things lie."""

_LEADS: Final = late(r"LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM")
_A_PATH: Final = late(r"^[:/~.]|\.\.|:/")
"""A value that names a file where the name of a language, a zone or a terminal belongs."""

_PRINTS: Final = ("", "cat")
_TAME: Final = {
    **dict.fromkeys("PAGER GIT_PAGER MANPAGER GH_PAGER SYSTEMD_PAGER AWS_PAGER".split(), _PRINTS),
    "PYTHONWARNINGS": ("ignore", "default", "error", "always", "once", "module"),
    "GIT_TERMINAL_PROMPT": ("0",),
    "GIT_OPTIONAL_LOCKS": ("0",),
    "HUSKY": ("0",),
    "GOFLAGS": (
        *("-mod=mod", "-mod=readonly", "-mod=vendor"),
        *("-buildvcs=false", "-v", "-count=1", "-race", "-trimpath"),
    ),
    **dict.fromkeys(("GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR"), ("true", ":", "cat")),
    "SHELL": ("/bin/sh", "/bin/bash", "/usr/bin/bash", "/bin/zsh"),
    **dict.fromkeys(
        "HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy".split(), ("",)
    ),
    "GIT_MERGE_AUTOEDIT": ("no",),
    "GIT_LFS_SKIP_SMUDGE": ("1",),
    "NEXT_TELEMETRY_DISABLED": ("1",),
    "V": ("0", "1"),
    "GOPROXY": ("off",),
    "GOTOOLCHAIN": ("local",),
    "CARGO_NET_OFFLINE": ("true", "false"),
    "PLAYWRIGHT_BROWSERS_PATH": ("0",),
    **dict.fromkeys(
        ("npm_config_loglevel", "NPM_CONFIG_LOGLEVEL"),
        "silent error warn notice http info verbose silly".split(),
    ),
    "UV_OFFLINE": ("0", "1"),
    "PIP_DISABLE_PIP_VERSION_CHECK": ("0", "1"),
}
_COMPILER: Final = late(r"(?:\w+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-[0-9]+)?")
_COMPILED: Final = late(
    r"(?:-(?:O[0-3sgz]?|g[0-9]?|W(?!l,|a,|p,)[\w=+-]+|w|D\w+(?:=[\w.]+)?|std=[\w+]+|pedantic"
    r"|f(?:no-)?(?:pic|PIC|pie|PIE|sanitize=[\w,]+|omit-frame-pointer|stack-protector(?:-\w+)?"
    r"|exceptions|rtti|strict-aliasing|common|lto(?:=\w+)?|permissive|visibility=\w+|wrapv"
    r"|openmp|diagnostics-color(?:=\w+)?|(?:data|function)-sections|coroutines|unroll-loops)"
    r"|m(?:arch|tune|cpu)=[\w.+-]+|m(?:32|64)|pthread|pipe|l\w+) ?)+"
)
"""What a compiler is told of how it translates, and neither of plugins nor of other programs."""

_SIZES: Final = {
    **dict.fromkeys(("CC", "CXX", "LD", "HOSTCC"), _COMPILER),
    **dict.fromkeys("CFLAGS CXXFLAGS CPPFLAGS LDFLAGS".split(), _COMPILED),
    **dict.fromkeys(
        ("NO_PROXY", "no_proxy"), late(r"(?:localhost|127\.0\.0\.1|::1|\.local|,|\*)*")
    ),
    **dict.fromkeys(
        "CMAKE_BUILD_PARALLEL_LEVEL CTEST_PARALLEL_LEVEL CTEST_OUTPUT_ON_FAILURE".split(),
        late(r"[0-9]{1,4}"),
    ),
    "NODE_OPTIONS": late(
        r"(?:--(?:max[-_]old[-_]space[-_]size=[0-9]+|experimental-vm-modules|no-warnings"
        r"|enable-source-maps|no-deprecation|trace-warnings|trace-deprecation) ?)+"
    ),
    "MAKEFLAGS": late(r"-j ?[0-9]*"),
    "RUSTFLAGS": late(
        r"(?:(?:-[DWA] ?[a-z_:-]+|-C ?(?:target-cpu=native|debuginfo=[0-2]|opt-level=[0-3sz])"
        r"|--cfg ?\w+) ?)+"
    ),
    "RUSTDOCFLAGS": late(r"(?:-[DWA] ?[a-z_:-]+ ?)+"),
    "PORT": late(r"[0-9]{1,5}"),
    "JEST_WORKERS": late(r"[0-9]{1,3}%?"),
    "VITEST_MAX_THREADS": late(r"[0-9]{1,3}"),
    "CGO_ENABLED": late(r"[01]"),
    "DOCKER_BUILDKIT": late(r"[01]"),
    "BUILDKIT_PROGRESS": late(r"auto|plain|tty|quiet|rawjson"),
    "GO111MODULE": late(r"on|off|auto"),
    **dict.fromkeys(
        "ENV APP_ENV RAILS_ENV RACK_ENV FLASK_ENV DJANGO_ENV MIX_ENV ENVIRONMENT QUARKUS_PROFILE"
        " SPRING_PROFILES_ACTIVE ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT".split(),
        late(r"test|testing|development|dev|local|ci|Test|Testing|Development"),
    ),
    "CARGO_INCREMENTAL": late(r"[01]"),
    "CARGO_BUILD_JOBS": late(r"[0-9]{1,4}"),
    "PYTEST_ADDOPTS": late(r"(?:(?:-[qvxsl]+|--tb=\w+|--color=\w+|--maxfail=[0-9]+) ?)+"),
    "PIP_NO_CACHE_DIR": late(r"[01]|true|false|off"),
    "UV_NO_PROGRESS": late(r"[01]"),
    **dict.fromkeys(
        "OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS NUMEXPR_NUM_THREADS RAYON_NUM_THREADS"
        " JOBS WORKERS".split(),
        late(r"[0-9]{1,4}"),
    ),
    "CUDA_VISIBLE_DEVICES": late(r"-?[0-9]*(?:,[0-9]+)*"),
    "TOKENIZERS_PARALLELISM": late(r"true|false"),
    "TF_CPP_MIN_LOG_LEVEL": late(r"[0-3]"),
    **dict.fromkeys(("AWS_REGION", "AWS_DEFAULT_REGION"), late(r"[a-z]{2}(?:-[a-z]+)+-[0-9]")),
    "TF_LOG": late(r"(?i:trace|debug|info|warn|error|json|off)"),
    "RUSTUP_TOOLCHAIN": late(r"stable|beta|nightly|[0-9]+(?:\.[0-9]+){1,2}"),
    "TF_IN_AUTOMATION": late(r"[01]|true"),
    "NODE_NO_WARNINGS": late(r"[01]"),
    "ESLINT_USE_FLAT_CONFIG": late(r"true|false"),
    "TS_NODE_TRANSPILE_ONLY": late(r"[01]|true|false"),
    "PLAYWRIGHT_HTML_OPEN": late(r"never|always|on-failure"),
    "BROWSER": late(r"none"),
    "CARGO_TARGET_DIR": late(r"(?:\./)?target(?:[/-](?!\.\.)[\w.-]+)*"),
    **dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), late(r"[\w:+., -]+")),
    **dict.fromkeys(
        "GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL".split(),
        late(r"[\w@+., '-]+"),
    ),
    "VERSION": late(r"v?[0-9][\w.+-]*"),
    # What tests and builds of many projects are told by their own tools.
    **dict.fromkeys(
        "COVERAGE SQLX_OFFLINE DISABLE_SPRING DO_NOT_TRACK TURBO_TELEMETRY_DISABLED"
        " ASTRO_TELEMETRY_DISABLED DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO NX_DAEMON"
        " PYTHONFAULTHANDLER PYTHONASYNCIODEBUG PYTHONDEVMODE PYTHONSAFEPATH PIP_NO_INPUT"
        " PIP_QUIET COREPACK_ENABLE_DOWNLOAD_PROMPT npm_config_fund"
        " npm_config_audit npm_config_offline".split(),
        late(r"[01]|true|false"),
    ),
    **dict.fromkeys(
        "PROPTEST_CASES QUICKCHECK_TESTS RUST_TEST_THREADS RUST_MIN_STACK".split(),
        late(r"[0-9]{1,9}"),
    ),
    "INSTA_UPDATE": late(r"auto|new|no"),
    "XDEBUG_MODE": late(r"off|coverage"),
    "COMPOSER_MEMORY_LIMIT": late(r"-1|[0-9]+[KMGkmg]?"),
    **dict.fromkeys(
        ("MAVEN_OPTS", "GRADLE_OPTS", "JAVA_OPTS"), late(r"(?:-X(?:m[sx]|ss)[0-9]+[kmgKMG]? ?)+")
    ),
}


def is_dangerous(name: str) -> bool:
    """Whether a variable of this name decides what runs, or where it looks or sends.

    A name that no shell could assign is no variable of anybody's: bash makes a command of
    `BASH_FUNC_ls%%`.

    >>> is_dangerous("LD_PRELOAD"), is_dangerous("NAME"), is_dangerous("BASH_FUNC_ls%%")
    (True, False, True)
    """
    return not _NAME.fullmatch(name) or _DANGEROUS.fullmatch(name) is not None


def only_says_where(name: str) -> bool:
    """Whether a variable only says where a program finds what it loads, or puts what it makes.

    >>> only_says_where("PYTHONPATH"), only_says_where("PATH"), only_says_where("PYTHONSTARTUP")
    (True, False, False)
    """
    return name in PLACED


def is_filled(name: str) -> bool:
    """Whether a variable only says where a program puts what it makes.

    >>> is_filled("CARGO_TARGET_DIR"), is_filled("PYTHONPATH")
    (True, False)
    """
    return name in _FILLED


def is_harmless(name: str) -> bool:
    """Whether a variable of this name changes only how something looks.

    >>> is_harmless("NO_COLOR"), is_harmless("NAME")
    (True, False)
    """
    return _HARMLESS.fullmatch(name) is not None


def is_tame(name: str, value: str) -> bool:
    """Whether a value is harmless although its variable is not: a pager that only prints.

    >>> is_tame("PAGER", "cat"), is_tame("PAGER", "./show")
    (True, False)
    """
    size = _SIZES.get(name)
    return value in _TAME.get(name, ()) or (size is not None and bool(size.fullmatch(value)))


def is_plain(name: str, value: str | None) -> bool:
    """Whether a command may be given this without a question; None is a value nobody knows.

    >>> is_plain("CI", None), is_plain("PAGER", "cat"), is_plain("PAGER", None)
    (True, True, False)
    >>> is_plain("TZ", "UTC"), is_plain("TZ", "/tmp/zone"), is_plain("NAME", "me")
    (True, False, False)
    """
    if is_harmless(name):
        return not _LEADS.fullmatch(name) or (value is not None and not _A_PATH.search(value))
    return value is not None and is_tame(name, value)
