# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test quick lint docs clean

$(VENV)/run.stamp: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' --group dev
	@touch $@

demo: $(VENV)/run.stamp
	$(BIN)/cranfield demo cranfield-demo

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n auto $(ARGS)

quick: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n auto -m 'not slow' $(ARGS)

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp
	$(BIN)/python tools/make_docs.py

clean:
	rm -rf $(VENV) cranfield-demo .pytest_cache .mypy_cache .ruff_cache
