# Everything that is done to this project, by one word each. `make` alone lists the words.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

PYTHON3 ?= python3
BIN := $(CURDIR)/.venv/bin
PYTHON := $(BIN)/python
NPM := npm --prefix client-ts

# How many tests run at once, and which: `make check TESTS=tests/gate WORKERS=2`.
WORKERS ?= auto
# Many fast tests wait for other programs, so one more of them runs than there are processors.
FAST_WORKERS = $(if $(filter auto,$(WORKERS)),$(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1))),$(WORKERS))
TESTS ?= tests
FAST = not editor and not browser and not agents$(if $(LONG),, and not long)
NEWEST_VSIX = $$(ls -t dist/*.vsix | head -n 1)
# Where the tests in an editor and a browser lie: `tests/conftest.py` refuses them elsewhere.
SLOW = $(if $(filter tests,$(TESTS)),tests/vscode tests/webview,$(TESTS))
# Each start would else compile anew what tests start as programs.
export PYTHONDONTWRITEBYTECODE :=
# A whole run must show each requirement that is built; one of a few tests need not.
WHOLE = $(if $(filter tests,$(TESTS)),--whole $(1))

# Runs pytest. If few tests fail, it runs these once more, alone.
TRY := $(PYTHON) $(CURDIR)/tests/once_more.py

say = @printf '\033[1m%s\033[0m  %(%T)T\n' $(1) -1

.PHONY: help
help: ## List what can be made
	@echo 'make <word>, where the word is one of:'
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  %-12s %s\n", $$1, $$2 }'

.PHONY: install
install: ## Make .venv and the npm packages from their lock files
	$(call say,'Installing what development needs')
	@command -v $(PYTHON3) >/dev/null || { echo 'Python 3.11 or newer is needed, and $(PYTHON3) is not there.'; exit 1; }
	@$(PYTHON3) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Python 3.11 or newer is needed: name one with PYTHON3=…'; exit 1; }
	@cd tests && $(PYTHON3) -m host.venv
	@$(PYTHON3) server/bwrap/build.py

.PHONY: bwrap
bwrap: ## Build the bubblewrap that is packaged, where there is a compiler
	$(call say,'Building bubblewrap')
	@$(PYTHON3) server/bwrap/build.py

.PHONY: protocol
protocol: ready ## Write what is generated: the protocol, and the settings in the manifest and the docs
	$(call say,'Writing the shapes of the protocol as TypeScript')
	@$(PYTHON) -m assent.editor.protocol.typescript
	$(call say,'Writing the protocol for who builds a client')
	@$(PYTHON) -m assent.editor.protocol.document
	$(call say,'Writing the settings into the manifest and docs/settings.md')
	@$(PYTHON) -m assent.gate.settings.manifest

.PHONY: map
map: ready ## Draw who imports whom, between the packages and within the gate, into docs/
	$(call say,'Drawing who imports whom')
	@cd tests && PYTHONPATH=. $(PYTHON) -m house.map

.PHONY: models
models: ready ## Write what is known of models from LiteLLM's newest table; fetches 45 MB
	$(call say,'Writing the table of models')
	@cd tests && PYTHONPATH=. $(PYTHON) -m house.model_table

.PHONY: check
check: ready ## Check everything that needs no editor: format, lint, types, layers, fast tests
	$(call say,'Format')
	@$(BIN)/ruff format --check --quiet server tests || { echo 'Run $(BIN)/ruff format server tests.'; exit 1; }
	$(call say,'Lint')
	@$(BIN)/ruff check --no-cache --quiet server tests
	@$(MAKE) --no-print-directory -j 2 --output-sync=target check-pyright check-mypy check-imports check-client
	$(call say,'Fast tests of the server')
	@$(TRY) $(TESTS) -q -m '$(FAST)' -n $(FAST_WORKERS) --dist worksteal $(call WHOLE,first)
	$(call say,'Tests of the client')
	@$(NPM) run --silent test

# Each of these takes one processor, so `check` runs two of them at a time.
.PHONY: check-mypy check-pyright check-imports check-client
check-mypy:
	$(call say,'Types of the server by mypy')
	@$(BIN)/mypy
check-pyright:
	$(call say,'Types of the server by pyright')
	@client-ts/node_modules/.bin/pyright --pythonpath $(PYTHON) server
check-imports:
	$(call say,'Who imports whom')
	@$(BIN)/lint-imports --no-cache >/dev/null || { $(BIN)/lint-imports --no-cache; exit 1; }
check-client:
	$(call say,'Checks of the client')
	@$(NPM) run --silent check

.PHONY: test
test: install vsix check chromium ## Check, package, and try the main paths in a browser and in a real VS Code
	$(call say,'Main paths in a browser and in a real VS Code')
	@ASSENT_VSIX="$(NEWEST_VSIX)" $(TRY) $(SLOW) -q -m 'walk and not long' -n $(WORKERS)
	@$(MAKE) guard

.PHONY: test-all
# Its fast tests are all that need no editor, also those that take long.
test-all: LONG := yes
test-all: install vsix check chromium ## All that CI runs: every test in the editor, and real agents
	$(call say,'Tests in a browser and in a real VS Code')
	@ASSENT_VSIX="$(NEWEST_VSIX)" $(TRY) $(SLOW) -q -m 'browser or editor' -n $(WORKERS) $(call WHOLE,rest)
	@$(MAKE) test-agents MATRIX=check

.PHONY: guard
guard: ready ## Hold three times that people feel against plain work of the same kind
	$(call say,'Guarding against getting slower')
	@PYTHONPATH=tests $(PYTHON) -m bench.guard

.PHONY: chromium
chromium: ready
	$(call say,'Fetching the editor and the browser that tests drive')
	@cd tests && $(PYTHON) -m host.install --if-possible

# Which agents: `make test-agents AGENTS='claude codex'`; with `all` each of them. Without a word the
# three that most people have are tried whole, and of the others what becomes of each of their calls.
AGENTS ?=
SOME = $(filter-out all,$(AGENTS))
TRIED = $(if $(SOME),$(call EACH_OF,$(SOME)),$(if $(AGENTS),,claude or codex or copilot or every_call))
# The gate matrix of server/assent/hosting/README.md is written by one test at a time, or with
# MATRIX=check held against.
MATRIX ?= write
EACH_OF = $(shell echo $(1) | sed 's/ / or /g')

.PHONY: test-agents
test-agents: ready ## Try real agents behind the gate, with a model that is played: `AGENTS=claude`
	$(call say,'Fetching the agents that are tried')
	@cd tests && PYTHONPATH=. $(PYTHON) -m hosting.real.fetch $(SOME)
	$(call say,'Trying real agents')
	@ASSENT_MATRIX='$(MATRIX)' $(TRY) tests/hosting/real tests/hosting/terminals -q -m agents -n $(if $(filter write,$(MATRIX)),1,$(WORKERS)) $(if $(TRIED),-k '$(TRIED)')

.PHONY: test-hosts
test-hosts: ready ## Try LiteLLM's proxy in front of a model that is played; fetches 750 MB once
	$(call say,'Fetching the proxy that is tried')
	@cd tests && PYTHONPATH=. $(PYTHON) -m agent.proxies.proxy
	$(call say,'Trying a real proxy')
	@$(BIN)/pytest tests/agent/proxies -q -m agents

.PHONY: pictures
pictures: ready ## Draw the pictures of the documents from the view as it is
	$(call say,'Drawing the pictures of the documents')
	@cd client-ts && node build.mjs >/dev/null
	@ASSENT_PICTURES=write $(BIN)/pytest tests/webview/test_documents_picture.py -q -m browser -n 0

.PHONY: test-servers
test-servers: ready ## Try real servers of the Model Context Protocol, and the real nodetool
	$(call say,'Fetching the servers that are tried')
	@cd tests && PYTHONPATH=. $(PYTHON) -m catalogue.mcp.fetch
	@cd tests && PYTHONPATH=. $(PYTHON) -m catalogue.mcp.nodetools
	$(call say,'Trying real servers')
	@$(BIN)/pytest tests/catalogue/mcp tests/editor/wire/test_browser.py tests/editor/wire/test_nodetool_real.py -q -m agents -n 1

.PHONY: vsix
vsix: install ## Package the extension with its Python into dist/
	$(call say,'Packaging the extension')
	@$(PYTHON) client-ts/bundle.py

.PHONY: mynah
mynah: install ## Package the cards for MynahUI into dist/
	$(call say,'Packaging the cards for MynahUI')
	@node client-ts/mynah.mjs

.PHONY: run
run: vsix ## Show Assent in a real VS Code on a sample project
	$(call say,'Starting VS Code on a sample project')
	@vsix="$$(ls -t "$(CURDIR)"/dist/*.vsix | head -n 1)" && cd tests && exec $(PYTHON) -m host.demo "$$vsix"

# How many, by which seed, and of which kind: `make fuzz N=1000 SEED=7 WHAT=flags`.
N ?= 10000
SEED ?=

.PHONY: fuzz
fuzz: ready ## Run many command lines for real, and hold the gate against it: `WHAT=words|paths|flags|drafts`
	$(call say,'Running command lines in the real bash')
	@cd tests && PYTHONPATH=. $(PYTHON) -m fuzz.many $(N) $(SEED) $(WHAT)

# A journal of a million rows is measured with `make bench WHAT=million` alone.
# How long the server works in the long run: `make bench WHAT=soak MINUTES=20`.
MINUTES ?= 20
export MINUTES
# Which faults: `make mutants ONLY=digest`.
ONLY ?=

.PHONY: mutants
mutants: ready ## Plant faults in copies of the server, and see that a test notices each
	$(call say,'Planting faults')
	@cd tests && WORKERS='$(filter-out auto,$(WORKERS))' PYTHONPATH=. $(PYTHON) -m mutants $(ONLY)

.PHONY: bench
bench: install ## Measure the server, what people feel, decisions, long texts, explain, the agent, memory, history, chats, servers of tools, collections, the sandbox: `make bench WHAT=agent`
	@cd tests && $(PYTHON3) -m host.venv peer
	$(call say,'Measuring')
	@PYTHONPATH=tests $(PYTHON) tests/bench/run.py $(WHAT)

# Not a word of its own: says what to do where `make install` has not been run.
.PHONY: ready
ready:
	@test -x $(PYTHON) && test -d client-ts/node_modules || { echo 'Something is not installed yet: run `make install` first.'; exit 1; }
