# Two commands do everything: `make demo` and `make test`. Each sets up .venv first; so does
# `make docs`, which runs all code of the documentation and builds its pages. A C compiler is needed.
PYTHON ?= python3
BIN := .venv/bin
PIP := PATH="$(CURDIR)/$(BIN):$$PATH" python -m pip --quiet --disable-pip-version-check
# Kernels are compiled for this processor only.
BUILD := --no-build-isolation --config-settings=setup-args=-Dprocessor=native \
	--config-settings=build-dir=build/native
# What pyproject.toml lists under the given keys.
DECLARED = $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))$(1))'
PACKAGE := pyproject.toml meson.build meson.options release/version.py $(shell find src -name '*.py' -o -name '*.pxd' -o -name '*.[ch]' -o -name 'meson.build')
export OPENBLAS_NUM_THREADS ?= 1
# Without byte code, pytest rewrites the assertions of all tests at every run.
unexport PYTHONDONTWRITEBYTECODE
SOURCES := src tests benchmarks verify examples docs release

VERIFY := sampler suggestion modes recovery calibration independence chains subtypes patients clinical groups hazards timed_hazards dense order_fits capri stacking differences planning orders known_orders posets what_if

FUZZ ?= 100000

.PHONY: demo test quick verify bench mutants fuzz wheel release-check docs lint types pytest format clean

demo: .venv/ready
	$(BIN)/caprese bootstrap ovarian --replicates 10000 --no-table
	@mkdir -p demo
	@echo
	$(BIN)/caprese report ovarian --replicates 10000 --title "Ovarian cancer" --force -o demo/report.html
	@echo "Open demo/report.html in a browser."

test: lint types pytest

# The habit while working: lint and the tests that are not marked as slow, in half a minute.
quick: .venv/ready-to-test
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow" --hypothesis-profile=quick tests

lint: .venv/ready-to-test
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

types: .venv/ready-to-test
	$(BIN)/mypy

pytest: .venv/ready-to-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal

# Statistical verification, about an hour; `make verify QUICK=1` takes minutes and decides little.
verify: .venv/ready-to-test
	$(foreach name,$(VERIFY),$(BIN)/python verify/$(name).py $(if $(QUICK),--quick) &&) true

# The table of speeds, about ten minutes; `make bench QUICK=1` takes one, and writes nothing.
bench: .venv/ready-to-test
	$(BIN)/python benchmarks/table.py $(if $(QUICK),--quick,--json benchmarks/table.json --document)

# Mutation testing of the core: a sample of 60 mutants in minutes; `make mutants SAMPLE=0` tries all.
mutants: .venv/ready-to-test
	$(BIN)/python verify/mutants.py $(if $(SAMPLE),--sample $(SAMPLE))

# Damaged files for every reader; `make fuzz FUZZ=1000000` takes about an hour.
fuzz: .venv/ready-to-test
	PYTHONPATH=tests $(BIN)/python -m fuzz.fuzzing --cases $(FUZZ) --keep fuzz-findings

# The wheel of this system, for every Python from 3.11 on.
wheel: .venv/bin/meson
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist .

# All that can be checked before a release on one machine, about ten minutes; see docs/releasing.md.
release-check: .venv/bin/python
	$(BIN)/python release/check.py $(if $(KEEP),--keep $(KEEP))

docs: .venv/ready-for-docs
	$(BIN)/python -m pytest -q README.md docs tests/test_documentation.py tests/test_examples.py
	rm -rf docs/api/generated
	$(BIN)/sphinx-build -W --keep-going -n -q docs docs/_build/html
	@echo "docs/_build/html/index.html"

format: .venv/ready-to-test
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "caprese needs Python 3.11 or newer; try: make PYTHON=python3.12"; exit 2; }
	@for each in $${CC:-cc gcc clang cl}; do command -v $$each && exit; done > /dev/null || \
		{ echo "caprese compiles its inner loops, and no C compiler was found. Install one" \
		"(Debian, Ubuntu: apt-get install build-essential; Fedora: dnf install gcc; macOS:" \
		"xcode-select --install), or install a wheel, which needs none."; exit 2; }
	$(PYTHON) -m venv .venv

.venv/bin/meson: | .venv/bin/python
	$(PIP) install $$($(call DECLARED,["build-system"]["requires"])) ninja

# Copied into .venv, or, once tests were run, from the clone: then an edit of a kernel is
# compiled at the next import.
.venv/ready: $(PACKAGE) | .venv/bin/meson
	@test -e .venv/ready-to-test || $(PIP) install $(BUILD) .
	@touch $@

# Only this package is built with what stands in .venv; what tests need is installed before it,
# as a few of those packages are built, too, and bring their own tools.
.venv/ready-to-test: pyproject.toml meson.build meson.options | .venv/bin/meson
	$(PIP) install $$($(call DECLARED,["project"]["optional-dependencies"]["dev"]))
	$(PIP) install $(BUILD) --editable .
	@$(BIN)/python -m compileall -q src  # an editable package writes no byte code
	@touch $@ .venv/ready

.venv/ready-for-docs: pyproject.toml | .venv/ready-to-test
	$(PIP) install $$($(call DECLARED,["project"]["optional-dependencies"]["docs"]))
	@touch $@

clean:
	rm -rf .venv demo build dist docs/_build docs/api/generated docs/gallery .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
