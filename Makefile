# Two commands do everything: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
PY := .venv/bin/python
PIP := -m pip --disable-pip-version-check install --quiet
COMPILE := .venv-lock/bin/uv pip compile pyproject.toml --universal --generate-hashes --python-version 3.11 --no-header --quiet
export IPYTHONDIR := $(CURDIR)/.ipython
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help run test lab faults cluster bench site write lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1: /p' Makefile

run: .venv/ready  ## run every notebook: copies to runs/, pictures to figures/, the scoreboard to README.md
	$(PY) -m lib run
	$(PY) -m lib readme

test: .venv/ready  ## lint, tests, notebook hygiene, and every printed number of every notebook compared
	$(PY) -m ruff check --quiet .
	$(PY) -m ruff format --check --quiet .
	MARGIN_FIGURES=.cache/figures $(PY) -m pytest -n 2 --dist loadfile
	$(PY) -m lib figures --against .cache/figures

lab: .venv-lab/ready  ## open the notebooks in JupyterLab (an environment of its own)
	.venv-lab/bin/python -m jupyterlab notebooks

faults: .venv/ready  ## break the runner in every way and print what happened
	$(PY) -m faults

cluster: .venv-cluster/ready  ## test sweeps on a Dask cluster (an environment of its own)
	.venv-cluster/bin/python -m pytest -q tests/test_cluster.py

bench: .venv/ready  ## measure against the peers, as ratios in one run
	$(PY) -m benchmarks

site: .venv-site/ready  ## build the web book in site/ from the committed notebooks, and test it in a browser
	rm -rf site .cache/html
	.venv-site/bin/python book/pages.py .cache/book
	.venv-site/bin/python -m sphinx -q -W -d .cache/doctrees -b html .cache/book .cache/html
	mv .cache/html site
	.venv-site/bin/python -m pytest -q -o addopts= book

write: .venv/ready  ## rerun every notebook and store its outputs, normalised, in notebooks/
	$(PY) -m lib run --write
	$(PY) -m lib readme

lock:  ## compile the lock files anew
	test -d .venv-lock || { $(PYTHON) -m venv .venv-lock && .venv-lock/bin/python $(PIP) uv; }
	$(COMPILE) --extra run --extra test -o requirements.lock
	$(COMPILE) --extra run --extra test --extra lab -c requirements.lock -o requirements-lab.lock
	$(COMPILE) --extra run --extra test --extra site -c requirements.lock -o requirements-site.lock
	$(COMPILE) --extra run --extra test --extra cluster -c requirements.lock -o requirements-cluster.lock

clean:  ## remove the environments and everything that a run wrote
	rm -rf .venv .venv-lab .venv-site .venv-cluster .venv-lock .cache runs site

.venv/ready: requirements.lock
.venv-lab/ready: requirements-lab.lock
.venv-site/ready: requirements-site.lock
.venv-cluster/ready: requirements-cluster.lock
%/ready: pyproject.toml
	$(PYTHON) -m venv --clear $*
	$*/bin/python $(PIP) --require-hashes --only-binary=:all: -r $(filter %.lock,$^)
	$*/bin/python $(PIP) --no-build-isolation --no-deps -e .
	touch $@
