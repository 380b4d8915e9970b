"""Variables that decide what a program does, and those that only decide how it looks.

What passes without a question is listed here and nowhere else: `is_plain` is asked about a
variable before a command, of a declaration, of a wrapper and of a call's own field alike. A name
that stands in no table is asked about by every mode that asks about anything, since nobody knows
which programs it steers.
"""

import re
from typing import Final

from assent.gate.programs.harmless_variables import PLAIN, SHAPED
from assent.gate.text.lazy_patterns import late

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
    r"PATH|IFS|PIPESTATUS|HOME|ENV|CDPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_\w+|PS[0-4]|PROMPT_\w+|GLOBIGNORE"
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
    size = SHAPED.get(name)
    return value in PLAIN.get(name, ()) or (size is not None and bool(size.fullmatch(value)))


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
