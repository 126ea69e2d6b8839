# Two targets do all the set-up themselves: `make studio` and `make test`. Written for GNU make 3.81, which macOS has.

VENV ?= .venv
BIN = $(VENV)/bin
JOBS ?= 2
SCENE ?=
BENCH ?= dynamics

# What surrounds us must not reach into our environment.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_USER PIP_TARGET PIP_PREFIX
export VENV PYTHON

.PHONY: help studio test quick plain quick-tests lint format page pytest browser bench lock pictures clean run-environment dev-environment

help:
	@echo "make studio   open the studio with a character to direct (or SCENE=fish, a file, a project)"
	@echo "make test     check everything: style, types, imports, kernels, tests, the page in a browser"
	@echo "make quick    the checks and a part of the tests, within two minutes"
	@echo "make plain    a part of the tests in plain Python, with no kernel compiled"
	@echo "make lint     the checks without the tests"
	@echo "make format   put the sources into shape"
	@echo "make page     build the studio's page, if its sources have changed"
	@echo "make pictures take the pictures of the gallery and of the documentation again"
	@echo "make bench    measure speed beside other programs (BENCH=$(BENCH))"
	@echo "make lock     resolve the locked versions again, after a change of pyproject.toml"
	@echo "make clean    remove what the other targets made, the environment included"

studio: run-environment
	@$(BIN)/python hatch_build.py
	@$(BIN)/stringless studio $(SCENE)

test: lint pytest

quick: dev-environment
	@$(MAKE) --jobs 2 lint quick-tests

quick-tests: dev-environment
	@$(BIN)/python -m pytest -q -m "quick and not slow"

plain: dev-environment
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m "plain and not compiled"

lint: dev-environment
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python tools/check_kernels.py
	@$(BIN)/lint-imports
	@$(BIN)/pyright --pythonpath $(BIN)/python
	@$(BIN)/python hatch_build.py lint
	@$(BIN)/python hatch_build.py types

pytest: page browser
	@$(BIN)/python hatch_build.py test
	@$(BIN)/python tools/kernels.py
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

page: dev-environment
	@$(BIN)/python hatch_build.py

browser: dev-environment
	@$(BIN)/python tools/browser.py

format: dev-environment
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

bench: dev-environment
	@$(BIN)/stringless bench $(BENCH) --against pinocchio,dart,mujoco

lock: dev-environment
	@$(BIN)/python tools/lock.py

pictures: page browser
	@$(BIN)/python tools/pictures.py

clean:
	rm -rf $(VENV) build dist runs page/node_modules src/stringless/studio/page .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

run-environment:
	@sh tools/setup.sh run

dev-environment:
	@sh tools/setup.sh dev
