# Two targets do all the set-up themselves: `make studio` and `make test`. Written for GNU make 3.81, which macOS has.

VENV ?= .venv
BIN = $(VENV)/bin
JOBS ?= 2
SCENE ?= ragdoll
BENCH ?= dynamics

# What surrounds us must not reach into our environment.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_USER PIP_TARGET PIP_PREFIX
export VENV PYTHON

.PHONY: help studio test lint format types imports kernels pytest bench lock clean run-environment dev-environment

help:
	@echo "make studio   simulate a character and say where the result is (the studio itself is on its way)"
	@echo "make test     check everything: style, types, imports, kernels, tests"
	@echo "make lint     the checks without the tests"
	@echo "make format   put the sources into shape"
	@echo "make bench    measure speed beside other programs (BENCH=$(BENCH))"
	@echo "make lock     resolve the locked versions again, after a change of pyproject.toml"
	@echo "make clean    remove what the other targets made, the environment included"

studio: run-environment
	@$(BIN)/stringless run $(SCENE) --seconds 5

test: lint pytest

lint: dev-environment
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python tools/check_kernels.py
	@$(BIN)/lint-imports
	@$(BIN)/pyright --pythonpath $(BIN)/python

pytest: dev-environment
	@$(BIN)/python -m pytest -n $(JOBS)

format: dev-environment
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

bench: dev-environment
	@$(BIN)/stringless bench $(BENCH) --against pinocchio,dart,mujoco

lock: dev-environment
	@$(BIN)/python tools/lock.py

clean:
	rm -rf $(VENV) build dist runs .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

run-environment:
	@sh tools/setup.sh run

dev-environment:
	@sh tools/setup.sh dev
