# Fundstelle: `make up` runs it, `make test` tests it, `make help` lists the rest.
SHELL := /bin/sh
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PORT ?= 8000
# Processes that share the tests; those of one file stay together, and the heavy ones begin. Twice
# as many as there are cores: more than half of their time is waiting, for servers and browsers.
JOBS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 2 )))

# Tests start hundreds of processes of the same code: each would compile it anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help up setup format lint types contracts test quick check scale bench bench-search bench-citations bench-history slow-inputs student docs site golden requirements release clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: .venv/.runtime ## install, build the corpus if there is none, start the server
	@exec $(BIN)/fundstelle up --port $(PORT) $(ARGS)

setup: .venv/.dev ## install everything the checks need

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "CPython 3.11 or newer is needed; install it, or name it: make up PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "python's venv module is missing (Debian: apt-get install python3-venv)" >&2; exit 1; }

.venv/.runtime: requirements/main.txt pyproject.toml | .venv/bin/python
	@echo "Installing Fundstelle (once) ..."
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements/main.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.dev: requirements/dev.txt .venv/.runtime
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

format: setup ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix --quiet .

lint: setup contracts ## ruff and the layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

contracts: setup ## the import contracts
	$(BIN)/lint-imports --no-cache

types: setup ## mypy --strict on src, tests and benches
	$(BIN)/mypy

test: setup ## run the test suite
	$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --max-worker-restart 1 --durations 10 --ignore tests/scale

quick: lint types ## what takes a minute: lint, types, contracts, unit and protocol tests
	$(BIN)/pytest -n $(JOBS) --dist loadfile tests/unit tests/protocol

check: lint ## everything CI checks: lint, types, import contracts, tests
	@$(MAKE) --no-print-directory -j 2 types test

scale: setup ## OpenSearch nodes and servers behind nginx, while each part goes away (JDK 17, Maven, nginx)
	$(BIN)/pytest tests/scale -s

bench: setup ## run all benchmarks: cost of a build, speed against the peers, accuracy
	$(BIN)/python -m benches

bench-search: setup ## retrieval quality on ../shared/eval
	$(BIN)/python -m benches.accuracy.search

bench-citations: setup ## citation accuracy on ../shared/citations
	$(BIN)/python -m benches.accuracy.citations

bench-history: setup ## build all versions (ten minutes), look 2,000 past texts up, count days, time an update, replay all looks (an hour or more)
	FUNDSTELLE_DATA=build/bench-history $(BIN)/fundstelle ingest --fresh
	FUNDSTELLE_DATA=build/bench-history $(BIN)/python -m benches.accuracy.past_texts
	FUNDSTELLE_DATA=build/bench-history $(BIN)/python -m benches.accuracy.commencement
	$(BIN)/python -m benches.cost.updates
	$(BIN)/python -m benches.accuracy.replay

slow-inputs: setup ## search for inputs that take long; asks the build in FUNDSTELLE_DATA
	$(BIN)/python -m benches.adversarial --minutes $(or $(MINUTES),20)

student: setup ## train the package's own model of meaning anew (a build, then six minutes)
	FUNDSTELLE_DATA=build/student $(BIN)/fundstelle ingest --fresh --source ../shared/corpus \
	  --guard ../shared/eval/norm_questions.jsonl.gz --guard ../shared/eval/citing_sentences.jsonl.gz
	$(BIN)/python -m benches.student --data build/student

docs: setup ## regenerate docs/tools.md and docs/commands.md
	$(BIN)/python -m docs.generate_tools
	$(BIN)/python -m docs.generate_commands

golden: setup ## regenerate golden files (review them as a diff)
	FUNDSTELLE_GOLDEN=write $(BIN)/pytest tests/unit/tools

requirements: setup ## compile the hashed requirements anew
	$(BIN)/python -m pip install --quiet uv
	compile="$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-header"; \
	for name in main dev; do $$compile pyproject.toml requirements/$$name.in -o requirements/$$name.txt; done; \
	$$compile pyproject.toml requirements/main.in -c requirements/main.txt -c requirements/dev.txt --extra drafts --extra opensearch --extra postgres --extra redis --extra s3 --extra telemetry -o requirements/container.txt; \
	for name in release docs; do $$compile requirements/$$name.in -o requirements/$$name.txt; done

build/%/.installed: requirements/%.txt
	@test -n "$(PYTHON)" || { echo "CPython 3.11 or newer is needed" >&2; exit 1; }
	@$(PYTHON) -m venv --clear build/$*
	@build/$*/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

release: build/release/.installed ## build what is committed into dist/: wheel, sdist, hashes, SBOM (KEY=FILE signs)
	@build/release/bin/python -m releases dist $(if $(KEY),--key $(KEY)) $(ARGS)

site: build/docs/.installed ## build the documentation as a site into build/site
	@NO_MKDOCS_2_WARNING=1 build/docs/bin/mkdocs build --strict $(ARGS) # with --quiet it would not be strict

clean: ## remove what the checks left behind (not the data)
	rm -rf build .mypy_cache .ruff_cache .hypothesis
