"""Values of dangerous variables that are harmless: how a program counts or prints, for example.

Each name is dangerous with any other value. It is a table and nothing else.
"""

from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = ["PLAIN", "SHAPED"]

_PRINTS: Final = ("", "cat")
PLAIN: Final = {
    **dict.fromkeys("PAGER GIT_PAGER MANPAGER GH_PAGER SYSTEMD_PAGER AWS_PAGER".split(), _PRINTS),
    "PYTHONWARNINGS": ("ignore", "default", "error", "always", "once", "module"),
    "GIT_TERMINAL_PROMPT": ("0",),
    "GIT_OPTIONAL_LOCKS": ("0",),
    "HUSKY": ("0",),
    "GOFLAGS": (
        *("-mod=readonly", "-mod=vendor"),
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
    r"|m(?:arch|tune|cpu)=[\w.+-]+|m(?:32|64)|pthread|pipe|l\w+)(?: |\Z))+"
)
"""What a compiler is told of how it translates, and neither of plugins nor of other programs."""

SHAPED: Final = {
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
        r"|enable-source-maps|no-deprecation|trace-warnings|trace-deprecation)(?: |\Z))+"
    ),
    "MAKEFLAGS": late(r"-j ?[0-9]*"),
    "RUSTFLAGS": late(
        r"(?:(?:-[DWA] ?[a-z_:-]+|-C ?(?:target-cpu=native|debuginfo=[0-2]|opt-level=[0-3sz])"
        r"|-Z ?sanitizer=\w+|--cfg ?\w+)(?: |\Z))+"
    ),
    "RUSTDOCFLAGS": late(r"(?:-[DWA] ?[a-z_:-]+(?: |\Z))+"),
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
    "PYTEST_ADDOPTS": late(r"(?:(?:-[qvxsl]+|--tb=\w+|--color=\w+|--maxfail=[0-9]+)(?: |\Z))+"),
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
    "CARGO_TARGET_DIR": late(r"(?:\./)?target(?:-(?!\.\.)[\w.-]++)?(?:/(?!\.\.)[\w.-]++)*"),
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
        " PIP_QUIET UV_NO_CACHE PUPPETEER_SKIP_DOWNLOAD PUPPETEER_SKIP_CHROMIUM_DOWNLOAD"
        " PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD COREPACK_ENABLE_DOWNLOAD_PROMPT npm_config_fund"
        " npm_config_audit npm_config_offline".split(),
        late(r"[01]|true|false"),
    ),
    **dict.fromkeys(
        "PROPTEST_CASES QUICKCHECK_TESTS RUST_TEST_THREADS RUST_MIN_STACK".split(),
        late(r"[0-9]{1,9}"),
    ),
    # How a program's own runtime works, counts and is traced: on what it prints, and nowhere else.
    **dict.fromkeys(
        "UV_THREADPOOL_SIZE MALLOC_CHECK_ MALLOC_ARENA_MAX MALLOC_PERTURB_ PYTHONTRACEMALLOC"
        " PYTHONOPTIMIZE".split(),
        late(r"[0-9]{1,9}"),
    ),
    "GOTRACEBACK": late(r"none|single|all|system|crash|[0-2]"),
    "GOMEMLIMIT": late(r"[0-9]+(?:[KMGT]i)?B?|off"),
    "GOAMD64": late(r"v[1-4]"),
    "GODEBUG": late(r"(?:(?:gctrace|inittrace|schedtrace|scheddetail|netdns)=\w+(?:,|\Z))+"),
    "GORACE": late(r"(?:(?:halt_on_error|history_size|exitcode)=[0-9]+(?: |\Z))+"),
    **dict.fromkeys(
        (
            f"CARGO_PROFILE_{profile}_{setting}"
            for profile in ("DEV", "RELEASE", "TEST", "BENCH")
            for setting in "DEBUG OPT_LEVEL LTO CODEGEN_UNITS INCREMENTAL STRIP PANIC".split()
        ),
        late(r"[\w-]+"),
    ),
    "NODE_DEBUG": late(r"[a-z0-9_]+(?:,[a-z0-9_]+)*"),
    **dict.fromkeys("GIT_TRACE GIT_TRACE_PERFORMANCE GIT_TRACE_SETUP".split(), late(r"[01]")),
    "QT_QPA_PLATFORM": late(r"offscreen|minimal|xcb|wayland"),
    "DOCKER_DEFAULT_PLATFORM": late(r"linux/\w+(?:/v[0-9])?"),
    "CMAKE_GENERATOR": late(r"Ninja|Unix Makefiles|Ninja Multi-Config"),
    "CMAKE_EXPORT_COMPILE_COMMANDS": late(r"[01]|ON|OFF"),
    "ANSIBLE_STDOUT_CALLBACK": late(r"default|debug|json|minimal|oneline|yaml"),
    # What tests against a made cloud are given in the place of a key.
    **dict.fromkeys(
        "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN".split(),
        late(r"test|testing|fake|dummy|local"),
    ),
    "INSTA_UPDATE": late(r"auto|new|no"),
    "XDEBUG_MODE": late(r"off|coverage"),
    "COMPOSER_MEMORY_LIMIT": late(r"-1|[0-9]+[KMGkmg]?"),
    **dict.fromkeys(
        ("MAVEN_OPTS", "GRADLE_OPTS", "JAVA_OPTS"),
        late(r"(?:-X(?:m[sx]|ss)[0-9]+[kmgKMG]?(?: |\Z))+"),
    ),
}
